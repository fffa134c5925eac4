"""`lab campaign`: an experiment in shards, each run wherever there is room, and one run made of them."""

from . import places, setup
from .ledger import command
from .processes import environment as variables, start


def run(*arguments: str) -> int:
    """Plan, run a shard, or merge, as the library's own main does."""
    java = setup.library("campaign")
    return start([*command(java, "clientlab.notebook.command.CampaignMain"), *arguments], environment=variables(CLIENT_LAB_HOME=str(places.ROOT))).wait()
