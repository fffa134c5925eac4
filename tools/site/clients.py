"""A page for each client: what the catalogue says of it, and what every published run has seen."""

from collections import defaultdict
from statistics import median
from typing import Any

from conduct import Cell
from published import COUNTED, Run
from uses import Use
from words import escape, number, raw, slug, table, told

INTRODUCTION = """# Every client

A page has all that is known of a client: its settings, its limits, its time-outs, what it does when things go wrong, and the runs in which it was measured.
[Which client should I take?](../notebooks/09-choose.ipynb) ranks them for each use, and [another page](../compare.md) compares any two.

*At once*: how many calls to one host are under way together, if nobody changes a setting. *Concerns*: in how many situations the client does something dangerous, against a standard, or unexpected.

"""
KINDS = {
    "pool": "for a connection of the pool",
    "connect": "for the connection",
    "answer": "until the answer begins",
    "read": "for the next bytes",
    "call": "for the whole call",
}
"""What a time-out waits for."""


def index(clients: list[dict[str, Any]], cells: list[Cell], runs: list[Run]) -> str:
    """All clients with their library, their limit by default and how many situations give a concern, as MyST."""
    rows = []
    for client in clients:
        conducted = own(client, cells)
        held = limit(client, runs)
        rows.append(
            [
                f'<a href="{escape(client["id"])}.html">{escape(client["title"])}</a>',
                escape(f"{client['library']} {client['version']}".strip()),
                escape(held[0] if held else "not measured"),
                f"{sum(bool(cell.concern) for cell in conducted)} of {len(conducted)}",
            ]
        )
    shown = table(["client", "library", "at once", "concerns"], rows, "Every client", right=(2, 3))
    return INTRODUCTION + raw(shown) + "\n```{toctree}\n:hidden:\n:glob:\n\n*\n```\n"


def page(client: dict[str, Any], cells: list[Cell], runs: list[Run], uses: list[Use], remedies: dict[str, str]) -> str:
    """One client, as MyST."""
    return "\n".join(
        [
            f"# {client['title']}\n",
            f"`{client['id']}` is {client['library']} {client['version']}. It speaks {', '.join(client['protocols'])}.\n".replace(" .", "."),
            _limits(client, runs),
            _costs(client, runs, uses),
            _settings(client),
            _timeouts(client),
            _recipe(client),
            _concerns(client, cells, remedies),
            _versions(client, runs),
            _runs(client, runs),
        ]
    )


def limit(client: dict[str, Any], runs: list[Run]) -> tuple[str, str, int] | None:
    """How many calls to one host are under way at once by default, the run that saw it, and its forks. The run that asked for most counts."""
    audits = [run for run in runs if run.manifest["experiment"]["workload"]["type"] == "audit"]
    for run in sorted(audits, key=lambda run: run.manifest["experiment"]["workload"]["upTo"], reverse=True):
        held = [
            trial["metrics"]["heldInFlight"]
            for trial in run.trials
            if trial["outcome"] in COUNTED and trial["treatment"]["client"] == f"{client['id']}@default" and trial["treatment"].get("hosts", 1) in (1, "1")
        ]
        if held:
            return number(median(held)), run.name, len(held)
    return None


def _limits(client: dict[str, Any], runs: list[Run]) -> str:
    held = limit(client, runs)
    if held is None:
        return "How many calls to one host it lets through by default was not measured here. [The table of limits](../notebooks/09-choose.ipynb) has what is documented.\n"
    calls, run, forks = held
    return f"By default it lets {calls} calls to one host through at once (n = {forks}, [{run}](../data/{run}.md)).\n"


def _costs(client: dict[str, Any], runs: list[Run], uses: list[Use]) -> str:
    """Its value and place for each use, with the run behind them."""
    names = {run.id: run.name for run in runs}
    rows = []
    for use in uses:
        if value := use.values.get(client["id"]):
            place = f"{value.place} of {sum(bool(each.place) for each in use.values.values())}" if value.place else "not decided"
            led = ", ".join(f'<a href="../data/{escape(names[run])}.html">{escape(names[run])}</a>' for run in use.runs)
            rows.append([f'<a href="../notebooks/09-choose.html#{slug(use.need)}">{escape(use.need)}</a>', escape(use.compared), escape(value.words), place, led])
    if not rows:
        return ""
    head = "## What it costs\nWith its limits raised; medians with 95 % intervals. Clients share a place where intervals do not tell them apart.\n"
    return head + raw(table(["use", "what is compared", "value", "place", "run"], rows, "What it costs", right=(2,)))


