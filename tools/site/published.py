"""The published runs: what is in them, and their trials as tables."""

import csv
import gzip
import json
import shutil
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.ipc

COUNTED = ("complete", "wave")
BEFORE = ("run", "experiment", "trial", "round", "warmup")
AFTER = ("outcome", "reasons", "warnings")
FIRST = (
    "durationMs", "threadsBlocked", "activeUnparkedNew", "inFlightPeak", "memoryGrowthBytes", "iterationMedianMs", "throughputMiBs", "answeredShare",
    "osThreadsPeak", "requestsPerSecond", "latencyP99Ms", "cpuSeconds", "allocatedBytes", "rssBytes",
)  # fmt: skip
"""Metrics that the list of trials shows, as far as a run has them: the first few."""


def _levels(treatment: dict[str, Any]) -> frozenset[tuple[str, str]]:
    return frozenset((name, str(level)) for name, level in treatment.items())


@dataclass(frozen=True)
class Run:
    """A folder of `data/published`."""

    folder: Path

    @property
    def name(self) -> str:
        return self.folder.name

    @cached_property
    def manifest(self) -> dict[str, Any]:
        return json.loads((self.folder / "manifest.json").read_text(encoding="utf-8"))

    @property
    def id(self) -> str:
        return self.manifest["run"]

    @cached_property
    def lines(self) -> list[dict[str, Any]]:
        """Every line of the journal, warm-ups among them; `trial` numbers the measured ones from 1, each with its warm-up."""
        lines = [json.loads(line) for line in journal(self.folder).splitlines() if line.strip()]
        number = 1
        for line in lines:
            line["trial"] = number
            number += not line["warmup"]
        return lines

    @cached_property
    def trials(self) -> list[dict[str, Any]]:
        """The measured trials, in the order in which they ended."""
        return [line for line in self.lines if not line["warmup"]]

    def measured(self, round_: int, treatment: dict[str, Any]) -> dict[str, Any] | None:
        """The measured trial of this treatment in this round."""
        return self._by_treatment.get((round_, _levels(treatment)))

    @cached_property
    def _by_treatment(self) -> dict[tuple[int, frozenset[tuple[str, str]]], dict[str, Any]]:
        return {(trial["round"], _levels(trial["treatment"])): trial for trial in self.trials}

    @cached_property
    def factors(self) -> list[str]:
        return list(dict.fromkeys(name for line in self.lines for name in line["treatment"]))

    @cached_property
    def varied(self) -> list[str]:
        """The factors that tell one treatment from another."""
        return [name for name in self.factors if len({str(trial["treatment"].get(name)) for trial in self.trials}) > 1]

    @cached_property
    def metrics(self) -> list[str]:
        return list(dict.fromkeys(name for line in self.lines for name in line["metrics"]))

    def rows(self) -> list[dict[str, Any]]:
        """One row a line of the journal, flat: factors and metrics are columns of their own."""
        return [
            {"run": self.id, "experiment": line["experiment"], "trial": line["trial"], "round": line["round"], "warmup": line["warmup"]}
            | {name: line["treatment"].get(name) for name in self.factors}
            | {"outcome": line["outcome"], "reasons": " ".join(line["reasons"]), "warnings": " ".join(line["warnings"])}
            | {name: line["metrics"].get(name) for name in self.metrics}
            for line in self.lines
        ]

    def threads(self) -> list[dict[str, Any]]:
        """One row for each kind of thread that a line of the journal counted."""
        return [
            {"run": self.id, "trial": line["trial"], "warmup": line["warmup"], **{name: each.get(name) for name in ("owner", "doing", "count")}}
            for line in self.lines
            for each in line["threads"]
        ]

    @property
    def shown(self) -> list[str]:
        return [name for name in FIRST if name in self.metrics][:5]


def journal(folder: Path) -> str:
    """The lines of a run's trials. Newer runs are published compressed."""
    plain = folder / "trials.jsonl"
    return plain.read_text(encoding="utf-8") if plain.is_file() else gzip.decompress((folder / "trials.jsonl.gz").read_bytes()).decode("utf-8")


def all_runs(folder: Path) -> list[Run]:
    return [Run(each) for each in sorted(folder.iterdir()) if (each / "manifest.json").is_file()]


def write_tables(run: Run, target: Path) -> dict[str, dict[str, int]]:
    """The run's tables as CSV and Arrow, its journal and its manifest; the files' sizes, and the rows and columns of each table."""
    target.mkdir(parents=True, exist_ok=True)
    result = {}
    for name, rows in (("trials", run.rows()), ("threads", run.threads())):
        if not rows:
            continue
        columns = {column: _typed([row[column] for row in rows]) for column in rows[0]}
        arrow = pa.table(columns)
        with pa.ipc.new_file(target / f"{name}.arrow", arrow.schema, options=pa.ipc.IpcWriteOptions(compression="lz4")) as file:
            file.write_table(arrow)
        with (target / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(columns)
            writer.writerows([_cell(value) for value in row.values()] for row in rows)
        result[name] = {"rows": len(rows), "columns": len(columns)}
    for file in ("trials.jsonl", "trials.jsonl.gz", "manifest.json", "machine.jsonl"):
        if (run.folder / file).is_file():
            shutil.copyfile(run.folder / file, target / file)
    return result


def _typed(values: list[Any]) -> pa.Array:
    """One type a column: numbers as they are, and words where a single value is one."""
    if any(isinstance(value, str) for value in values):
        return pa.array([None if value is None else str(value) for value in values], pa.string())
    if any(isinstance(value, float) for value in values):
        return pa.array([None if value is None else float(value) for value in values], pa.float64())
    return pa.array(values)


def _cell(value: Any) -> Any:
    return "true" if value is True else "false" if value is False else value
