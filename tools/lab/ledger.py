"""`lab ledger`: every claim with its verdict, and whether the articles say what their data give."""

import os

from . import maven, places, setup
from .java import Java
from .processes import environment as variables, start
from .terminal import Refusal


def run() -> int:
    """Print the ledger; 1 where an article states another verdict than its data give."""
    java = setup.library("ledger")
    return start(command(java), environment=variables(CLIENT_LAB_HOME=str(places.ROOT))).wait()


def command(java: Java, main: str = "clientlab.notebook.command.LedgerMainKt") -> list[str]:
    """A main of the library; a kernel brings Kotlin's standard library, so here that of the trials is taken."""
    standard = sorted((places.ROOT / "lib" / "clients" / "target" / "trial").glob("kotlin-stdlib-*.jar"))
    if not standard or not places.NOTEBOOK_JAR.is_file():
        raise Refusal("The library has not been built: run `lab run` once, which builds it.")
    classpath = os.pathsep.join(map(str, [places.NOTEBOOK_JAR, *standard]))
    # What fetches jars is written in Scala, which newer Javas warn of.
    quiet = ["--sun-misc-unsafe-memory-access=allow"] if java.feature >= 24 else []
    return [str(java.executable), *quiet, *maven.trust(java), "-cp", classpath, main]
