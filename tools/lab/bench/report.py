"""What a bench found: medians, ratios beside the peers, the bounds, the table, and the file that keeps it all."""

import json
import os
import platform
import statistics
import subprocess
from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from ..base import machine, places
from ..base.terminal import table
from ..prepare.java import Java
from .servers import HTTPBIN, NGINX, OURS

Row = dict[str, Any]
MIB = 1 << 20


def environment(runtime: Java | None, wrk: str | None, open_files: int) -> Row:
    """Where the figures come from: machine, system, limits, tools and the state of the project."""
    return {
        "machine": {
            "cpu": _cpu(),
            "cores": machine.cores(),
            "memoryBytes": machine.memory_bytes(),
            "os": f"{platform.system()} {platform.release()}",
            "openFiles": open_files,
            "somaxconn": _number("/proc/sys/net/core/somaxconn"),
            "ports": machine.ephemeral_ports(),
            "clockSource": _text("/sys/devices/system/clocksource/clocksource0/current_clocksource"),
            "load": machine.load(),
        },
        "java": runtime.version if runtime else None,
        "python": platform.python_version(),
        "wrk": wrk,
        "commit": _git("rev-parse", "HEAD"),
        "dirty": bool(changes) if (changes := _git("status", "--porcelain")) is not None else None,
    }


def _cpu() -> str | None:
    text = _text("/proc/cpuinfo") or ""
    return next((line.partition(":")[2].strip() for line in text.splitlines() if line.startswith("model name")), platform.processor() or None)


def _text(path: str) -> str | None:
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return None


def _number(path: str) -> int | None:
    text = _text(path)
    return int(text) if text else None


def _git(*arguments: str) -> str | None:
    try:
        done = subprocess.run(["git", "-C", str(places.ROOT), *arguments], capture_output=True, text=True, check=True, timeout=30)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()


def _cells(rows: list[Row]) -> list[tuple[str, int]]:
    return list(dict.fromkeys((row["measured"], row["connections"]) for row in rows))


def _of(rows: list[Row], server: str, measured: str, connections: int) -> list[Row]:
    return [row for row in rows if (row["server"], row["measured"], row["connections"]) == (server, measured, connections)]


def _names(rows: list[Row]) -> list[str]:
    return [name for name in (OURS, NGINX, HTTPBIN) if any(row["server"] == name for row in rows)]


def median(rows: list[Row], column: str) -> float | None:
    values = [row[column] for row in rows if row[column] is not None]
    return statistics.median(values) if values else None


def ratio(rows: list[Row], server: str, peer: str, measured: str, connections: int, column: str) -> float | None:
    """The median over the rounds of a server's value over the peer's in the same round; None where one of them was not measured."""
    theirs = {row["round"]: row[column] for row in _of(rows, peer, measured, connections)}
    both = [(row[column], theirs.get(row["round"])) for row in _of(rows, server, measured, connections)]
    ratios = [mine / other for mine, other in both if mine is not None and other]
    return statistics.median(ratios) if ratios else None


LOST = ("listenOverflows", "listenDrops", "tCPSynRetrans")


def summary(rows: list[Row]) -> list[Row]:
    """A row for each server and each measurement: medians over the rounds, and ours as a ratio beside each peer."""
    found = []
    for server in _names(rows):
        for measured, connections in _cells(rows):
            of = _of(rows, server, measured, connections)
            if not of:
                continue
            row: Row = {"server": server, "measured": measured, "connections": connections, "rounds": len(of)}
            for column in ("cpuMicrosPerAnswer", "p50Ms", "p99Ms", "rssBytes", "answersPerSecond"):
                row[column] = median(of, column)
            row["errors"] = sum(each["errors"] for each in of)
            row["synsLost"] = sum(each.get(name, 0) for each in of for name in LOST)
            found.append(row)
    return found


