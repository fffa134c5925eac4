"""Estimates over forks, by other means than the library's.

The library resamples. Here the bootstrap's distribution of a median is computed exactly, so that a difference between the two is the
resampling alone. An end of an interval may move by what 4,000 resamples leave open, and a verdict must be one that such an end allows.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache

import numpy

ALPHA = 0.05
RESAMPLES = 4_000
MANY = 40_000
SIGMAS = 5.0


@dataclass(frozen=True)
class Estimate:
    """A value over `n` forks, and between which numbers each end of its interval may lie."""

    value: float
    low: tuple[float, float]
    high: tuple[float, float]
    n: int
    leaving_out: Callable[[float], Estimate] | None = field(default=None, compare=False)
    """The same with an interval that leaves out another share; None where chance has no part in it."""


NONE = Estimate(math.nan, (math.nan, math.nan), (math.nan, math.nan), 0)


class Distribution:
    """Numbers and their probabilities."""

    def __init__(self, values: numpy.ndarray, weights: numpy.ndarray) -> None:
        order = numpy.argsort(values, kind="stable")
        self.values = values[order]
        self.below = numpy.cumsum(weights[order])

    def quantile(self, share: float) -> float:
        return float(self.values[min(numpy.searchsorted(self.below, share), len(self.values) - 1)])

    def end(self, share: float, resamples: int) -> tuple[float, float]:
        reach = SIGMAS * math.sqrt(share * (1 - share) / resamples) + 1 / resamples
        return self.quantile(max(share - reach, 0.0)), self.quantile(min(share + reach, 1.0))

    def at_most(self, number: float) -> float:
        place = numpy.searchsorted(self.values, number, side="right")
        return float(self.below[place - 1]) if place else 0.0

    def at_least(self, number: float) -> float:
        place = numpy.searchsorted(self.values, number, side="left")
        return 1.0 - (float(self.below[place - 1]) if place else 0.0)


@cache
def middle(n: int) -> tuple[tuple[int, int, float], ...]:
    """Which two of `n` sorted values the median of a resample lies between, from 0, and how often."""

    def tail(k: int, least: int) -> float:
        """The probability that at least `least` of n draws are among the k smallest."""
        p = k / n
        return sum(math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(least, n + 1))

    half = n // 2
    if n % 2:
        return tuple((k - 1, k - 1, tail(k, half + 1) - tail(k - 1, half + 1)) for k in range(1, n + 1))
    pairs = []
    for i in range(1, n + 1):
        lowest = tail(i, half) - tail(i - 1, half)
        apart = 0.0
        for j in range(i + 1, n + 1):
            lower = (i / n) ** half - ((i - 1) / n) ** half
            upper = ((n - j + 1) / n) ** half - ((n - j) / n) ** half
            p = math.comb(n, half) * lower * upper
            apart += p
            pairs.append((i - 1, j - 1, p))
        pairs.append((i - 1, i - 1, lowest - apart))
    return tuple(pairs)


def medians(values: list[float]) -> tuple[numpy.ndarray, numpy.ndarray]:
    ordered = numpy.sort(numpy.array(values, dtype=float))
    lower, upper, weights = (numpy.array(column) for column in zip(*middle(len(values))))
    return (ordered[lower.astype(int)] + ordered[upper.astype(int)]) / 2, weights.clip(min=0.0)


def of(value: float, distribution: Distribution, n: int, left_out: float = ALPHA, resamples: int = RESAMPLES) -> Estimate:
    return Estimate(value, distribution.end(left_out / 2, resamples), distribution.end(1 - left_out / 2, resamples), n)


def at_any(estimate: Callable[[float], Estimate]) -> Estimate:
    """What leaves out the usual share, and can be asked to leave out another."""
    return replace(estimate(ALPHA), leaving_out=estimate)


def resamples_for(left_out: float) -> int:
    """The library resamples more often for an interval that leaves out less."""
    return min(max(int(RESAMPLES * ALPHA / left_out), RESAMPLES), MANY)


def median(values: list[float]) -> Estimate:
    if not values:
        return NONE
    value, distribution = float(numpy.median(values)), Distribution(*medians(values))
    return at_any(lambda left_out: of(value, distribution, len(values), left_out, resamples_for(left_out)))


def compared(a: list[float], b: list[float], combine: Callable[[numpy.ndarray, numpy.ndarray], numpy.ndarray]) -> tuple[float, Distribution]:
    (x, p), (y, q) = medians(a), medians(b)
    value = combine(numpy.array([numpy.median(a)]), numpy.array([numpy.median(b)]))[0]
    return float(value), Distribution(combine(x[:, None], y[None, :]).ravel(), (p[:, None] * q[None, :]).ravel())


def divide(x: numpy.ndarray, y: numpy.ndarray) -> numpy.ndarray:
    """Two zeros are alike; anything else by 0 is infinite."""
    with numpy.errstate(divide="ignore", invalid="ignore"):
        return numpy.where(x == y, 1.0, x / y)


def ratio(a: list[float], b: list[float]) -> Estimate:
    if not a or not b:
        return NONE
    value, distribution = compared(a, b, divide)
    return at_any(lambda left_out: of(value, distribution, min(len(a), len(b)), left_out, resamples_for(left_out)))


def exact(value: float, low: float, high: float, n: int) -> Estimate:
    """An interval that needs no resampling."""
    return Estimate(value, (low, low), (high, high), n)


def share(hits: int, n: int) -> Estimate:
    """The interval of Clopper and Pearson, from the binomial's tails."""

    def tail(p: float, at_least: int) -> float:
        return sum(math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(at_least, n + 1))

    def leaving_out(left_out: float) -> Estimate:
        low = 0.0 if hits == 0 else bisect(lambda p: tail(p, hits) - left_out / 2)
        high = 1.0 if hits == n else bisect(lambda p: tail(p, hits + 1) - (1 - left_out / 2))
        return exact(hits / n, low, high, n)

    return at_any(leaving_out)


