"""Stamps and the lock."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from lab.base import lock, places, stamps


class Stamps(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        patch = mock.patch.object(places, "STAMPS", self.folder / "stamps")
        patch.start()
        self.addCleanup(patch.stop)

    def test_a_stamp_holds_only_what_was_put(self) -> None:
        self.assertFalse(stamps.holds("build", "a"))
        stamps.put("build", "a")
        self.assertTrue(stamps.holds("build", "a"))
        self.assertFalse(stamps.holds("build", "b"))
        stamps.drop("build")
        stamps.drop("build")
        self.assertFalse(stamps.holds("build", "a"))

    def test_writing_leaves_no_part_behind(self) -> None:
        stamps.write_whole(self.folder / "new" / "file", "text")
        self.assertEqual([file.name for file in (self.folder / "new").iterdir()], ["file"])

    def test_the_digest_sees_contents_names_and_borders(self) -> None:
        one, two = self.folder / "one", self.folder / "two"
        one.write_text("ab")
        two.write_text("c")
        before = stamps.digest_of_files([one, two], self.folder)
        self.assertEqual(before, stamps.digest_of_files([two, one], self.folder))
        one.write_text("a")
        two.write_text("bc")
        self.assertNotEqual(before, stamps.digest_of_files([one, two], self.folder))
        one.write_text("ab")
        two.write_text("c")
        two.rename(self.folder / "three")
        self.assertNotEqual(before, stamps.digest_of_files([one, self.folder / "three"], self.folder))


class Lock(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "lock"

    def other(self, code: str) -> subprocess.Popen[str]:
        setup = f"import sys; sys.path.insert(0, {str(places.TOOLS)!r}); from pathlib import Path; from lab.base import lock\n"
        process = subprocess.Popen(
            [sys.executable, "-c", f"{setup}path = Path({str(self.path)!r})\n{code}"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        self.addCleanup(process.wait)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stdin.close)
        return process

    def test_it_says_who_holds_it_and_nobody_afterwards(self) -> None:
        with lock.only_one("test", self.path):
            self.assertRegex(lock.holder(self.path), rf"^process {os.getpid()} \(lab test\), since \d\d:\d\d:\d\d$")
        self.assertEqual(lock.holder(self.path), "nobody")

    def test_a_second_one_says_who_is_first_and_waits(self) -> None:
        with lock.only_one("first", self.path):
            second = self.other("with lock.only_one('second', path, 0.01): print('in', flush=True)")
            self.assertRegex(second.stdout.readline(), rf"Waiting .*process {os.getpid()} \(lab first\)")
        self.assertEqual(second.stdout.readline().strip(), "in")

    def test_it_goes_with_a_holder_that_was_killed(self) -> None:
        first = self.other("with lock.only_one('first', path): print('in', flush=True); sys.stdin.read()")
        self.assertEqual(first.stdout.readline().strip(), "in")
        first.kill()
        first.wait()
        with lock.only_one("second", self.path):
            self.assertIn("lab second", lock.holder(self.path))