def bounds(rows: list[Row]) -> list[Row]:
    """The bounds for our server beside the servers that were measured with it: each with its figure, and whether it holds."""
    loops = [connections for measured, connections in _cells(rows) if measured == "closed loop"]
    found: list[Row] = []

    def beside(peer: str, words: str, measured: str, connections: int, column: str, most: float | None = None, least: float | None = None) -> None:
        value = ratio(rows, OURS, peer, measured, connections, column)
        if value is not None:
            holds = value <= most if most is not None else value >= (least or 0)
            bound = f"at most {most:g}" if most is not None else f"at least {least:g}"
            found.append({"bound": words, "beside": peer, "ratio": round(value, 3), "wanted": bound, "holds": holds})

    for connections in loops:
        beside(NGINX, f"processor time an answer, {connections:,} in flight", "closed loop", connections, "cpuMicrosPerAnswer", most=1.5)
        beside(HTTPBIN, f"processor time an answer, {connections:,} in flight", "closed loop", connections, "cpuMicrosPerAnswer", most=0.5)
        beside(NGINX, f"latency at the 99th percentile, {connections:,} in flight", "closed loop", connections, "p99Ms", most=1.1)
    if loops:
        beside(NGINX, f"resident memory, {loops[-1]:,} in flight", "closed loop", loops[-1], "rssBytes", most=2.0)
    for measured, connections in _cells(rows):
        if measured == "at once":
            beside(NGINX, f"answers a second without a delay, {connections:,} connections", measured, connections, "answersPerSecond", least=0.7)
    for measured, connections in _cells(rows):
        of = _of(rows, OURS, measured, connections)
        if measured in ("closed loop", "most") and of:
            lost = sum(row.get(name, 0) for row in of for name in LOST)
            words = f"{connections:,} connections at once: SYNs dropped or sent again"
            found.append({"bound": words, "beside": "", "ratio": lost, "wanted": "0", "holds": lost == 0})
        if measured == "most" and of:
            failed = sum(row["errors"] for row in of)
            # A server with more answers than connections has held all connections.
            answered = min(row["answers"] for row in of)
            words = f"{connections:,} in flight on one process: errors"
            found.append({"bound": words, "beside": "", "ratio": failed, "wanted": "0", "holds": failed == 0 and answered >= connections})
    return found


def shown(result: Row) -> str:
    """The table that a reader sees: medians, then the bounds."""
    rows = result["summary"]
    servers = {each["server"]: each["version"] for each in result["servers"]}
    names = list(servers)
    lines: list[tuple[str, ...]] = [("", *(f"{name} {servers[name]}" for name in names))]

    def line(words: str, measured: str, connections: int, column: str, shape: Callable[[float], str]) -> None:
        cells = []
        for name in names:
            row = next((row for row in rows if (row["server"], row["measured"], row["connections"]) == (name, measured, connections)), None)
            value = row[column] if row else None
            has_ratio = name != NGINX and column not in ("errors", "synsLost")
            beside = ratio(result["measurements"], name, NGINX, measured, connections, column) if has_ratio else None
            cells.append("" if value is None else shape(value) + (f" ({beside:.2f}×)" if beside is not None else ""))
        lines.append((words, *cells))

    for measured, connections in _cells(result["measurements"]):
        where = f"{connections:,} in flight" if measured == "closed loop" else f"{connections:,} connections, no delay"
        if measured == "closed loop":
            line(f"processor time an answer, {where}", measured, connections, "cpuMicrosPerAnswer", lambda value: f"{value:.1f} µs")
            line(f"latency p99, {where}", measured, connections, "p99Ms", lambda value: f"{value / 1e3:.3f} s")
            line(f"resident memory, {where}", measured, connections, "rssBytes", lambda value: f"{value / MIB:.0f} MiB")
        elif measured == "at once":
            line(f"answers a second, {where}", measured, connections, "answersPerSecond", lambda value: f"{value:,.0f}")
            line(f"processor time an answer, {where}", measured, connections, "cpuMicrosPerAnswer", lambda value: f"{value:.1f} µs")
        if measured != "at once":
            line(f"errors, {connections:,} connections", measured, connections, "errors", lambda value: f"{value:,}")
            line(f"SYNs lost, {connections:,} connections", measured, connections, "synsLost", lambda value: f"{value:,}")
    parts = [table(lines)]
    if NGINX in servers and len(names) > 1:
        parts.append("In brackets: beside nginx, the median of the ratios of each round.")
    if result["bounds"]:
        held = [("bound", "beside", "found", "wanted", "")]
        held += [(each["bound"], each["beside"], f"{each['ratio']:g}", each["wanted"], "holds" if each["holds"] else "DOES NOT HOLD") for each in result["bounds"]]
        parts.append(table(held))
    if result["quick"]:
        parts.append("This was a quick run, to try it: its figures are no measurement.")
    parts += result["warnings"]
    return "\n\n".join(parts)


def keep(result: Row, kind: str, quick: bool) -> Path:
    """Write it to `data/bench/<kind>-<UTC date and time>.json`, or where `lab` keeps what may be deleted."""
    folder = places.OUT if quick else places.BENCH
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{kind}-{datetime.now(timezone.utc):%Y-%m-%d-%H%M%S}{'-quick' if quick else ''}.json"
    part = folder / f"{name}.part"
    part.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    os.replace(part, folder / name)
    return folder / name
