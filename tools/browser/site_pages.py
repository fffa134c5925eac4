"""The site as a visitor has it: every page in a browser, whole, quiet, and without barriers."""

import csv
import gzip
import io
import json
import os
import unittest
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

import browsers

SITE = Path(os.environ.get("CLIENT_LAB_SITE") or browsers.ROOT / ".lab" / "site")
AXE = os.environ.get("CLIENT_LAB_AXE", "")
LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
PHONE = {"width": 390, "height": 844}
ARTICLES = [browsers.ROOT / "notebooks" / f"{name}.ipynb" for name in (browsers.ROOT / "site" / "articles.txt").read_text(encoding="utf-8").split()]
MOST_BYTES = 1_000_000
KINDS = ("index", "notebooks/01-threads", "notebooks/02-limits", "claims/index", "claims/threads.blocking", "clients/index", "clients/okhttp", "compare", "conduct/index", "data/index", "data/threads-2026-11e", "search")
"""A page of each kind, for what need not be asked of every page."""


def pages() -> list[str]:
    return sorted(file.relative_to(SITE).as_posix() for file in SITE.rglob("*.html"))


class SiteTest(browsers.BrowserTest):
    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        cls.server = browsers.served(SITE)
        cls.address = cls.server.__enter__()

    @classmethod
    def tearDownClass(cls) -> None:
        cls.server.__exit__(None, None, None)
        super().tearDownClass()

    def setUp(self) -> None:
        super().setUp()
        self.assertTrue((SITE / "index.html").is_file(), "there is no site: `lab publish` makes it")

    def open(self, page, name: str):
        page.goto(f"{self.address}/{name if name.endswith('.html') else name + '.html'}", wait_until="load")
        return page


@dataclass
class Visit:
    """What was seen of one page."""

    errors: list[str]
    strangers: list[str]
    width: int
    files: set[str]
    links: list[str]
    ids: set[str]


class EveryPage(SiteTest):
    """Every page is opened once, at the width of a phone, by all tests together."""

    visits: ClassVar[dict[str, Visit]] = {}

    def setUp(self) -> None:
        super().setUp()
        if not self.visits:
            page = self.page(viewport=PHONE)
            for name in pages():
                self.visits[name] = self.visited(page, name)

    def visited(self, page, name: str) -> Visit:
        self.open(page, name)
        seen = page.evaluate(
            """() => ({
              width: document.documentElement.scrollWidth,
              files: [...document.querySelectorAll('img, link[rel=stylesheet]')].map(each => each.currentSrc || each.src || each.href),
              links: [...document.querySelectorAll('a[href]')].map(each => each.getAttribute('href')),
              ids: [...document.querySelectorAll('[id]')].map(each => each.id),
            })"""
        )
        files = {unquote(urlsplit(each).path).lstrip("/") for each in [*seen["files"], page.url]}
        visit = Visit(page.watch.errors[:], page.watch.strangers[:], seen["width"], files, seen["links"], set(seen["ids"]))
        page.watch.errors.clear()
        page.watch.strangers.clear()
        return visit

    def test_loads_without_an_error_and_asks_no_other_machine(self) -> None:
        self.assertGreater(len(self.visits), 100)
        self.assertEqual({name: [*visit.errors, *visit.strangers] for name, visit in self.visits.items() if visit.errors or visit.strangers}, {})

    def test_is_no_wider_than_a_phone(self) -> None:
        self.assertEqual({name: visit.width for name, visit in self.visits.items() if visit.width > PHONE["width"]}, {})

    def test_has_less_than_a_megabyte_before_its_scripts(self) -> None:
        for name, visit in self.visits.items():
            sizes = {file: (SITE / file).stat().st_size for file in visit.files}
            self.assertLess(sum(sizes.values()), MOST_BYTES, f"{name}: {sorted(sizes.items(), key=lambda each: -each[1])[:4]}")

    def test_leads_only_to_what_is_there(self) -> None:
        names = {name: visit.ids for name, visit in self.visits.items()}
        self.assertGreater(sum(len(visit.links) for visit in self.visits.values()), 1000)
        astray = {name: wrong for name, visit in self.visits.items() if (wrong := [link for link in visit.links if not self._leads(name, link, names)])}
        self.assertEqual(astray, {})

    def _leads(self, name: str, link: str, names: dict[str, set[str]]) -> bool:
        address, part = urldefrag(urljoin(f"/{name}", link))
        if urlsplit(address).scheme in ("http", "https", "mailto"):
            return True
        file = unquote(urlsplit(address).path).lstrip("/")
        return (SITE / file).is_file() and (not part or file not in names or unquote(part) in names[file])


