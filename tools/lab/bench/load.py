"""Load by wrk: one thread, so many connections, each asking again as soon as it has its answer."""

import json
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ..base.processes import environment, output_of, start
from ..base.terminal import LabError

# wrk's own report rounds to three digits; a script is told everything.
SCRIPT = """\
done = function(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format(
    '{"answers":%d,"seconds":%.6f,"connect":%d,"read":%d,"write":%d,"status":%d,"timeout":%d,"p50Ms":%.3f,"p99Ms":%.3f,"maxMs":%.3f}\\n',
    summary.requests, summary.duration / 1e6, errors.connect, errors.read, errors.write, errors.status, errors.timeout,
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, latency.max / 1e3))
end
"""
ERRORS = ("connect", "read", "write", "status", "timeout")


@dataclass(frozen=True)
class Answers:
    """What wrk saw: answers with their latencies in milliseconds, and errors of each kind."""

    answers: int
    seconds: float
    p50_ms: float
    p99_ms: float
    max_ms: float
    errors: dict[str, int]


def version() -> str | None:
    """wrk's version, or None where there is no wrk."""
    found = re.search(r"wrk (\S+)", output_of(["wrk", "-v"], even_failed=True) or "") if shutil.which("wrk") else None
    return found.group(1) if found else None


def required() -> str:
    found = version()
    if found is None:
        raise LabError("The load comes from wrk, which is not on the path: install it (`apt install wrk`, `brew install wrk`).")
    return found


def parse(said: str) -> Answers:
    """Reads the line that the script has written."""
    line = next((line for line in said.splitlines() if line.startswith("{")), None)
    if line is None:
        raise LabError(f"wrk ended without a result: {said.strip() or 'it said nothing'}")
    told = json.loads(line)
    return Answers(
        answers=told["answers"],
        seconds=told["seconds"],
        p50_ms=told["p50Ms"],
        p99_ms=told["p99Ms"],
        max_ms=told["maxMs"],
        errors={kind: told[kind] for kind in ERRORS if told[kind]},
    )


def run(url: str, connections: int, seconds: int, folder: Path, tick: Callable[[], None]) -> Answers:
    """Send load for so many seconds, calling `tick` a few times a second meanwhile."""
    script, said = folder / "done.lua", folder / "wrk.txt"
    script.write_text(SCRIPT, encoding="ascii")
    with said.open("w", encoding="utf-8") as output:
        # An answer that takes longer than this time-out would be missing from the percentiles.
        command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--timeout", "30s", "-s", script, url]
        start(command, environment=environment(), folder=folder, output=output, errors=output).wait(tick)
    return parse(said.read_text(encoding="utf-8", errors="replace"))
