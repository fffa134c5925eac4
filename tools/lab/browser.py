"""Tests in a real browser: those in `tools/browser/`, run in the environment's Python."""

from . import environment, places, processes, reports
from .environment import PythonEnvironment
from .reports import Results
from .terminal import Step

FOLDER = places.TOOLS / "browser"


def tests(python: PythonEnvironment, kind: str, name: str, **variables: str) -> Results:
    """The tests of `tools/browser/KIND_*.py`; where there is no browser each is skipped with the reason."""
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