class Barriers(SiteTest):
    """What axe-core finds, of levels A and AA."""

    def setUp(self) -> None:
        super().setUp()
        if not Path(AXE).is_file() or not AXE:
            self.skipTest("axe-core is not installed, for there is no npm; install Node.js")

    def found(self, page) -> list[str]:
        page.evaluate(Path(AXE).read_text(encoding="utf-8") + "; null")
        result = page.evaluate("levels => axe.run(document, { runOnly: { type: 'tag', values: levels }, resultTypes: ['violations'] })", LEVELS)
        self.assertGreater(len(result["passes"]), 5, "axe-core has looked at nothing")
        return [f"{rule['id']}: {rule['nodes'][0]['html'][:200]} {rule['nodes'][0].get('failureSummary', '')[:300]} ({len(rule['nodes'])})" for rule in result["violations"]]

    def look(self, names: Iterable[str], before: str = "", **options) -> None:
        page = self.page(**options)
        barriers = {}
        for name in names:
            self.open(page, name)
            if before:
                page.evaluate(before)
                # What unfolds fades in, and is paler until it has.
                page.evaluate("() => Promise.all(document.getAnimations().map(each => each.finished))")
            barriers |= {each: name for each in self.found(page)}
        self.assertEqual(barriers, {})

    def test_there_is_none_on_any_page(self) -> None:
        self.look(pages())

    def test_there_is_none_in_the_dark(self) -> None:
        self.look(KINDS, color_scheme="dark")

    def test_there_is_none_on_a_phone(self) -> None:
        self.look(KINDS, viewport=PHONE)

    def test_there_is_none_with_everything_unfolded(self) -> None:
        self.look(KINDS, "document.querySelectorAll('details').forEach(each => each.open = true)")


class Looks(SiteTest):
    def test_each_kind_of_page_is_kept_as_a_picture_light_dark_and_on_a_phone(self) -> None:
        for mode, options in {"light": {}, "dark": {"color_scheme": "dark"}, "phone": {"viewport": PHONE}}.items():
            page = self.page(**({"viewport": {"width": 1280, "height": 900}} | options))
            for name in KINDS:
                self.open(page, name)
                file = browsers.shot(page, f"site-{name.replace('/', '-')}-{mode}")
                self.assertGreater(file.stat().st_size, 5_000)

    def test_dark_follows_the_reader_and_the_switch(self) -> None:
        ground = "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number).reduce((a, b) => a + b)"
        page = self.open(self.page(color_scheme="dark"), "index")
        self.assertLess(page.evaluate(ground), 150)
        page = self.open(self.page(color_scheme="light"), "index")
        self.assertGreater(page.evaluate(ground), 600)
        page.locator("button.theme-toggle").locator("visible=true").first.click()
        page.locator("button.theme-toggle").locator("visible=true").first.click()
        self.assertIn(page.evaluate("document.body.dataset.theme"), ("light", "dark"))

    def test_in_print_there_is_the_article_and_nothing_around_it(self) -> None:
        page = self.open(self.page(), "notebooks/01-threads")
        page.emulate_media(media="print")
        for around in (".sidebar-drawer", ".toc-drawer", ".mobile-header"):
            self.assertEqual(page.locator(around).locator("visible=true").count(), 0, around)
        self.assertGreater(page.locator(".lab-figure img").locator("visible=true").count(), 5)
        browsers.SHOTS.mkdir(parents=True, exist_ok=True)
        paper = browsers.SHOTS / "site-notebook.pdf"
        page.pdf(path=str(paper), format="A4")
        self.assertGreater(paper.stat().st_size, 50_000)

    def test_figures_are_sharp_and_described(self) -> None:
        for name in [name for name in pages() if name.startswith("notebooks/")]:
            page = self.open(self.page(), name)
            for image in page.locator("article img").all():
                self.assertTrue(image.get_attribute("src").endswith(".svg"), name)
                self.assertGreater(len(image.get_attribute("alt") or ""), 10, name)
            self.assertEqual(page.locator(".lab-figure").count(), page.locator(".lab-figure details p").count())

    def test_a_phone_shows_what_a_figure_found_and_all_of_it(self) -> None:
        for name in ["index", *(name for name in pages() if name.startswith("notebooks/"))]:
            page = self.open(self.page(viewport=PHONE), name)
            for figure in page.locator(".lab-figure").all():
                plot = figure.locator(".lab-plot")
                self.assertTrue(figure.locator(".lab-says").is_visible(), name)
                self.assertEqual(figure.locator(".lab-says").inner_text(), figure.locator("img").get_attribute("alt"), name)
                self.assertTrue(plot.evaluate("each => each.scrollWidth <= each.clientWidth"), name)
            page.locator(".lab-larger input").first.check()
            self.assertGreater(page.locator(".lab-canvas").first.bounding_box()["width"], 700, name)

    def test_what_loads_the_library_is_folded_away(self) -> None:
        page = self.open(self.page(), "notebooks/01-threads")
        self.assertFalse(page.get_by_text("%use @file[lab.json]").first.is_visible())
        page.locator("details.hide summary").first.click()
        self.assertTrue(page.get_by_text("%use").first.is_visible())


