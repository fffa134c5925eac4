"""What the reader sees: lines, one line that updates itself on a terminal, and errors as one sentence."""

import difflib
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path


class LabError(Exception):
    """Something is wrong that a reader can put right; the message is one sentence that says what is wrong and what to do.

    `code` is the exit code that lab ends with."""

    def __init__(self, sentence: str, code: int = 1):
        super().__init__(sentence)
        self.code = code


def did_you_mean(text: str, known: Iterable[str]) -> str | None:
    """The one of the known words that is nearest to what was typed, or None where none is near."""
    return next(iter(difflib.get_close_matches(text, list(known), 1)), None)


def say(text: str = "") -> None:
    print(text, flush=True)


def warn(text: str) -> None:
    print(f"lab: {text}", file=sys.stderr, flush=True)


def duration(seconds: float) -> str:
    whole = int(seconds)
    return f"{whole} s" if whole < 60 else f"{whole // 60} min {whole % 60:02d} s"


def tail(log: Path, lines: int = 25) -> str:
    """The last lines of a log; an empty text where there is none."""
    try:
        return "\n".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-lines:])
    except OSError:
        return ""


class Step:
    """One line about something that takes a while: it updates itself on a terminal, and speaks up every 15 s elsewhere."""

    PERIOD = 15.0
    several = False
    """Whether several steps go on at once, so that none has a line of its own to update; each speaks up once a minute then."""

    def __init__(self, what: str, clock: Callable[[], float] = time.monotonic):
        self.what = what
        self.clock = clock
        self.began = clock()
        self.spoke = self.began
        self.width = 0
        self.period = 4 * self.PERIOD if self.several else self.PERIOD
        self.live = not self.several and sys.stdout.isatty()
        if not self.live:
            say(f"{what} ...")

    def update(self, detail: str = "") -> None:
        now = self.clock()
        if self.live:
            self._draw(self._line(detail, now))
        elif now - self.spoke >= self.period:
            self.spoke = now
            say(f"  {self._line(detail, now)}")

    def done(self, detail: str = "done") -> None:
        line = f"{self.what}: {detail} ({duration(self.clock() - self.began)})"
        if self.live:
            self._draw(line)
            print(flush=True)
        else:
            say(line)

    def stop(self) -> None:
        """End the line, so that the next text starts on a new one."""
        if self.live and self.width:
            print(flush=True)

    def _line(self, detail: str, now: float) -> str:
        return ": ".join(part for part in (f"{self.what}, {duration(now - self.began)}", detail) if part)

    def _draw(self, line: str) -> None:
        # Padding instead of an escape sequence, because not every console of Windows takes those.
        line = line[:118]
        print("\r" + line.ljust(self.width), end="", flush=True)
        self.width = len(line)


@contextmanager
def several_steps() -> Iterator[None]:
    """Steps that begin here go on at once."""
    before, Step.several = Step.several, True
    try:
        yield
    finally:
        Step.several = before


def table(rows: list[tuple[str, ...]], gap: str = "  ") -> str:
    """Columns as wide as their widest cell, without blanks at the ends of lines."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))] if rows else []
    return "\n".join(gap.join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows)
