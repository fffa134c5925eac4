"""The workshop: what a source gives, and that what is committed is what the sources give."""

import json
import re
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from lab.base import places
from lab.base.stamps import digest
from lab.base.terminal import LabError
from lab.notebook import houserules, notebooks, workshop

SOURCE = """\
# Count

How many?

```kotlin
%use @file[../lab.json]
```

:::task
Say a number,
then run.
:::

:::hint
Not *one*, `a < b`.
:::

```kotlin exercise
val n: Int? = null // your turn
```

```kotlin solution
val n: Int? = 2
```

```kotlin check
checkCount(n)
```

First.

+++

Second.

:::solution
Because.
:::
"""


def cells(form: str, source: str = SOURCE) -> list[dict]:
    return workshop.notebook(workshop.parse(source, "1-count.md"), form, "1")["cells"]


def sources(form: str) -> list[str]:
    return [notebooks.source_of(cell) for cell in cells(form)]


class OneSource(unittest.TestCase):
    def test_gives_an_exercise_with_its_placeholder_and_without_any_solution(self) -> None:
        exercise = "\n".join(sources("exercise"))
        self.assertIn(workshop.PLACEHOLDER, exercise)
        self.assertNotIn("= 2", exercise)
        self.assertNotIn("Because.", exercise)

    def test_gives_a_solution_without_a_placeholder(self) -> None:
        solution = "\n".join(sources("solution"))
        self.assertIn("= 2", solution)
        self.assertIn("Because.", solution)
        self.assertNotIn(workshop.PLACEHOLDER, solution)

    def test_prose_is_a_cell_between_code_and_a_plus_line_ends_one(self) -> None:
        self.assertEqual(sources("exercise")[0], "# Count\n\nHow many?")
        self.assertEqual(sources("exercise")[-2:], ["First.", "Second."])

    def test_a_task_can_be_seen_from_afar_and_a_hint_is_folded(self) -> None:
        self.assertIn("> **Your turn.** Say a number,\n> then run.", sources("exercise"))
        self.assertIn("<details><summary>Hint</summary>\n<p>Not <em>one</em>, <code>a &lt; b</code>.</p>\n</details>", sources("exercise"))

    def test_cells_are_tagged_with_what_they_are(self) -> None:
        tags = [cell["metadata"].get("tags", []) for cell in cells("exercise")]
        self.assertEqual(tags, [[], [], ["task"], ["hint"], ["exercise"], ["check"], [], []])

    def test_a_cell_has_the_same_id_in_both_forms_and_every_time(self) -> None:
        ids = {form: {cell["id"]: notebooks.source_of(cell) for cell in cells(form)} for form in workshop.FORMS}
        both = ids["exercise"].keys() & ids["solution"].keys()
        self.assertEqual(len(both), 7)
        for name in both:
            self.assertEqual(ids["exercise"][name], ids["solution"][name])
        self.assertEqual(list(ids["exercise"]), [cell["id"] for cell in cells("exercise")])

    def test_nothing_in_it_has_been_run(self) -> None:
        for form in workshop.FORMS:
            for cell in cells(form):
                if cell["cell_type"] == "code":
                    self.assertEqual((cell["execution_count"], cell["outputs"]), (None, []))

    def test_other_languages_and_three_dashes_stay_prose(self) -> None:
        made = cells("exercise", "Text\n\n```\nplain\n```\n\n---\n\nmore")
        self.assertEqual([cell["cell_type"] for cell in made], ["markdown"])