class Dots(SiteTest):
    """A tooltip says which trial is behind a dot."""

    def first(self, page) -> tuple:
        self.open(page, "notebooks/01-threads")
        content = json.loads(page.locator(".lab-dots").first.text_content())
        return content, page.locator(".lab-canvas").first, page.locator(".lab-tip").first

    def test_the_pointer_shows_a_trial_as_its_journal_has_it(self) -> None:
        page = self.page()
        content, canvas, tip = self.first(page)
        self.assertTrue(tip.is_hidden())
        x, y, key, trial, round_, value, _ = content["dots"][0]
        scale = canvas.bounding_box()["width"] / content["size"][0]
        canvas.hover(position={"x": x * scale, "y": y * scale})
        tip.wait_for(state="visible")
        run, treatment = content["of"][key].split("\n")
        text = tip.inner_text()
        self.assertIn(f"of {run}, round ", text)
        rows = list(csv.DictReader(io.StringIO((SITE / "data" / run / "trials.csv").read_text(encoding="utf-8"))))
        row = next(row for row in rows if row["trial"] == str(trial) and row["warmup"] == "false")
        self.assertEqual(row["round"], str(round_))
        self.assertIn(row["client"], treatment)
        self.assertEqual(float(row["threadsBlocked"]), float(value.replace(",", "")))
        self.quiet(page)

    def test_on_a_phone_all_of_it_is_seen(self) -> None:
        page = self.open(self.page(viewport=PHONE), "notebooks/04-memory")
        plot = page.locator(".lab-plot:has(.lab-ring)").first
        plot.focus()
        for key in ["ArrowRight"] * 40 + ["ArrowLeft"] * 5:
            page.keyboard.press(key)
            box, card = plot.locator(".lab-tip").bounding_box(), plot.bounding_box()
            self.assertGreaterEqual(box["x"], card["x"])
            self.assertLessEqual(box["x"] + box["width"], card["x"] + card["width"] + 1)

    def test_the_keyboard_goes_from_trial_to_trial_and_to_its_row(self) -> None:
        page = self.page()
        _, _, tip = self.first(page)
        page.locator(".lab-plot").first.focus()
        page.keyboard.press("ArrowRight")
        one = tip.inner_text()
        page.keyboard.press("ArrowRight")
        other = tip.inner_text()
        self.assertNotEqual(one, other)
        page.keyboard.press("Escape")
        self.assertTrue(tip.is_hidden())
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        page.wait_for_url("**/data/*.html#trial-*")
        self.assertEqual(page.locator("tr:target").count(), 1)

    def test_without_scripts_the_figure_is_there_and_the_data_linked(self) -> None:
        page = self.open(self.page(java_script_enabled=False), "index")
        self.assertTrue(page.locator(".lab-figure img").first.is_visible())
        self.assertTrue(page.locator(".lab-figure .lab-origin a").first.is_visible())

    def test_every_dot_of_a_published_run_in_an_article_has_its_trial(self) -> None:
        page = self.open(self.page(), "notebooks/01-threads")
        for text in page.locator(".lab-dots").all_text_contents():
            content = json.loads(text)
            self.assertEqual(len({(dot[2], dot[3]) for dot in content["dots"]}), len(content["dots"]), "a trial is behind two dots")


