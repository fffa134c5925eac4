"""What decides a claim: an estimate, the bound that it must keep, and the noise that a difference must exceed."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

import numpy

import estimates
from estimates import Estimate
from trials import PUBLISHED, Group, Trials, read, workload

FEWEST_FORKS = 5
SUPPORTED, INCONCLUSIVE, REFUTED, NO_LONGER_SO = "supported", "inconclusive", "refuted", "no longer so"
WORST_LAST = (SUPPORTED, INCONCLUSIVE, REFUTED)


@dataclass(frozen=True)
class Floor:
    """How far a treatment differs from itself: from `same` up to an end that lies between two numbers."""

    same: float
    reach: tuple[float, float]

    def ends(self, reach: float) -> tuple[float, float]:
        return (1 / reach, reach) if self.same == 1.0 else (-reach, reach)


@dataclass(frozen=True)
class Part:
    estimate: Estimate
    low: float = -math.inf
    high: float = math.inf
    floor: Floor | None = None
    then: bool = False
    """Whether it is about the version that the source measured."""

    def outcomes(self) -> set[str]:
        """The outcomes that the ends of the interval allow; more than one where an end is as good as on the bound."""
        reaches = self.floor.reach if self.floor else (math.nan,)
        return {self._outcome(low, high, reach) for low, high, reach in itertools.product(self.estimate.low, self.estimate.high, reaches)}

    def among(self, parts: int) -> set[str]:
        """The same as one of several parts: it refutes only if the interval that leaves out 5 % / `parts` does so too (Holm, 1979)."""
        outcomes = self.outcomes()
        if REFUTED not in outcomes or parts < 2 or self.estimate.leaving_out is None:
            return outcomes
        wider = replace(self, estimate=self.estimate.leaving_out(estimates.ALPHA / parts)).outcomes()
        return (outcomes - {REFUTED}) | {REFUTED if outcome == REFUTED else INCONCLUSIVE for outcome in wider}

    @property
    def by_chance(self) -> bool:
        return self.estimate.leaving_out is not None and self.estimate.n >= FEWEST_FORKS

    def _outcome(self, low: float, high: float, reach: float) -> str:
        if self.estimate.n < FEWEST_FORKS:
            return INCONCLUSIVE
        if low >= self.low and high <= self.high:
            return self._unless_noise(SUPPORTED, low, high, reach)
        if high < self.low or low > self.high:
            return self._unless_noise(REFUTED, low, high, reach)
        return INCONCLUSIVE

    def _unless_noise(self, outcome: str, low: float, high: float, reach: float) -> str:
        """A difference that could not be true of two equal things must be larger than the noise."""
        if self.floor is None:
            return outcome
        same = self.floor.same
        equals_too = self.low < same < self.high if outcome == SUPPORTED else not self.low <= same <= self.high
        noise_low, noise_high = self.floor.ends(reach)
        return outcome if equals_too or low > noise_high or high < noise_low else INCONCLUSIVE


def part(values: list[float], low: float = -math.inf, high: float = math.inf, floor: Floor | None = None) -> Part:
    """A part about the median of one value for each fork."""
    return Part(estimates.median(values), low, high, floor)


def exactly(values: list[float], number: float) -> Part:
    return part(values, number, number)


# The noise floors: of the run itself where it measured treatments twice, else of the published A/A runs.

COMPARED = """
    durationMs durationAgainMs latencyP50Ms latencyP99Ms latencyMaxMs sentLatencyP99Ms snapshotAtMs queuedMaxMs connectMaxMs
    servedP50Ms servedMaxMs readingMaxMs baseLatencyMs iterationMedianMs requestsPerSecond throughputMiBs
    cpuSeconds cpuShare machineShare requestCpuMs cpuSecondsPerMiB allocatedBytes requestAllocatedBytes allocatedBytesPerMiB
    rssBytes anonPeakBytes memoryGrowthBytes heapGrowthBytes residentGrowthBytes
    inFlightPeak batches connectionsOpened connectionsOpenedAgain requestsHttp1 threadsBlocked threadsNew threadsUnparked
    activeNew activeUnparkedNew threadsLeft threadsAdded osThreads osThreadsPeak answeredShare socketsLeft
