"""What the site reads of a figure's data part: its words, its runs, and the trial behind each dot. Needs no browser."""

import copy
import json
import sys
import tempfile
import unittest
from pathlib import Path

import browsers

sys.path.insert(0, str(browsers.ROOT / "tools" / "site"))

from articles import Article, Writer, read, trials  # noqa: E402
from figures import DATA, Figure, small  # noqa: E402
from published import Run  # noqa: E402

SVG = '''<svg xmlns="http://www.w3.org/2000/svg" width="760.0" height="378.0"><style></style>
  <g transform="translate(26.0 60.0 ) "> <circle cx="10.000001" cy="20.0" fill="rgb(1,2,3)" fill-opacity="1"></circle> </g></svg>'''


def part(run: Run) -> dict:
    """A figure of two clients' threads at 500 in flight, as the library writes it."""
    chosen = [trial for trial in run.trials if trial["treatment"]["client"] in ("fuel", "retrofit") and trial["treatment"]["inFlight"] == 500]
    treatments: list[dict] = []
    for trial in chosen:
        if trial["treatment"] not in treatments:
            treatments.append(trial["treatment"])
    values = [trial["metrics"]["threadsBlocked"] for trial in chosen]
    return {
        "schemaVersion": 1, "kind": "figure", "title": "Threads", "subtitle": "", "caption": "n = 10", "alt": "Threads in words.",
        "x": {"label": "threads held", "scale": "linear", "metric": "threadsBlocked", "unit": ""},
        "y": {"label": "", "categories": ["fuel", "retrofit"]},
        "runs": [run.id], "treatments": treatments,
        "trials": [[0, trial["round"], treatments.index(trial["treatment"])] for trial in chosen],
        "marks": [
            {
                "kind": "points", "role": "trial", "reads": {"x": "value", "y": "client"},
                "columns": {"value": values, "client": [trial["treatment"]["client"] for trial in chosen]},
                "trials": list(range(len(chosen))), "dots": [[row, 0, row / len(chosen), 0.5] for row in range(len(chosen))],
            },
            {"kind": "points", "role": "estimate", "reads": {"x": "value", "y": "client"}, "columns": {"value": [1], "client": ["fuel"]}, "dots": [[0, 0, 0.1, 0.2]]},
        ],
        "drawing": "0123abcd", "drawn": {"renderer": "lets-plot", "size": [760, 378], "panels": [[100, 50, 600, 200]]},
    }  # fmt: skip


