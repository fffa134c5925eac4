"""Run the browser tests of one kind and print one JSON line for each: `python run.py site` runs those in `site*.py`.

Runs in the environment's Python, where Playwright is. Its output is read by `lab test`.
"""

import sys
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main(kind: str) -> int:
    sys.path[:0] = [str(HERE), str(HERE.parent)]
    sys.dont_write_bytecode = True
    from unittests import Reporting

    result = Reporting()
    Reporting.out, sys.stdout = sys.stdout, sys.stderr
    tests = unittest.defaultTestLoader.discover(str(HERE), pattern=f"{kind}*.py", top_level_dir=str(HERE))
    if not tests.countTestCases():
        sys.exit(f"There are no browser tests of the kind {kind}.")
    tests.run(result)
    return int(not result.wasSuccessful())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
