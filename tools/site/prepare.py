"""Write what Sphinx makes the site of: `python prepare.py PROJECT LEDGER WORK`.

WORK/pages gets the sources of all pages, WORK/files what is copied beside them: figures, tables, notebooks. Runs in the environment's Python.
"""

import json
import shutil
import sys
import tomllib
from pathlib import Path

import articles
import claims
import clients
import compare
import conduct
import datapages
import feed
import published
import uses
from words import badge, escape, plain, raw

HEADLINE = ("09-choose", "audit.okhttp")
"""The article whose first figure is the first thing that a visitor sees, and the claim that says in a sentence what it shows."""


def main(project: Path, ledger_file: Path, work: Path) -> None:
    pages, files = work / "pages", work / "files"
    for folder in (pages, files):
        shutil.rmtree(folder, ignore_errors=True)
    for folder in (pages / "notebooks", pages / "claims", pages / "data", pages / "conduct", pages / "clients", files / "figures", files / "notebooks"):
        folder.mkdir(parents=True)
    shutil.copytree(project / "site", pages, dirs_exist_ok=True)

    runs = published.all_runs(project / "data" / "published")
    by_id = {run.id: run for run in runs}
    sources = tomllib.loads((project / "site" / "sources.toml").read_text(encoding="utf-8"))
    computed = json.loads(ledger_file.read_text(encoding="utf-8"))
    ledger = claims.Ledger(computed["claims"], sources)
    found = [articles.read(project / "notebooks" / f"{name}.ipynb") for name in (project / "site" / "articles.txt").read_text(encoding="utf-8").split()]
    say(f"{len(found)} articles")

    writer = articles.Writer(files / "figures", by_id, ledger.ids)
    for article in found:
        page = writer.page(article, _top(article, ledger))
        (pages / "notebooks" / f"{article.name}.ipynb").write_text(json.dumps(page, ensure_ascii=False), encoding="utf-8")
        shutil.copyfile(project / "notebooks" / f"{article.name}.ipynb", files / "notebooks" / f"{article.name}.ipynb")

    say(f"{len(ledger.claims)} claims")
    by_name = {article.name: article for article in found}
    names = [claim["id"] for claim in ledger.claims]
    for place, claim in enumerate(ledger.claims):
        neighbours = (names[place - 1] if place else None, names[place + 1] if place + 1 < len(names) else None)
        text = claims.page(claim, ledger, by_name[claim["notebook"]], by_id, neighbours)
        (pages / "claims" / f"{claim['id']}.md").write_text(text, encoding="utf-8")
    counted = f"{len(ledger.claims)} claims, of {ledger.documents} documents and beyond them: {ledger.counts()}."
    (pages / "claims" / "index.md").write_text(
        f"# The ledger of claims\n\n{counted} How they are decided is in [the ledger's own notebook](../notebooks/99-ledger.ipynb).\n\n"
        + raw(claims.overview(ledger)),
        encoding="utf-8",
    )

    cells = conduct.cells(runs)
    say(f"{len(cells)} cells of conduct")
    remedies = conduct.remedies((project / "site" / "remedies.toml").read_text(encoding="utf-8"), computed["situations"])
    (pages / "conduct" / "index.md").write_text(conduct.page(cells, computed["situations"], remedies), encoding="utf-8")

    known = computed["clients"]
    ranked = uses.of(by_name[HEADLINE[0]])
    say(f"{len(known)} clients")
    (pages / "clients" / "index.md").write_text(clients.index(known, cells, runs), encoding="utf-8")
    for client in known:
        (pages / "clients" / f"{client['id']}.md").write_text(clients.page(client, cells, runs, ranked, remedies), encoding="utf-8")

    (pages / "compare.md").write_text(compare.page(known, cells, runs, ranked), encoding="utf-8")

    findings = [(article, _finding(article)) for article in found]
    (files / "feed.xml").write_text(feed.atom(findings, by_id), encoding="utf-8")
    cards = {f"notebooks/{article.name}": _card(article, plain(finding)) for article, finding in findings}
    (pages / "cards.json").write_text(json.dumps(cards, ensure_ascii=False), encoding="utf-8")

    say(f"{len(runs)} runs")
    shapes = {run.name: published.write_tables(run, files / "data" / run.name) for run in runs}
    (pages / "data" / "index.md").write_text(datapages.index(runs, shapes, files / "data"), encoding="utf-8")
    for run in runs:
        (pages / "data" / f"{run.name}.md").write_text(datapages.page(run, shapes[run.name], files / "data", ledger, found), encoding="utf-8")
    dictionary = (project / "data" / "README.md").read_text(encoding="utf-8")
    (pages / "data" / "dictionary.md").write_text(dictionary.replace("# Data\n", "# What the columns mean\n", 1), encoding="utf-8")
    for name in ("CITATION.cff", "LICENSE"):
        shutil.copyfile(project / name, files / f"{name}.txt" if name == "LICENSE" else files / name)
    _home(pages / "index.md", ledger, found, counted)


def _card(article: articles.Article, finding: str) -> dict[str, str]:
    """What a link to an article shows where it is shared."""
    image = {"image": f"figures/{article.picture}"} if article.picture else {}
    return {"title": article.title, "description": finding} | image


def _top(article: articles.Article, ledger: claims.Ledger) -> str:
    """What stands below an article's title: the notebook itself, and how its claims stand."""
    counts = ledger.counts(article.name)
    own = f'<span>Its claims: <a href="../claims/index.html">{counts}</a></span>' if counts else ""
    return f'<p class="lab-top"><a href="{article.name}.ipynb" download>Download the notebook</a>{own}</p>'


def _home(file: Path, ledger: claims.Ledger, found: list[articles.Article], counted: str) -> None:
    """The home page, from site/index.md: what is measured comes from the outputs and the ledger alone."""
    article = next(article for article in found if article.name == HEADLINE[0])
    claim = ledger.of(HEADLINE[1])
    part = claims.deciding(claim)
    finding = (
        f'<p class="lab-finding">{escape(claim["words"])} {badge(claim["verdict"])}<br><small>{escape(part["of"])}, {escape(part["metric"])}: {escape(part["estimate"])},'
        f' n = {part["n"]} forks. <a href="claims/{claim["id"]}.html">All of its evidence</a></small></p>'
    )
    cards = "\n".join(
        f'<li><a href="notebooks/{each.name}.html">{escape(each.title)}</a><small>{escape(_finding(each))}</small></li>' for each in found
    )
    values = {
        "FIGURE": raw(article.figures[0].html.replace('"../', '"') + finding),
        "NOTEBOOKS": raw(f'<ol class="lab-articles">\n{cards}\n</ol>'),
        "COUNTED": counted,
    }
    text = file.read_text(encoding="utf-8")
    for name, value in values.items():
        text = text.replace(f"%{name}%", value)
    file.write_text(text, encoding="utf-8")


def _finding(article: articles.Article) -> str:
    """What its first figure found, or what it is about where it has none."""
    return article.figures[0].title if article.figures else article.lead


def say(what: str) -> None:
    print(what, flush=True)


if __name__ == "__main__":
    main(*(Path(argument) for argument in sys.argv[1:4]))
