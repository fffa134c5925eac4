"""Published trials, read from their files without any code of the library."""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PUBLISHED = ROOT / "data" / "published"
SOURCES = ROOT / "lib" / "articles" / "src" / "main" / "resources" / "clientlab" / "articles"

WARM = "warm"

AGAIN = "again"
"""The alias of a treatment that a run measured a second time, for its noise."""


class Trial:
    """One measured trial."""

    def __init__(self, raw: dict[str, Any]) -> None:
        self.raw = raw
        self.experiment: str = raw["experiment"]
        self.round: int = raw["round"]
        self.outcome: str = raw["outcome"]
        self.treatment = {name: str(level) for name, level in raw["treatment"].items()}

    def metric(self, name: str) -> float | None:
        """The metric, or what a claim may ask like one: a number of the treatment, or how many threads were left."""
        if name in self.raw["metrics"]:
            return self.raw["metrics"][name]
        if name == "connectionsPerRequest":
            return self._connections_per_request()
        if name == "threadsLeft":
            return float(len((self.raw.get("leaks") or {}).get("threads", [])))
        if name in self.treatment:
            return number(self.treatment[name])
        return None

    def _connections_per_request(self) -> float | None:
        """By the evidence, for trials that are older than the metric: connections that carried a request, for each answer."""
        seen = self.raw.get("evidence") or {}
        if "connectionsOpened" not in self.raw["metrics"] or not seen.get("answered"):
            return None
        carried = seen.get("connectionsByProtocol") or {}
        used = sum(protocol["connections"] for protocol in carried.values())
        return (min(seen["connectionsOpened"], used) if carried else seen["connectionsOpened"]) / seen["answered"]


def number(text: str | None) -> float | None:
    try:
        return float(text) if text is not None else None
    except ValueError:
        return None


@dataclass
class Group:
    """The trials of one treatment."""

    treatment: dict[str, str]
    trials: list[Trial] = field(default_factory=list)

    @property
    def client(self) -> str:
        return self.treatment.get("client", "")

    @property
    def start(self) -> str:
        return self.treatment.get("start", WARM)

    def __getitem__(self, factor: str) -> str | None:
        return self.treatment.get(factor)

    def number(self, factor: str) -> float:
        return number(self.treatment.get(factor)) or 0.0

    @property
    def counted(self) -> list[Trial]:
        """Complete trials, or waves where none is complete; of a treatment that should be steady, the forks that were."""
        valid = [trial for trial in self.trials if trial.outcome == "complete"] or [trial for trial in self.trials if trial.outcome == "wave"]
        if self.start == "steady":
            return [trial for trial in valid if trial.metric("steady") != 0.0]
        return valid

    def values(self, metric: str) -> list[float]:
        return [value for trial in self.counted if (value := trial.metric(metric)) is not None]

    def by_round(self, metric: str) -> dict[int, float]:
        return {trial.round: value for trial in self.counted if (value := trial.metric(metric)) is not None}

    def ratios(self, metric: str, other: str) -> list[float]:
        pairs = [(trial.metric(metric), trial.metric(other)) for trial in self.counted]
        return [a / b for a, b in pairs if a is not None and b]

    def in_delays(self, metric: str = "durationMs") -> list[float]:
        return self.ratios(metric, "delayMs")


class Trials:
    """The measured trials of some runs; `twice` has each treatment that was measured a second time, beside itself."""

    def __init__(self, trials: Iterable[Trial]) -> None:
        groups: dict[tuple[tuple[str, str], ...], Group] = {}
        for trial in trials:
            groups.setdefault(tuple(sorted(trial.treatment.items())), Group(trial.treatment)).trials.append(trial)
        self.groups = [group for group in groups.values() if group["alias"] != AGAIN]
        self.twice: list[tuple[Group, Group]] = []
        for again in groups.values():
            if again["alias"] == AGAIN:
                rest = tuple(sorted((factor, level) for factor, level in again.treatment.items() if factor != "alias"))
                if rest in groups:
                    self.twice.append((groups[rest], again))

    def where(self, keep: Callable[[Group], bool]) -> list[Group]:
        return [group for group in self.groups if keep(group)]

    def of(self, client: str, **levels: str) -> Group:
        """The treatment of `client` with these levels; one without trials where there is none."""
        found = self.where(lambda group: group.client == client and all(group[name] == level for name, level in levels.items()))
        return found[0] if found else Group({"client": client, **levels})

    def warm(self, client: str, in_flight: int) -> Group:
        found = self.where(lambda group: group.client == client and group.start == WARM and group["inFlight"] == str(in_flight) and group["rate"] is None)
        return found[0] if found else Group({"client": client, "inFlight": str(in_flight)})

    def only(self, keep: Callable[[Trial], bool]) -> Trials:
        every = self.groups + [again for _, again in self.twice]
        return Trials(trial for group in every for trial in group.trials if keep(trial))


@cache
def read(name: str) -> tuple[Trial, ...]:
    plain, compressed = (PUBLISHED / name / file for file in ("trials.jsonl", "trials.jsonl.gz"))
    with plain.open(encoding="utf-8") if plain.is_file() else gzip.open(compressed, "rt", encoding="utf-8") as lines:
        raw = [json.loads(line) for line in lines if line.strip()]
    return tuple(Trial(each) for each in raw if not each["warmup"])


def evidence(names: Iterable[str]) -> Trials:
    return Trials(trial for name in names for trial in read(name))


def workload(name: str) -> str:
    return json.loads((PUBLISHED / name / "manifest.json").read_text(encoding="utf-8"))["experiment"]["workload"]["type"]


def figures(file: str) -> list[dict[str, str]]:
    """The figures of a source, as its article keeps them."""
    with (SOURCES / file).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def per_round(one: Group, other: Group, metric: str, combine: Callable[[float, float], float | None] = lambda a, b: a / b) -> list[float]:
    """One value for each round that both have."""
    theirs = other.by_round(metric)
    pairs = [(value, theirs[trial.round]) for trial in one.counted if (value := trial.metric(metric)) is not None and trial.round in theirs]
    return [result for a, b in pairs if (result := combine(a, b)) is not None]
