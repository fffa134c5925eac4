"""Notebooks: which there are, running one in a clean kernel, and what comes out."""

import json
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import kernel, places
from .processes import Child, run_logged, start
from .setup import Ready
from .stamps import digest
from .terminal import Refusal, Step, duration, tail

SPINE = "01-threads"
"""The notebook that `./lab run` runs when none is named."""

TAGS = ("result", "verdicts")
"""Cells with one of these tags hold what `./lab run` prints at the end, as text/plain."""


DATA = "application/vnd.clientlab+json"
"""The MIME type of the part of an output that is meant for programs."""

LOOPBACK = "127.0.0.1"

HERE = "here"
"""Cells with this tag run an experiment, or use what was run here; without them an article needs published data alone."""


def all_names(folder: Path = places.NOTEBOOKS) -> list[str]:
    return sorted(file.stem for file in folder.glob("*.ipynb"))


def named(text: str, folder: Path = places.NOTEBOOKS) -> str:
    """The notebook that is meant: its name, its path, or a beginning that only one has."""
    names = all_names(folder)
    wanted = Path(text).name.removesuffix(".ipynb")
    found = [name for name in names if name == wanted] or [name for name in names if name.startswith(wanted)]
    if len(found) == 1:
        return found[0]
    there = ", ".join(names) or "none"
    raise Refusal(f"{'No notebook is' if not found else 'Several notebooks are'} called {text}; there are: {there}.")


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
    """What became of one notebook: where the executed copy is and, when a cell failed, which and why."""

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
    if failed:
        where = f"cell {failed['number']} of {failed['total']}" if failed["number"] else "before its first cell"
        # The library's own exceptions say it all in their sentence.
        kind = "" if failed["name"] == "LabException" else f"{failed['name']}: "
        outcome.failure = f"{where}: {kind}{failed['sentence'].strip()}"
    elif code:
        outcome.failure = f"the kernel's host ended with code {code}; the end of {places.shown(log)}:\n{tail(log, 12)}"
    return outcome


def _whole_lines(file: Any) -> Iterator[str]:
    """The lines that are there to their end; half a line is left for the next time."""
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
    return target


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


def run_jupyter_lab(ready: Ready, browser: bool, listen: str = LOOPBACK) -> int:
    """JupyterLab over the notebooks, until it is closed; nothing it does leaves this machine."""
    address, _, port = listen.partition(":")
    where = [f"--ServerApp.ip={address}", *([f"--ServerApp.port={port}"] if port else [])]
    return start_jupyter_lab(ready.python.python, f"--ServerApp.open_browser={browser}", *where).wait()


def start_jupyter_lab(
    python: Path,
    *options: str,
    folder: Path = places.NOTEBOOKS,
    extra: Mapping[str, str] | None = None,
    log: Path | None = None,
) -> Child:
    """JupyterLab over the notebooks in `folder`, with further `options` of its own; ends with whoever started it.

    What it says goes into `log`, or to the terminal where there is none."""
    settings = places.JUPYTER / "settings" / "@jupyterlab"
    for name, content in {
        "apputils-extension/notification.jupyterlab-settings": {"fetchNews": "false", "checkForUpdates": False},
        "extensionmanager-extension/plugin.jupyterlab-settings": {"enabled": False, "disclaimed": False},
    }.items():
        file = settings / name
        if not file.is_file():
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(content), encoding="utf-8")
    with log.open("w", encoding="utf-8") if log else nullcontext() as said:
        return start(
            [
                python,
                places.TOOLS / "jupyter" / "serve.py",
                f"--ServerApp.root_dir={folder}",
                "--ServerApp.allow_root=True",
                f"--ServerApp.log_level={'INFO' if log else 'WARN'}",
                "--ServerApp.terminals_enabled=False",
                "--LabApp.extension_manager=readonly",
                "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
                "--LabApp.news_url=None",
                "--KernelSpecManager.allowed_kernelspecs=kotlin",
                "--KernelSpecManager.ensure_native_kernel=False",
                "--MultiKernelManager.default_kernel_name=kotlin",
                *options,
            ],
            environment=kernel.variables(extra),
            folder=folder,
            output=said,
            errors=said,
            leash=True,
            grace=15,
        )
