"""How `lab test` puts its groups together: what waits for what, and what is said at the end."""

import contextlib
import io
import re
import threading
import unittest
from pathlib import Path
from unittest import mock

from lab.base import places
from lab.base.reports import Results
from lab.base.terminal import LabError
from lab.prepare import maven
from lab.prepare.setup import Ready
from lab.check import testing

LAST_TESTS = ["[INFO] Building Client Lab: notebook 0.1.0   [6/6]", "[INFO] --- surefire:3.6.1:test (alone) @ client-lab-notebook ---"]
DEFAULT_TEST = "[INFO] --- maven-surefire-plugin:3.6.1:test (default-test) @ client-lab-notebook ---"


class Order(unittest.TestCase):
    def test_the_jars_are_there_when_the_last_modules_own_tests_begin(self) -> None:
        begun = threading.Event()
        reader = maven.Reader(begun.set)
        for line in ("[INFO] Building Client Lab: core 0.1.0   [3/6]", "[INFO] --- surefire:3.6.1:test (default-test) @ client-lab-core ---", *LAST_TESTS):
            reader(line)
            self.assertEqual((reader.packaged, begun.is_set()), (False, False), line)
        reader(DEFAULT_TEST)
        self.assertEqual((reader.packaged, begun.is_set()), (True, True))

    def run_with(self, kotlin, with_kandy: bool = False) -> list[str]:
        """What happens, in its order, where the Kotlin tests are `kotlin`."""
        self.happened: list[str] = []
        self.notebooks_begin = threading.Event()

        def executed(_: Ready, built: bool) -> Results:
            self.happened.append(f"notebooks, built: {built}")
            self.notebooks_begin.set()
            return Results(1)

        with contextlib.ExitStack() as stack:
            for name, act in {
                "maven_tests": lambda mvn, java, long, soak, reader: kotlin(reader),
                "python_tests": lambda _: Results(1),
                "format_check": lambda *_: Results(1),
                "checked": lambda *_: Results(1),
                "site": lambda *_: Results(1),
                "executed": executed,
            }.items():
                stack.enter_context(mock.patch.object(testing, name, act))
            stack.enter_context(mock.patch.object(testing.kandy, "is_there", return_value=True))
            stack.enter_context(mock.patch.object(testing.kandy, "reason_against", return_value="" if with_kandy else "it is not here"))
            stack.enter_context(mock.patch.object(testing.kandytests, "run", lambda *_: self.happened.append("Kandy") or Results(1)))
            stack.enter_context(mock.patch.object(testing.maven, "record_build"))
            stack.enter_context(mock.patch.object(testing.maven, "inputs"))
            stack.enter_context(contextlib.redirect_stdout(io.StringIO()))
            built = testing.side_by_side(testing.Groups(), Ready(mock.Mock(), mock.Mock(), mock.Mock()), False, False)
        return [*self.happened, f"built: {built}"]

    def kotlin(self, reader: maven.Reader) -> Results:
        for line in (*LAST_TESTS, DEFAULT_TEST):
            reader(line)
        return Results(1)

    def test_notebooks_begin_beside_the_last_kotlin_tests(self) -> None:
        def kotlin(reader: maven.Reader) -> Results:
            results = self.kotlin(reader)
            self.assertTrue(self.notebooks_begin.wait(60))
            return results

        self.assertEqual(self.run_with(kotlin), ["notebooks, built: True", "Kandy", "built: True"])

    def test_with_kandy_they_wait_for_the_library_that_has_it(self) -> None:
        self.assertEqual(self.run_with(self.kotlin, with_kandy=True), ["Kandy", "notebooks, built: True", "built: True"])

    def test_where_maven_ends_without_the_jars_nobody_waits_for_them(self) -> None:
        happened = self.run_with(lambda _: Results(failed=[("the project is built", "no")]))
        self.assertEqual(happened, ["Kandy", "notebooks, built: False", "built: False"])

    def test_what_goes_wrong_beside_maven_is_not_lost(self) -> None:
        def kotlin(_: maven.Reader) -> Results:
            raise LabError("no")

        with self.assertRaisesRegex(LabError, "no"):
            self.run_with(kotlin)


class Measuring(unittest.TestCase):
    def test_every_class_that_runs_alone_is_there(self) -> None:
        classes = {file.stem for module in maven.modules() for file in (module / "src" / "test").rglob("*.kt")}
        self.assertLessEqual(set(testing.MEASURE), classes)

    def test_the_options_are_those_that_the_root_pom_has(self) -> None:
        pom = (places.ROOT / "pom.xml").read_text(encoding="utf-8")
        for option in testing.in_order():
            name = re.match(r"-D([\w.]+)=", option)[1]
            self.assertRegex(pom, rf"<{re.escape(name)}(>|/>)")
            self.assertIn(f"${{{name}}}", pom)

    def test_each_jvm_has_a_folder_of_its_own_even_where_its_path_has_a_space(self) -> None:
        with mock.patch.object(places, "LAB", Path("/home/a reader/.lab")):
            self.assertEqual(testing.in_order()[-1], '-Dlab.argLine="-Djava.io.tmpdir=/home/a reader/.lab/tmp/${surefire.forkNumber}"')


class Longest(unittest.TestCase):
    def test_groups_and_then_classes_are_told_by_their_time(self) -> None:
        groups = testing.Groups()
        with contextlib.redirect_stdout(io.StringIO()) as said:
            groups.run("Kotlin tests", lambda: Results(1, [("a.B.c", "no")], seconds={f"a.T{n}": n for n in range(12)}))
            groups.took = [("Format", 20.0), ("Kotlin tests", 400.0)]
            groups.say_what_took_longest()
        lines = said.getvalue().splitlines()
        self.assertEqual(lines[:3], ["Kotlin tests: 1 passed, 1 failed, 0 skipped", "  FAILED a.B.c", "    no"])
        self.assertEqual(lines[3:6], ["The groups:", "  Kotlin tests  6 min 40 s", "  Format        20 s"])
        self.assertEqual(lines[6:8], ["The slowest test classes and notebooks:", "  a.T11  11 s"])
        self.assertEqual(len(lines), 7 + testing.SLOWEST)


if __name__ == "__main__":
    unittest.main()
