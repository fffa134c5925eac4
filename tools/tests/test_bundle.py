"""What a bundle holds, and what lab does without where it was unpacked from one."""

import contextlib
import io
import json
import os
import subprocess
import tarfile
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from lab.base import places, stamps
from lab.base.terminal import LabError
from lab.prepare import environment, maven, unpacked
from lab.share import bundle
from lab import doctor


class Project(unittest.TestCase):
    """A small project with a jar and a wheel, in places of its own."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name).resolve() / "project"
        self.write("lab", "the entry").chmod(0o755)
        self.write("pom.xml", "<artifactId>client-lab</artifactId>\n<version>1.2.3</version>")
        self.source = self.write("lib/core/src/main/kotlin/A.kt", "class A")
        self.jar = self.write("lib/core/target/a.jar", "a jar")
        self.write("wheels-made/pip-1-py3-none-any.whl", "pip")
        self.at(self.root)
        self.patch(bundle, "jars", lambda: [self.jar])
        self.patch(maven, "sources", lambda: [places.ROOT / "lib/core/src/main/kotlin/A.kt"])

    def write(self, name: str, text: str) -> Path:
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    def patch(self, where: object, name: str, what: object) -> None:
        patch = mock.patch.object(where, name, what)
        patch.start()
        self.addCleanup(patch.stop)

    def at(self, root: Path) -> None:
        """From here on lab stands in this folder."""
        for name, place in {"ROOT": "", "LAB": ".lab", "BUNDLE": "bundle.json", "WHEELS": "wheels", "STAMPS": ".lab/stamps", "JARS": ".lab/jars"}.items():
            self.patch(places, name, root / place)
        unpacked._marker.cache_clear()
        self.addCleanup(unpacked._marker.cache_clear)

    def packed(self) -> Path:
        (places.LAB / "wheels").mkdir(parents=True)
        os.replace(self.root / "wheels-made" / "pip-1-py3-none-any.whl", places.LAB / "wheels" / "pip-1-py3-none-any.whl")
        with contextlib.redirect_stdout(io.StringIO()):
            return bundle.archive(["3.11", "3.12"])

    def unpack(self) -> Path:
        """Pack this project, unpack it elsewhere, and stand there."""
        subprocess.run(["tar", "-xf", self.packed(), "-C", self.root.parent], check=True)
        room = self.root.parent / "client-lab-1.2.3"
        self.at(room)
        return room


@unittest.skipIf(os.name == "nt", "Windows packs a zip, and knows no executable files")
class Packing(Project):
    def test_the_archive_has_one_folder_with_sources_jars_wheels_and_a_marker(self) -> None:
        room = self.unpack()
        there = {file.relative_to(room).as_posix() for file in room.rglob("*") if file.is_file()}
        expected = {"bundle.json", "lab", "pom.xml", "lib/core/src/main/kotlin/A.kt", "lib/core/target/a.jar", "wheels/pip-1-py3-none-any.whl"}
        self.assertEqual(there, expected)
        self.assertTrue(os.access(room / "lab", os.X_OK))

    def test_the_marker_says_what_the_jars_are_and_what_they_were_made_from(self) -> None:
        marker = json.loads((self.unpack() / "bundle.json").read_text())
        self.assertEqual((marker["version"], marker["pythons"]), ("1.2.3", ["3.11", "3.12"]))
        self.assertEqual(marker["jars"], {"lib/core/target/a.jar": stamps.digest(b"a jar")})

    def test_jars_of_locked_versions_are_taken_along_where_that_is_asked_for(self) -> None:
        self.write(".lab/jars/okhttp-4.12.0.jar", "an old jar")
        packed = self.packed()
        with tarfile.open(packed) as archive:
            self.assertNotIn("client-lab-1.2.3/.lab/jars/okhttp-4.12.0.jar", archive.getnames())
        with contextlib.redirect_stdout(io.StringIO()):
            packed = bundle.archive(["3.11", "3.12"], bundle.locked_jars())
        with tarfile.open(packed) as archive:
            self.assertIn("client-lab-1.2.3/.lab/jars/okhttp-4.12.0.jar", archive.getnames())

    def test_where_there_is_git_only_what_it_knows_is_packed_and_every_source_of_the_jars(self) -> None:
        git = ["git", "-C", str(self.root), "-c", "user.name=t", "-c", "user.email=t"]
        try:
            subprocess.run([*git, "init", "-q"], check=True, capture_output=True)
        except OSError:
            self.skipTest("git is not on the path")
        subprocess.run([*git, "add", "lab", "pom.xml"], check=True, capture_output=True)
        self.write("notes of mine.txt", "private")
        room = self.unpack()
        self.assertFalse((room / "notes of mine.txt").exists())
        self.assertTrue((room / "lib/core/src/main/kotlin/A.kt").is_file())

    def test_a_build_that_is_not_whole_is_not_packed(self) -> None:
        mock.patch.stopall()
        with mock.patch.object(places, "NOTEBOOK_JAR", self.root / "no.jar"), self.assertRaisesRegex(LabError, r"^The build has made no .*no\.jar"):
            bundle.jars()


@unittest.skipIf(os.name == "nt", "Windows packs a zip, and knows no executable files")
class Unpacked(Project):
    def test_the_jars_are_taken_for_built_without_maven(self) -> None:
        self.unpack()
        self.patch(maven, "find", lambda: None)
        self.assertIsNone(maven.launcher())
        self.assertTrue(maven.is_bundled())

    def test_a_source_or_a_jar_that_has_changed_asks_for_maven(self) -> None:
        room = self.unpack()
        self.patch(maven, "find", lambda: None)
        for name in ("lib/core/src/main/kotlin/A.kt", "lib/core/target/a.jar"):
            before = (room / name).read_text()
            (room / name).write_text("changed")
            self.assertFalse(maven.is_bundled(), name)
            (room / name).write_text(before)
        self.assertTrue(maven.is_bundled())
        (room / "lib/core/target/a.jar").unlink()
        with self.assertRaisesRegex(LabError, "^Maven was not found: install it"):
            maven.build(None, mock.Mock(version="25"))

    def test_pip_looks_nowhere_but_in_the_bundle_and_comes_with_it(self) -> None:
        room = self.unpack()
        self.assertEqual(unpacked.pip_options(), ["--no-index", "--find-links", str(room / "wheels")])
        bare = environment.PythonEnvironment(room / "venv", False)
        self.assertEqual(environment._pip(bare), [str(bare.python), str(room / "wheels" / "pip-1-py3-none-any.whl" / "pip")])

    def test_a_python_that_it_has_no_packages_for_is_refused_with_those_that_it_has(self) -> None:
        self.unpack()
        unpacked.check((3, 12))
        with self.assertRaisesRegex(LabError, r"^This bundle has packages for Python 3\.11 and 3\.12, and this is 3\.14: .*`python3\.12 lab run`\.$"):
            unpacked.check((3, 14))

    def test_another_kind_of_machine_is_refused(self) -> None:
        self.unpack()
        with mock.patch.object(unpacked.platform, "machine", lambda: "riscv64"), self.assertRaisesRegex(LabError, r"^This bundle is for .*-riscv64: make one"):
            unpacked.check((3, 12))

    def test_a_marker_that_is_torn_is_refused(self) -> None:
        room = self.unpack()
        (room / "bundle.json").write_text("{")
        unpacked._marker.cache_clear()
        with self.assertRaisesRegex(LabError, "^bundle.json cannot be read: unpack the bundle again"):
            unpacked.is_one()

    def test_the_doctor_does_not_miss_maven(self) -> None:
        self.unpack()
        self.patch(maven, "find", lambda: None)
        self.assertEqual(doctor.maven_launcher(None).state, doctor.OK)


class Elsewhere(Project):
    def test_without_a_bundle_nothing_changes(self) -> None:
        self.assertFalse(unpacked.is_one())
        self.assertEqual((unpacked.pip_options(), unpacked.pip()), ([], None))
        unpacked.check((3, 99))
        self.patch(maven, "find", lambda: None)
        with self.assertRaisesRegex(LabError, "^Maven was not found"):
            maven.launcher()
        self.assertEqual(doctor.maven_launcher(None).state, doctor.MISSING)
