"""`lab bench evidence`: what counting adds to a request, in nanoseconds and in bytes allocated, by JMH in JVMs of its own."""

import json
import os
from typing import Any

from ..base import lock, machine, places
from ..base.processes import environment as variables, run_logged, start
from ..base.terminal import LabError, Step, say, table, warn
from ..prepare import maven, setup
from . import report

MODULE = places.ROOT / "server" / "delay"
CLASSPATH = MODULE / "target" / "bench-classpath.txt"
MOST_NANOS, MOST_BYTES = 300.0, 1.0


def run(quick: bool) -> int:
    """Build the benchmark, run it, print its table, keep it; 1 where a bound does not hold."""
    mvn = maven.required()
    with lock.only_one("bench"):
        runtime = setup.find_java()
        wrong = maven.check_version(mvn.version(runtime))
        if wrong:
            raise LabError(f"{wrong}.")
        step = Step("Building the benchmark")
        goals = ["test-compile", "dependency:build-classpath", "-Dmdep.includeScope=test", f"-Dmdep.outputFile={CLASSPATH}"]
        run_logged(
            maven.arguments(mvn, "-pl", "server/delay", *goals, "-Dspotless.check.skip=true"),
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
    result = places.OUT / "bench-evidence.json"
    places.OUT.mkdir(parents=True, exist_ok=True)
    result.unlink(missing_ok=True)
    classpath = os.pathsep.join([str(MODULE / "target" / "test-classes"), str(MODULE / "target" / "classes"), CLASSPATH.read_text(encoding="utf-8").strip()])
    command = [runtime.executable, "-cp", classpath, "clientlab.server.bench.EvidenceBenchKt", result, *(["quick"] if quick else [])]
    code = start(command, environment=variables()).wait()
    if code or not result.is_file():
        return code or 1
    measured = json.loads(result.read_text(encoding="utf-8"))
    kept = {
        "schemaVersion": 1,
        "kind": "evidence",
        "quick": quick,
        **report.environment(runtime, None, 0),
        "warnings": [],
        "measurements": rows(measured),
    }
    say()
    say(shown(kept["measurements"]))
    say()
    say(f"Every single measurement: {places.shown(report.keep(kept, 'evidence', quick))}")
    return 0 if all(row["holds"] for row in kept["measurements"]) or quick else 1


def rows(measured: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What JMH's own result says of each benchmark, flat."""
    found = []
    for each in measured:
        time, allocated = each["primaryMetric"], each["secondaryMetrics"]["gc.alloc.rate.norm"]
        found.append(
            {
                "benchmark": each["benchmark"].rpartition(".")[2],
                "nanos": time["score"],
                "nanosError": None if time["scoreError"] == "NaN" else time["scoreError"],
                "allocatedBytes": allocated["score"],
                "forks": each["forks"],
                "nanosOfForks": [sum(fork) / len(fork) for fork in time["rawData"]],
                "jvmArgs": " ".join(each["jvmArgs"]),
                "holds": time["score"] < MOST_NANOS and allocated["score"] < MOST_BYTES,
            }
        )
    return found


def shown(measured: list[dict[str, Any]]) -> str:
    lines = [("what evidence adds to a request", "time", "allocated", f"under {MOST_NANOS:g} ns and no allocation")]
    for row in measured:
        error = f" ± {row['nanosError']:.0f}" if row["nanosError"] is not None else ""
        lines.append((row["benchmark"], f"{row['nanos']:.0f}{error} ns", f"{row['allocatedBytes']:.3f} B", "holds" if row["holds"] else "DOES NOT HOLD"))
    return table(lines)
