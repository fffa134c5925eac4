"""The pages in `site/docs`: short, with links that lead somewhere, and with Kotlin that runs, each page (and README.md) in a clean kernel."""

import json
import re
from pathlib import Path

from ..base import places
from ..base.reports import Results
from ..base.terminal import Step
from ..prepare import kernel
from ..prepare.setup import Ready
from ..notebook import execution, houserules

MOST_LINES = 60

PLAIN = "intellij"
"""The page whose cells run with the kernel as its package has it, because IntelliJ does not use lab's specification."""

CELL_SECONDS = 600


def all_pages(folder: Path = places.PAGES) -> list[Path]:
    return sorted(folder.glob("*.md"))


def cells(text: str) -> list[str]:
    """The Kotlin of a page, block by block."""
    return re.findall(r"^```kotlin\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def notebook(text: str) -> dict:
    """A page's Kotlin as a notebook, with nothing in it that names a machine or a kernel but `kotlin`."""
    return {
        "cells": [
            {"cell_type": "code", "id": f"block-{number}", "metadata": {}, "source": cell, "execution_count": None, "outputs": []}
            for number, cell in enumerate(cells(text), 1)
        ],
        "metadata": {"kernelspec": {"display_name": "Kotlin", "language": "kotlin", "name": "kotlin"}, "language_info": {"name": "kotlin"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def complaints(file: Path) -> list[str]:
    """What is wrong with a page, as far as that shows without running it."""
    text = file.read_text(encoding="utf-8")
    lines = len(text.splitlines())
    found = [f"it has {lines} lines, and {MOST_LINES} are enough"] if lines > MOST_LINES else []
    blocks = cells(text)
    if not blocks:
        found.append("it has no block of Kotlin")
    for number, block in enumerate(blocks, 1):
        if houserules.lines_of(block) > houserules.MOST:
            found.append(f"block {number} has {houserules.lines_of(block)} lines, and {houserules.MOST} are the most")
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
        if not (file.parent / target).exists():
            found.append(f"it links to {target}, which is not there")
    return found


def run(ready: Ready, built: bool) -> Results:
    """Every page's cells from top to bottom in a clean kernel, with the smallest experiments there are."""
    results = Results()
    for page in [*all_pages(), places.ROOT / "README.md"]:
        test = f"{places.shown(page)}: what it shows runs"
        if not built:
            results.skipped.append((test, "the project could not be built"))
            continue
        step = Step(test)
        failure = failure_of(ready, page, step)
        step.done("failed" if failure else "passed")
        if failure:
            results.failed.append((test, failure))
        else:
            results.passed += 1
    return results


def failure_of(ready: Ready, page: Path, step: Step) -> str | None:
    """What went wrong in a page's cells, or None."""
    name = f"docs-{page.stem}"
    source = places.OUT / f"{name}.ipynb"
    places.OUT.mkdir(parents=True, exist_ok=True)
    source.write_text(json.dumps(notebook(page.read_text(encoding="utf-8"))), encoding="utf-8")
    variables: dict[str, str | None] = {}
    if page.stem == PLAIN:
        folder = places.LAB / "jupyter-plain"
        kernel.install_plain(ready.python, folder)
        variables = {"JUPYTER_PATH": str(folder), "CLIENT_LAB_HOME": None, "CLIENT_LAB_JAVA": None, "JAVA_HOME": str(ready.java.home)}
    return execution.execute(ready, name, step, smoke=True, cell_seconds=CELL_SECONDS, source=source, variables=variables).failure
