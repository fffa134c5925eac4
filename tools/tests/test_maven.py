"""Where Maven is found, and what its output says."""

import os
import tempfile
import unittest
import zipfile
from pathlib import Path
from unittest import mock

from lab.base import places
from lab.prepare import kandy, maven


class Finding(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def launcher(self, place: str, name: str = "mvn") -> Path:
        file = self.root / place / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("#!/bin/sh\n")
        file.chmod(0o755)
        return file

    def test_maven_home_goes_before_conda_and_conda_before_the_path(self) -> None:
        home, conda = self.launcher("maven/bin"), self.launcher("conda/bin")
        path = self.launcher("path")
        variables = {"MAVEN_HOME": str(self.root / "maven"), "CONDA_PREFIX": str(self.root / "conda"), "PATH": str(path.parent)}
        self.assertEqual(maven.find(variables, "linux"), maven.Maven(home, "MAVEN_HOME"))
        del variables["MAVEN_HOME"]
        self.assertEqual(maven.find(variables, "linux"), maven.Maven(conda, "the conda environment"))
        del variables["CONDA_PREFIX"]
        if os.name != "nt":
            self.assertEqual(maven.find(variables, "linux"), maven.Maven(path, "the path"))

    def test_on_windows_it_is_a_command_file(self) -> None:
        launcher = self.launcher("maven/bin", "mvn.cmd")
        self.assertEqual(maven.find({"M2_HOME": str(self.root / "maven")}, "win32"), maven.Maven(launcher, "M2_HOME"))

    def test_none_is_none(self) -> None:
        self.assertIsNone(maven.find({"PATH": str(self.root)}, "linux"))

    def test_an_old_one_is_refused_with_a_remedy(self) -> None:
        self.assertRegex(maven.check_version("3.6.3"), "older than 3.8: install it")
        self.assertRegex(maven.check_version(None), "does not start")
        for version in ("3.8.1", "3.9.16", "4.0.0-rc-5", "3.10.0"):
            with self.subTest(version):
                self.assertIsNone(maven.check_version(version))


class Reading(unittest.TestCase):
    def test_the_module_the_downloads_and_the_tests_are_counted(self) -> None:
        reader = maven.Reader()
        self.assertEqual(reader("[INFO] Building Client Lab: core 0.1.0                    [2/4]"), "Client Lab: core (2 of 4)")
        self.assertEqual(reader("[INFO] Downloaded from somewhere: a.jar"), "Client Lab: core (2 of 4), 1 files fetched")
        self.assertEqual(reader("[INFO] nothing to see"), "")
        line = "[INFO] Tests run: 7, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.1 s -- in clientlab.ATest"
        self.assertIn("7 tests so far", reader(line))

    def test_every_module_of_the_build_is_known(self) -> None:
        names = {module.as_posix().rsplit("/", 2)[-1] for module in maven.modules()}
        self.assertLessEqual({"core", "notebook"}, names)

    def test_every_module_is_compiled_anew_when_a_main_source_has_changed(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            caches = Path(folder) / "target" / "kotlin-ic"
            caches.mkdir(parents=True)
            with mock.patch.object(maven, "modules", lambda: [Path(folder)]):
                for built in (True, False):
                    with mock.patch.object(maven, "is_built", lambda java, built=built: built):
                        maven.only_what_changed(None)
                    self.assertEqual(caches.exists(), built)


class Kandy(unittest.TestCase):
    def test_its_version_is_the_one_in_the_root_pom(self) -> None:
        self.assertRegex(kandy.artifact(), r"^org\.jetbrains\.kotlinx:kandy-lets-plot:\d+\.\d+\.\d+$")

    def test_the_jar_says_which_renderer_it_holds(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            jar = Path(folder) / "client-lab.jar"
            with mock.patch.object(places, "NOTEBOOK_JAR", jar):
                self.assertFalse(kandy.in_jar())
                with zipfile.ZipFile(jar, "w") as made:
                    made.writestr("clientlab/notebook/chart/LetsPlotRenderer.class", "")
                self.assertFalse(kandy.in_jar())
                with zipfile.ZipFile(jar, "a") as made:
                    made.writestr(kandy.RENDERER, "")
                self.assertTrue(kandy.in_jar())

    def test_kandy_is_looked_for_again_when_it_came_or_a_day_has_passed(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            home, stamps = Path(folder) / "home", Path(folder) / "stamps"
            stamps.mkdir()
            with (
                mock.patch.object(places, "STAMPS", stamps),
                mock.patch.object(places, "NOTEBOOK_JAR", Path(folder) / "client-lab.jar"),
                mock.patch.object(kandy.Path, "home", lambda: home),
                mock.patch.object(maven, "is_bundled", lambda: False),
            ):
                self.assertTrue(kandy.is_due(), "nobody has looked yet")
                (stamps / "kandy").write_text(f"{kandy.artifact()}\nit is not in the repositories")
                self.assertFalse(kandy.is_due())
                os.utime(stamps / "kandy", (0, 0))
                self.assertTrue(kandy.is_due(), "the last look is long ago")
                os.utime(stamps / "kandy")
                group, name, version = kandy.artifact().split(":")
                there = home / ".m2" / "repository" / group.replace(".", "/") / name / version / f"{name}-{version}.jar"
                there.parent.mkdir(parents=True)
                there.touch()
                self.assertTrue(kandy.is_due(), "it came into the local repository")
                self.assertEqual(kandy.why_not(None, None), "")
                (stamps / "kandy").write_text(f"{kandy.artifact()}\n{kandy.NOT_BUILT}")
                self.assertFalse(kandy.is_due(), "it was tried today")

    def test_the_library_with_kandy_in_it_takes_the_place_of_the_one_without(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            with_kandy, without = Path(folder) / "kandy", Path(folder) / "notebook" / "client-lab.jar"
            (with_kandy / "target").mkdir(parents=True)
            without.parent.mkdir()
            (with_kandy / "target" / "client-lab.jar").write_text("with Kandy")
            without.write_text("without")
            with mock.patch.object(places, "KANDY", with_kandy), mock.patch.object(places, "NOTEBOOK_JAR", without):
                kandy.put_in_place()
            self.assertEqual([file.name for file in without.parent.iterdir()], ["client-lab.jar"])
            self.assertEqual(without.read_text(), "with Kandy")
