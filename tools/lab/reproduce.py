"""`lab reproduce`: the experiment of a run once more, here, and whether it finds the same."""

from . import lock, maven, places, setup
from .processes import environment as variables, start
from .ledger import command


def run(name: str) -> int:
    """Run it again and compare claim by claim; 1 where something differs."""
    mvn = maven.required()
    with lock.only_one("reproduce"):
        java = setup.find_java()
        maven.build(mvn, java)
    return start([*command(java, "clientlab.notebook.ReproduceMainKt"), name], environment=variables(CLIENT_LAB_HOME=str(places.ROOT))).wait()
