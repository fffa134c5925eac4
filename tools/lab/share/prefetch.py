"""`lab prefetch`: everything that later commands would fetch, so that they need no network."""

from ..base import lock
from ..base.terminal import say
from ..prepare import environment, setup
from ..library import mains


def run(versions: bool = False) -> int:
    """Set everything up, and install what other commands install when they need it; with `versions`, every locked jar too."""
    ready = setup.ready("prefetch")
    if versions:
        mains.fetch(ready.java)
    with lock.only_one("prefetch"):
        for use in environment.PREFETCHED:
            environment.add(ready.python, use)
    say("Everything is here: `lab run`, `lab notebook`, `lab publish` and the workshop need no network now.")
    return 0
