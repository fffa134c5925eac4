"""`lab workshop`: exercises, solutions and slides of the workshop, each from one source.

A source is Markdown. Prose is a cell; so is a block of `kotlin`, whose words behind the language say what it is:
`exercise` stands in the exercises alone and `solution` in the solutions alone, `check` marks the cell that judges an answer, and `here` one
that measures. Prose between `:::task`, `:::hint` or `:::solution` and `:::` is a cell of that kind, and `+++` ends a cell."""

import html
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..base import places, processes
from ..base.reports import Results
from ..base.terminal import LabError, Step, say
from ..prepare import setup
from ..prepare.environment import PythonEnvironment
from ..prepare.setup import Ready
from . import execution, houserules, notebooks

FOLDER = places.NOTEBOOKS / "workshop"
SOURCES = FOLDER / "source"
EXERCISES = FOLDER / "exercises"
SOLUTIONS = FOLDER / "solutions"
SLIDES = FOLDER / "slides.md"
PAGE = FOLDER / "slides.html"

PLACEHOLDER = "// your turn"
"""The line that stands in every cell for the learner, and in no solution."""

HOLDS = "✓"
"""The first sign of a check's answer where the check holds."""

KINDS = ("exercise", "solution", "check", "here")
PROSE = ("task", "hint", "solution")
FORMS = ("exercise", "solution")
METADATA = {
    "kernelspec": {"display_name": "Kotlin", "language": "kotlin", "name": "kotlin"},
    "language_info": {"file_extension": ".kt", "mimetype": "text/x-kotlin", "name": "kotlin"},
}


@dataclass(frozen=True)
class Block:
    """A piece of a source: prose or code, what it is, and the line that it begins at."""

    code: bool
    text: str
    tags: tuple[str, ...]
    line: int


def parse(text: str, name: str) -> list[Block]:
    """The blocks of a source, in their order."""
    blocks: list[Block] = []
    held: list[str] = []
    tags: tuple[str, ...] = ()
    fence, began, code = "", 1, False

    def close(number: int) -> None:
        nonlocal held, tags, fence, began, code
        if body := "\n".join(held).strip("\n"):
            blocks.append(Block(code, body, tags, began))
        held, tags, fence, began, code = [], (), "", number + 1, False

    def opened(line: str, number: int, words: str, known: tuple[str, ...]) -> None:
        nonlocal tags, fence, began, code
        close(number - 1)
        tags, code, fence, began = tuple(words.split()), line.startswith("`"), "```" if line.startswith("`") else ":::", number
        if other := [word for word in tags if word not in known]:
            raise LabError(f"{name}, line {number}: a block cannot be {other[0]}; it can be {', '.join(known)}.")

    for number, line in enumerate(text.splitlines(), 1):
        if fence and line.rstrip() == fence:
            close(number)
        elif not fence and line.startswith("```kotlin"):
            opened(line, number, line.removeprefix("```kotlin"), KINDS)
        elif not fence and line.startswith(":::"):
            opened(line, number, line.removeprefix(":::"), PROSE)
        elif not fence and line.rstrip() == "+++":
            close(number)
        else:
            held.append(line)
    if fence:
        raise LabError(f"{name}, line {began}: the block has no end; close it with {fence}.")
    close(0)
    for block in blocks:
        if block.code and (PLACEHOLDER in block.text) != ("exercise" in block.tags):
            what = f"an exercise has a line with {PLACEHOLDER}" if "exercise" in block.tags else f"{PLACEHOLDER} stands in exercises alone"
            raise LabError(f"{name}, line {block.line}: {what}.")
    return blocks


def notebook(blocks: list[Block], form: str, part: str) -> dict[str, Any]:
    """The exercise or the solution that the blocks give. A cell's id is its place in the source, so both forms have the same."""
    other = FORMS[1 - FORMS.index(form)]
    cells = [cell(block, f"{part}-{place:02}") for place, block in enumerate(blocks, 1) if other not in block.tags]
    return {"cells": cells, "metadata": json.loads(json.dumps(METADATA)), "nbformat": 4, "nbformat_minor": 5}


