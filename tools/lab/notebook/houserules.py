"""The rules for every committed notebook: short cells and few of them, few words, and outputs of one clean run that belong to its code."""

import re
import statistics
from pathlib import Path

from ..base.reports import Results
from . import notebooks

MEDIAN = 3
MOST = 15
MOST_CELLS = 40
MOST_WORDS = 1_200
MOST_CELLS_IN_ALL = 520
MOST_WORDS_IN_ALL = 16_000
MEASURES = f"a cell that measures is tagged {notebooks.HERE}"
OUTPUTS = "its outputs come from one clean run of this code"
COUNT = "of the trials that a table or a figure shows, some count"


def lines_of(source: str) -> int:
    """Lines that hold something."""
    return sum(1 for line in source.splitlines() if line.strip())


def words_of(notebook: dict) -> int:
    """Words of its text, with those of blocks of code in it."""
    return sum(len(notebooks.source_of(cell).split()) for cell in notebook["cells"] if cell["cell_type"] == "markdown")


def check(file: Path) -> Results:
    """One result for each rule."""
    results = Results()
    try:
        notebook = notebooks.load(file)
        cells = notebooks.code_cells(notebook)
    except (OSError, ValueError, KeyError) as error:
        results.failed.append((f"{file.name}: it is a notebook", f"it cannot be read: {error!r}"))
        return results
    lengths = [lines_of(notebooks.source_of(cell)) for cell in cells]

    def rule(name: str, complaint: str | None) -> None:
        if complaint:
            results.failed.append((f"{file.name}: {name}", complaint))
        else:
            results.passed += 1

    median = statistics.median(lengths) if lengths else 0
    rule(f"the median code cell has at most {MEDIAN} lines", f"it has {median:g}" if median > MEDIAN else None)
    long = [f"cell {i} has {length}" for i, length in enumerate(lengths, 1) if length > MOST]
    rule(f"no code cell has more than {MOST} lines", ", ".join(long) or None)
    rule(f"it has at most {MOST_CELLS} cells", f"it has {count}: what can go?" if (count := len(notebook["cells"])) > MOST_CELLS else None)
    rule(f"it has at most {MOST_WORDS:,} words", f"it has {count:,}: what can go?" if (count := words_of(notebook)) > MOST_WORDS else None)
    rule(MEASURES, ", ".join(measuring_untagged(cells)) or None)
    rule(OUTPUTS, outputs_complaint(notebook))
    rule(COUNT, "; ".join(f"cell {number} says that none does" for number in without_trials(cells)) or None)
    return results


def check_together(files: list[Path]) -> Results:
    """What all articles together may hold, so that somebody can read them."""
    read = [notebooks.load(file) for file in files]
    results = Results()
    for most, what, held in (
        (MOST_CELLS_IN_ALL, "cells", sum(len(notebook["cells"]) for notebook in read)),
        (MOST_WORDS_IN_ALL, "words", sum(words_of(notebook) for notebook in read)),
    ):
        if held > most:
            results.failed.append((f"all articles together have at most {most:,} {what}", f"they have {held:,}: what can go?"))
        else:
            results.passed += 1
    without = [file.name for file, notebook in zip(files, read, strict=True) if not takeaway_of(notebook)]
    if without:
        results.failed.append(("every article has a takeaway", f"{', '.join(without)}: say in a line what a reader will do"))
    else:
        results.passed += 1
    return results


def takeaway_of(notebook: dict) -> str | None:
    """The line with which its text ends."""
    last = [notebooks.source_of(cell) for cell in notebook["cells"] if cell["cell_type"] == "markdown"][-1:]
    found = re.search(r"^\*\*Takeaway:\*\* (.+)$", "".join(last), re.MULTILINE)
    return found[1] if found else None


def measuring_untagged(cells: list[dict]) -> list[str]:
    """The cells that run an experiment without the tag that says so."""
    runs = [(number, cell) for number, cell in enumerate(cells, 1) if re.search(r"\.run\(\)|lastRun\(\)", notebooks.source_of(cell))]
    return [f"cell {number} is not" for number, cell in runs if notebooks.HERE not in cell.get("metadata", {}).get("tags", [])]


def without_trials(cells: list[dict]) -> list[int]:
    """The cells whose output says that no trial of it counts."""
    return [number for number, cell in enumerate(cells, 1) if any(re.search(r"\bn = 0 forks\b", text) for text in notebooks.texts(cell))]


def outputs_complaint(notebook: dict) -> str | None:
    """Why its outputs are not those of one clean run of its code, or None."""
    cells = notebooks.code_cells(notebook)
    remedy = "run `lab run NAME --write`"
    counts = [cell.get("execution_count") for cell in cells]
    if counts != list(range(1, len(cells) + 1)):
        return f"its cells are numbered {', '.join(str(count) for count in counts)}: {remedy}"
    for number, cell in enumerate(cells, 1):
        allowed = "raises-exception" in cell.get("metadata", {}).get("tags", [])
        if not allowed and any(output["output_type"] == "error" for output in cell.get("outputs", [])):
            return f"cell {number} ended in an error: put it right, and {remedy}"
    if notebook["metadata"].get("clientLab", {}).get("source") != notebooks.source_digest(notebook):
        return f"its code has changed since it was run: {remedy}"
    return None
