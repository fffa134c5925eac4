"""Tests in a real browser: those in `tools/browser/`, run in the environment's Python."""

import shutil
from pathlib import Path

from ..base import places, processes, reports, stamps
from ..base.reports import Results
from ..base.terminal import Step
from ..prepare import environment
from ..prepare.environment import PythonEnvironment
from ..prepare.setup import Ready
from ..share import publish

FOLDER = places.TOOLS / "browser"
NODE = places.LAB / "browser"


def tests(python: PythonEnvironment, kind: str, name: str, **variables: str) -> Results:
    """The tests of `tools/browser/KIND*.py`; where there is no browser each is skipped with the reason."""
    environment.add(python, "browser")
    step, log_name = Step(name), f"test-browser-{kind}"
    code = processes.run_logged(
        [python.python, FOLDER / "run.py", kind], step=step, log_name=log_name, environment=processes.environment(**variables)
    )
    step.stop()
    log = places.LOGS / f"{log_name}.log"
    results = reports.of_json_lines(log.read_text(encoding="utf-8", errors="replace").splitlines())
    if code and not results.failed:
        results.failed.append((f"tools/browser/{kind}_*.py", f"the tests could not be run; see {places.shown(log)}"))
    return results


def site_tests(ready: Ready) -> Results:
    """Makes the site as `lab publish` does, and looks at every page of it."""
    return tests(ready.python, "site", "Site", CLIENT_LAB_SITE=str(publish.make(ready)), CLIENT_LAB_AXE=str(axe() or ""))


def axe() -> Path | None:
    """axe-core, installed by npm now if it is not there yet; None where there is no npm."""
    npm = shutil.which("npm")
    file = NODE / "node_modules" / "axe-core" / "axe.min.js"
    lists = [FOLDER / "package.json", FOLDER / "package-lock.json"]
    wanted = stamps.digest_of_files(lists, places.ROOT)
    if file.is_file() and stamps.holds("axe", wanted):
        return file
    if npm is None:
        return None
    stamps.drop("axe")
    NODE.mkdir(parents=True, exist_ok=True)
    for each in lists:
        shutil.copyfile(each, NODE / each.name)
    step = Step("Installing axe-core")
    processes.run_logged(
        [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"],
        step=step,
        log_name="npm",
        environment=processes.environment(),
        folder=NODE,
        sorry="npm could not install what tools/browser/package-lock.json lists; check the network and repeat.",
    )
    step.done()
    stamps.put("axe", wanted)
    return file
