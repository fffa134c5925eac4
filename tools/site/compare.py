"""Any two clients beside each other: what the catalogue says, what was measured for each use, and what they do when things go wrong."""

from collections import defaultdict
from typing import Any

from clients import KINDS, own, limit
from conduct import Cell
from published import Run
from uses import Use, Value
from words import boxed, escape, raw

INTRODUCTION = """# Two clients, side by side

Choose two. Rows in which they differ are marked. The values for each use are those of [Which client should I take?](notebooks/09-choose.ipynb), with 95 % intervals.
A value without a place has too few forks to decide. An empty cell says that nobody has measured it, or that the client does not have it.

"""


def page(clients: list[dict[str, Any]], cells: list[Cell], runs: list[Run], uses: list[Use]) -> str:
    """All clients, a column each, of which a script shows two, as MyST."""
    ids = [client["id"] for client in clients]
    rows: list[tuple[str, dict[str, str]]] = [
        ("library", {client["id"]: f"{client['library']} {client['version']}".strip() for client in clients}),
        ("speaks", {client["id"]: ", ".join(client["protocols"]) for client in clients}),
        ("calls to one host at once, by default", {client["id"]: held[0] for client in clients if (held := limit(client, runs))}),
    ]
    rows += [(f"waits {words}, by default", {client["id"]: client["timeouts"].get(kind, "") for client in clients}) for kind, words in KINDS.items()]
    rows += [(f"{use.need}: {use.compared}", {client: _words(value) for client, value in use.values.items()}) for use in uses]
    rows += concerns(clients, cells)
    head = '<th scope="col"></th>' + "".join(
        f'<th scope="col" data-client="{escape(client["id"])}"><a href="clients/{escape(client["id"])}.html">{escape(client["title"])}</a></th>' for client in clients
    )
    lines = "\n".join(
        f'<tr><th scope="row">{escape(label)}</th>' + "".join(f"<td>{escape(values.get(each, ''))}</td>" for each in ids) + "</tr>" for label, values in rows
    )
    whole = boxed(f'<table class="lab-compare">\n<thead><tr>{head}</tr></thead>\n<tbody>\n{lines}\n</tbody>\n</table>', "Two clients, side by side")
    return INTRODUCTION + raw(_choices(clients) + "\n" + whole)


def _words(value: Value) -> str:
    return f"{value.words}, place {value.place}" if value.place else value.words


def concerns(clients: list[dict[str, Any]], cells: list[Cell]) -> list[tuple[str, dict[str, str]]]:
    """For each group of situations, in how many a client gives a concern."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for client in clients:
        groups: dict[str, list[Cell]] = defaultdict(list)
        for cell in own(client, cells):
            groups[cell.situation.split(".")[0]].append(cell)
        for group, seen in groups.items():
            found[group][client["id"]] = f"{sum(bool(cell.concern) for cell in seen)} of {len(seen)}"
    return [(f"concerns: {group}", found[group]) for group in sorted(found)]


def _choices(clients: list[dict[str, Any]]) -> str:
    options = "".join(f'<option value="{escape(client["id"])}">{escape(client["title"])}</option>' for client in clients)
    selects = "".join(f'<label>{label} <select name="{name}">{options}</select></label>' for name, label in (("a", "One"), ("b", "The other")))
    return f'<form class="lab-two" hidden>{selects}<output aria-live="polite"></output></form>'
