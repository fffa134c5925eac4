"""Which trial is behind a dot: found where the numbers say so, and not guessed where they do not. Needs no browser."""

import copy
import json
import sys
import unittest

import browsers

sys.path.insert(0, str(browsers.ROOT / "tools" / "site"))

SVG = "image/svg+xml"


class DotsTest(unittest.TestCase):
    def setUp(self) -> None:
        from articles import joined
        from figures import Figure
        from published import Run

        notebook = json.loads((browsers.ROOT / "notebooks" / "01-threads.ipynb").read_text(encoding="utf-8"))
        data = [output["data"] for cell in notebook["cells"] for output in cell.get("outputs", []) if SVG in output.get("data", {})]
        self.figures = [Figure(joined(each[SVG]), joined(each["text/plain"])) for each in data]
        self.run_ = Run(browsers.ROOT / "data" / "published" / "threads-2026-11")
        self.figure = self.figures[0]

    def found(self, trials=None):
        from dots import behind

        run = copy.copy(self.run_)
        run.__dict__["trials"] = self.run_.trials if trials is None else trials
        return behind(self.figure, run)

    def test_every_dot_has_a_trial_of_the_client_beside_it(self) -> None:
        from dots import _category

        found = self.found()
        self.assertEqual(len(found), len(self.figure.dots))
        self.assertEqual(len({each.trial["trial"] for each in found}), len(found))
        for each in found:
            self.assertEqual(each.trial["treatment"]["client"], _category(self.figure, each.dot))
            self.assertEqual(each.trial["treatment"]["inFlight"], 500)
            self.assertEqual(each.value, each.trial["metrics"]["threadsBlocked"])

    def test_trials_with_other_numbers_are_not_taken_for_those_that_were_drawn(self) -> None:
        trials = copy.deepcopy(self.run_.trials)
        for trial in trials:
            trial["metrics"] = {name: value + 1000 + trial["trial"] for name, value in trial["metrics"].items()}
        self.assertEqual(self.found(trials), [])

    def test_where_one_group_of_a_panel_is_not_that_of_any_treatment_no_dot_is_explained(self) -> None:
        dropped = next(trial for trial in self.run_.trials if trial["treatment"]["client"] == "fuel" and trial["treatment"]["inFlight"] == 500)
        self.assertEqual(self.found([trial for trial in self.run_.trials if trial is not dropped]), [])

    def test_two_treatments_that_stand_alike_and_are_named_alike_are_not_told_apart(self) -> None:
        twins = [copy.deepcopy(trial) for trial in self.run_.trials if trial["treatment"]["client"] == "fuel" and trial["treatment"]["inFlight"] == 500]
        for trial in twins:
            trial["treatment"]["start"] = "cold"
        found = self.found([*self.run_.trials, *twins])
        self.assertNotIn("fuel", {each.trial["treatment"]["client"] for each in found})
        self.assertEqual(len(found), len(self.figure.dots) - len(twins))

    def test_a_drawing_in_fewer_bytes_has_its_dots_where_they_were(self) -> None:
        from figures import Figure, small

        for figure in self.figures:
            less = Figure(small(figure.svg), figure.alt)
            self.assertLess(len(less.svg), len(figure.svg))
            self.assertEqual(len(less.root.findall(".//*")), len(figure.root.findall(".//*")))
            self.assertEqual(figure.words.keys(), less.words.keys())
            for name, words in figure.words.items():
                self.assertEqual([text for text, _, _ in words], [text for text, _, _ in less.words[name]])