class WrongSources(unittest.TestCase):
    def refused(self, source: str, sentence: str) -> None:
        with self.assertRaisesRegex(LabError, sentence):
            workshop.parse(source, "1-count.md")

    def test_a_block_without_an_end_is_named_by_its_line(self) -> None:
        self.refused("a\n```kotlin\nval n = 1\n", r"1-count.md, line 2: the block has no end; close it with ```\.")
        self.refused("a\n:::task\nGo on.\n", r"line 2: the block has no end; close it with :::\.")

    def test_an_unknown_kind_is_refused_with_those_there_are(self) -> None:
        self.refused("```kotlin answer\n1\n```\n", r"line 1: a block cannot be answer; it can be exercise, solution, check, here\.")
        self.refused(":::note\nx\n:::\n", r"a block cannot be note; it can be task, hint, solution\.")

    def test_a_placeholder_stands_in_exercises_and_in_all_of_them(self) -> None:
        self.refused("```kotlin exercise\nval n = 2\n```\n", "an exercise has a line with // your turn")
        self.refused("```kotlin solution\nval n = 2 // your turn\n```\n", "line 1: // your turn stands in exercises alone")


class Outputs(unittest.TestCase):
    def run_of(self, content: dict) -> dict:
        run = json.loads(json.dumps(content))
        for number, cell in enumerate(notebooks.code_cells(run), 1):
            cell.update(execution_count=number, outputs=[{"output_type": "stream", "name": "stdout", "text": "✓ it holds"}])
        return run

    def solution(self) -> dict:
        return workshop.notebook(workshop.parse(SOURCE, "1-count.md"), "solution", "1")

    def test_a_solution_takes_those_of_a_run_of_the_same_code_and_is_marked_with_it(self) -> None:
        made = workshop.with_outputs(self.solution(), self.run_of(self.solution()))
        self.assertIsNone(houserules.outputs_complaint(made))
        self.assertEqual(workshop.without_outputs(made), self.solution())

    def test_those_of_other_code_are_left_out(self) -> None:
        run = self.run_of(self.solution())
        notebooks.code_cells(run)[1]["source"] = "val n: Int? = 3"
        self.assertEqual(workshop.with_outputs(self.solution(), run), self.solution())

    def test_those_of_a_run_that_broke_off_are_left_out(self) -> None:
        run = self.run_of(self.solution())
        notebooks.code_cells(run)[-1]["execution_count"] = None
        self.assertEqual(workshop.with_outputs(self.solution(), run), self.solution())

    def test_a_solution_written_again_keeps_its_own_while_its_code_is_the_same(self) -> None:
        with tempfile.TemporaryDirectory() as folder, mock.patch.multiple(workshop, SOLUTIONS=Path(folder)), mock.patch.object(
            workshop, "made", lambda part, form: self.solution()
        ):
            target = Path(folder) / "1-count.ipynb"
            target.write_text(json.dumps(self.run_of(self.solution())), encoding="utf-8")
            self.assertEqual(workshop.write("1-count", "solution"), target)
            self.assertEqual(notebooks.texts(notebooks.code_cells(notebooks.load(target))[-1]), ["✓ it holds"])

    def test_a_check_that_does_not_hold_is_a_complaint_and_so_is_none(self) -> None:
        run = self.run_of(self.solution())
        self.assertIsNone(workshop.unheld(run))
        self.assertEqual(workshop.unheld({"cells": []}), "it has no check")
        checks = [cell for cell in run["cells"] if "check" in cell["metadata"].get("tags", [])]
        for said, complaint in (("✗ retrofit holds 100", "✗ retrofit holds 100"), ("… Predict first", "… Predict first")):
            checks[0]["outputs"][0]["text"] = said
            self.assertEqual(workshop.unheld(run), complaint)
        checks[0]["outputs"] = []
        self.assertEqual(workshop.unheld(run), "a check said nothing")

    def test_a_check_that_holds_although_nobody_has_answered_is_a_complaint(self) -> None:
        run = self.run_of(self.solution())
        self.assertEqual(workshop.held_unanswered(run), "✓ it holds")
        checks = [cell for cell in run["cells"] if "check" in cell["metadata"].get("tags", [])]
        checks[0]["outputs"][0]["text"] = "… Predict first: n is still null."
        self.assertIsNone(workshop.held_unanswered(run))
        self.assertEqual(workshop.held_unanswered({"cells": []}), "it has no check")


