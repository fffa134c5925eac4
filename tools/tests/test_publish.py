"""What `lab publish` refuses, and what it is made of."""

import contextlib
import io
import json
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from lab.base import places
from lab.base.terminal import LabError
from lab.prepare import environment
from lab.notebook import notebooks
from lab.share import publish
from lab import command

BROWSER = places.TOOLS / "browser"


class PublishTest(unittest.TestCase):
    def test_a_folder_that_holds_something_else_is_left_alone(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "thesis.txt").write_text("years of work", encoding="utf-8")
            with self.assertRaisesRegex(LabError, "something other than a site"):
                publish.run(Path(folder))
            self.assertEqual([file.name for file in Path(folder).iterdir()], ["thesis.txt"])

    def test_an_older_site_is_replaced_whole(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            made, target = Path(folder) / "made", Path(folder) / "target"
            for each, page in ((made, "new.html"), (target, "old.html")):
                each.mkdir()
                (each / page).write_text(page, encoding="utf-8")
            publish._put(made, target)
            self.assertEqual([file.name for file in target.iterdir()], ["new.html"])

    def test_every_notebook_of_the_project_is_listed_as_an_article(self) -> None:
        if not (places.ROOT / ".git").exists():
            self.skipTest("this is no clone, so a reader's own notebooks cannot be told from the project's")
        listed = subprocess.run(["git", "-C", places.ROOT, "ls-files", "notebooks/*.ipynb"], capture_output=True, text=True, check=True).stdout.split()
        committed = [Path(name) for name in listed]
        self.assertEqual([file.stem for file in committed if file.parent.name == "notebooks"], sorted(notebooks.articles()))

    def test_an_article_that_is_listed_and_not_there_is_named(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            listing = Path(folder) / "articles.txt"
            listing.write_text("01-threads\n77-gone\n", encoding="utf-8")
            with mock.patch.object(places, "ARTICLES", listing), self.assertRaisesRegex(LabError, r"lists 77-gone, and notebooks/77-gone\.ipynb is not there"):
                notebooks.articles()

    def test_a_notebook_of_a_readers_own_is_left_out_with_one_sentence(self) -> None:
        with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
            here, made = Path(folder) / "notebooks", Path(folder) / "made"
            made.mkdir()
            shutil.copytree(places.NOTEBOOKS, here, ignore=shutil.ignore_patterns("workshop"))
            (here / "my-notes.ipynb").write_text('{"cells": []}', encoding="utf-8")
            stack.enter_context(mock.patch.object(places, "NOTEBOOKS", here))
            stack.enter_context(mock.patch.object(publish.setup, "ready"))
            stack.enter_context(mock.patch.object(publish, "make", return_value=made))
            said = stack.enter_context(contextlib.redirect_stdout(io.StringIO()))
            self.assertEqual(publish.run(Path(folder) / "site"), 0)
            self.assertEqual(said.getvalue().splitlines()[0], "Left out, because site/articles.txt does not list it: my-notes.")

    def test_an_article_without_a_title_is_named_in_one_sentence(self) -> None:
        for content in ('{"cells": []}', '{"cells": [{"cell_type": "markdown", "source": ["no title"]}]}'):
            with tempfile.TemporaryDirectory() as folder:
                (Path(folder) / "08-mine.ipynb").write_text(content, encoding="utf-8")
                reads = f"""
import sys
from pathlib import Path
from unittest.mock import MagicMock
sys.modules |= {{name: MagicMock() for name in ("pyarrow", "pyarrow.ipc")}}
sys.path.insert(0, {str(places.TOOLS / 'site')!r})
import articles
articles.read(Path('08-mine.ipynb'))
"""
                done = subprocess.run([sys.executable, "-c", reads], cwd=folder, capture_output=True, text=True, check=False)
                self.assertEqual(done.stderr, "08-mine.ipynb has no title: begin its first cell of Markdown with a line such as `# My question`.\n")

    def test_a_folder_is_asked_for_where_none_is_named(self) -> None:
        self.assertEqual(command.main(["publish", "--to"]), 2)
        self.assertEqual(command.main(["publish", "--too", "x"]), 2)

    def test_what_makes_the_site_is_pinned(self) -> None:
        pinned = {each.name.lower() for each in environment.extra("site")}
        self.assertLessEqual({"sphinx", "myst-nb", "furo", "pyarrow", "sphinx-copybutton"}, pinned)

    def test_the_lock_of_the_browser_tests_names_versions_and_no_registry(self) -> None:
        lock = json.loads((BROWSER / "package-lock.json").read_text(encoding="utf-8"))
        asked = json.loads((BROWSER / "package.json").read_text(encoding="utf-8"))["devDependencies"]
        self.assertEqual(lock["packages"][""]["devDependencies"], asked)
        self.assertNotIn("resolved", json.dumps(lock))
        for name, version in asked.items():
            self.assertEqual(lock["packages"][f"node_modules/{name}"]["version"], version)


if __name__ == "__main__":
    unittest.main()