def bisect(rising: Callable[[float], float], low: float = 0.0, high: float = 1.0) -> float:
    for _ in range(200):
        between = (low + high) / 2
        low, high = (between, high) if rising(between) < 0 else (low, between)
    return (low + high) / 2


@cache
def expanded(n: int, left_out: float) -> float:
    """What Hesterberg (2015) leaves out at each end of a percentile interval with `n` forks."""
    degrees = n - 1
    constant = math.exp(math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2)) / math.sqrt(degrees * math.pi)

    def cumulative(t: float) -> float:
        x = numpy.linspace(0.0, t, 20_001)
        density = constant * (1 + x**2 / degrees) ** (-(degrees + 1) / 2)
        return 0.5 + float(numpy.trapezoid(density, x))

    t = bisect(lambda t: cumulative(t) - (1 - left_out / 2), 0.0, 100.0)
    return 0.5 * math.erfc(t * math.sqrt(n / (n - 1)) / math.sqrt(2))


# Lines of memory: forks are resampled within each number of tasks.

Points = dict[int, list[float]]
Resamples = dict[int, numpy.ndarray]
"""By number of tasks, a row for each resample; the first row is what was measured."""


def over(sets: list[Points], statistic: Callable[[list[Resamples]], numpy.ndarray]) -> Estimate:
    """Any statistic of sets of points, with its interval over resamples."""
    n = min((min(len(forks) for forks in points.values()) if len(points) > 1 else 0) for points in sets)
    if n == 0:
        return NONE
    random = numpy.random.default_rng(20_261_125)

    def resampled(forks: list[float]) -> numpy.ndarray:
        all_of = numpy.array(forks)
        return numpy.vstack([all_of, all_of[random.integers(0, len(forks), (RESAMPLES, len(forks)))]])

    results = statistic([{x: resampled(forks) for x, forks in points.items()} for points in sets])
    resamples = Distribution(results[1:], numpy.full(RESAMPLES, 1 / RESAMPLES))
    # Both sides resample here, so twice the variance.
    return at_any(lambda left_out: of(float(results[0]), resamples, n, 2 * expanded(n, left_out), RESAMPLES // 2))


def slopes(points: Resamples, keep: Callable[[int], bool] = lambda _: True) -> numpy.ndarray:
    """The slopes of the lines of least squares, one for each resample, through the points that are kept."""
    kept = sorted(x for x in points if keep(x))
    forks = [points[x] for x in kept]
    places, sizes = numpy.array(kept, dtype=float), numpy.array([each.shape[1] for each in forks])
    off = places - (places * sizes).sum() / sizes.sum()
    return sum(o * each.sum(axis=1) for o, each in zip(off, forks)) / (off**2 * sizes).sum()


def middles(points: Resamples, x: int) -> numpy.ndarray:
    return numpy.median(points[x], axis=1)
