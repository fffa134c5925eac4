"""The site's page of two clients, and its feed: both say only what an article, a run or the catalogue says."""

import unittest
import xml.etree.ElementTree
from types import SimpleNamespace

from tests import site_modules

CLIENTS = [
    {"id": "okhttp", "title": "OkHttp", "library": "okhttp", "version": "5.5.0", "protocols": ["http/1.1", "h2"], "timeouts": {"call": "callTimeout: none"}},
    {"id": "fuel", "title": "Fuel", "library": "fuel", "version": "2.3.1", "protocols": ["http/1.1"], "timeouts": {}},
]
RANKED = {
    "kind": "table",
    "runs": ["a-run"],
    "columns": [{"name": name} for name in ("place", "client", "kBPerCall", "timesTheBest", "n")],
    "values": [["1", "okhttp", "12 [11, 13]", 1, 8], ["not decided", "fuel", "20 [10, 90]", None, 3]],
}
OTHER = {"kind": "table", "columns": [{"name": "client"}, {"name": "n"}], "values": [["okhttp", 1]]}


def conducted(client: str, situation: str, concern: str = "") -> dict:
    seen = {"situation": situation, "fact": "ends", "ms": None, "concern": concern}
    return {"trial": 1, "outcome": "complete", "treatment": {"client": client}, "observations": [seen]}


def run(workload: str, *trials: dict, started: str = "2026-11-01T10:00:00.123Z") -> SimpleNamespace:
    manifest = {"startedAt": started, "experiment": {"workload": {"type": workload, "upTo": 100}}}
    return SimpleNamespace(name=f"{workload}-1", manifest=manifest, trials=list(trials))


class ComparePageTest(unittest.TestCase):
    def setUp(self) -> None:
        self.compare, conduct, articles, self.uses = site_modules.imported(self, "compare", "conduct", "articles", "uses")
        self.runs = [
            run("conduct", conducted("okhttp", "idle.unasked", "It is another's."), conducted("okhttp", "idle.closed"), conducted("fuel", "idle.closed")),
            run("audit", {"trial": 1, "outcome": "wave", "treatment": {"client": "okhttp@default", "hosts": 1}, "metrics": {"heldInFlight": 5}}),
        ]
        self.cells = conduct.cells(self.runs)
        outputs = [{"data": {articles.DATA: each}} for each in (RANKED, OTHER)]
        cells = [{"cell_type": "markdown", "source": "# Which?\n## Little memory\nHow much?"}, {"cell_type": "code", "source": "", "outputs": outputs}]
        self.choose = articles.Article("09-choose", {"cells": cells})

    def test_a_ranking_is_taken_from_the_outputs_of_the_article_and_other_tables_are_not(self) -> None:
        values = {"okhttp": self.uses.Value("12 [11, 13]", "1"), "fuel": self.uses.Value("20 [10, 90]", "")}
        self.assertEqual(self.uses.of(self.choose), [self.uses.Use("Little memory", "kBPerCall", values, ["a-run"])])

    def test_a_row_has_a_cell_for_each_client_which_is_empty_where_nothing_is_known(self) -> None:
        page = self.compare.page(CLIENTS, self.cells, self.runs, self.uses.of(self.choose))
        for row in (
            '<th scope="row">calls to one host at once, by default</th><td>5</td><td></td>',
            '<th scope="row">waits for the whole call, by default</th><td>callTimeout: none</td><td></td>',
            '<th scope="row">concerns: idle</th><td>1 of 2</td><td>0 of 1</td>',
            '<th scope="row">Little memory: kBPerCall</th><td>12 [11, 13], place 1</td><td>20 [10, 90]</td>',
        ):
            self.assertIn(row, page)
        self.assertEqual(page.count('<option value="fuel">Fuel</option>'), 2)


class FeedTest(unittest.TestCase):
    def test_the_article_with_the_newest_run_comes_first_and_one_without_a_run_is_left_out(self) -> None:
        feed, articles = site_modules.imported(self, "feed", "articles")
        runs = {"a": run("burst"), "b": run("audit", started="2026-11-05T09:00:00Z")}

        def article(name: str, *shown: str) -> object:
            made = articles.Article(name, {"cells": [{"cell_type": "markdown", "source": f"# About <{name}>"}]})
            made.figures = [articles.Shown("f.svg", "A title", 0, "", list(shown))]
            return made

        text = feed.atom([(article("01-old", "a"), "finds & keeps"), (article("02-new", "a", "b"), "finds"), (article("00-own", "mine"), "nothing")], runs)
        root = xml.etree.ElementTree.fromstring(text)
        atom = "{http://www.w3.org/2005/Atom}"
        self.assertEqual([entry.findtext(f"{atom}title") for entry in root.findall(f"{atom}entry")], ["About <02-new>", "About <01-old>"])
        self.assertEqual(root.findtext(f"{atom}updated"), "2026-11-05T09:00:00Z")
        self.assertEqual(root.find(f"{atom}entry/{atom}link").get("href"), "notebooks/02-new.html")