class WhenThingsGoWrong(SiteTest):
    """The page of what clients do."""

    ROWS = ".lab-conduct tr[id]"

    def shown(self, page, rows: str = ROWS) -> int:
        return page.locator(rows).locator("visible=true").count()

    def test_concerns_come_first_and_a_choice_becomes_an_address(self) -> None:
        page = self.open(self.page(), "conduct/index")
        concerns = self.shown(page)
        self.assertEqual(concerns, page.locator(f"{self.ROWS}[data-concern]").count())
        page.get_by_label("concerns only").uncheck()
        self.assertEqual(self.shown(page), page.locator(self.ROWS).count())
        page.locator("select[name=client]").select_option("okhttp")
        page.locator("select[name=group]").select_option("idle")
        asked = "tbody[data-group=idle] tr[data-client=okhttp]"
        self.assertEqual((self.shown(page), self.shown(page, asked)), (page.locator(asked).count(),) * 2)
        address = page.url
        self.assertIn("client=okhttp", address)
        again = self.page()
        again.goto(address, wait_until="load")
        self.assertEqual(self.shown(again), self.shown(page))
        self.quiet(again)

    def test_each_cell_has_an_address_that_shows_it_and_leads_to_its_trial(self) -> None:
        page = self.page()
        page.goto(f"{self.address}/conduct/index.html#ktor-cio.answers.short", wait_until="load")
        cell = page.locator("tr:target")
        self.assertTrue(cell.is_visible())
        cell.locator("td:last-child a").click()
        page.wait_for_url("**/data/conduct-*.html#trial-*")
        self.assertIn("ktor-cio", page.locator("tr:target").inner_text())

    def test_a_version_shows_the_cells_of_that_release(self) -> None:
        page = self.page()
        page.goto(f"{self.address}/conduct/index.html?client=okhttp&version=5.3.0&concerns=all", wait_until="load")
        asked = f"{self.ROWS}[data-client=okhttp][data-version='5.3.0']"
        self.assertGreater(self.shown(page, asked), 0)
        self.assertEqual(self.shown(page), self.shown(page, asked))

    def test_without_scripts_all_of_it_is_there(self) -> None:
        page = self.open(self.page(java_script_enabled=False), "conduct/index")
        self.assertEqual(self.shown(page), page.locator(self.ROWS).count())
        self.assertTrue(page.locator(".lab-filter").is_hidden())


class TwoClients(SiteTest):
    """The page that has two clients side by side."""

    def heads(self, page) -> list[str]:
        return [text for text in page.locator(".lab-compare thead th").locator("visible=true").all_inner_texts() if text.strip()]

    def test_two_are_shown_and_a_choice_becomes_an_address(self) -> None:
        page = self.open(self.page(), "compare")
        self.assertEqual(len(self.heads(page)), 2)
        page.locator(".lab-two select[name=a]").select_option("retrofit")
        page.locator(".lab-two select[name=b]").select_option("jdk")
        two = self.heads(page)
        again = self.page()
        again.goto(page.url, wait_until="load")
        self.assertEqual((len(two), self.heads(again)), (2, two))
        marked = again.locator(".lab-compare .lab-differs").count()
        self.assertIn(f"{marked} of ", again.locator(".lab-two output").inner_text())
        self.assertGreater(marked, 0)
        self.quiet(again)

    def test_without_scripts_all_clients_are_there(self) -> None:
        page = self.open(self.page(java_script_enabled=False), "compare")
        self.assertEqual(len(self.heads(page)), page.locator(".lab-two select[name=a] option").count())
        self.assertTrue(page.locator(".lab-two").is_hidden())


