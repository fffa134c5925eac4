"""`lab serve`: the delay server alone, in the foreground, until Ctrl-C."""

from . import places, setup
from .processes import environment as variables, start
from .terminal import Refusal


def run(options: list[str]) -> int:
    """Run the server with the reader's options; it ends when lab does, because its standard input does."""
    java = setup.library("serve")
    if not places.SERVER_JAR.is_file():
        raise Refusal(f"The build has made no {places.shown(places.SERVER_JAR)}.")
    child = start(
        [java.executable, f"@{places.SERVER_OPTIONS}", "-jar", places.SERVER_JAR, "--parent-stdin", *options],
        environment=variables(),
        leash=True,
    )
    return child.wait()
