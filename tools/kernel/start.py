"""Start the Kotlin kernel, and see that it ends when whoever started it is gone.

Run by Jupyter through the kernel specification that `lab` writes: `python start.py CONNECTION_FILE JAR_ARGS_FILE`.
Jupyter gives every kernel a process group of its own, so a notebook server that is killed outright would leave the
kernel, and every trial it has started, behind.
"""

import os
import signal
import sys
import threading
import time


def end_group() -> None:
    """End our process group: what a cell has started and left, Java where it still runs, and this process."""
    if os.name == "posix" and os.getpgrp() == os.getpid():
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        os.killpg(os.getpid(), signal.SIGTERM)
        time.sleep(0.3)
        os.killpg(os.getpid(), signal.SIGKILL)


def end_with(parent: int) -> None:
    """Wait until `parent` is no longer our parent, then end."""
    while os.getppid() == parent:
        time.sleep(0.5)
    end_group()
    os._exit(1)


def main() -> None:
    from run_kotlin_kernel.run_kernel import run_kernel

    if os.name == "posix":
        threading.Thread(target=end_with, args=(os.getppid(),), daemon=True).start()
    run_kernel(*sys.argv[1:])
    end_group()


if __name__ == "__main__":
    main()
