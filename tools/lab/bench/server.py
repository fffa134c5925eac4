"""`lab bench server`: our server beside its peers under one load, in turns, with everything that was measured kept under `data/bench`."""

import shutil
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from ..base import machine, places
from ..base.processes import Interrupted
from ..base.terminal import LabError, Step, say, warn
from ..prepare import java, setup
from . import load, readings, report, servers
from .servers import Running, Server


@dataclass(frozen=True)
class Size:
    """How much is measured: rounds, connections of the closed loops and of the largest one, and how long each takes."""

    rounds: int = 5
    connections: tuple[int, ...] = (1_000, 10_000)
    most: int = 18_000
    delay: float = 1.0
    warm_up_seconds: int = 10
    at_once_connections: int = 100
    at_once_seconds: int = 5
    loop_seconds: tuple[int, ...] = (30, 20)
    most_seconds: int = 20

    @property
    def seconds_a_server(self) -> int:
        return 2 * self.warm_up_seconds + self.at_once_seconds + sum(self.loop_seconds) + 10


QUICK = Size(rounds=1, connections=(20, 50), most=100, delay=0.1, warm_up_seconds=1, at_once_connections=5, at_once_seconds=1, loop_seconds=(1, 1), most_seconds=1)
RESERVED_FILES = 200
BUSY_LOAD = 0.5
BUSY_PROCESSORS = 0.05


def run(quick: bool) -> int:
    """Measure, print the table, keep it. A quick one is a trial of the bench, and is kept apart from measurements."""
    if not (readings.PROC / "net" / "netstat").is_file():
        raise LabError("`lab bench server` reads processor time and accept queues from Linux's /proc, and this system has none: run it on Linux.")
    load.required()
    runtime = setup.library("bench")
    result = measure(QUICK if quick else Size(), runtime, quick)
    say()
    say(report.shown(result))
    say()
    say(f"Every single measurement: {places.shown(report.keep(result, 'server', quick))}")
    return 0


def measure(size: Size, runtime: java.Java | None, quick: bool = False, only: Sequence[str] | None = None) -> dict[str, Any]:
    """All rounds of all servers that are here (or of those named), as it is kept: flat rows, and the machine they come from."""
    wrk = load.required()
    limit = _raise_open_files()
    present, missing = servers.found(runtime)
    present = [server for server in present if only is None or server.name in only]
    if not present:
        raise LabError("None of the servers is here: " + "; ".join(f"{name}: {why}" for name, why in missing.items()) + ".")
    most = min(size.most, limit - RESERVED_FILES) if limit > 0 else size.most
    warnings = [f"{name} was left out: {why}." for name, why in missing.items()]
    if most < size.most:
        warnings.append(f"{most:,} in flight were the most that were asked for: a process may have {limit:,} open files here (`ulimit -n`).")
    busy = machine.load()
    if busy is not None and busy > BUSY_LOAD:
        warnings.append(f"The load was {busy:.2f} before the first measurement: other things run here, and the figures are theirs too.")
    for warning in warnings:
        warn(warning)
    began = datetime.now(timezone.utc)
    environment = report.environment(runtime, wrk, limit)
    rows: list[dict[str, Any]] = []
    total = size.rounds * len(present)
    minutes = (total * size.seconds_a_server + len(present) * size.most_seconds) / 60
    step = Step(f"Measuring {', '.join(server.name for server in present)} in {size.rounds} rounds (about {minutes:.0f} min)")
    folder = Path(tempfile.mkdtemp(prefix="lab-bench-"))
    try:
        for number in range(size.rounds):
            # The first server of a round is the last of the next, so that no server always follows the same one.
            turn = number % len(present)
            for place, server in enumerate([*present[turn:], *present[:turn]]):
                here = folder / f"{number}-{server.name}"
                for row in _Round(server, here, size, most if number == 0 else None, step, f"round {number + 1} of {size.rounds}, {server.name}").rows():
                    rows.append({"round": number, "place": place, "server": server.name, **row})
        step.done()
    except BaseException:
        step.stop()
        raise
    finally:
        _clear(folder)
    most_others = max((row["othersProcessors"] for row in rows), default=0.0)
    if most_others > BUSY_PROCESSORS:
        warnings.append(f"Others kept {most_others:.2f} processors busy during a measurement: repeat it on a quiet machine.")
        warn(warnings[-1])
    return {
        "schemaVersion": 1,
        "kind": "server",
        "quick": quick,
        "startedAt": began.isoformat(timespec="seconds"),
        "endedAt": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        **environment,
        "delaySeconds": size.delay,
        "rounds": size.rounds,
        "servers": [{"server": server.name, "version": server.version, "settings": server.settings} for server in present],
        "leftOut": [{"server": name, "why": why} for name, why in missing.items()],
        "warnings": warnings,
        "measurements": rows,
        "summary": report.summary(rows),
        "bounds": report.bounds(rows),
    }