""".split()


Combine = Callable[[numpy.ndarray, numpy.ndarray], numpy.ndarray]


def ratio_floor(t: Trials, of: str, metric: str) -> Floor | None:
    return _own_floor(t, metric, 1.0, estimates.divide) or _floor(of, metric, 1.0, estimates.divide)


def difference_floor(t: Trials, of: str, metric: str) -> Floor | None:
    return _own_floor(t, metric, 0.0, _less) or _floor(of, metric, 0.0, _less)


def _less(x: numpy.ndarray, y: numpy.ndarray) -> numpy.ndarray:
    return x - y


def _own_floor(t: Trials, metric: str, same: float, combine: Combine) -> Floor | None:
    ends = [end for _, end in _corrected([(metric, one.values(metric), other.values(metric)) for one, other in t.twice], same, combine)]
    return _widest(ends, same)


def _widest(ends: list[tuple[float, float]], same: float) -> Floor | None:
    return Floor(same, (max(low for low, _ in ends), max(high for _, high in ends))) if ends else None


@cache
def _floor(of: str, metric: str, same: float, combine: Combine) -> Floor | None:
    return _widest([end for name in _aa_runs(of) for compared, end in _ends(name, same, combine) if compared == metric], same)


def _aa_runs(of: str) -> list[str]:
    names = [folder.name for folder in PUBLISHED.iterdir() if (folder / "manifest.json").is_file()]
    return [name for name in sorted(names) if (name.startswith("aa-") or "-aa-" in name) and workload(name) == of]


@cache
def _ends(name: str, same: float, combine: Combine) -> list[tuple[str, tuple[float, float]]]:
    """By metric, how far each treatment of this A/A run differs from itself at most."""
    pairs: dict[tuple, dict[str, Group]] = {}
    for group in Trials(read(name)).groups:
        rest = tuple(sorted((factor, level) for factor, level in group.treatment.items() if factor != "alias"))
        pairs.setdefault(rest, {})[group["alias"] or ""] = group
    both = [[names[alias] for alias in sorted(names)] for names in pairs.values() if len(names) == 2]
    return _corrected([(metric, one.values(metric), other.values(metric)) for one, other in both for metric in COMPARED], same, combine)


def _corrected(pairs: list[tuple[str, list[float], list[float]]], same: float, combine: Combine) -> list[tuple[str, tuple[float, float]]]:
    """By name, the farthest end of each comparison's interval, corrected by Holm (1979) for all of them."""
    comparisons = []
    for name, a, b in pairs:
        if a and b:
            value, distribution = estimates.compared(a, b, combine)
            level = min(1.0, 2 * min(distribution.at_most(same), distribution.at_least(same)))
            comparisons.append((level, name, value, distribution, min(len(a), len(b))))
    comparisons.sort(key=lambda each: each[0])
    left, found = len(comparisons), []
    for _, name, value, distribution, n in comparisons:
        estimate = estimates.of(value, distribution, n, estimates.ALPHA / left, estimates.MANY)
        if not estimate.low[0] <= same <= estimate.high[1]:
            left -= 1
        if n > 1:
            found.append((name, reach(estimate, same)))
    return found


def reach(estimate: Estimate, same: float) -> tuple[float, float]:
    """The farther end of the interval, in either direction, between the least and the most that it may be."""

    def farther(low: float, high: float) -> float:
        if same == 0.0:
            return max(high, -low, 0.0)
        return math.inf if low <= 0 else max(high, 1 / low, 1.0)

    both = sorted((farther(estimate.low[1], estimate.high[0]), farther(estimate.low[0], estimate.high[1])))
    return both[0], both[1]
