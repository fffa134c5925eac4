"""The ledger as pages: one a claim, and the table of all."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from articles import Article, Shown
from published import Run
from words import RUN, VERDICTS, badge, escape, raw, table

BEYOND = "beyond"
"""What stands for a source where a claim is ours."""


@dataclass
class Ledger:
    """What `./lab ledger` computes, claim by claim, with the documents that they come from."""

    claims: list[dict[str, Any]]
    sources: dict[str, dict[str, str]]

    @cached_property
    def ids(self) -> set[str]:
        return {claim["id"] for claim in self.claims}

    def of(self, name: str) -> dict[str, Any]:
        return next(claim for claim in self.claims if claim["id"] == name)

    @property
    def documents(self) -> int:
        """How many documents make claims."""
        return len({claim["source"] for claim in self.claims} - {BEYOND})

    def source(self, name: str) -> str:
        if name == BEYOND:
            return "beyond the sources"
        known = self.sources.get(name)
        return f"source {name}" if known is None else f"source {name}: {known['title']} ({known['by']})"

    def counts(self, notebook: str | None = None) -> str:
        """How many claims stand how, in words."""
        counted = Counter(claim["verdict"] for claim in self.claims if notebook in (None, claim["notebook"]))
        return ", ".join(f"{counted[verdict]} {verdict}" for verdict in VERDICTS if counted[verdict])


def overview(ledger: Ledger) -> str:
    """The table of all claims, block by block and source by source."""
    parts = []
    for block, source in dict.fromkeys((claim["blockWords"], claim["source"]) for claim in ledger.claims):
        rows = [
            [
                f'<a href="{claim["id"]}.html"><code>{claim["id"]}</code></a><br>{escape(claim["words"])}',
                f"{badge(claim['verdict'])}<small>{_estimate(claim)}</small>",
            ]
            for claim in ledger.claims
            if (claim["blockWords"], claim["source"]) == (block, source)
        ]
        name = block[0].upper() + block[1:] + ("" if source == BEYOND else f": {ledger.source(source)}")
        parts.append(f'<h3 class="lab-source">{escape(name)}</h3>')
        parts.append(table(["claim", "verdict"], rows, block if source == BEYOND else f"{block}: source {source}").replace("<table>", '<table class="lab-ledger">'))
    return "\n".join(parts)


def _estimate(claim: dict[str, Any]) -> str:
    part = deciding(claim)
    return f"{escape(part['of'])}: {escape(part['estimate'])}, n&nbsp;=&nbsp;{part['n']}" if part and part["n"] else ""


def deciding(claim: dict[str, Any]) -> dict[str, Any] | None:
    return claim["parts"][claim["deciding"]] if claim["deciding"] >= 0 else None


def page(claim: dict[str, Any], ledger: Ledger, article: Article, runs: dict[str, Run], neighbours: tuple[str | None, str | None]) -> str:
    """The page of one claim, as MyST."""
    name = claim["id"]
    figure = beside(claim, article)
    at = f"#claim-{name}" if name in article.stated else ""
    because = f" {escape(claim['because'][0].upper() + claim['because'][1:])}{'' if claim['because'].endswith('.') else '.'}" if claim["because"] else ""
    pieces = [
        f'<p class="lab-lead">{escape(claim["words"])}</p>',
        f"<p>{badge(claim['verdict'])}{because}</p>",
        _facts(claim, ledger, runs),
    ]
    if len(claim["parts"]) > 1:
        counts = "The parts of the source's version hold, and one of today's is refuted." if claim["verdict"] == "no longer so" else "Of several parts the worst counts."
        pieces.append(f"<h2>All {len(claim['parts'])} parts</h2>\n<p>{counts}</p>")
        pieces.append(_parts(claim["parts"], f"Parts of {claim['id']}"))
    for again in claim["again"]:
        runs_again = ", ".join(f'<a href="../data/{each}.html">{each}</a>' for each in again["evidence"])
        pieces.append(f"<h2>On another day: {again['verdict']}</h2>\n<p>Measured again in {runs_again}.</p>")
        pieces.append(_parts(again["parts"], f"Parts of {claim['id']}, {', '.join(again['evidence'])}"))
    if figure:
        pieces.append(f"<h2>The figure</h2>\n{figure.html}")
        pieces.append(f'<p class="lab-origin">It stands in <a href="../notebooks/{article.name}.html#figure-{_number(figure)}">{escape(article.title)}</a>.</p>')
    links = [f'<li>Article: <a href="../notebooks/{article.name}.html{at}">{escape(article.title)}</a></li>']
    if claim["evidence"]:
        links += [
            f'<li>Data: <a href="../data/{each}.html">{each}</a>, as <a href="../data/{each}/trials.csv" download>CSV</a>'
            f' or <a href="../data/{each}/trials.arrow" download>Arrow</a></li>'
            for each in claim["evidence"] + [run for again in claim["again"] for run in again["evidence"]]
        ]
    elif claim["verdict"] != "not testable here":
        links.append("<li>Data: the source's own figures; no trial is needed.</li>")
    links.append(f'<li>In a notebook: <code>verdict("{name}")</code></li>')
    before, after = neighbours
    steps = [f'<a rel="prev" href="{before}.html">← {before}</a>' if before else "", '<a href="index.html">The ledger</a>']
    steps.append(f'<a rel="next" href="{after}.html">{after} →</a>' if after else "")
    pieces.append(f"<h2>Where to look</h2>\n<ul>\n{chr(10).join(links)}\n</ul>")
    pieces.append(f'<nav class="lab-steps" aria-label="Claims">{"".join(f"<span>{step}</span>" for step in steps)}</nav>')
    return f"---\norphan: true\n---\n\n# {name}\n\n" + raw("\n".join(pieces))


def _number(figure: Shown) -> str:
    return figure.file.removesuffix(".svg").rsplit("-", 1)[1]


def _facts(claim: dict[str, Any], ledger: Ledger, runs: dict[str, Run]) -> str:
    part = deciding(claim)
    source = ledger.source(claim["source"])
    facts = [("Block", escape(claim["blockWords"][0].upper() + claim["blockWords"][1:])), ("Source", escape(source[0].upper() + source[1:])), ("What is expected" if claim["source"] == BEYOND else "The source's figure", escape(claim["figure"]))]
    if part:
        facts += [
            ("Decided by", f"{escape(part['of'])}: {escape(part['metric'])}"),
            ("Bound", escape(part["bound"])),
            ("Estimate, 95 % interval", f"{escape(part['estimate'])}" if part["n"] else "no trial here can tell"),
            ("Forks", f"{part['n']}; {escape(part['method'])}" if part["n"] else "0"),
        ]
        if part["floor"]:
            facts.append(("One and the same differs from itself by", f"{escape(part['floor'])}, {escape(part['floorFrom'])}"))
    basis = RUN.sub(lambda found: f'<a href="../data/{runs[found[0]].name}.html">{found[0]}</a>' if found[0] in runs else found[0], escape(claim["basis"]))
    facts.append(("It rests on", basis))
    facts.append(("Registered", escape(claim["registered"][0].upper() + claim["registered"][1:])))
    if claim["days"]:
        facts.append(("Days", escape(claim["days"][0].upper() + claim["days"][1:])))
    return f'<dl class="lab-facts">{"".join(f"<div><dt>{term}</dt><dd>{words}</dd></div>" for term, words in facts)}</dl>'


def _parts(parts: list[dict[str, Any]], label: str) -> str:
    noise = any(part["floor"] for part in parts)
    header = ["of", "measured", "bound", "estimate [95 % interval]", "n", "verdict", *(["A/A"] if noise else [])]
    rows = [
        [
            escape(part["of"]),
            escape(part["metric"]),
            escape(part["bound"]),
            escape(part["estimate"]),
            str(part["n"]),
            badge(part["verdict"]) + (f" {escape(part['because'])}" if part["because"] else ""),
            *([escape(part["floor"] or "")] if noise else []),
        ]
        for part in parts
    ]
    return table(header, rows, label, right=(4,))


def beside(claim: dict[str, Any], article: Article) -> Shown | None:
    """The figure of the claim's own runs that is nearest to its verdict in the article; one above it before one below."""
    place = article.stated.get(claim["id"])
    if place is None:
        return None
    of_its_runs = [figure for figure in article.figures if set(figure.runs) & set(claim["runs"])]
    return min(of_its_runs, key=lambda figure: (abs(figure.cell - place) + (3 if figure.cell > place else 0), figure.cell), default=None)
