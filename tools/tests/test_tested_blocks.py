"""Code that an article tells readers to copy is the very code that a test runs."""

import unittest

from lab.base import places
from lab.notebook import notebooks

BLOCKS = {"19-storm": "lib/clients/src/test/kotlin/clientlab/clients/ktor/RetryBudget.kt"}
"""The file of the tests by the article that shows it."""


class TestedBlocks(unittest.TestCase):
    def test_an_article_shows_what_a_test_runs(self) -> None:
        for notebook, file in BLOCKS.items():
            with self.subTest(notebook):
                _, _, tested = (places.ROOT / file).read_text(encoding="utf-8").partition(" shows it.\n")
                prose = [notebooks.source_of(cell) for cell in notebooks.load(places.NOTEBOOKS / f"{notebook}.ipynb")["cells"]]
                self.assertTrue(any(f"```kotlin\n{tested.strip()}\n```" in text for text in prose))


if __name__ == "__main__":
    unittest.main()
