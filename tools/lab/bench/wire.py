"""`lab bench wire`: what the relay adds to an answer at 1,000 requests a second, without a network to imitate."""

from statistics import median
from typing import Any

from ..base.terminal import table
from . import jvm

MOST_MICROS = 100.0


def run(quick: bool) -> int:
    """Build the benchmark, run it, print its table, keep it; 1 where the bound does not hold."""
    return jvm.run("wire", "server/wire", "clientlab.wire.bench.WireCostKt", quick, rows, shown)


def rows(forks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """For each percentile the median over forks of what the relay adds within a fork; the bound is that of the 99th."""
    found = []
    for name, bound in (("P50", None), ("P99", MOST_MICROS)):
        direct, relayed = ([fork[f"{way}{name}Micros"] for fork in forks] for way in ("direct", "relayed"))
        added = [with_relay - without for without, with_relay in zip(direct, relayed)]
        found.append(
            {
                "percentile": name.lower(),
                "directMicros": median(direct),
                "relayedMicros": median(relayed),
                "addedMicros": median(added),
                "addedMicrosOfForks": added,
                "asked": [fork["asked"] for fork in forks],
                "holds": bound is None or median(added) < bound,
            }
        )
    return found


def shown(measured: list[dict[str, Any]]) -> str:
    lines = [("from a question to its answer", "direct", "over the relay", "the relay adds", f"p99 under {MOST_MICROS:g} µs")]
    for row in measured:
        said = "" if row["percentile"] != "p99" else "holds" if row["holds"] else "DOES NOT HOLD"
        lines.append((row["percentile"], *(f"{row[name]:.0f} µs" for name in ("directMicros", "relayedMicros", "addedMicros")), said))
    return table(lines)
