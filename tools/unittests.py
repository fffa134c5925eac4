"""Run the Python tests and print one JSON line for each: `python tools/unittests.py`, the slow ones by `python tools/unittests.py tests_long`.

Its output is read by `lab test`.
"""

import json
import sys
import unittest
from pathlib import Path

TOOLS = Path(__file__).resolve().parent


class Reporting(unittest.TestResult):
    """Says of every test what became of it; what a test itself prints goes to standard error."""

    def _tell(self, test: unittest.TestCase, outcome: str, message: str = "") -> None:
        self.out.write(json.dumps({"name": test.id(), "outcome": outcome, "message": message}) + "\n")
        self.out.flush()

    out = sys.stdout

    def addSuccess(self, test: unittest.TestCase) -> None:
        self._tell(test, "passed")

    def addFailure(self, test: unittest.TestCase, err: tuple) -> None:
        super().addFailure(test, err)
        self._tell(test, "failed", self._exc_info_to_string(err, test))

    def addError(self, test: unittest.TestCase, err: tuple) -> None:
        super().addError(test, err)
        self._tell(test, "failed", self._exc_info_to_string(err, test))

    def addSubTest(self, test: unittest.TestCase, subtest: unittest.TestCase, err: tuple | None) -> None:
        super().addSubTest(test, subtest, err)
        if err:
            self._tell(subtest, "failed", self._exc_info_to_string(err, test))

    def addSkip(self, test: unittest.TestCase, reason: str) -> None:
        super().addSkip(test, reason)
        self._tell(test, "skipped", reason)


if __name__ == "__main__":
    sys.path.insert(0, str(TOOLS))
    sys.dont_write_bytecode = True
    result = Reporting()
    Reporting.out, sys.stdout = sys.stdout, sys.stderr
    unittest.defaultTestLoader.discover(str(TOOLS / (sys.argv[1] if len(sys.argv) > 1 else "tests")), top_level_dir=str(TOOLS)).run(result)
    sys.exit(not result.wasSuccessful())
