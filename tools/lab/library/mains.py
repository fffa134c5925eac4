"""The programs of the library that run without a notebook, such as `lab ledger`, `lab compare` and `lab lock`."""

import os
import sys
from collections.abc import Mapping

from ..base import places
from ..base.processes import environment, start
from ..base.terminal import LabError
from ..prepare import maven, setup
from ..prepare.java import Java

PACKAGE = "clientlab.notebook.command"
LEDGER = "LedgerMainKt"
LOCK = "LockMainKt"


def ledger() -> int:
    """Print every claim with its verdict; 1 where an article states another verdict than its data give."""
    return _run(setup.library("ledger"), LEDGER)


def reproduce(name: str) -> int:
    """Run the experiment of a run once more, here, and compare claim by claim; 1 where something differs."""
    return _run(setup.library("reproduce"), "ReproduceMainKt", name)


def campaign(*arguments: str) -> int:
    """Plan an experiment in shards, run one of them, or merge them into one run."""
    return _run(setup.library("campaign"), "CampaignMain", *arguments)


def attach(pid: str, watch: bool = False) -> int:
    """Look once at the running JVM of a service, and print what stands in its way; with `watch`, a line every two seconds."""
    return _run(setup.library("attach"), "AttachMain", pid, *(["--watch"] if watch else []))


def bisect(client: str, asked: str, options: Mapping[str, str | None]) -> int:
    """Find the release of a client's library with which an answer changes."""
    return _run(setup.library("bisect"), "BisectMain", client, asked, *_given(options))


def compare(base: str, candidate: str, options: Mapping[str, str | None]) -> int:
    """Compare two clients, two releases or a jar with a release; 1 where the second is worse, 3 where that is not decided."""
    return _run(setup.library("compare"), "CompareMain", base, candidate, *_given(options))


def _given(options: Mapping[str, str | None]) -> list[str]:
    terminal = ["terminal=yes"] if sys.stdout.isatty() else []
    return [f"{name}={value}" for name, value in options.items() if value is not None] + terminal


def lock(name: str, version: str) -> int:
    """Add a version of a client's library to the lock; 1 where it cannot be had."""
    return _run(setup.library("lock"), LOCK, name, version)


def fetch(java: Java) -> None:
    """The jars of all that is locked, each checked against its hash."""
    if _run(java, LOCK, "--fetch"):
        raise LabError("Not all jars of the locked versions could be fetched; those that were are kept. Repeat the command when there is a network.")


def command(java: Java, main: str = LEDGER) -> list[str]:
    """How a main of the library is started. The library's jar leaves out Kotlin's standard library, which a kernel brings; here it is that of the trials."""
    standard = sorted((places.ROOT / "lib" / "clients" / "target" / "trial").glob("kotlin-stdlib-*.jar"))
    if not standard or not places.NOTEBOOK_JAR.is_file():
        raise LabError("The library has not been built: run `lab run` once, which builds it.")
    classpath = os.pathsep.join(map(str, [places.NOTEBOOK_JAR, *standard]))
    # Newer Javas warn of the Scala code that fetches jars.
    quiet = ["--sun-misc-unsafe-memory-access=allow"] if java.feature >= 24 else []
    return [str(java.executable), *quiet, *maven.trust(java), "-cp", classpath, f"{PACKAGE}.{main}"]


def _run(java: Java, main: str, *arguments: str) -> int:
    return start([*command(java, main), *arguments], environment=environment(CLIENT_LAB_HOME=str(places.ROOT))).wait()
