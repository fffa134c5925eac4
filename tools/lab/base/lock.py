"""One set-up at a time: a lock of the operating system, which ends with the process that holds it. Its file says which process that is."""

import os
import time
from contextlib import contextmanager
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from . import places
from .terminal import Step


def _try(file: IO[bytes]) -> bool:
    try:
        if os.name == "nt":
            import msvcrt

            # Far behind the text, because on Windows a locked byte cannot be read by others.
            file.seek(1 << 20)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    except OSError:
        return False


@contextmanager
def only_one(command: str, path: Path = places.LOCK, pause: float = 0.2) -> Iterator[None]:
    """Hold the lock. While another process holds it, say which one, and wait."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "a+b") as file:
        if not _try(file):
            step = Step(f"Waiting for another lab to finish its set-up: {holder(path)}")
            try:
                while not _try(file):
                    time.sleep(pause)
                    step.update()
            finally:
                step.stop()
        file.truncate(0)
        file.write(f"process {os.getpid()} (lab {command}), since {time.strftime('%H:%M:%S')}".encode())
        file.flush()
        try:
            yield
        finally:
            file.truncate(0)


def holder(path: Path = places.LOCK) -> str:
    """Who holds the lock, in words."""
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip() or "nobody"
    except OSError:
        return "nobody"
