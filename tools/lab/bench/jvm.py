"""A benchmark that is a main class among a module's tests: it is built, told where its result goes, and read."""

import json
import os
from collections.abc import Callable
from typing import Any

from ..base import lock, machine, places
from ..base.processes import environment as variables, run_logged, start
from ..base.terminal import LabError, Step, say, warn
from ..prepare import maven, setup
from . import report

Row = dict[str, Any]


def run(kind: str, module: str, main: str, quick: bool, rows: Callable[[Any], list[Row]], shown: Callable[[list[Row]], str]) -> int:
    """
    Builds `main` of `module` and runs it, makes `rows` of what it wrote, prints them as `shown`, and keeps them. 1 where a row's bound does not
    hold, which a quick look does not judge.
    """
    mvn = maven.required()
    classpath = places.ROOT / module / "target" / "bench-classpath.txt"
    with lock.only_one("bench"):
        runtime = setup.find_java()
        wrong = maven.check_version(mvn.version(runtime))
        if wrong:
            raise LabError(f"{wrong}.")
        step = Step("Building the benchmark")
        goals = ["test-compile", "dependency:build-classpath", "-Dmdep.includeScope=test", f"-Dmdep.outputFile={classpath}"]
        run_logged(
            maven.arguments(mvn, "-pl", module, *goals, "-Dspotless.check.skip=true"),
            step=step,
            log_name="bench-build",
            environment=maven.variables(runtime),
            reading=maven.Reader(),
            sorry="The benchmark could not be built.",
        )
        step.done()
    busy = machine.load()
    if busy is not None and busy > 0.5:
        warn(f"The load is {busy:.2f}: other things run here, and the figures are theirs too.")
    result = places.OUT / f"bench-{kind}.json"
    places.OUT.mkdir(parents=True, exist_ok=True)
    result.unlink(missing_ok=True)
    target = places.ROOT / module / "target"
    path = os.pathsep.join([str(target / "test-classes"), str(target / "classes"), classpath.read_text(encoding="utf-8").strip()])
    code = start([runtime.executable, "-cp", path, main, result, *(["quick"] if quick else [])], environment=variables()).wait()
    if code or not result.is_file():
        return code or 1
    measurements = rows(json.loads(result.read_text(encoding="utf-8")))
    say()
    say(shown(measurements))
    say()
    whole = {"schemaVersion": 1, "kind": kind, "quick": quick, **report.environment(runtime, None, 0), "warnings": [], "measurements": measurements}
    say(f"Every single measurement: {places.shown(report.keep(whole, kind, quick))}")
    return 0 if quick or all(row["holds"] for row in measurements) else 1
