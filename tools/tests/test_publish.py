"""What `lab publish` refuses, and what it is made of."""

import json
import tempfile
import unittest
from pathlib import Path

from lab import command, environment, places, publish
from lab.terminal import Refusal

BROWSER = places.TOOLS / "browser"


class PublishTest(unittest.TestCase):
    def test_a_folder_that_holds_something_else_is_left_alone(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "thesis.txt").write_text("years of work", encoding="utf-8")
            with self.assertRaisesRegex(Refusal, "something other than a site"):
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