def cell(block: Block, name: str) -> dict[str, Any]:
    metadata: dict[str, Any] = {"tags": list(block.tags)} if block.tags else {}
    source = (block.text if block.code else prose(block)).splitlines(keepends=True)
    if block.code:
        return {"cell_type": "code", "execution_count": None, "id": name, "metadata": metadata, "outputs": [], "source": source}
    return {"cell_type": "markdown", "id": name, "metadata": metadata, "source": source}


def prose(block: Block) -> str:
    """A hint as a fold, and a task as a quotation."""
    if "hint" in block.tags:
        return f"<details><summary>Hint</summary>\n{as_html(block.text)}\n</details>"
    if "task" in block.tags:
        return f"> **Your turn.** {block.text}".replace("\n", "\n> ")
    return block.text


def as_html(text: str) -> str:
    """Paragraphs with emphasis and code, as HTML without an empty line: some front ends clean Markdown in HTML piece by piece, and would
    empty the fold."""
    marked = html.escape(text, quote=False)
    for pattern, tag in ((r"`([^`]+)`", "code"), (r"\*\*([^*]+)\*\*", "strong"), (r"\*([^*]+)\*", "em")):
        marked = re.sub(pattern, rf"<{tag}>\1</{tag}>", marked)
    return "\n".join(f"<p>{paragraph}</p>" for paragraph in marked.split("\n\n"))


def parts(folder: Path = SOURCES) -> list[str]:
    return sorted(file.stem for file in folder.glob("*.md"))


def made(part: str, form: str, folder: Path = SOURCES) -> dict[str, Any]:
    """The exercise or the solution of `part`, without outputs."""
    file = folder / f"{part}.md"
    return notebook(parse(file.read_text(encoding="utf-8"), file.name), form, part.split("-")[0])


