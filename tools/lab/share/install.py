"""`lab install`: what notebooks, tests and editors elsewhere need of the lab, put where each of them looks. `lab new`: a folder to begin in."""

import json
import os
import re
import shutil
from pathlib import Path

from ..base import lock, places, stamps
from ..base.processes import output_of, run_logged
from ..base.terminal import LabError, Step, say
from ..prepare import kernel, maven, setup
from ..prepare.java import Java
from . import bundle

TEMPLATE = Path(__file__).with_name("my-client.ipynb")

NEEDED = re.compile(r"data/(published|registered)/|notebooks/[\w-]+\.ipynb|notebooks/lab\.json|server/delay/[\w-]+\.options|lib/clients/versions\.lock\.json")
"""What a run or a table reads beside the jars, by its place in the project."""

RUNNABLE = {"delay-server": places.SERVER_JAR, "wire": places.ROOT / "server" / "wire" / "target" / "wire.jar"}
"""Programs that need nothing else: in the Maven repository they have the classifier `all`."""


def run() -> int:
    """Put everything in its place; 0 when it is there."""
    launcher = maven.required()
    java = setup.library("install")
    with lock.only_one("install"):
        user = home_of(java)
        where = copy(user / ".client-lab")
        descriptor = user / ".jupyter_kotlin" / "libraries" / "client-lab.json"
        stamps.write_whole(descriptor, json.dumps(kernel.library(where), indent=2) + "\n")
        artifacts(launcher, java)
    say(f"The lab's jars and published data are in {where}.")
    say("A Kotlin notebook in any folder now begins with `%use client-lab`; its runs go into `data` beside it. `lab new FOLDER` makes one.")
    say(f"A project's tests take the artifact clientlab:client-lab-junit:{maven.version()} from this user's Maven repository.")
    return 0


def home_of(java: Java) -> Path:
    """The user's folder as Java sees it, where Maven and the kernel have theirs."""
    said = output_of([java.executable, "-XshowSettings:properties", "-version"]) or ""
    found = re.search(r"^\s*user\.home = (.+)$", said, re.MULTILINE)
    if not found:
        raise LabError("This Java does not say where the user's folder is: `lab doctor` says which Java that is.")
    return Path(found[1].strip())


def copy(top: Path) -> Path:
    """A copy of what a run needs, in a folder of this version below `top`, in place of an older one."""
    files = bundle.jars() + [file for file in bundle.sources() if NEEDED.match(file.relative_to(places.ROOT).as_posix())]
    target = top / maven.version()
    part = top / f".{maven.version()}.part"
    shutil.rmtree(part, ignore_errors=True)
    step = Step(f"Copying the lab to {target}")
    for file in files:
        copied = part / file.relative_to(places.ROOT)
        copied.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(file, copied)
    commit = (output_of(["git", "-C", places.ROOT, "rev-parse", "HEAD"]) or "").strip() or "unknown"
    (part / "installed.txt").write_text(commit + "\n", encoding="utf-8")
    shutil.rmtree(target, ignore_errors=True)
    os.replace(part, target)
    step.done(f"{len(files)} files")
    return target


def artifacts(launcher: maven.Maven, java: Java) -> None:
    """The modules with their sources and KDoc, in the user's Maven repository, and the programs."""
    step = Step("Installing the artifacts with sources and KDoc")
    goals = ["install", "-Pdocumented", "-Dmaven.test.skip=true", "-Dspotless.check.skip=true", *maven.only_what_changed(java)]
    file = "org.apache.maven.plugins:maven-install-plugin:3.1.4:install-file"
    programs = [
        [file, "-DgroupId=clientlab", f"-DartifactId={name}", f"-Dversion={maven.version()}", "-Dclassifier=all", "-Dpackaging=jar", f"-Dfile={jar}"]
        for name, jar in RUNNABLE.items()
    ]
    for each in [goals, *([*program, "-DgeneratePom=false"] for program in programs)]:
        if run_logged(maven.arguments(launcher, *each), step=step, log_name="install", environment=maven.variables(java), reading=maven.Reader()):
            step.done("failed")
            say(maven.complaint("install"))
            raise LabError("Maven could not install the artifacts; repeating the command goes on from here.")
    step.done()


def new(folder: Path) -> int:
    """A folder with one notebook: a client, an experiment and a claim."""
    notebook = folder / TEMPLATE.name
    if notebook.exists():
        raise LabError(f"{notebook} is there already: give another folder.")
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(TEMPLATE, notebook)
    say(f"{notebook} has a client, an experiment and a claim. Open it in JupyterLab or IntelliJ; it needs `lab install` once.")
    return 0
