"""What the doctor says is missing, and what to do about it."""

import contextlib
import io
import unittest
from pathlib import Path
from unittest import mock

from lab.base import machine
from lab.prepare import environment, java
from lab.notebook import execution
from lab import doctor

JDK = java.Java(Path("jdk"), 25, "25.0.1", "a place")


class OpenFiles(unittest.TestCase):
    def found(self, soft: int, hard: int) -> doctor.Finding:
        with mock.patch.object(machine, "open_files", return_value=(soft, hard)):
            return doctor.open_files()

    def test_a_limit_that_starts_no_trial_is_missing_with_what_is_needed_and_what_to_do(self) -> None:
        found = self.found(256, 256)
        self.assertEqual((found.state, found.found), (doctor.MISSING, "limit 256, at most 256: too few to start a trial"))
        self.assertRegex(found.remedy, r"`lab run` needs 800: raise the hard limit .*ulimit -n 4096.*, then open a new shell$")

    def test_a_limit_below_what_the_first_article_asks_for_is_missing_too(self) -> None:
        self.assertEqual((self.found(799, 799).state, self.found(256, 799).found), (doctor.MISSING, "limit 256, at most 799: 499 requests in flight"))
        self.assertEqual(self.found(800, 800).state, doctor.NOTE)

    def test_only_the_hard_limit_counts(self) -> None:
        for hard in (4096, -1):
            self.assertEqual(self.found(256, hard).state, doctor.OK)


class Kernel(unittest.TestCase):
    def found(self, runtime: java.Java | None, failure: str | None) -> doctor.Finding:
        with (
            mock.patch.object(environment, "is_ready", return_value=True),
            mock.patch.object(environment, "java_of_package", return_value=None),
            mock.patch.object(execution, "why_no_kernel", return_value=failure),
        ):
            return doctor.kernel(runtime)

    def test_one_that_starts_is_there(self) -> None:
        self.assertEqual(self.found(JDK, None).state, doctor.OK)

    def test_one_that_does_not_start_is_missing_and_says_why(self) -> None:
        found = self.found(JDK, "the kernel ended with java.lang.Error: no; the whole log is in .lab/log/doctor.log.")
        self.assertEqual(found.state, doctor.MISSING)
        self.assertRegex(found.found, r"does not start$")
        self.assertRegex(found.remedy, r"^the kernel ended with java\.lang\.Error: no; .*\. Repeat `lab doctor`")

    def test_without_a_java_it_is_not_called_well(self) -> None:
        self.assertEqual(self.found(None, None).state, doctor.NOTE)


class Whole(unittest.TestCase):
    def test_what_is_missing_is_never_called_complete(self) -> None:
        findings = [doctor.Finding("Cores", doctor.OK, "2"), doctor.Finding("Open files", doctor.MISSING, "limit 256", "raise it")]
        with mock.patch.object(doctor, "examine", return_value=findings), contextlib.redirect_stdout(io.StringIO()) as said:
            self.assertEqual(doctor.run(), 1)
        self.assertIn("  Open files: raise it\n", said.getvalue())
        self.assertNotIn("Everything necessary is here", said.getvalue())


if __name__ == "__main__":
    unittest.main()
