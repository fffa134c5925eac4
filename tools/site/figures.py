"""The figures of a notebook: what their data part says, and their drawing in fewer bytes."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any

from published import Run

DATA = "application/vnd.clientlab+json"
"""The MIME type of the part of an output that is meant for programs."""


@dataclass(frozen=True)
class Dot:
    """A trial as it is drawn: its place in the figure's own pixels, its number as the axis shows it, and its line of the journal."""

    x: float
    y: float
    value: float
    run: Run
    trial: dict[str, Any]


@dataclass
class Figure:
    """A drawing of the library, with its data part; a reader's own plot has none."""

    svg: str
    part: dict[str, Any]
    words: str = ""
    """The text alternative of a figure without a part."""

    @property
    def alt(self) -> str:
        return self.part.get("alt", self.words)

    @property
    def title(self) -> str:
        return self.part.get("title", self.words)

    @property
    def size(self) -> tuple[float, float]:
        return tuple(self.part["drawn"]["size"]) if self.part else (760.0, 400.0)

    @property
    def runs(self) -> list[str]:
        return self.part.get("runs", [])

    @property
    def axis(self) -> str:
        """The words of the axis along which the numbers stand."""
        return self.part["y"]["label"] or self.part["x"]["label"]

    def dots(self, runs: dict[str, Run]) -> list[Dot]:
        """Every trial that is drawn and published, in the order of the data; `runs` are the published ones by id."""
        return list(self._dots(runs))

    def _dots(self, runs: dict[str, Run]) -> Iterator[Dot]:
        for mark in self.part.get("marks", []):
            if mark.get("role") != "trial" or "trials" not in mark:
                continue
            values = mark["columns"][mark["reads"]["x" if "categories" in self.part["y"] else "y"]]
            for row, panel, across, down in mark["dots"]:
                trial = self._trials[mark["trials"][row]] if mark["trials"][row] is not None else None
                run = runs.get(trial[0]) if trial else None
                line = run.measured(*trial[1:]) if run and trial else None
                if run and line:
                    left, top, width, height = self.part["drawn"]["panels"][panel]
                    yield Dot(left + across * width, top + down * height, values[row], run, line)

    @cached_property
    def _trials(self) -> list[tuple[str, int, dict[str, Any]]]:
        """Run, round and treatment of the trials that the marks refer to."""
        return [(self.runs[run], round_, self.part["treatments"][treatment]) for run, round_, treatment in self.part["trials"]]


BAR = r'<rect x="[^"]*" y="[^"]*" height="[^"]*" width="[^"]*" fill="[^"]*"/>'


def small(svg: str) -> str:
    """The same drawing in fewer bytes: a hundredth of a pixel is finer than any screen, and what paints nothing need not be said."""
    head, style, drawn = svg.partition("</style>")
    # Only what is drawn, never what is written.
    drawn = re.sub(r"<\w[^>]*>", lambda tag: _lighter(tag[0]), drawn)
    drawn = re.sub(r">\s+<", "><", drawn)
    drawn = re.sub(r"\s*(?:></(?:rect|line|path|circle)>|/>)", "/>", drawn)
    drawn = re.sub(rf"(?:{BAR}){{2,}}", lambda bars: _as_paths(bars[0]), drawn)
    return re.sub(r"\n\s+", "\n ", head) + style + drawn


def _as_paths(bars: str) -> str:
    """Bars that follow each other in one colour as one path: a waterfall has a thousand."""
    each = [re.findall(r'"([^"]*)"', bar) for bar in re.findall(BAR, bars)]
    paths = ((fill, "".join(f"M{x} {y}h{width}v{height}h-{width}z" for x, y, height, width, _ in alike)) for fill, alike in groupby(each, lambda bar: bar[4]))
    return "".join(f'<path fill="{fill}" d="{line}"/>' for fill, line in paths)


def _lighter(tag: str) -> str:
    tag = re.sub(r"-?\d+\.\d+(?:[eE]-?\d+)?", lambda found: _short(float(found[0])), tag)
    tag = re.sub(r"rgb\((\d+),(\d+),(\d+)\)", lambda found: "#" + "".join(f"{int(each):02x}" for each in found.groups()), tag)
    tag = re.sub(r' clip-bounds-jfx="[^"]*"| (?:stroke|fill)-opacity="1"', "", tag)
    if ' stroke-width="0"' in tag or ' stroke-opacity="0"' in tag:
        tag = re.sub(r' stroke(?:-width|-opacity)?="[^"]*"', "", tag)
    return tag


def _short(number: float) -> str:
    text = f"{number:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
