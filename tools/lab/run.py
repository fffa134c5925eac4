"""`lab run`: from nothing to a rendered article."""

from . import notebooks, places, setup
from .terminal import Step, duration, say, warn


def run(names: list[str], write: bool, published: bool = False, server: str | None = None) -> int:
    """Run the notebooks one after the other, print what they found, and say where the pages are."""
    ready = setup.ready("run")
    for name in names:
        step = Step(f"Running {name}")
        outcome = notebooks.execute(ready, name, step, published=published, server=server)
        if outcome.failure:
            step.stop()
            warn(f"{name} stopped{'' if outcome.failure.startswith(notebooks.BEFORE) else ' in'} {outcome.failure}")
            say(f"What was executed so far: {places.shown(outcome.notebook)}")
            return 1
        step.done(f"{outcome.cells} cells")
        page = notebooks.render(ready, outcome.notebook)
        for text in notebooks.tagged_text(notebooks.load(outcome.notebook)):
            say()
            say(text)
        say()
        if write:
            say(f"Outputs written into {places.shown(notebooks.write_back(outcome.notebook, name))}")
        say(f"{name} took {duration(outcome.seconds)}; the article: {page}")
    return 0
