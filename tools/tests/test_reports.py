"""Adding up results of tests."""

import tempfile
import unittest
from pathlib import Path

from lab.base import reports

SUREFIRE = """<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="clientlab.ATest" time="1,201.5" tests="7" errors="1" skipped="2" failures="1">
  <testcase name="a burst is complete()" classname="clientlab.ATest" time="0.1"/>
  <testcase name="a wave is named by its plateau()" classname="clientlab.ATest" time="0.1">
    <failure message="expected:&lt;1&gt; but was:&lt;2&gt;" type="AssertionError">at ...</failure>
  </testcase>
  <testcase name="all n are in flight(String, int)[3] &quot;ktor-cio@default&quot;, 5" classname="clientlab.ATest"><failure message="no"/></testcase>
  <testcase name="a share (of all) is [1] of 2" classname="clientlab.ATest"><failure message="no"/></testcase>
  <testcase name="it starts()" classname="clientlab.ATest"><error type="java.io.IOException">java.io.IOException: gone</error></testcase>
  <testcase name="Kandy draws it()" classname="clientlab.ATest"><skipped message="Kandy is not there"/></testcase>
  <testcase name="packets wait()" classname="clientlab.ATest"><skipped type="Aborted">Aborted: Assumption failed: no netem here
	at somewhere</skipped></testcase>
</testsuite>
"""

KOTLIN = """package clientlab.kandy

/** For example: `@Test fun notThis() {}` */
class KandyRendererTest {
    @Test
    fun `a chart becomes an SVG`() {
    }

    // @Test fun norThis() {}
    @ParameterizedTest
    @ValueSource(strings = ["a", "b"])
    fun everyMark(mark: String) = Unit

    private fun helper() = Unit
}
"""


class Adding(unittest.TestCase):
    def test_surefires_report_is_read_by_name_message_reason_and_time(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "TEST-clientlab.ATest.xml"
            file.write_text(SUREFIRE)
            results = reports.of_surefire([file])
        self.assertEqual(str(results), "1 passed, 4 failed, 2 skipped")
        self.assertEqual(results.seconds, {"clientlab.ATest": 1201.5})
        self.assertEqual(results.failed[0], ("clientlab.ATest.a wave is named by its plateau", "expected:<1> but was:<2>"))
        names = [name for name, _ in results.failed[1:3]]
        self.assertEqual(names, ['clientlab.ATest.all n are in flight [3] "ktor-cio@default", 5', "clientlab.ATest.a share (of all) is [1] of 2"])
        self.assertEqual(results.failed[3], ("clientlab.ATest.it starts", "java.io.IOException: gone"))
        self.assertEqual(results.skipped, [("clientlab.ATest.Kandy draws it", "Kandy is not there"), ("clientlab.ATest.packets wait", "no netem here")])

    def test_a_report_that_was_cut_off_is_a_failure(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "TEST-a.xml"
            file.write_text(SUREFIRE[:200])
            self.assertEqual(str(reports.of_surefire([file])), "0 passed, 1 failed, 0 skipped")

    def test_the_runner_of_the_python_tests_is_understood(self) -> None:
        lines = [
            '{"name": "a", "outcome": "passed", "message": ""}',
            "something a test has printed",
            "12",
            '{"name": "b", "outcome": "failed", "message": "why"}',
            '{"name": "c", "outcome": "skipped", "message": "because"}',
        ]
        results = reports.of_json_lines(lines)
        self.assertEqual((results.passed, results.failed, results.skipped), (1, [("b", "why")], [("c", "because")]))

    def test_nothing_that_ran_is_not_good(self) -> None:
        self.assertFalse(reports.Results().good)
        self.assertFalse(reports.Results(0, [], [("a", "b")]).good)
        self.assertFalse(reports.Results(3, [("a", "b")]).good)
        self.assertTrue(reports.Results(3).good)

    def test_tests_in_kotlin_are_named_without_compiling(self) -> None:
        names = ["clientlab.kandy.KandyRendererTest.a chart becomes an SVG", "clientlab.kandy.KandyRendererTest.everyMark"]
        self.assertEqual(reports.names_in_kotlin(KOTLIN), names)
