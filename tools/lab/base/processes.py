"""Processes that lab starts: each in a group of its own, each ended and waited for before lab ends, however lab ends.

Ctrl-C reaches lab alone, because its children are in other groups; lab then ends them in order. A child can be on a
leash: a pipe to its standard input that it watches, so that it also ends when lab was killed outright.
"""

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from . import places
from .terminal import LabError, Step, say, tail

WINDOWS = os.name == "nt"


class Interrupted(BaseException):
    """The reader, or the system, wants lab to end. Not an Exception, so that no handler takes it for a failure."""

    def __init__(self, number: int):
        super().__init__(number)
        self.code = 128 + number


class _Signals:
    """Turns signals into `Interrupted`. While a child is being started they wait, because a child that is not in the list yet would be left behind."""

    def __init__(self) -> None:
        self.counting = threading.Lock()
        self.held = 0
        self.pending: int | None = None
        self.ending = False
        self.arrived = False

    def install(self) -> None:
        for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK"):
            number = getattr(signal, name, None)
            if number is not None:
                signal.signal(number, self._arrived)

    def _arrived(self, number: int, _frame: Any) -> None:
        if self.ending:
            return
        self.arrived = True
        if self.held:
            self.pending = number
        else:
            raise Interrupted(number)

    def __enter__(self) -> None:
        with self.counting:
            self.held += 1

    def __exit__(self, *_: object) -> None:
        with self.counting:
            self.held -= 1
        if not self.held and self.pending is not None:
            number, self.pending = self.pending, None
            raise Interrupted(number)


signals = _Signals()


