"""Which Java is taken, and how its version is read."""

import os
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from lab.prepare import java, maven

TEMURIN = 'openjdk version "21.0.5" 2024-10-15 LTS\nOpenJDK Runtime Environment Temurin-21.0.5+11 (build 21.0.5+11-LTS)\n'
ORACLE = 'java version "25.0.1" 2025-10-21 LTS\nJava(TM) SE Runtime Environment (build 25.0.1+8-LTS-27)\n'
ORACLE_8 = 'java version "1.8.0_402"\nJava(TM) SE Runtime Environment (build 1.8.0_402-b08)\n'
EARLY = 'openjdk version "26-ea" 2026-03-17\nOpenJDK Runtime Environment (build 26-ea+12-1181)\n'
SEMERU = 'openjdk version "17.0.13" 2024-10-15\nIBM Semeru Runtime Open Edition 17.0.13.0 (build 17.0.13+11)\nEclipse OpenJ9 VM\n'
GRAAL = 'java version "23.0.2" 2025-01-21\nJava(TM) SE Runtime Environment Oracle GraalVM 23.0.2+7.1 (build 23.0.2+7-jvmci-b01)\n'
WITH_OPTIONS = "Picked up JAVA_TOOL_OPTIONS: -Dversion=\"9\"\n" + TEMURIN


class Versions(unittest.TestCase):
    def test_the_version_is_found_in_what_every_vendor_prints(self) -> None:
        expected = {
            TEMURIN: "21.0.5", ORACLE: "25.0.1", ORACLE_8: "1.8.0_402", EARLY: "26-ea", SEMERU: "17.0.13", GRAAL: "23.0.2",
            WITH_OPTIONS: "21.0.5",
        }
        for output, version in expected.items():
            with self.subTest(version):
                self.assertEqual(java.parse_version(output), version)

    def test_windows_line_ends_do_not_matter(self) -> None:
        self.assertEqual(java.parse_version(TEMURIN.replace("\n", "\r\n")), "21.0.5")

    def test_what_is_no_version_is_none(self) -> None:
        for output in ("", "Unable to locate a Java Runtime.", "bash: java: command not found"):
            with self.subTest(output):
                self.assertIsNone(java.parse_version(output))

    def test_the_feature_release_is_read_in_the_old_and_the_new_counting(self) -> None:
        for version, feature in {"21.0.5": 21, "1.8.0_402": 8, "26-ea": 26, "25": 25, "nonsense": 0}.items():
            with self.subTest(version):
                self.assertEqual(java.feature_of(version), feature)


