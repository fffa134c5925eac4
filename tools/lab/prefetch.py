"""`lab prefetch`: everything that later commands would fetch, so that they need no network."""

from . import environment, lock, setup
from .terminal import say


def run() -> int:
    """Set everything up, and install what is otherwise installed when it is asked for."""
    ready = setup.ready("prefetch")
    with lock.only_one("prefetch"):
        for use in environment.PREFETCHED:
            environment.add(ready.python, use)
    say("Everything is here: `lab run`, `lab notebook`, `lab publish` and the workshop need no network now.")
    return 0
