"""Which trial is behind a dot.

A figure holds places, not trials. But it names its run, its axis says where a number stands, and dots are drawn in the order of the trials.
So a treatment's trials are looked for whose numbers, in their order, stand where the dots do: what is found has been checked dot by dot, and
a dot whose trial is not found stays without one.
"""

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import median
from typing import Any

from figures import Dot, Figure
from published import COUNTED, Run

PIXELS = 1e-5
"""How far a dot may stand from its number's place: the library writes places in full."""

SCALES = (1.0, 1e-3, 1e3, 1e6, 1e-6, 2.0**-10, 2.0**-20, 100.0)

Panel = tuple[float, float, float, float]


@dataclass(frozen=True)
class Found:
    """A dot, its trial, and the trial's number as the axis has it."""

    dot: Dot
    trial: dict[str, Any]
    value: float


@dataclass(frozen=True)
class Axis:
    """Where numbers stand along an axis."""

    zero: float
    unit: float
    logarithmic: bool

    def place(self, value: float) -> float:
        if self.logarithmic:
            return self.zero + self.unit * math.log(value) if value > 0 else math.nan
        return self.zero + self.unit * value


def behind(figure: Figure, run: Run) -> list[Found]:
    """The dots whose trials are known; none where the numbers of no metric stand where the dots do."""
    found = []
    for panel in dict.fromkeys(dot.panel for dot in figure.dots):
        found += _in_panel(figure, run, panel, [dot for dot in figure.dots if dot.panel == panel])
    return found


def _in_panel(figure: Figure, run: Run, panel: Panel, dots: list[Dot]) -> list[Found]:
    best: list[Found] = []
    across, up = _axis(figure, panel, "x"), _axis(figure, panel, "y")
    strip = _strip(figure, panel)
    ways: list[Callable[[Dot], tuple[str, str]]]
    if across and not up:
        axis, at, ways = across, lambda dot: dot.x, [lambda dot: (_category(figure, dot), dot.color)]
    elif up:
        # Numbers on both axes: a group is what has one colour, at one x where that is a factor, or all along where it is the round.
        axis, at, ways = up, lambda dot: dot.y, [lambda dot: (f"{round(dot.x)}", dot.color), lambda dot: ("", dot.color)]
    else:
        return best
    # What stands over the panel says more than what stands over all.
    context = f"{strip} {strip} {figure.said('plot-subtitle')} {figure.said('plot-title')}"
    for way in ways:
        groups = _groups(dots, way)
        for numbers in _readings(run):
            found = _held_against(groups, numbers, axis, at, context)
            if len(found) > len(best):
                best = found
            if len(best) == len(dots):
                return best
    return best


def _groups(dots: list[Dot], key: Callable[[Dot], tuple[str, str]]) -> dict[tuple[str, str], list[Dot]]:
    groups: dict[tuple[str, str], list[Dot]] = {}
    for dot in dots:
        groups.setdefault(key(dot), []).append(dot)
    return groups


def _held_against(groups: dict, numbers: list[tuple[list[dict], list[float]]], axis: Axis, at: Callable[[Dot], float], context: str) -> list[Found]:
    """What is found with one metric: nothing where it leaves a group unexplained, and of a group that two treatments fit as well, nothing either."""
    result: list[Found] = []
    for (category, _), dots in groups.items():
        places = [at(dot) for dot in dots]
        fitting = [
            (_named(trials[0], category, context), trials, values)
            for trials, values in numbers
            if len(values) == len(places)
            and all(abs(axis.place(value) - place) <= PIXELS for value, place in zip(values, places))
            and _speaks_of(category, trials[0])
        ]
        if not fitting:
            return []
        best = max(score for score, _, _ in fitting)
        likely = [(trials, values) for score, trials, values in fitting if score == best]
        if len(likely) == 1:
            result += [Found(dot, trial, value) for dot, trial, value in zip(dots, *likely[0])]
    return result


