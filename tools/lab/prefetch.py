"""`lab prefetch`: everything that later commands would fetch, so that they need no network."""

from . import environment, lock, setup, versions as locked
from .terminal import say


def run(versions: bool = False) -> int:
    """Set everything up, and install what is otherwise installed when it is asked for; with `versions`, every locked jar too."""
    ready = setup.ready("prefetch")
    if versions:
        locked.fetch(ready.java)
    with lock.only_one("prefetch"):
        for use in environment.PREFETCHED:
            environment.add(ready.python, use)
    say("Everything is here: `lab run`, `lab notebook`, `lab publish` and the workshop need no network now.")
    return 0