class FiguresTest(unittest.TestCase):
    def setUp(self) -> None:
        self.run_ = Run(browsers.ROOT / "data" / "published" / "threads-2026-11e")
        self.part = part(self.run_)
        self.figure = Figure(SVG, self.part)
        self.runs = {self.run_.id: self.run_}

    def test_a_figure_says_its_words_and_runs(self) -> None:
        self.assertEqual((self.figure.title, self.figure.alt, self.figure.axis), ("Threads", "Threads in words.", "threads held"))
        self.assertEqual(self.figure.runs, [self.run_.id])
        self.assertEqual(self.figure.size, (760, 378))

    def test_every_dot_has_the_trial_that_it_names(self) -> None:
        dots = self.figure.dots(self.runs)
        self.assertEqual(len(dots), len(self.part["trials"]))
        self.assertEqual(len({dot.trial["trial"] for dot in dots}), len(dots))
        clients = self.part["marks"][0]["columns"]["client"]
        for dot, client in zip(dots, clients, strict=True):
            self.assertEqual(dot.trial["treatment"]["client"], client)
            self.assertEqual(dot.value, dot.trial["metrics"]["threadsBlocked"])

    def test_a_dot_stands_at_its_share_of_its_panel(self) -> None:
        first, second, *_ = self.figure.dots(self.runs)
        self.assertEqual((first.x, first.y), (100, 150))
        self.assertAlmostEqual(second.x, 100 + 600 / len(self.part["trials"]))

    def test_a_dot_of_a_run_that_is_not_published_has_none(self) -> None:
        self.assertEqual(self.figure.dots({}), [])
        self.assertEqual(trials(self.figure, {}), "")

    def test_a_dot_whose_trial_the_journal_does_not_have_is_left_out(self) -> None:
        other = copy.deepcopy(self.part)
        other["trials"][0][1] = 999
        self.assertEqual(len(Figure(SVG, other).dots(self.runs)), len(self.part["trials"]) - 1)

    def test_a_row_without_a_trial_has_no_dot(self) -> None:
        other = copy.deepcopy(self.part)
        other["marks"][0]["trials"][3] = None
        self.assertEqual(len(Figure(SVG, other).dots(self.runs)), len(self.part["trials"]) - 1)

    def test_what_a_script_gets_names_treatment_round_and_value(self) -> None:
        said = trials(self.figure, self.runs)
        self.assertIn('"axis":"threads held"', said)
        self.assertIn("threads-2026-11e", said)

    def test_a_plot_of_the_readers_own_has_words_alone(self) -> None:
        own = Figure(SVG, {}, "Mine")
        self.assertEqual((own.title, own.alt, own.runs, own.dots(self.runs)), ("Mine", "Mine", [], []))

    def test_a_drawing_in_fewer_bytes_has_the_same_elements(self) -> None:
        less = small(SVG)
        self.assertLess(len(less), len(SVG))
        self.assertEqual(less.count("<circle"), SVG.count("<circle"))
        self.assertIn("#010203", less)

    def test_bars_of_one_colour_that_follow_each_other_are_one_path(self) -> None:
        bar = '<rect x="{}" y="2" height="3" width="4" fill="{}"></rect>'
        bars = "".join(bar.format(x, colour) for x, colour in ((1, "#aaa"), (2, "#aaa"), (3, "#bbb")))
        less = small(SVG.replace("</g></svg>", f"{bars}</g></svg>"))
        self.assertIn('<path fill="#aaa" d="M1 2h4v3h-4zM2 2h4v3h-4z"/><path fill="#bbb" d="M3 2h4v3h-4z"/>', less)

    def test_what_is_written_on_a_drawing_is_left_alone(self) -> None:
        words = '<text class="axis-text-x">\n 1.23456 s, rgb(1,2,3)\n </text>'
        less = small(SVG.replace("</g></svg>", f"{words}</g></svg>"))
        self.assertIn("1.23456 s, rgb(1,2,3)", less)


class ArticlesTest(unittest.TestCase):
    def made(self, *parts: dict) -> Article:
        cells = [{"cell_type": "code", "source": "", "outputs": [{"output_type": "execute_result", "data": {DATA: each}}]} for each in parts]
        cells.append({"cell_type": "markdown", "source": "# Made"})
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "09-made.ipynb"
            file.write_text(json.dumps({"cells": cells}))
            return read(file)

    def test_the_claims_that_an_article_states_are_read_from_its_verdicts_one_alone_before_one_among_many(self) -> None:
        several = {"kind": "verdicts", "verdicts": [{"claim": "a.b"}, {"claim": "c.d"}]}
        article = self.made(several, {"kind": "table"}, {"kind": "verdict", "claim": "a.b"})
        self.assertEqual(article.stated, {"a.b": 2, "c.d": 0})

    def test_a_figure_names_its_published_data(self) -> None:
        run = Run(browsers.ROOT / "data" / "published" / "threads-2026-11e")
        with tempfile.TemporaryDirectory() as folder:
            writer = Writer(Path(folder), {run.id: run}, set())
            html = writer._figure(Article("09-made", {}), 0, Figure(SVG, part(run)))
        self.assertIn("../data/threads-2026-11e.html", html)
        self.assertIn("lab-dots", html)


if __name__ == "__main__":
    unittest.main()
