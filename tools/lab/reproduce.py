"""`lab reproduce`: the experiment of a run once more, here, and whether it finds the same."""

from . import places, setup
from .processes import environment as variables, start
from .ledger import command


def run(name: str) -> int:
    """Run it again and compare claim by claim; 1 where something differs."""
    java = setup.library("reproduce")
    return start([*command(java, "clientlab.notebook.command.ReproduceMainKt"), name], environment=variables(CLIENT_LAB_HOME=str(places.ROOT))).wait()
