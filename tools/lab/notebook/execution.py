"""Running a notebook in a clean kernel, and rendering what comes out."""

import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ..base import places
from ..base.processes import run_logged, start
from ..base.terminal import Step, duration, tail
from ..prepare import kernel
from ..prepare.setup import Ready
from .notebooks import HERE

BEFORE = "before its first cell: "
"""The first words of a failure where the kernel did not start."""


def progress_in_words(line: str) -> str | None:
    """One line of the library's progress file as a reader sees it, or None where it is not whole."""
    try:
        news = json.loads(line)
        most = "at most " if isinstance(news, dict) and news.get("atMost") else ""
        parts = [f"{news['done']} of {most}{news['total']} trials", news.get("treatment") or ""]
        if news.get("leftSeconds") is not None:
            parts.append(f"{most or 'about '}{duration(news['leftSeconds'])} left")
        return ", ".join(part for part in parts if part)
    except (ValueError, KeyError, TypeError):
        return None


@dataclass
class Outcome:
    """The result of one notebook: its executed copy and, where a cell failed, which one and why."""

    notebook: Path
    seconds: float
    cells: int = 0
    failure: str | None = None
    events: list[dict[str, Any]] = field(default_factory=list)


def execute(
    ready: Ready,
    name: str,
    step: Step,
    *,
    smoke: bool = False,
    published: bool = False,
    cell_seconds: int = 3600,
    server: str | None = None,
    source: Path | None = None,
    variables: Mapping[str, str | None] | None = None,
    folder: Path = places.NOTEBOOKS,
) -> Outcome:
    """Run a copy of the notebook from top to bottom in a clean kernel, in the notebook's folder; `step` shows where it is.

    With `smoke` experiments are run at their smallest; with `published` the cells that run one are left out; with `server` they are run
    against the delay server whose control port that is. With `source` that file is run under this name; `variables` change the kernel's environment."""
    places.OUT.mkdir(parents=True, exist_ok=True)
    places.LOGS.mkdir(parents=True, exist_ok=True)
    suffix = ".smoke" if smoke else ".published" if published else ""
    shown = name if folder == places.NOTEBOOKS else f"{folder.relative_to(places.NOTEBOOKS).as_posix().replace('/', '-')}-{name}"
    target = places.OUT / f"{shown}{suffix}.ipynb"
    progress = places.OUT / f"{shown}{suffix}.progress"
    log = places.LOGS / f"{shown}{suffix}.log"
    progress.write_text("", encoding="utf-8")
    extra = {"CLIENT_LAB_PROGRESS": str(progress)} | ({"CLIENT_LAB_SMOKE": "1"} if smoke else {}) | ({"CLIENT_LAB_SERVER": server} if server else {})
    news = log.with_suffix(".events")
    began = time.monotonic()
    outcome = Outcome(target, 0)
    child = None
    try:
        with (
            log.open("w", encoding="utf-8") as errors,
            news.open("w", encoding="utf-8") as out,
            news.open(encoding="utf-8") as back,
            progress.open(encoding="utf-8") as trials,
        ):
            child = start(
                [
                    *(ready.python.python, places.TOOLS / "jupyter" / "execute.py", source or folder / f"{name}.ipynb", target),
                    *(folder, str(cell_seconds), *([HERE] if published else [])),
                ],
                environment=kernel.variables(extra | dict(variables or {})),
                output=out,
                errors=errors,
                leash=True,
                grace=20,
            )
            cell = "starting the kernel"
            trial = ""

            def tick() -> None:
                nonlocal cell, trial
                for event in _events(back):
                    outcome.events.append(event)
                    if event["event"] == "kernel" and event.get("group"):
                        child.groups.append(event["group"])
                    if event["event"] == "cell":
                        outcome.cells = event["number"]
                        cell, trial = f"cell {event['number']} of {event['total']}", ""
                for line in _whole_lines(trials):
                    trial = progress_in_words(line) or trial
                step.update(", ".join(part for part in (cell, trial) if part))

            code = child.wait(tick)
            tick()
    except BaseException:
        step.stop()
        if child is not None:
            child.end()
        raise
    finally:
        progress.unlink(missing_ok=True)
        news.unlink(missing_ok=True)
    outcome.seconds = time.monotonic() - began
    failed = next((event for event in outcome.events if event["event"] == "error"), None)
    if failed and not failed["number"]:
        outcome.failure = f"{BEFORE}{_before_the_first_cell(failed['sentence'].strip(), log)}"
    elif failed:
        where = f"cell {failed['number']} of {failed['total']}"
        # The library's own exceptions need no name: their sentence says everything.
        kind = "" if failed["name"] == "LabException" else f"{failed['name']}: "
        outcome.failure = f"{where}: {kind}{failed['sentence'].strip()}"
    elif code:
        outcome.failure = f"the kernel's host ended with code {code}; the end of {places.shown(log)}:\n{tail(log, 12)}"
    return outcome


def why_no_kernel(ready: Ready) -> str | None:
    """Start the kernel once and end it; why it does not start, or None where it does."""
    step = Step("Starting the kernel")
    with TemporaryDirectory() as folder:
        kernel.install(ready.python, ready.java, Path(folder))
        empty = Path(folder) / "empty.ipynb"
        empty.write_text(json.dumps({"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}), encoding="utf-8")
        failure = execute(ready, "doctor", step, source=empty, variables={"JUPYTER_PATH": folder}).failure
    step.done("it does not start" if failure else "it starts")
    return failure and failure.removeprefix(BEFORE)


def _before_the_first_cell(sentence: str, log: Path) -> str:
    """Why the kernel did not start, as far as its log tells, and where that log is."""
    reason = kernel.why_it_ended(tail(log, 1000))
    said = f"the kernel ended with {reason}" if reason else sentence.rstrip(".")
    return f"{said}; the whole log is in {places.shown(log)}."


def _whole_lines(file: Any) -> Iterator[str]:
    """The whole lines; half a line waits for the next call."""
    while True:
        before = file.tell()
        line = file.readline()
        if not line.endswith("\n"):
            file.seek(before)
            return
        yield line


def _events(file: Any) -> Iterator[dict[str, Any]]:
    for line in _whole_lines(file):
        try:
            yield json.loads(line)
        except ValueError:
            continue


def render(ready: Ready, notebook: Path) -> Path:
    """The notebook as one HTML file beside it."""
    page = notebook.with_suffix(".html")
    step = Step("Rendering the page")
    run_logged(
        [ready.python.python, places.TOOLS / "jupyter" / "render.py", notebook, page],
        step=step,
        log_name="render",
        environment=kernel.variables(),
        sorry="The page could not be rendered.",
    )
    step.done()
    return page