def _speaks_of(category: str, trial: dict[str, Any]) -> bool:
    """Whether a category can be this treatment's; one that is a number is a place on an axis and no name."""
    levels = [str(level) for level in trial["treatment"].values()]
    return not category or category.isdigit() or category in levels or bool(set(re.split(r"[\s,]+", category)) & set(levels))


def _named(trial: dict[str, Any], category: str, context: str) -> float:
    """How well a treatment's levels go with what the figure says of a group: its category above all."""
    levels = [str(level) for level in trial["treatment"].values()]
    words = re.split(r"[\s,]+", context.replace(",", ""))
    return 100 * (category in levels) + 10 * sum(level in re.split(r"[\s,]+", category) for level in levels) + sum(words.count(level) for level in levels)


def _readings(run: Run) -> Iterator[list[tuple[list[dict], list[float]]]]:
    """Every metric in every way in which the library shows one: for each treatment its counted trials and their numbers."""
    treatments: dict[str, list[dict]] = {}
    for trial in run.trials:
        if trial["outcome"] in COUNTED:
            treatments.setdefault(str(sorted(trial["treatment"].items())), []).append(trial)
    for metric in run.metrics:
        plain = [
            (kept, [trial["metrics"][metric] for trial in kept])
            for trials in treatments.values()
            if (kept := [trial for trial in trials if trial["metrics"].get(metric) is not None])
        ]
        if not plain:
            continue
        for scale in SCALES:
            yield [(trials, [value * scale for value in values]) for trials, values in plain]
        if any("delayMs" in trials[0]["treatment"] for trials, _ in plain):
            yield [
                (trials, [value / float(trial["treatment"].get("delayMs") or 1) / float(trial["treatment"].get("calls") or 1) for trial, value in zip(trials, values)])
                for trials, values in plain
            ]
        for shift in (0.0, -100.0):
            yield [(trials, [100 * value / middle + shift for value in values]) for trials, values in plain if (middle := median(values))]


def _axis(figure: Figure, panel: Panel, which: str) -> Axis | None:
    """The axis beside the panel, from the numbers that are written on it; None where it holds words."""
    left, top, right, bottom = panel
    ticks = []
    for text, x, y in figure.words.get(f"axis-text-{which}", []):
        if which == "x" and left - 3 <= x <= right + 3 and y >= bottom - 3:
            ticks.append((y - bottom, text, x))
        if which == "y" and top - 3 <= y <= bottom + 3 and x <= left + 3:
            ticks.append((left - x, text, y))
    if not ticks:
        return None
    nearest = min(distance for distance, _, _ in ticks)
    numbers = []
    for distance, text, place in ticks:
        if distance > nearest + 12:
            continue
        value = _number(text)
        if value is None:
            return None
        numbers.append((value, place))
    return _fitted(numbers)


def _fitted(numbers: list[tuple[float, float]]) -> Axis | None:
    """The axis on which all these numbers stand at these places: even, else logarithmic."""
    for logarithmic in (False, True):
        if logarithmic and any(value <= 0 for value, _ in numbers):
            continue
        points = [(math.log(value) if logarithmic else value, place) for value, place in numbers]
        (first, start), (last, end) = points[0], points[-1]
        if first == last:
            return None
        unit = (end - start) / (last - first)
        if all(abs(start + unit * (value - first) - place) < 0.5 for value, place in points):
            return Axis(start - unit * first, unit, logarithmic)
    return None


def _number(text: str) -> float | None:
    found = re.fullmatch(r"([-−]?[\d,]*\.?\d+)", text)
    return float(found[1].replace(",", "").replace("−", "-")) if found else None


def _category(figure: Figure, dot: Dot) -> str:
    """The word on the axis that is nearest to the dot."""
    words = [(abs(y - dot.y), -x, text) for text, x, y in figure.words.get("axis-text-y", []) if x <= dot.panel[0] + 3]
    return min(words)[2] if words else ""


def _strip(figure: Figure, panel: Panel) -> str:
    """The words over the panel."""
    over = [(abs(y - panel[1]), text) for text, x, y in figure.words.get("facet-strip-text-x", []) if panel[0] <= x <= panel[2] and y <= panel[1]]
    return min(over)[1] if over else ""