def _settings(client: dict[str, Any]) -> str:
    return "## What is set here\nIn every experiment, unless its id says otherwise:\n\n" + "\n".join(f"- {each}" for each in client["settings"].split("; ")) + "\n"


def _timeouts(client: dict[str, Any]) -> str:
    if not client["timeouts"]:
        return ""
    rows = [[escape(waits), escape(client["timeouts"].get(kind, "no setting"))] for kind, waits in KINDS.items()]
    return "## Its time-outs\n" + raw(table(["what it waits for", "setting: how long by default"], rows, "Time-outs"))


def _recipe(client: dict[str, Any]) -> str:
    if not client.get("recipe"):
        return ""
    return f"## The code that mends it\nA client with its limits raised and a deadline. The tests of the lab run this code.\n\n```kotlin\n{client['recipe']}\n```\n"


def own(client: dict[str, Any], cells: list[Cell]) -> list[Cell]:
    """What the client does in each situation, in the lab's own version and with its usual settings."""
    return [cell for cell in cells if cell.client == client["id"]]


def _concerns(client: dict[str, Any], cells: list[Cell], remedies: dict[str, str]) -> str:
    conducted = own(client, cells)
    if not conducted:
        return ""
    worrying = [cell for cell in conducted if cell.concern]
    head = f"## When things go wrong\n{len(worrying)} of {len(conducted)} situations give a concern. [The page of all](../conduct/index.md) has the others.\n"
    rows = [
        [
            f'<a href="../conduct/index.html#{escape(cell.id)}">{escape(cell.situation)}</a>',
            f"{escape(cell.fact)}<br><small>{escape(cell.concern)}</small>",
            f'<span class="lab-remedy">{told(_remedy(client, cell, remedies))}</span>',
        ]
        for cell in worrying
    ]
    return head + (raw(table(["situation", "what it does", "what helps"], rows, "Situations with a concern")) if rows else "")


def _remedy(client: dict[str, Any], cell: Cell, remedies: dict[str, str]) -> str:
    """What helps this client in that situation, or else what helps others."""
    return remedies.get(f"{cell.situation}.{client['id']}", remedies.get(cell.situation, ""))


def _versions(client: dict[str, Any], runs: list[Run]) -> str:
    """What bursts saw of it in other versions of its library."""
    rows = []
    for run in runs:
        seen: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for trial in run.trials:
            name = trial["treatment"].get("client", "")
            if ":" in name and name.split("@")[0].split(":")[0] == client["id"] and trial["outcome"] in COUNTED and "threadsBlocked" in trial["metrics"]:
                seen[name].append(trial)
        for name, trials in seen.items():
            middle = [number(median(trial["metrics"][metric] for trial in trials)) for metric in ("inFlightPeak", "threadsBlocked")]
            rows.append([escape(name), escape(trials[0]["treatment"]["inFlight"]), *middle, f'<a href="../data/{escape(run.name)}.html">{escape(run.name)}</a>'])
    if not rows:
        return ""
    header = ["as", "asked at once", "under way", "threads held", "run"]
    return "## In other versions\n" + raw(table(header, sorted(rows), "In other versions", right=(1, 2, 3)))


def _runs(client: dict[str, Any], runs: list[Run]) -> str:
    found: dict[str, set[str]] = defaultdict(set)
    for run in runs:
        for trial in run.trials:
            name = trial["treatment"].get("client", "")
            if name.split("@")[0].split(":")[0] == client["id"]:
                found[run.name].add(name)
    if not found:
        return ""
    by_name = {run.name: run for run in runs}
    rows = [
        [f'<a href="../data/{escape(name)}.html">{escape(name)}</a>', escape(by_name[name].manifest["experiment"]["workload"]["type"]), escape(", ".join(sorted(ids)))]
        for name, ids in found.items()
    ]
    return "## Where it was measured\n" + raw(table(["run", "workload", "as"], rows, "Runs of this client"))