class _Round:
    """One server from its start to its end, and every measurement in between."""

    def __init__(self, server: Server, folder: Path, size: Size, most: int | None, step: Step, words: str):
        self.server = server
        self.folder = folder
        self.size = size
        self.most = most
        self.step = step
        self.words = words

    def rows(self) -> list[dict[str, Any]]:
        running = self.server.start(self.folder, self.size.delay)
        size = self.size
        try:
            # These answers are not kept: they warm up every server alike, with and without a delay.
            # The delays are short, because a JVM's second compiler is still at work after ten thousand requests.
            if size.warm_up_seconds:
                self._warm_up(running, running.warming, size.connections[0])
                self._warm_up(running, running.at_once, size.at_once_connections)
            rows = [self._load(running, "at once", running.at_once, size.at_once_connections, size.at_once_seconds)]
            for connections, seconds in zip(size.connections, size.loop_seconds):
                rows.append(self._load(running, "closed loop", running.delayed, connections, seconds))
            # Once is enough to see whether it can. With most ports in use the system takes almost a millisecond per connection.
            if self.most is not None:
                rows.append(self._load(running, "most", running.delayed, self.most, size.most_seconds))
            return rows
        finally:
            running.child.end()

    def _warm_up(self, running: Running, url: str, connections: int) -> None:
        row = self._load(running, "warm-up", url, connections, self.size.warm_up_seconds)
        if row["errors"]:
            raise LabError(f"{self.server.name} answered {row['errors']:,} requests of its warm-up wrongly ({row['errorKinds']}), so it was not measured.")

    def _load(self, running: Running, what: str, url: str, connections: int, seconds: int) -> dict[str, Any]:
        pids = readings.of_group(running.child.popen.pid)
        memory: list[tuple[int, int]] = []
        began = time.monotonic()

        def tick() -> None:
            self.step.update(f"{self.words}, {what}, {connections:,} connections")
            # Once, when all connections have long been there, and before wrk closes them.
            if not memory and time.monotonic() - began > seconds * 0.7:
                memory.append(readings.memory_bytes(pids))

        queues, busy = readings.queues(), readings.Busy.now()
        cpu = sum(map(readings.cpu_nanos, pids))
        seen = load.run(url, connections, seconds, self.folder, tick)
        cpu = sum(map(readings.cpu_nanos, pids)) - cpu
        others = readings.Busy.now().others_since(busy, cpu)
        if running.child.exited():
            raise LabError(f"{self.server.name} ended in the midst of {what} with {connections:,} connections.")
        lost = {name: count - queues[name] for name, count in readings.queues().items()}
        rss, peak = memory[0] if memory else readings.memory_bytes(pids)
        # Requests that still wait are answered into closed connections, and do not reach the next measurement.
        time.sleep(self.size.delay + 0.5)
        return {
            "measured": what,
            "connections": connections,
            "seconds": seen.seconds,
            "answers": seen.answers,
            "answersPerSecond": round(seen.answers / seen.seconds, 1) if seen.seconds else 0.0,
            "errors": sum(seen.errors.values()),
            "errorKinds": " ".join(f"{kind}={count}" for kind, count in seen.errors.items()),
            "cpuMicrosPerAnswer": round(cpu / 1e3 / seen.answers, 3) if seen.answers else None,
            "cpuSeconds": round(cpu / 1e9, 6),
            "p50Ms": seen.p50_ms,
            "p99Ms": seen.p99_ms,
            "maxMs": seen.max_ms,
            "rssBytes": rss,
            "rssPeakBytes": peak,
            "othersProcessors": round(others, 3),
            **{name[0].lower() + name[1:]: count for name, count in lost.items()},
        }


def _raise_open_files() -> int:
    """Raise the limit of open files of this process and its children as far as allowed; -1 where there is no limit."""
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return -1 if hard == resource.RLIM_INFINITY else hard


def _clear(folder: Path) -> None:
    try:
        shutil.rmtree(folder, ignore_errors=True)
    except Interrupted:
        shutil.rmtree(folder, ignore_errors=True)
        raise