class WhatALinkShows(SiteTest):
    """Where a link is shared: the title of the page, and what it found."""

    def test_an_article_has_its_finding_and_every_page_leads_to_the_feed(self) -> None:
        page = self.open(self.page(), "notebooks/01-threads")
        title = page.locator("meta[property='og:title']").get_attribute("content")
        self.assertEqual(title, page.locator("h1").inner_text().rstrip("#").strip())
        self.assertEqual(page.locator("meta[property='og:description']").get_attribute("content"), page.locator(".lab-figure img").first.get_attribute("alt"))
        self.assertTrue((SITE / "figures" / "01-threads.png").read_bytes().startswith(b"\x89PNG"))
        feed = page.locator("link[type='application/atom+xml']").get_attribute("href")
        self.assertTrue((SITE / "notebooks" / feed).resolve().is_file(), feed)

    def test_every_entry_of_the_feed_is_a_page(self) -> None:
        links = [element.get("href") for element in ElementTree.parse(SITE / "feed.xml").iter("{http://www.w3.org/2005/Atom}link")]
        self.assertGreater(len(links), 10)
        self.assertEqual([link for link in links if not (SITE / link).is_file()], [])


class Downloads(unittest.TestCase):
    """What a reader takes away; needs no browser."""

    def test_every_run_has_its_tables_as_csv_and_arrow_with_the_same_numbers(self) -> None:
        import pyarrow.ipc

        runs = sorted(path.name for path in (browsers.ROOT / "data" / "published").iterdir() if path.is_dir())
        self.assertEqual(runs, sorted(path.name for path in (SITE / "data").iterdir() if path.is_dir()))
        for run in runs:
            for file in sorted((SITE / "data" / run).glob("*.csv")):
                with self.subTest(table=f"{run}/{file.name}"):
                    header, *rows = list(csv.reader(file.read_text(encoding="utf-8").splitlines()))
                    with pyarrow.ipc.open_file(file.with_suffix(".arrow")) as arrow:
                        table = arrow.read_all()
                    self.assertEqual(header, table.column_names)
                    self.assertEqual(len(rows), table.num_rows)
                    for place, name in enumerate(header):
                        if str(table.schema.field(name).type) == "double":
                            self.assertEqual([float(row[place]) if row[place] else None for row in rows], table[name].to_pylist())
            plain = browsers.ROOT / "data" / "published" / run / "trials.jsonl"
            text = plain.read_bytes() if plain.is_file() else gzip.decompress(plain.with_name("trials.jsonl.gz").read_bytes())
            lines = text.decode("utf-8").splitlines()
            self.assertEqual(len(lines), len((SITE / "data" / run / "trials.csv").read_text(encoding="utf-8").splitlines()) - 1)

    def test_a_figure_has_the_words_that_its_notebook_has(self) -> None:
        words = lambda svg: [" ".join("".join(each.itertext()).split()) for each in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]  # noqa: E731
        for notebook in ARTICLES:
            outputs = [output for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"] for output in cell.get("outputs", [])]
            drawn = ["".join(output["data"]["image/svg+xml"]) for output in outputs if "image/svg+xml" in output.get("data", {})]
            for number, svg in enumerate(drawn, 1):
                with self.subTest(figure=f"{notebook.stem}-{number}"):
                    self.assertEqual(words(svg), words((SITE / "figures" / f"{notebook.stem}-{number}.svg").read_text(encoding="utf-8")))

    def test_every_notebook_can_be_downloaded_as_it_is_committed(self) -> None:
        for notebook in ARTICLES:
            self.assertEqual(notebook.read_bytes(), (SITE / "notebooks" / notebook.name).read_bytes(), notebook.name)

    def test_the_citation_is_there(self) -> None:
        text = (SITE / "CITATION.cff").read_text(encoding="utf-8")
        for key in ("cff-version:", "title:", "authors:", "version: 0.1.0", "license: MIT", "date-released:"):
            self.assertIn(key, text)

    def test_a_claim_page_says_what_the_ledger_says(self) -> None:
        ledger = json.loads((SITE.parent / "site-work" / "ledger.json").read_text(encoding="utf-8"))["claims"]
        self.assertGreater(len(ledger), 50)
        for claim in ledger:
            text = (SITE / "claims" / f"{claim['id']}.html").read_text(encoding="utf-8")
            self.assertIn(f">{claim['verdict']}</span>", text, claim["id"])
            for run in claim["evidence"]:
                self.assertIn(f'href="../data/{run}.html"', text, claim["id"])
