"""`lab serve`: the delay server alone, in the foreground, until Ctrl-C."""

from pathlib import Path

from ..base import places
from ..base.processes import environment as variables, start
from ..base.terminal import LabError
from ..prepare import setup
from ..prepare.java import Java


UNSAFE_OPTION = 24
"""From this Java on, Netty needs an option to use memory that older Javas let it use."""


def option_files(java: Java) -> list[Path]:
    """The files of JVM options for a delay server that runs for long on `java`. The server of a run leaves out the last file."""
    newer = [places.SERVER_OPTIONS_24] if java.feature >= UNSAFE_OPTION else []
    return [places.SERVER_OPTIONS, *newer, places.SERVER_OPTIONS_STAYS]


def command(java: Java, *options: str) -> list[str | Path]:
    """How the delay server is started. It ends when its standard input does, and so with the process that started it."""
    return [java.executable, *(f"@{file}" for file in option_files(java)), "-jar", places.SERVER_JAR, "--parent-stdin", *options]


def run(options: list[str]) -> int:
    """Run the server with the reader's options; it ends when lab does, because its standard input does."""
    java = setup.library("serve")
    if not places.SERVER_JAR.is_file():
        raise LabError(f"The build has made no {places.shown(places.SERVER_JAR)}: delete .lab/stamps/build and repeat.")
    child = start(command(java, *options), environment=variables(), leash=True)
    return child.wait()
