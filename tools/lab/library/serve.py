"""`lab serve`: the delay server alone, in the foreground, until Ctrl-C."""

from pathlib import Path

from ..base import places
from ..base.processes import environment as variables, start
from ..base.terminal import LabError
from ..prepare import setup
from ..prepare.java import Java


UNSAFE_OPTION = 24
"""From this Java on Netty has to be let use what older ones let it use unasked."""


def option_files(java: Java) -> list[Path]:
    """The files of JVM options that a delay server which stays runs with on `java`; a run's own server leaves out the last."""
    newer = [places.SERVER_OPTIONS_24] if java.feature >= UNSAFE_OPTION else []
    return [places.SERVER_OPTIONS, *newer, places.SERVER_OPTIONS_STAYS]


def command(java: Java, *options: str) -> list[str | Path]:
    """How the delay server is started: it ends with whoever did, because its standard input does."""
    return [java.executable, *(f"@{file}" for file in option_files(java)), "-jar", places.SERVER_JAR, "--parent-stdin", *options]


def run(options: list[str]) -> int:
    """Run the server with the reader's options; it ends when lab does, because its standard input does."""
    java = setup.library("serve")
    if not places.SERVER_JAR.is_file():
        raise LabError(f"The build has made no {places.shown(places.SERVER_JAR)}.")
    child = start(command(java, *options), environment=variables(), leash=True)
    return child.wait()