class Committed(unittest.TestCase):
    def test_there_are_five_parts_and_no_notebook_without_a_source(self) -> None:
        self.assertEqual([part[0] for part in workshop.parts()], list("12345"))
        for folder in (workshop.EXERCISES, workshop.SOLUTIONS):
            self.assertEqual(notebooks.all_names(folder), workshop.parts())

    def test_the_exercises_are_what_the_sources_give(self) -> None:
        for part in workshop.parts():
            with self.subTest(part):
                text = (workshop.EXERCISES / f"{part}.ipynb").read_text(encoding="utf-8")
                self.assertEqual(text, workshop.text_of(workshop.made(part, "exercise")), "run `lab workshop --no-run`")

    def test_the_solutions_are_what_the_sources_give_beside_their_outputs(self) -> None:
        for part in workshop.parts():
            with self.subTest(part):
                solution = notebooks.load(workshop.SOLUTIONS / f"{part}.ipynb")
                self.assertEqual(workshop.without_outputs(solution), workshop.made(part, "solution"), "run `lab workshop`")

    def test_every_check_in_a_solution_holds(self) -> None:
        for part in workshop.parts():
            with self.subTest(part):
                self.assertIsNone(workshop.unheld(notebooks.load(workshop.SOLUTIONS / f"{part}.ipynb")))

    def test_the_notebooks_keep_to_the_house_rules(self) -> None:
        self.assertEqual(workshop.house_rules().failed, [])

    def test_every_task_has_a_hint_and_every_exercise_a_check_behind_it(self) -> None:
        for part in workshop.parts():
            blocks = workshop.parse((workshop.SOURCES / f"{part}.md").read_text(encoding="utf-8"), part)
            tags = [block.tags[0] if block.tags else "" for block in blocks]
            for at, tag in enumerate(tags):
                if tag == "exercise":
                    with self.subTest(part=part, line=blocks[at].line):
                        self.assertIn("hint", tags[:at])
                        self.assertEqual(tags[at + 1], "solution")
                        self.assertIn("check", tags[at:])

    def test_experiments_fit_a_small_laptop(self) -> None:
        for part in workshop.parts():
            text = "\n".join(notebooks.source_of(cell) for cell in notebooks.code_cells(workshop.made(part, "solution")))
            with self.subTest(part):
                for levels in re.findall(r"inFlight = listOf\(([^)]*)\)", text):
                    self.assertLessEqual(max(int(level) for level in levels.split(",")), 200)
                for levels in re.findall(r"tasks = listOf\(([^)]*)\)", text):
                    self.assertLessEqual(max(int(level.replace("_", "")) for level in levels.split(",")), 2_000)
                self.assertFalse(re.search(r"forks = (?![12]\b)|delay = (?!1\.seconds|\d{1,3}\.milliseconds)", text))

    def test_the_slides_are_rendered_from_their_source_and_ask_nothing_of_the_network(self) -> None:
        page = workshop.PAGE.read_text(encoding="utf-8")
        template = (places.TOOLS / "jupyter" / "templates" / "slides.html").read_text(encoding="utf-8")
        made_of = digest(workshop.SLIDES.read_text(encoding="utf-8"), template)
        self.assertEqual(re.findall(r'<meta name="source" content="(\w+)">', page), [made_of], "run `lab workshop --slides`")
        self.assertEqual(re.findall(r"""(?:src|href)=["'](?!data:)[^"']*|url\(|@import|fetch\(""", page), [])

    def test_the_slides_name_every_exercise(self) -> None:
        text = workshop.SLIDES.read_text(encoding="utf-8")
        for part in workshop.parts():
            self.assertIn(f"exercises/{part}.ipynb", text)


if __name__ == "__main__":
    unittest.main()
