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


def end_with(parent: int) -> None:
    """Wait until `parent` is no longer our parent, then end our process group: this process, Java, and its trials."""
    while os.getppid() == parent:
        time.sleep(0.5)
    if os.getpgrp() == os.getpid():
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        os.killpg(os.getpid(), signal.SIGTERM)
        time.sleep(5)
        os.killpg(os.getpid(), signal.SIGKILL)
    os._exit(1)


def main() -> None:
    from run_kotlin_kernel.run_kernel import run_kernel

    if os.name == "posix":
        threading.Thread(target=end_with, args=(os.getppid(),), daemon=True).start()
    run_kernel(*sys.argv[1:])


if __name__ == "__main__":
    main()
