"""Which pairs of DataFrame and Kandy can be had here, and the library built with each that can."""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from lab.base import places
from lab.base.reports import of_surefire
from lab.prepare import java, kandy, maven, pairs

SOURCES = ("pom.xml", "lib", "server", "data", "notebooks")
TESTS = "clientlab.notebook.frame.**,clientlab.notebook.output.**"
"""What the library does with frames: their columns, their types, and what a cell shows of them."""


class Built(unittest.TestCase):
    """A test for each DataFrame and each Kandy of the root pom; those that cannot be had are skipped by name."""

    def setUp(self) -> None:
        self.java, _ = java.find()
        self.maven = maven.find()
        if self.java is None or self.maven is None:
            self.skipTest("a Java or Maven is not here")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.copy = Path(folder.name)

    def build(self, *goals: str) -> None:
        """Build a copy of the sources, so that the jars of the lab stay as they are."""
        for name in SOURCES:
            if (source := places.ROOT / name).is_dir():
                shutil.copytree(source, self.copy / name, ignore=shutil.ignore_patterns("target", "raw"))
            else:
                shutil.copyfile(source, self.copy / name)
        said = subprocess.run(
            maven.arguments(self.maven, "-ntp", "-Dspotless.check.skip=true", *goals),
            env=maven.variables(self.java),
            cwd=self.copy,
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual(said.returncode, 0, said.stdout[-4000:])

    def dataframe(self, pair: pairs.Pair) -> None:
        if reason := maven.why_not(self.maven, self.java, pair.dataframe_artifact):
            self.skipTest(f"{pair} was not built: {reason}")
        # The library names the clients that it finds, so they are built with it.
        self.build("test", f"-Dtest={TESTS}", "-Dsurefire.failIfNoSpecifiedTests=false", "-pl", "lib/clients,lib/notebook", "-am")
        results = of_surefire((self.copy / "lib/notebook/target/surefire-reports").glob("TEST-*.xml"))
        self.assertEqual(results.failed, [])
        self.assertGreater(results.passed, 50)

    def kandy(self, pair: pairs.Pair) -> None:
        if reason := kandy.why_not(self.maven, self.java):
            self.skipTest(f"Kandy {pair.kandy} on {pair} was not built: {reason}")
        self.build(*kandy.goals("package", "-Dmaven.test.skip=true"))
        self.assertTrue((self.copy / "lib/kandy/target" / places.NOTEBOOK_JAR.name).is_file())


def _test_of(pair: pairs.Pair, part: str):  # noqa: ANN202
    def test(self: Built) -> None:
        with mock.patch.dict(os.environ, {pairs.VARIABLE: pair.name}):
            getattr(self, part)(pair)

    return test


for each in pairs.known():
    for part in ("dataframe", "kandy"):
        setattr(Built, f"test_the_{part}_of_pair_{each.name.replace('.', '_')}", _test_of(each, part))


if __name__ == "__main__":
    unittest.main()
