"""The pages in site/docs, before any of them is run; and that notebooks lean on nothing that `lab` alone has."""

import re
import tempfile
import unittest
from pathlib import Path

from lab.base import places
from lab.notebook import notebooks
from lab.check import pages
from lab import command


class Pages(unittest.TestCase):
    def test_each_is_short_and_its_links_lead_somewhere(self) -> None:
        for page in pages.all_pages():
            self.assertEqual(pages.complaints(page), [], page.name)

    def test_there_is_one_for_each_thing_that_a_reader_does(self) -> None:
        there = {page.stem for page in pages.all_pages()}
        self.assertLessEqual({"explore", "intellij", "client", "experiment", "probe", "claim"}, there)

    def test_each_begins_with_the_line_that_loads_the_lab(self) -> None:
        for page in pages.all_pages():
            begins = "%use client-lab\n" if page.stem == "elsewhere" else "%use @file[lab.json]\n"
            self.assertEqual(pages.cells(page.read_text(encoding="utf-8"))[0], begins, page.name)

    def test_a_page_that_is_long_or_leads_nowhere_is_complained_of(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder) / "page.md"
            page.write_text("[there](page.md) [gone](no.md) [out](https://example.org)\n" + "word\n" * pages.MOST_LINES)
            self.assertEqual(
                pages.complaints(page), ["it has 61 lines, and 60 are enough", "it has no block of Kotlin", "it links to no.md, which is not there"]
            )

    def test_the_blocks_of_a_page_become_the_cells_of_a_notebook_in_their_order(self) -> None:
        text = "# Page\n```kotlin\none\n```\n```\nno Kotlin\n```\nwords\n```kotlin\ntwo\nthree\n```\n"
        made = pages.notebook(text)
        self.assertEqual([cell["source"] for cell in made["cells"]], ["one\n", "two\nthree\n"])
        self.assertEqual(made["metadata"]["kernelspec"]["name"], "kotlin")

    def test_what_they_tell_a_reader_to_type_is_known(self) -> None:
        texts = [page.read_text(encoding="utf-8") for page in [*pages.all_pages(), places.ROOT / "README.md"]]
        for called in re.findall(r"\./lab ([a-z]+)", "\n".join(texts)):
            self.assertIn(called, command.COMMANDS)

    def test_the_figure_of_the_readme_is_the_first_one_of_its_article(self) -> None:
        article = notebooks.load(places.NOTEBOOKS / f"{notebooks.README_FIGURE_FROM}.ipynb")
        self.assertEqual(places.README_FIGURE.read_text(encoding="utf-8"), notebooks.first_figure(article))
        self.assertIn(f"({places.shown(places.README_FIGURE)})", (places.ROOT / "README.md").read_text(encoding="utf-8"))

    def test_the_paths_that_they_name_are_there(self) -> None:
        for page in pages.all_pages():
            for path in re.findall(r"`((?:lib|data|notebooks|server|site|tools)/[\w./-]+)`", page.read_text(encoding="utf-8")):
                if not re.search(r"/target/|my-growth|/raw/", path):
                    self.assertTrue((places.ROOT / path).exists(), f"{page.name}: {path}")


class Elsewhere(unittest.TestCase):
    """IntelliJ opens the same files with a kernel of its own."""

    def setUp(self) -> None:
        self.notebooks = {name: notebooks.load(places.NOTEBOOKS / f"{name}.ipynb") for name in notebooks.articles()}

    def test_no_notebook_asks_for_a_kernel_but_kotlin(self) -> None:
        for name, notebook in self.notebooks.items():
            self.assertEqual(notebook["metadata"]["kernelspec"], {"display_name": "Kotlin", "language": "kotlin", "name": "kotlin"}, name)

    def test_every_notebook_loads_the_lab_by_a_path_relative_to_its_folder(self) -> None:
        for name, notebook in self.notebooks.items():
            self.assertEqual(notebooks.source_of(notebooks.code_cells(notebook)[0]).splitlines()[0], "%use @file[lab.json]", name)

    def test_no_code_names_a_path_of_a_machine_or_a_variable_that_lab_sets(self) -> None:
        for name, notebook in self.notebooks.items():
            code = "\n".join(notebooks.source_of(cell) for cell in notebooks.code_cells(notebook))
            self.assertIsNone(re.search(r'"(/[a-z]|[A-Za-z]:[\\\\/])|CLIENT_LAB_|getenv', code), name)
