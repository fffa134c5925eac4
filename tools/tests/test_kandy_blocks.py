"""The Kandy blocks of the articles: the notebooks show the very code that the tests of `lib/kandy` compile and draw."""

import json
import re
import unittest
from pathlib import Path

from lab.base import places
from lab.notebook import notebooks

KOTLIN = places.KANDY / "src/test/kotlin/clientlab/kandy/articles"
OF_KANDY = "org.jetbrains.kotlinx.kandy."
FILES = {
    "01-threads": "Threads.kt",
    "02-limits": "Limits.kt",
    "03-virtual-threads": "VirtualThreads.kt",
    "04-memory": "Memory.kt",
    "05-transfer": "Transfer.kt",
    "06-gateway": "Gateway.kt",
    "10-versions": "Versions.kt",
    "11-limits-audit": "LimitsAudit.kt",
    "12-latency": "Latency.kt",
    "13-http2": "Protocols.kt",
    "14-cost": "Cost.kt",
    "15-warmup": "WarmUp.kt",
    "16-conduct": "Conduct.kt",
    "17-wire": "Wires.kt",
    "18-streams": "Streams.kt",
    "19-storm": "Storms.kt",
}
FIRST, LAST = 5, 15
"""How long a block may be, its imports apart."""


def shown(notebook: str) -> list[str]:
    """The blocks of Kotlin in an article's prose that import something of Kandy."""
    cells = notebooks.load(places.NOTEBOOKS / f"{notebook}.ipynb")["cells"]
    prose = [notebooks.source_of(cell) for cell in cells if cell["cell_type"] == "markdown"]
    blocks = [block for text in prose for block in re.findall(r"^```kotlin\n(.*?)\n```$", text, re.MULTILINE | re.DOTALL)]
    return [block for block in blocks if f"import {OF_KANDY}" in block]


def imports(kotlin: str) -> list[str]:
    return re.findall(r"^import (\S+)$", kotlin, re.MULTILINE)


def body(kotlin: str) -> str:
    """What a file of the tests holds below its one comment, as it stands in a cell."""
    _, _, below = kotlin.partition("    // As the article shows it, with the imports from Kandy.\n")
    return "\n".join(line.removeprefix("    ") for line in below.rstrip("\n").splitlines())


def compiled(file: Path) -> str:
    """The block that a file of the tests holds: its imports from Kandy, and the body of its function."""
    text = file.read_text(encoding="utf-8")
    return "\n".join(f"import {name}" for name in imports(text) if name.startswith(OF_KANDY)) + "\n\n" + body(text)


class KandyBlocks(unittest.TestCase):
    def test_every_article_is_among_them(self) -> None:
        articles = [name for name in notebooks.articles() if re.match(r"0[1-6]-|1[0-9]-", name)]
        self.assertEqual(articles, list(FILES))

    def test_each_article_shows_the_one_block_that_the_tests_compile(self) -> None:
        for notebook, file in FILES.items():
            with self.subTest(notebook):
                self.assertEqual(shown(notebook), [compiled(KOTLIN / file)])

    def test_a_block_is_short(self) -> None:
        for notebook, file in FILES.items():
            with self.subTest(notebook):
                self.assertIn(len(body((KOTLIN / file).read_text(encoding="utf-8")).splitlines()), range(FIRST, LAST + 1))

    def test_what_a_block_does_not_import_itself_the_notebook_has(self) -> None:
        """What `%use @file[lab.json]` imports is all that a reader has beside Kandy."""
        there = json.loads((places.NOTEBOOKS / "lab.json").read_text(encoding="utf-8"))["imports"]
        for file in FILES.values():
            names = [name for name in imports((KOTLIN / file).read_text(encoding="utf-8")) if not name.startswith(OF_KANDY)]
            for name in names:
                with self.subTest(file, name=name):
                    self.assertTrue(name in there or f"{name.rpartition('.')[0]}.*" in there)

    def test_every_block_is_drawn_from_published_trials_by_a_test(self) -> None:
        test = (KOTLIN / "ArticleBlocksTest.kt").read_text(encoding="utf-8")
        for file in FILES.values():
            with self.subTest(file):
                text = (KOTLIN / file).read_text(encoding="utf-8")
                function = re.search(r"^internal fun (\w+)\(\) =$", text, re.MULTILINE)
                self.assertIn(f"{function.group(1)}()", test)
                run = re.search(r'published(?:<\w+>)?\("([\w-]+)"\)', text)
                self.assertTrue((places.ROOT / "data/published" / run.group(1)).is_dir())


if __name__ == "__main__":
    unittest.main()
