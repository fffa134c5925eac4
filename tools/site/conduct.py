"""What each client did in each situation: a page with an address for each cell, which a script can filter."""

import re
import tomllib
from collections import Counter, defaultdict
from dataclasses import dataclass
from statistics import median
from typing import Any

from published import COUNTED, Run
from words import boxed, escape, number, raw, told

OWN = "own"
INTRODUCTION = """# What clients do when things go wrong

A *fact* is what the server, the connection and the process saw. A *concern* is a fact that is dangerous, against a standard, or not what a caller expects. Every time-out that a client has is set to 400 ms, and *ms* is how long it took.
[The article](../notebooks/16-conduct.ipynb) says how it is measured and what to do about it. [Another page](../docs/conduct.md) says how to observe a client of your own.
A client's name is the address of its cell, and the number of forks leads to one of their trials. Where several runs asked the same, the one with most forks counts. So a cell may have more forks than the article, and another fact.

"""
GROUPS = {
    "timeouts": "Time-outs",
    "cancellation": "A caller cancels",
    "idle": "Idle connections, and a server that closes them",
    "retries": "Requests that are sent again",
    "connections": "Connections: kept, shared, opened again",
    "answers": "Answers that are broken, long or odd",
    "requests": "Requests with a body",
    "redirects": "Redirects",
    "http2": "HTTP/2",
    "tls": "TLS",
    "names": "Names and addresses",
    "memory": "Memory",
    "threads": "Threads and deadlocks",
    "closing": "Closing a client, and the end of a program",
}
"""What a group of situations is about, in the words of a reader who looks for it."""



@dataclass(frozen=True)
class Cell:
    """One client in one situation: its facts with their forks, the most common one first."""

    client: str
    situation: str
    version: str
    run: Run
    facts: list[tuple[str, int]]
    trial: int
    ms: float | None
    concern: str

    @property
    def id(self) -> str:
        return f"{self.client}.{self.situation}"

    @property
    def kind(self) -> str:
        """The client in whatever version."""
        return self.client.split(":")[0]

    @property
    def forks(self) -> int:
        return sum(count for _, count in self.facts)

    @property
    def fact(self) -> str:
        if len(self.facts) == 1:
            return self.facts[0][0]
        return "varies: " + "; ".join(f"{fact} ({count} of {self.forks})" for fact, count in self.facts)


def cells(runs: list[Run]) -> list[Cell]:
    """The cells of all published runs; where there are several for a client, the one with most forks, and of those the newest."""
    found: dict[tuple[str, str], Cell] = {}
    for run in sorted(runs, key=lambda run: run.manifest["startedAt"]):
        if run.manifest["experiment"]["workload"]["type"] == "conduct":
            for cell in _of(run):
                key = cell.client, cell.situation
                if key not in found or cell.forks >= found[key].forks:
                    found[key] = cell
    return list(found.values())


def _of(run: Run) -> list[Cell]:
    seen: defaultdict[tuple[str, str], list[tuple[int, dict[str, Any]]]] = defaultdict(list)
    for trial in run.trials:
        if trial["outcome"] in COUNTED:
            for observation in trial.get("observations", []):
                seen[trial["treatment"]["client"], observation["situation"]].append((trial["trial"], observation))
    return [_cell(client, situation, run, same) for (client, situation), same in seen.items()]


def _cell(client: str, situation: str, run: Run, same: list[tuple[int, dict[str, Any]]]) -> Cell:
    facts = Counter(observation["fact"] for _, observation in same).most_common()
    times = [observation["ms"] for _, observation in same if observation.get("ms") is not None]
    concern = next((observation["concern"] for _, observation in same if observation["concern"]), "")
    first = next(trial for trial, observation in same if observation["fact"] == facts[0][0])
    # A client in another version than the lab's own names it.
    version = client.split(":")[1] if ":" in client else OWN
    return Cell(client, situation, version, run, facts, first, median(times) if times else None, concern)


