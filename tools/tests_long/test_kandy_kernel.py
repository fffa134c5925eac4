"""Kandy in a real kernel: the blocks that the articles show are drawn, each as a picture that asks no other host."""

import copy
import tempfile
import unittest
from pathlib import Path

from lab.base import places
from lab.base.terminal import Step
from lab.notebook import execution, notebooks
from lab.prepare import kandy, setup
from tests.test_kandy_blocks import FILES, body

OWN = 'published<Burst>("threads-2026-11").plot {\n    threads()\n    layout { title = "mine" }\n}'
FIGURE = 'published<Burst>("threads-2026-11").threadChart().plot { layout { title = "mine, too" } }'


def why_not() -> str:
    """Why no plot of Kandy's can be drawn here, or an empty text."""
    return "" if kandy.in_jar() else kandy.known_reason() or "the library was built without Kandy"


class KandyInKernel(unittest.TestCase):
    """All blocks run in one kernel; each test looks at what its own cell showed."""

    @classmethod
    def setUpClass(cls) -> None:
        if why_not():
            return
        ready = setup.ready("test")
        sources = ["%use @file[lab.json]", *(body((kandy_block(name)).read_text(encoding="utf-8")) for name in FILES), OWN, FIGURE]
        made = copy.deepcopy(notebooks.load(places.NOTEBOOKS / "01-threads.ipynb"))
        made["cells"] = [
            {"cell_type": "code", "id": f"cell-{number}", "source": source, "metadata": {}, "outputs": [], "execution_count": None}
            for number, source in enumerate(sources)
        ]
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / "kandy.ipynb"
            source.write_text(notebooks.as_text(made), encoding="utf-8")
            step = Step("Blocks of Kandy")
            outcome = execution.execute(ready, "kandy-blocks", step, source=source)
            step.stop()
        cls.failure = outcome.failure
        cls.cells = notebooks.load(outcome.notebook)["cells"] if outcome.notebook.is_file() else []

    def setUp(self) -> None:
        if why_not():
            self.skipTest(why_not())
        self.assertIsNone(self.failure)

    def assert_drawn(self, number: int, words: str) -> None:
        (output,) = self.cells[number]["outputs"]
        data = output["data"]
        self.assertIn("image/png", data)
        svg = data["image/svg+xml"]
        svg = svg if isinstance(svg, str) else "".join(svg)
        self.assertIn("<svg", svg)
        self.assertIn(words.split()[0], svg)
        self.assertNotIn("text/html", data)
        self.assertNotIn("script", svg)

    def test_a_plot_of_ours_is_changed(self) -> None:
        self.assert_drawn(len(FILES) + 2, "mine,")

    def test_our_layers_are_drawn_in_a_plot_of_the_readers(self) -> None:
        self.assert_drawn(len(FILES) + 1, "mine")


def kandy_block(name: str) -> Path:
    return places.KANDY / "src/test/kotlin/clientlab/kandy/articles" / FILES[name]


def _test(number: int):  # noqa: ANN202
    def test(self: KandyInKernel) -> None:
        title = body(kandy_block(list(FILES)[number]).read_text(encoding="utf-8")).partition('title = "')[2].partition('"')[0]
        self.assert_drawn(number + 1, title)

    return test


for _number, _name in enumerate(FILES):
    setattr(KandyInKernel, f"test_the_block_of_{_name.replace('-', '_')}_is_drawn", _test(_number))


if __name__ == "__main__":
    unittest.main()
