"""The leash of a process that lab starts: its standard input, which lab holds open and never writes to."""

import sys
import threading
import time
from collections.abc import Callable


def when_let_go(act: Callable[[], object]) -> None:
    """Do `act`, in a thread of its own, once standard input has ended.

    Whoever shares the pipe, as a child of this process does, can make it non-blocking. There is nothing to read then, which is not its end."""

    def wait() -> None:
        while sys.stdin.buffer.read(1) != b"":
            time.sleep(0.2)
        act()

    threading.Thread(target=wait, daemon=True).start()
