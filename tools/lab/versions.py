"""`lab lock`: versions of the clients' libraries beside the lab's own, and their jars."""

from . import places, setup
from .java import Java
from .ledger import command
from .processes import environment as variables, start
from .terminal import Refusal

MAIN = "clientlab.notebook.command.LockMainKt"


def lock(library: str, version: str) -> int:
    """Add a version to the lock; 1 where it cannot be had."""
    return _call(setup.library("lock"), library, version)


def fetch(java: Java) -> None:
    """The jars of all that is locked, each checked against its hash."""
    if _call(java, "--fetch"):
        raise Refusal("Not all jars of the locked versions could be fetched; those that were are kept.")


def _call(java: Java, *arguments: str) -> int:
    return start([*command(java, MAIN), *arguments], environment=variables(CLIENT_LAB_HOME=str(places.ROOT))).wait()
