"""Notebooks: which there are, and what is in them."""

import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ..base import places
from ..base.stamps import digest
from ..base.terminal import LabError, did_you_mean

SPINE = "01-threads"
"""The notebook that `./lab run` runs when none is named."""

README_FIGURE_FROM = "02-limits"
"""The article whose first figure stands in the README."""

TAGS = ("result", "verdicts")
"""Cells with one of these tags hold what `./lab run` prints at the end, as text/plain."""


HERE = "here"
"""Cells with this tag run an experiment, or use what was run here; without them an article needs published data alone."""


DATA = "application/vnd.clientlab+json"
"""The MIME type of the part of an output that is meant for programs."""


def all_names(folder: Path = places.NOTEBOOKS) -> list[str]:
    return sorted(file.stem for file in folder.glob("*.ipynb"))


def articles() -> list[str]:
    """The notebooks that are published and tested, in their order; a reader's own are not among them."""
    names = places.ARTICLES.read_text(encoding="utf-8").split()
    missing = [name for name in names if not (places.NOTEBOOKS / f"{name}.ipynb").is_file()]
    if missing:
        raise LabError(f"{places.shown(places.ARTICLES)} lists {missing[0]}, and notebooks/{missing[0]}.ipynb is not there: put it back, or take its line out.")
    return names


def named(text: str, folder: Path = places.NOTEBOOKS) -> str:
    """The notebook that `text` means: by its name, its path, or the first letters where they fit only one."""
    names = all_names(folder)
    wanted = Path(text).name.removesuffix(".ipynb")
    found = [name for name in names if name == wanted] or [name for name in names if name.startswith(wanted)]
    if len(found) == 1:
        return found[0]
    there = ", ".join(names) or "none"
    # A name is often typed without its number.
    plain = {re.sub(r"^\d+-", "", name): name for name in names} | {name: name for name in names}
    if not found and (meant := did_you_mean(wanted, plain)):
        raise LabError(f"No notebook is called {text}; did you mean {plain[meant]}?")
    raise LabError(f"{'No notebook is' if not found else 'Several notebooks are'} called {text}; there are: {there}.")


def load(notebook: Path) -> dict[str, Any]:
    return json.loads(notebook.read_text(encoding="utf-8"))


def source_of(cell: Mapping[str, Any]) -> str:
    source = cell.get("source", "")
    return source if isinstance(source, str) else "".join(source)


def code_cells(notebook: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The code cells that hold something."""
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code" and source_of(cell).strip()]


def source_digest(notebook: Mapping[str, Any]) -> str:
    """A short name for the notebook's code, which says whether its outputs belong to it."""
    return digest(*(source_of(cell) for cell in code_cells(notebook)))


def tagged_text(notebook: Mapping[str, Any]) -> list[str]:
    """What the cells that are tagged as result or verdicts say, as text."""
    tagged = [cell for cell in code_cells(notebook) if set(TAGS) & set(cell.get("metadata", {}).get("tags", []))]
    return [text for cell in tagged for text in texts(cell)]


def texts(cell: Mapping[str, Any]) -> list[str]:
    """What a cell's outputs say, as text."""
    found = []
    for output in cell.get("outputs", []):
        text = output.get("text") if output["output_type"] == "stream" else output.get("data", {}).get("text/plain")
        if text:
            found.append((text if isinstance(text, str) else "".join(text)).rstrip())
    return found


def write_back(executed: Path, name: str) -> Path:
    """Put an executed copy in the committed notebook's place, marked with the code that its outputs belong to."""
    target = places.NOTEBOOKS / f"{name}.ipynb"
    notebook = load(executed)
    if target.is_file():
        keep_drawings(notebook, load(target))
    notebook["metadata"]["clientLab"] = {"source": source_digest(notebook)}
    part = target.with_suffix(".part")
    part.write_text(as_text(notebook), encoding="utf-8")
    os.replace(part, target)
    if name == README_FIGURE_FROM:
        places.README_FIGURE.write_text(first_figure(notebook), encoding="utf-8")
    return target


def first_figure(notebook: Mapping[str, Any]) -> str:
    """The drawing of its first figure."""
    drawings = (output.get("data", {}).get("image/svg+xml") for output in _outputs(notebook))
    return next("".join(drawing).rstrip() + "\n" for drawing in drawings if drawing)


def _outputs(notebook: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for cell in notebook["cells"]:
        yield from cell.get("outputs", [])


def _drawn_from(output: Mapping[str, Any]) -> str | None:
    """What a figure was drawn from: its data part without what depends on the renderer; None where the output is no figure."""
    part = output.get("data", {}).get(DATA)
    if not isinstance(part, dict) or part.get("kind") != "figure":
        return None
    return json.dumps({name: value for name, value in part.items() if name != "drawn"}, sort_keys=True)


def keep_drawings(notebook: Mapping[str, Any], committed: Mapping[str, Any]) -> None:
    """Keep the committed drawing of every figure whose data did not change, so that it does not matter which renderer drew it."""
    there = {_drawn_from(output): output["data"] for output in _outputs(committed) if _drawn_from(output)}
    for output in _outputs(notebook):
        output_data = there.get(_drawn_from(output))
        if output_data:
            output["data"] = output_data


def as_text(notebook: Mapping[str, Any]) -> str:
    """The notebook as its file has it: a data part on one line, all else indented."""
    text = json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True)
    for output in _outputs(notebook):
        part = output.get("data", {}).get(DATA)
        if part:
            indented = json.dumps(part, indent=1, ensure_ascii=False, sort_keys=True).replace("\n", "\n      ")
            text = text.replace(f'"{DATA}": {indented}', f'"{DATA}": {json.dumps(part, ensure_ascii=False, sort_keys=True)}', 1)
    return text + "\n"