def text_of(content: Mapping[str, Any]) -> str:
    """A notebook as it is written."""
    return json.dumps(content, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def without_outputs(content: Mapping[str, Any]) -> dict[str, Any]:
    """A notebook as its source gives it: what a run adds is left out."""
    plain = json.loads(json.dumps(content))
    plain["metadata"] = json.loads(json.dumps(METADATA))
    for held in plain["cells"]:
        held["source"] = notebooks.source_of(held).splitlines(keepends=True)
        if held["cell_type"] == "code":
            held.update(execution_count=None, outputs=[])
    return plain


def with_outputs(plain: dict[str, Any], run: Mapping[str, Any]) -> dict[str, Any]:
    """`plain` with the outputs of `run`; without outputs where the code of `run` differs, or `run` did not reach its end."""
    unrun = any(held.get("execution_count") is None for held in notebooks.code_cells(run))
    if unrun or notebooks.source_digest(plain) != notebooks.source_digest(run):
        return plain
    for target, source in zip(notebooks.code_cells(plain), notebooks.code_cells(run)):
        target.update(execution_count=source.get("execution_count"), outputs=source.get("outputs", []))
    plain["metadata"] = {**run["metadata"], "clientLab": {"source": notebooks.source_digest(plain)}}
    return plain


def write(part: str, form: str, run: Path | None = None) -> Path:
    """Write a notebook. A solution takes the outputs of `run`, or keeps its own where its code is still the same."""
    target = (EXERCISES if form == "exercise" else SOLUTIONS) / f"{part}.ipynb"
    content = made(part, form)
    outputs = run or target
    if form == "solution" and outputs.is_file():
        content = with_outputs(content, notebooks.load(outputs))
    target.parent.mkdir(parents=True, exist_ok=True)
    whole = target.with_suffix(".part")
    whole.write_text(text_of(content), encoding="utf-8")
    whole.replace(target)
    return target


def slides(env: PythonEnvironment) -> Path:
    """The deck as one page that asks nothing of the network."""
    step = Step("Rendering the slides")
    processes.run_logged(
        [env.python, places.TOOLS / "jupyter" / "slides.py", SLIDES, PAGE],
        step=step,
        log_name="slides",
        environment=processes.environment(),
        sorry="The slides could not be rendered.",
    )
    step.done()
    return PAGE


def run(measure: bool = True, only_slides: bool = False) -> int:
    """Write all that the sources give; 0 when every solution ran and every check in it holds."""
    if not measure:
        for part in parts():
            for form in FORMS:
                say(f"wrote {places.shown(write(part, form))}")
        return 0
    ready = setup.ready("workshop")
    results = Results()
    ran: dict[str, Path] = {}
    for part in [] if only_slides else parts():
        say(f"wrote {places.shown(write(part, 'exercise'))}")
        write(part, "solution")
        outcome, found = solved(ready, part, smoke=False)
        results += found
        if not found.failed:
            ran[part] = outcome.notebook
    # These are written when all have run, because a run's manifest says whether the project has changes.
    for part, outputs in ran.items():
        say(f"wrote {places.shown(write(part, 'solution', outputs))}")
    say(f"wrote {places.shown(slides(ready.python))}")
    for test, message in results.failed:
        say(f"FAILED {test}: {message}")
    return 1 if results.failed else 0


def solved(ready: Ready, part: str, smoke: bool) -> tuple[execution.Outcome, Results]:
    """Run a solution from top to bottom in a clean kernel: it ends, and every check in it holds."""
    return ran(ready, SOLUTIONS, part, smoke, solution_test(part), unheld)


def ran(
    ready: Ready, folder: Path, part: str, smoke: bool, test: str, complaint_of: Callable[[Mapping[str, Any]], str | None]
) -> tuple[execution.Outcome, Results]:
    step = Step(test)
    outcome = execution.execute(ready, part, step, smoke=smoke, cell_seconds=600, folder=folder)
    complaint = outcome.failure or complaint_of(notebooks.load(outcome.notebook))
    step.done("failed" if complaint else "passed")
    if complaint:
        return outcome, Results(0, [(test, f"{complaint}\nexecuted so far: {places.shown(outcome.notebook)}")])
    return outcome, Results(1)


def solution_test(part: str) -> str:
    return f"workshop/solutions/{part}.ipynb runs from top to bottom, and its checks hold"


def exercise_test(part: str) -> str:
    return f"workshop/exercises/{part}.ipynb runs from top to bottom as it is, and no check that waits for an answer holds"


def answers(content: Mapping[str, Any]) -> list[str]:
    """What each check of an executed notebook says."""
    checks = [held for held in notebooks.code_cells(content) if "check" in held.get("metadata", {}).get("tags", [])]
    return ["".join(notebooks.texts(held)) or "a check said nothing" for held in checks]


def unheld(content: Mapping[str, Any]) -> str | None:
    """The checks of an executed notebook that do not hold, or None; a notebook without a check is a complaint too."""
    said = answers(content)
    return "\n".join(text for text in said if not text.startswith(HOLDS)) or None if said else "it has no check"


def held_unanswered(content: Mapping[str, Any]) -> str | None:
    """The checks that hold although the exercise is unanswered, or None."""
    said = answers(content)
    return "\n".join(text for text in said if text.startswith(HOLDS) or text == "a check said nothing") or None if said else "it has no check"


def executed(ready: Ready, built: bool, long: bool) -> Results:
    """The notebooks at smoke size in the real kernel: all of them, or the first solution alone."""
    results = Results()
    for at, part in enumerate(parts()):
        for test, folder, complaint_of in ((solution_test(part), SOLUTIONS, unheld), (exercise_test(part), EXERCISES, held_unanswered)):
            if not built:
                results.skipped.append((test, "the project could not be built"))
            elif not long and (at or folder == EXERCISES):
                results.skipped.append((test, "slow: `lab test --long` runs all of them, this run the first solution"))
            else:
                results += ran(ready, folder, part, True, test, complaint_of)[1]
    return results


def house_rules() -> Results:
    """The rules for the notebooks of the workshop: short cells, solutions of one clean run, exercises without outputs."""
    results = Results()
    for folder in (EXERCISES, SOLUTIONS):
        for file in sorted(folder.glob("*.ipynb")):
            content = notebooks.load(file)
            name = f"workshop/{folder.name}/{file.name}"
            lengths = [houserules.lines_of(notebooks.source_of(held)) for held in notebooks.code_cells(content)]
            rule = f"{name}: no code cell has more than {houserules.MOST} lines"
            long = [f"cell {i} has {length}" for i, length in enumerate(lengths, 1) if length > houserules.MOST]
            results += Results(0, [(rule, ", ".join(long))]) if long else Results(1)
            if folder == SOLUTIONS:
                complaint = houserules.outputs_complaint(content)
                rule = f"{name}: {houserules.OUTPUTS}"
                results += Results(0, [(rule, complaint.partition(": run ")[0] + ": run `lab workshop`")]) if complaint else Results(1)
    return results
