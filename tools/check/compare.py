"""Where the ledger and the trials say different things about a claim."""

from __future__ import annotations

import itertools
import math
from typing import Any

from claims import RULES
from parts import INCONCLUSIVE, NO_LONGER_SO, REFUTED, SUPPORTED, WORST_LAST, Part
from trials import evidence

NOT_TESTABLE = "not testable here"
SAME = 1e-9
"""How far apart two values may be, relative to their size: both are sums and medians of the same numbers."""


def differences(claim: dict[str, Any]) -> list[str]:
    """What is different about this claim, in sentences."""
    name, verdict = claim["id"], claim["verdict"]
    if verdict == NOT_TESTABLE:
        return [] if name not in RULES else [f"{name}: the ledger says that it cannot be tested, and there is a rule that tests it."]
    if name not in RULES:
        return [f"{name}: there is no rule for it in tools/check/claims.py."]
    complaints, outcomes = [], []
    for run in [claim, *claim["again"]]:
        found = RULES[name](evidence(run["evidence"]))
        complaints += compare(name, run["parts"], found)
        outcomes.append(decided(found))
    # A verdict stands if the runs of all days give it.
    together = {days[0] if len(set(days)) == 1 else INCONCLUSIVE for days in itertools.product(*outcomes)}
    if verdict not in together:
        complaints.append(f"{name}: the ledger says {verdict}, and the trials say {' or '.join(sorted(together))}.")
    return complaints


def decided(parts: list[Part]) -> set[str]:
    """The verdicts that the parts allow. Where some are about the source's version, those about today's count if the former hold."""
    compared = sum(part.by_chance for part in parts)
    then, now = ([part for part in parts if part.then is when] for when in (True, False))
    if not then:
        return worst(now, compared)
    return {_both(one, other) for one in worst(then, compared) for other in worst(now, compared)}


def _both(then: str, now: str) -> str:
    if then != SUPPORTED:
        return then
    return NO_LONGER_SO if now == REFUTED else now


def worst(parts: list[Part], compared: int) -> set[str]:
    """The verdicts that the parts allow, of as many as were compared: the worst part counts."""
    verdicts = {SUPPORTED} if parts else {INCONCLUSIVE}
    for part in parts:
        verdicts = {max(one, other, key=WORST_LAST.index) for one in verdicts for other in part.among(compared)}
    return verdicts


def compare(name: str, stated: list[dict[str, Any]], found: list[Part]) -> list[str]:
    """The parts of both, without their order and their words: their number, and the value, forks and outcome of each."""
    if len(stated) != len(found):
        return [f"{name}: the ledger has {len(stated)} parts, and the rule {len(found)}."]
    complaints = []
    rest = list(found)
    compared = sum(part.by_chance for part in found)
    for part in stated:
        match = next((other for other in rest if same(part, other, compared)), None)
        if match is None:
            value = part["value"]
            complaints.append(f"{name}: nothing here is {value} with {part['n']} forks, as {part['of']}, {part['metric']} is said to be {part['verdict']}.")
        else:
            rest.remove(match)
    return complaints


def same(stated: dict[str, Any], found: Part, compared: int) -> bool:
    value = math.nan if stated["value"] is None else stated["value"]
    estimate = found.estimate
    if stated["n"] != estimate.n or stated["verdict"] not in found.among(compared):
        return False
    if estimate.n == 0:
        return True
    return math.isclose(value, estimate.value, rel_tol=SAME, abs_tol=SAME) or (math.isnan(value) and not math.isfinite(estimate.value))