@unittest.skipIf(os.name == "nt", "the stand-ins for Java are shell scripts")
class Choice(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name).resolve()
        self.user = self.root / "home" / "reader"

    def jdk(self, place: str, version: str, release: bool = True, runs: bool = True) -> Path:
        home = self.root / place
        (home / "bin").mkdir(parents=True)
        script = home / "bin" / "java"
        answer = f"echo 'openjdk version \"{version}\" 2025-01-21' >&2" if runs else "exit 1"
        script.write_text(f"#!/bin/sh\n{answer}\n")
        script.chmod(0o755)
        if release:
            (home / "release").write_text(f'IMPLEMENTOR="Somebody"\nJAVA_VERSION="{version}"\n')
        return home

    def find(self, platform: str = "linux", **variables: str) -> tuple[java.Java | None, list[str]]:
        return java.find(variables, platform, self.user, self.root)

    def test_java_home_goes_before_the_path_and_the_path_before_the_usual_places(self) -> None:
        given, path, usual = self.jdk("given", "21.0.1"), self.jdk("path", "22.0.1"), self.jdk("usr/lib/jvm/jdk", "25.0.1")
        self.assertEqual(self.find(JAVA_HOME=str(given), PATH=str(path / "bin"))[0].home, given)
        self.assertEqual(self.find(PATH=str(path / "bin"))[0].home, path)
        self.assertEqual(self.find(PATH="")[0].home, usual)

    def test_a_java_home_that_is_too_old_is_passed_over_with_a_note(self) -> None:
        old, new = self.jdk("old", "17.0.2"), self.jdk("usr/lib/jvm/new", "21.0.2")
        found, notes = self.find(JAVA_HOME=str(old))
        self.assertEqual(found.home, new)
        self.assertEqual(notes, ["Java 17.0.2 from JAVA_HOME is older than 21"])

    def test_a_java_home_without_a_java_is_passed_over_with_a_note(self) -> None:
        new = self.jdk("usr/lib/jvm/new", "21.0.2")
        found, notes = self.find(JAVA_HOME=str(self.root / "nowhere"))
        self.assertEqual(found.home, new)
        self.assertIn("there is no Java in it", notes[0])

    def test_the_newest_of_the_usual_places_is_taken_by_number_and_not_by_letter(self) -> None:
        for version in ("9.0.4", "21.0.10", "21.0.9"):
            self.jdk(f"usr/lib/jvm/jdk-{version}", version)
        self.assertEqual(self.find()[0].version, "21.0.10")

    def test_one_that_does_not_start_is_not_taken(self) -> None:
        self.jdk("usr/lib/jvm/broken", "25.0.1", runs=False)
        good = self.jdk("usr/lib/jvm/good", "21.0.1")
        self.assertEqual(self.find()[0].home, good)

    def test_a_java_without_a_release_file_is_asked(self) -> None:
        home = self.jdk("usr/lib/jvm/plain", "21.0.3", release=False)
        self.assertEqual(self.find()[0], java.Java(home, 21, "21.0.3", str(home.parent)))

    def test_links_on_the_path_lead_to_the_real_home(self) -> None:
        real = self.jdk("opt/real", "21.0.3")
        links = self.root / "usr" / "bin"
        links.mkdir(parents=True)
        (links / "java").symlink_to(real / "bin" / "java")
        self.assertEqual(self.find(PATH=str(links))[0].home, real)

    def test_places_that_cannot_be_read_are_passed_over(self) -> None:
        closed, good = self.jdk("closed", "25.0.1"), self.jdk("usr/lib/jvm/good", "21.0.1")
        (self.root / "usr" / "java").mkdir()
        (self.user / ".sdkman").mkdir(parents=True)
        self.unreadable(closed, self.root / "usr" / "java", self.user / ".sdkman")
        paths = os.pathsep.join([str(closed / "bin"), "", "\0", str(self.root / "nowhere"), str(good / "release")])
        found, notes = self.find(JAVA_HOME=str(closed), PATH=paths, CONDA_PREFIX=str(closed))
        self.assertEqual((found.home, len(notes)), (good, 1))
        self.assertRegex(notes[0], "there is no Java in it that can be read")
        self.assertIsNone(maven.find({"MAVEN_HOME": str(closed), "CONDA_PREFIX": str(closed), "PATH": paths}, "linux"))

    def unreadable(self, *folders: Path) -> None:
        """Close folders to this process. Root reads everything, so root is nobody until the test has ended."""
        for folder in folders:
            folder.chmod(0)
            self.addCleanup(folder.chmod, 0o755)
        if os.geteuid() == 0:
            self.root.chmod(0o777)
            patch = mock.patch.object(tempfile, "tempdir", str(self.root))
            patch.start()
            self.addCleanup(patch.stop)
            nobody = 65534
            os.seteuid(nobody)
            self.addCleanup(os.seteuid, 0)

    def test_none_at_all_is_none(self) -> None:
        self.assertEqual(self.find(PATH=str(self.root)), (None, []))

    def test_sdkman_is_a_usual_place(self) -> None:
        home = self.jdk("home/reader/.sdkman/candidates/java/21.0.4-tem", "21.0.4")
        self.assertEqual(self.find()[0].home, home)


class UsualPlaces(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def test_macos_keeps_homes_inside_bundles(self) -> None:
        home = self.root / "Library" / "Java" / "JavaVirtualMachines" / "temurin-21.jdk" / "Contents" / "Home"
        home.mkdir(parents=True)
        self.assertIn(home, java.usual_places("darwin", {}, self.root / "user", self.root))

    def test_windows_keeps_them_below_the_vendors_in_program_files(self) -> None:
        home = self.root / "Programs" / "Eclipse Adoptium" / "jdk-21.0.5.11-hotspot"
        home.mkdir(parents=True)
        self.assertIn(home, java.usual_places("win32", {"ProgramFiles": str(self.root / "Programs")}, self.root, self.root))

    def test_the_executable_has_its_ending_on_windows_only(self) -> None:
        self.assertEqual(java.executable_in(Path("jdk"), "win32").name, "java.exe")
        self.assertEqual(java.executable_in(Path("jdk"), sys.platform if sys.platform != "win32" else "linux").name, "java")
