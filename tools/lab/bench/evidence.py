"""`lab bench evidence`: what counting adds to a request, in nanoseconds and in bytes allocated, by JMH in JVMs of its own."""

from typing import Any

from ..base.terminal import table
from . import jvm

MOST_NANOS, MOST_BYTES = 300.0, 1.0


def run(quick: bool) -> int:
    """Build the benchmark, run it, print its table, keep it; 1 where a bound does not hold."""
    return jvm.run("evidence", "server/delay", "clientlab.server.bench.EvidenceBenchKt", quick, rows, shown)


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