def page(found: list[Cell], stories: dict[str, str], remedies: dict[str, str]) -> str:
    """All cells, situation by situation, with the fact of most clients first, as MyST; below a situation its remedy."""
    clients = sorted({cell.kind for cell in found})
    versions = sorted({cell.version for cell in found} - {OWN}, key=lambda version: [int(part) for part in re.findall(r"\d+", version)])
    situations = [name for name in stories if any(cell.situation == name for cell in found)]
    groups = sorted({name.split(".")[0] for name in situations}, key=_place)
    head = "".join(f'<th scope="col" class="{side}">{name}</th>' for name, side in (("client", "lab-words"), ("fact", "lab-words"), ("ms", "lab-number"), ("forks", "lab-number")))
    parts = []
    for group in groups:
        bodies = "\n".join(_body(name, stories[name], remedies.get(name, ""), [cell for cell in found if cell.situation == name]) for name in situations if name.split(".")[0] == group)
        table = f'<table class="lab-conduct">\n<thead><tr>{head}</tr></thead>\n{bodies}\n</table>'
        parts.append(f"## {GROUPS.get(group, group)}\n" + raw(boxed(table, f"What each client did: {GROUPS.get(group, group)}")))
    choices = (
        _choice("client", "Client", clients)
        + _choice("version", "Version", versions, {OWN: "the lab's own"})
        + _choice("group", "Situations", groups)
    )
    form = (
        f'<form class="lab-filter" hidden>{choices}'
        '<label><input type="checkbox" name="concerns"> concerns only</label>'
        '<output aria-live="polite"></output></form>'
    )
    return INTRODUCTION + raw(_index(groups, situations, stories) + form) + "\n" + "\n".join(parts)


def remedies(text: str, stories: dict[str, str]) -> dict[str, str]:
    """What helps in a situation, from the text of site/remedies.toml; under `situation.client` what helps one client."""
    found = {f"{group}.{name}": remedy for group, each in tomllib.loads(text).items() for name, remedy in each.items()}
    unknown = sorted({".".join(name.split(".")[:2]) for name in found} - stories.keys())
    if unknown:
        raise SystemExit(f"site/remedies.toml names {', '.join(unknown)}, and there is no such situation: correct the name.")
    return found


def _place(group: str) -> int:
    return list(GROUPS).index(group) if group in GROUPS else len(GROUPS)


def _index(groups: list[str], situations: list[str], stories: dict[str, str]) -> str:
    """Every situation under the name of its group, as a link to its rows."""
    found = ""
    for group in groups:
        links = "".join(f'<li><a href="#{escape(name)}">{escape(stories[name])}</a></li>' for name in situations if name.split(".")[0] == group)
        found += f'<details><summary>{escape(GROUPS.get(group, group))}</summary><ul>{links}</ul></details>\n'
    return f'<nav class="lab-situations" aria-label="Situations">\n{found}</nav>\n'


def _choice(name: str, label: str, options: list[str], more: dict[str, str] | None = None) -> str:
    named = (more or {}) | {option: option for option in options}
    listed = "".join(f'<option value="{escape(value)}">{escape(words)}</option>' for value, words in named.items())
    return f'<label>{label} <select name="{name}"><option value="">all</option>{listed}</select></label>'


def _body(situation: str, story: str, remedy: str, found: list[Cell]) -> str:
    common = Counter(cell.fact for cell in found)
    ordered = sorted(found, key=lambda cell: (-common[cell.fact], cell.fact, cell.client))
    mended = f"<p>{told(remedy)}</p>" if remedy else ""
    title = f'<tr><th colspan="4" scope="rowgroup"><code>{escape(situation)}</code> {escape(story)}{mended}</th></tr>'
    rows = "\n".join(_row(cell) for cell in ordered)
    return f'<tbody id="{escape(situation)}" data-group="{escape(situation.split(".")[0])}">\n{title}\n{rows}\n</tbody>'


def _row(cell: Cell) -> str:
    concern = f"<small>{escape(cell.concern)}</small>" if cell.concern else ""
    trial = f"../data/{cell.run.name}.html#trial-{cell.trial}"
    other = "" if cell.version == OWN else f' data-version="{escape(cell.version)}"'
    return (
        f'<tr id="{escape(cell.id)}" data-client="{escape(cell.kind)}"{other}{" data-concern" if cell.concern else ""}>'
        f'<td><a href="#{escape(cell.id)}">{escape(cell.client)}</a></td>'
        f"<td>{escape(cell.fact)}{concern}</td>"
        f"<td>{number(cell.ms)}</td>"
        f'<td><a href="{trial}" aria-label="one of {cell.forks} trials">{cell.forks}</a></td></tr>'
    )
