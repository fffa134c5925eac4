"""Finding notebooks, reading what they say, and the rules they keep to."""

import json
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from lab.base import machine, places
from lab.base.terminal import LabError, duration, table
from lab.notebook import execution, houserules, notebooks


def code(source: str, count: int | None = None, tags: tuple[str, ...] = (), outputs: tuple[dict, ...] = ()) -> dict:
    metadata = {"tags": list(tags)} if tags else {}
    return {"cell_type": "code", "source": source, "execution_count": count, "metadata": metadata, "outputs": list(outputs)}


def notebook(*cells: dict) -> dict:
    made = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": list(cells)}
    made["metadata"]["clientLab"] = {"source": notebooks.source_digest(made)}
    return made


class Names(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        for name in ("00-start-here", "01-threads", "02-limits", "02-limits-more"):
            (self.folder / f"{name}.ipynb").write_text("{}")

    def test_a_name_a_path_and_a_clear_beginning_are_understood(self) -> None:
        for text in ("01-threads", "01-threads.ipynb", "notebooks/01-threads.ipynb", "01"):
            with self.subTest(text):
                self.assertEqual(notebooks.named(text, self.folder), "01-threads")

    def test_a_whole_name_goes_before_a_beginning(self) -> None:
        self.assertEqual(notebooks.named("02-limits", self.folder), "02-limits")

    def test_others_are_refused_with_the_list_of_those_there_are(self) -> None:
        for text in ("07", "02", "0"):
            with self.subTest(text), self.assertRaisesRegex(LabError, "00-start-here, 01-threads"):
                notebooks.named(text, self.folder)


class Reading(unittest.TestCase):
    def test_progress_is_told_in_words(self) -> None:
        line = '{"done": 3, "total": 48, "treatment": "ktor-cio 500", "leftSeconds": 85}'
        self.assertEqual(execution.progress_in_words(line), "3 of 48 trials, ktor-cio 500, about 1 min 25 s left")
        self.assertEqual(execution.progress_in_words('{"done": 0, "total": 48}'), "0 of 48 trials")
        open_end = '{"done":3,"total":80,"treatment":"retrofit","leftSeconds":85,"atMost":true}'
        self.assertEqual(execution.progress_in_words(open_end), "3 of at most 80 trials, retrofit, at most 1 min 25 s left")

    def test_half_a_line_of_progress_is_no_progress(self) -> None:
        for line in ('{"done": 3, "to', "", "[]", '{"done": 3}'):
            with self.subTest(line):
                self.assertIsNone(execution.progress_in_words(line))

    def test_what_tagged_cells_say_is_collected_as_text(self) -> None:
        output = {"output_type": "execute_result", "data": {"text/plain": ["a  b\n", "1  2\n"], "text/html": "<table>"}}
        stream = {"output_type": "stream", "name": "stdout", "text": "supported\n"}
        made = notebook(code("a", 1, ("result",), (output,)), code("b", 2, (), (stream,)), code("c", 3, ("verdicts",), (stream,)))
        self.assertEqual(notebooks.tagged_text(made), ["a  b\n1  2", "supported"])

    def test_an_executed_copy_is_written_back_with_the_mark_of_its_code(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            executed = Path(folder) / "executed.ipynb"
            made = notebook(code("val a = 1", 1))
            del made["metadata"]["clientLab"]
            executed.write_text(json.dumps(made))
            with mock.patch.object(places, "NOTEBOOKS", Path(folder)):
                target = notebooks.write_back(executed, "01-threads")
            self.assertEqual(str(houserules.check(target)), "7 passed, 0 failed, 0 skipped")


class Drawings(unittest.TestCase):
    """A figure is drawn again only where its data changed."""

    def shown(self, value: int, renderer: str, svg: str) -> dict:
        part = {"kind": "figure", "marks": [value], "drawn": {"renderer": renderer}}
        return {"output_type": "execute_result", "data": {"image/svg+xml": svg, notebooks.DATA: part}}

    def test_a_drawing_stays_where_its_data_did_and_goes_where_they_did_not(self) -> None:
        committed = notebook(code("a", 1, (), (self.shown(1, "lets-plot", "old"), self.shown(2, "lets-plot", "old"))))
        executed = notebook(code("b", 1, (), (self.shown(1, "kandy", "new"), self.shown(3, "kandy", "new"))))
        notebooks.keep_drawings(executed, committed)
        first, second = executed["cells"][0]["outputs"]
        self.assertEqual((first["data"]["image/svg+xml"], second["data"]["image/svg+xml"]), ("old", "new"))
        self.assertEqual(first["data"][notebooks.DATA]["drawn"]["renderer"], "lets-plot")

    def test_what_is_no_figure_of_ours_is_taken_as_it_is(self) -> None:
        own = {"output_type": "display_data", "data": {"image/svg+xml": "new"}}
        table = {"output_type": "display_data", "data": {"text/html": "new", notebooks.DATA: {"kind": "table"}}}
        executed = notebook(code("a", 1, (), (own, table)))
        notebooks.keep_drawings(executed, notebook(code("a", 1, (), ({"output_type": "display_data", "data": {"image/svg+xml": "old"}},))))
        self.assertEqual(executed["cells"][0]["outputs"], [own, table])

    def test_a_data_part_is_one_line_of_the_file(self) -> None:
        made = notebook(code("a", 1, (), (self.shown(1, "kandy", "svg"),)))
        text = notebooks.as_text(made)
        self.assertEqual(json.loads(text), made)
        (line,) = [line for line in text.splitlines() if notebooks.DATA in line]
        self.assertIn('"marks": [1]', line)


class HouseRules(unittest.TestCase):
    def complaints(self, made: dict) -> list[str]:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "n.ipynb"
            file.write_text(json.dumps(made))
            return [message for _, message in houserules.check(file).failed]

    def test_a_notebook_that_keeps_to_them_passes(self) -> None:
        self.assertEqual(self.complaints(notebook(code("a", 1), code("b\n\nc", 2))), [])

    def test_long_cells_are_named(self) -> None:
        long = "\n".join("x" * 3 for _ in range(16))
        self.assertEqual(self.complaints(notebook(code("a", 1), code("b", 2), code(long, 3))), ["cell 3 has 16"])
        self.assertEqual(self.complaints(notebook(code("a\nb\nc\nd", 1))), ["it has 4"])

    def test_a_notebook_of_too_many_cells_or_words_is_noticed(self) -> None:
        prose = {"cell_type": "markdown", "metadata": {}, "source": "word " * 1_192 + "\n```kotlin\n" + "val a = 1 " + "\n```"}
        self.assertEqual(self.complaints(notebook(prose)), [])
        self.assertEqual(self.complaints(notebook(prose, prose)), ["it has 2,396: what can go?"])
        self.assertEqual(self.complaints(notebook(*(code("a", number) for number in range(1, 42)))), ["it has 41: what can go?"])

    def test_articles_that_are_too_long_together_or_have_no_takeaway_are_noticed(self) -> None:
        prose = {"cell_type": "markdown", "metadata": {}, "source": "word " * 998 + "\n**Takeaway:** words."}
        with tempfile.TemporaryDirectory() as folder:
            short, long = Path(folder) / "short.ipynb", Path(folder) / "long.ipynb"
            short.write_text(json.dumps(notebook(prose)))
            long.write_text(json.dumps(notebook(*[{**prose, "source": "word"}] * 40)))
            self.assertEqual(str(houserules.check_together([short] * 16)), "3 passed, 0 failed, 0 skipped")
            told = [message for _, message in houserules.check_together([short] * 16 + [long] * 13).failed]
        self.assertEqual(told[:2], ["they have 536: what can go?", "they have 16,520: what can go?"])
        self.assertIn("long.ipynb, long.ipynb", told[2])

    def test_a_table_of_which_no_trial_counts_is_noticed(self) -> None:
        table = ({"output_type": "execute_result", "data": {"text/plain": "client\nretrofit\nn = 0 forks a treatment, run 1"}},)
        self.assertEqual(self.complaints(notebook(code("a", 1), code("b", 2, (), table))), ["cell 2 says that none does"])
        table[0]["data"]["text/plain"] = "n = 0 to 8 forks a treatment, n = 10 forks"
        self.assertEqual(self.complaints(notebook(code("a", 1, (), table))), [])

    def test_a_cell_that_measures_says_so(self) -> None:
        self.assertEqual(self.complaints(notebook(code("val t = e.run()", 1), code("e.lastRun()", 2, ("here",)))), ["cell 1 is not"])

    def test_cells_run_out_of_order_or_not_at_all_are_noticed(self) -> None:
        self.assertIn("2, 1", self.complaints(notebook(code("a", 2), code("b", 1)))[0])
        self.assertIn("None", self.complaints(notebook(code("a")))[0])

    def test_an_error_is_noticed_unless_the_cell_is_meant_to_fail(self) -> None:
        error = ({"output_type": "error", "ename": "E", "evalue": "no", "traceback": []},)
        self.assertIn("cell 1 ended in an error", self.complaints(notebook(code("a", 1, (), error)))[0])
        self.assertEqual(self.complaints(notebook(code("a", 1, ("raises-exception",), error))), [])

    def test_code_that_was_changed_after_its_run_is_noticed_and_prose_is_not(self) -> None:
        made = notebook(code("a", 1))
        made["cells"].append({"cell_type": "markdown", "source": "new words", "metadata": {}})
        self.assertEqual(self.complaints(made), [])
        made["cells"][0]["source"] = "b"
        self.assertIn("changed since it was run", self.complaints(made)[0])

    def test_a_file_that_is_no_notebook_fails(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "n.ipynb"
            file.write_text("<<<<<<<")
            self.assertEqual(len(houserules.check(file).failed), 1)


class Words(unittest.TestCase):
    def test_a_duration_is_told_in_minutes_once_there_is_one(self) -> None:
        self.assertEqual([duration(seconds) for seconds in (0.4, 59.9, 60, 125)], ["0 s", "59 s", "1 min 00 s", "2 min 05 s"])

    def test_a_table_is_as_wide_as_its_cells(self) -> None:
        self.assertEqual(table([("a", "ok", "x"), ("long", "no", "y")]), "a     ok  x\nlong  no  y")

    def test_the_range_of_ports_is_read_in_each_systems_way(self) -> None:
        self.assertEqual(machine.port_range("32768\t60999\n", "linux"), (32768, 60999))
        self.assertEqual(machine.port_range("49152\n65535\n", "darwin"), (49152, 65535))
        windows = "Protocol tcp Dynamic Port Range\n-----\nStart Port      : 49152\nNumber of Ports : 16384\n"
        self.assertEqual(machine.port_range(windows, "win32"), (49152, 65535))
        self.assertIsNone(machine.port_range("", "linux"))

    def test_an_open_file_limit_leaves_room_for_what_else_a_trial_opens(self) -> None:
        self.assertEqual(machine.most_in_flight(20_000), 19_700)
        self.assertEqual(machine.most_in_flight(256), 0)