class Child:
    """A process that lab has started, and its group."""

    def __init__(self, popen: subprocess.Popen[str], name: str, leash: bool, grace: float):
        self.popen = popen
        self.name = name
        self.leash = leash
        self.grace = grace
        self.groups: list[int] = []

    def exited(self) -> bool:
        """Whether it has ended. Where the system allows it, the child is not reaped, so that the number of its group stays reserved."""
        if self.popen.returncode is not None:
            return True
        if WINDOWS or not hasattr(os, "waitid"):
            return self.popen.poll() is not None
        try:
            return os.waitid(os.P_PID, self.popen.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        except ChildProcessError:
            return self.popen.poll() is not None

    def wait(self, tick: Callable[[], None] | None = None) -> int:
        """Wait for its end, calling `tick` a few times a second; what it has left in its group ends with it."""
        pause = 0.01
        while not self.exited():
            if tick is not None:
                tick()
            time.sleep(pause)
            pause = min(pause * 1.5, 0.2)
        self._signal_group("SIGKILL")
        code = self.popen.wait()
        self._forget()
        return code

    def end(self) -> None:
        """Ask it to end, wait for its grace, then insist. Safe to call twice."""
        if self not in _children:
            return
        if not self.exited():
            if self.leash and self.popen.stdin:
                try:
                    self.popen.stdin.close()
                except OSError:
                    pass
            else:
                self._signal_group("SIGTERM")
            self._until(self.grace)
        if not self.exited():
            # It can no longer clear up, so the groups that it has started are ended here.
            for group in [*self.groups, self.popen.pid]:
                _kill_group(group, "SIGTERM")
            self._until(3)
            for group in self.groups:
                _kill_group(group, "SIGKILL")
        self._signal_group("SIGKILL")
        self.popen.wait()
        self._forget()

    def _forget(self) -> None:
        """The thread that waits for it and the one that ends it may both come here."""
        with suppress(ValueError):
            _children.remove(self)

    def _until(self, seconds: float) -> None:
        limit = time.monotonic() + seconds
        while not self.exited() and time.monotonic() < limit:
            time.sleep(0.02)

    def _signal_group(self, name: str) -> None:
        if self.popen.returncode is None:
            if WINDOWS:
                if not self.exited():
                    subprocess.run(["taskkill", "/T", "/F", "/PID", str(self.popen.pid)], capture_output=True, check=False)
            else:
                _kill_group(self.popen.pid, name)


def _kill_group(group: int, name: str) -> None:
    if WINDOWS:
        return
    try:
        os.killpg(group, getattr(signal, name))
    except (ProcessLookupError, PermissionError):
        pass


_children: list[Child] = []


def start(
    argv: Sequence[str | Path],
    *,
    environment: Mapping[str, str],
    folder: Path = places.ROOT,
    output: IO[Any] | int | None = None,
    errors: IO[Any] | int | None = None,
    leash: bool = False,
    grace: float = 8.0,
) -> Child:
    """Start a process in a group of its own. `leash`: its standard input is a pipe that lab holds and never writes to.

    After a signal nothing is started: a job in another thread that goes on to its next process ends here.
    """
    if signals.arrived:
        raise Interrupted(signal.SIGINT)
    options: dict[str, Any] = (
        {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP} if WINDOWS else {"start_new_session": True}
    )
    with signals:
        popen = subprocess.Popen(
            [str(part) for part in argv],
            cwd=folder,
            env=dict(environment),
            stdin=subprocess.PIPE if leash else subprocess.DEVNULL,
            stdout=output,
            stderr=errors,
            text=True,
            encoding="utf-8",
            errors="replace",
            **options,
        )
        child = Child(popen, str(argv[0]), leash, grace)
        _children.append(child)
    return child


def end_all() -> None:
    """End every child that is still there, the youngest first; further signals are ignored."""
    signals.ending = True
    for child in reversed(_children[:]):
        child.end()


def run_logged(
    argv: Sequence[str | Path],
    *,
    step: Step,
    log_name: str,
    environment: Mapping[str, str],
    folder: Path = places.ROOT,
    reading: Callable[[str], str] = lambda line: "",
    sorry: str | None = None,
) -> int:
    """Run a command with all its output in `.lab/log/LOG_NAME.log`, and show on `step` what `reading` makes of each line.

    With `sorry`, a failure prints the end of the log and raises a LabError with that sentence; else its code is returned.
    """
    places.LOGS.mkdir(parents=True, exist_ok=True)
    log = places.LOGS / f"{log_name}.log"
    with log.open("w", encoding="utf-8", errors="replace") as out, log.open(encoding="utf-8", errors="replace") as back:
        child = start(argv, environment=environment, folder=folder, output=out, errors=subprocess.STDOUT)
        detail = ""

        def tick() -> None:
            nonlocal detail
            for line in back:
                detail = reading(line.rstrip("\n")) or detail
            step.update(detail)

        try:
            code = child.wait(tick)
            tick()
        except BaseException:
            step.stop()
            raise
    if code and sorry is not None:
        step.stop()
        say(tail(log))
        raise LabError(f"{sorry} The whole log is in {places.shown(log)}.")
    return code


def environment(**changes: str | None) -> dict[str, str]:
    """This process's environment for a child, without variables that change how its Python works. A change to None takes a variable out."""
    result = dict(os.environ)
    for name in ("PYTHONHOME", "PYTHONPATH", "PYTHONSTARTUP"):
        result.pop(name, None)
    result.update({"PYTHONNOUSERSITE": "1", "PYTHONUTF8": "1"})
    for name, value in changes.items():
        if value is None:
            result.pop(name, None)
        else:
            result[name] = value
    return result


def output_of(argv: Sequence[str | Path], seconds: float = 30, even_failed: bool = False, **changes: str | None) -> str | None:
    """What a short command prints to both streams, or None where it cannot be started, fails, or takes too long."""
    with tempfile.TemporaryFile() as output:
        try:
            child = start(argv, environment=environment(**changes), output=output, errors=subprocess.STDOUT)
        except OSError:
            return None
        limit = time.monotonic() + seconds

        def tick() -> None:
            if time.monotonic() > limit:
                raise TimeoutError

        try:
            code = child.wait(tick)
        except TimeoutError:
            child.end()
            return None
        output.seek(0)
        return output.read().decode("utf-8", "replace") if code == 0 or even_failed else None


def python() -> str:
    """The Python that runs lab."""
    return sys.executable
