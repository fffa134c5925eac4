"""`lab run`: from nothing to a rendered article."""

from ..base import places
from ..base.terminal import Step, duration, say, warn
from ..prepare import setup
from . import execution, notebooks


def run(names: list[str], write: bool, published: bool = False, server: str | None = None) -> int:
    """Run the notebooks one after the other, print what they found, and say where the pages are."""
    ready = setup.ready("run")
    for name in names:
        step = Step(f"Running {name}")
        outcome = execution.execute(ready, name, step, published=published, server=server)
        if outcome.failure:
            step.stop()
            warn(f"{name} stopped{'' if outcome.failure.startswith(execution.BEFORE) else ' in'} {outcome.failure}")
            say(f"What was executed so far: {places.shown(outcome.notebook)}")
            return 1
        step.done(f"{outcome.cells} cells")
        page = execution.render(ready, outcome.notebook)
        for text in notebooks.tagged_text(notebooks.load(outcome.notebook)):
            say()
            say(text)
        say()
        if write:
            say(f"Outputs written into {places.shown(notebooks.write_back(outcome.notebook, name))}")
        say(f"{name} took {duration(outcome.seconds)}; the article: {page}")
    return 0
