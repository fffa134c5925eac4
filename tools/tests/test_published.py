"""What is published stays as it was published: by hash, and through the history."""

import hashlib
import json
import subprocess
import unittest
from pathlib import Path

from lab.base import places

PUBLISHED = places.ROOT / "data" / "published"
SUMS = PUBLISHED / "SHA256SUMS"
RECORDS = PUBLISHED / "superseded.json"
REGISTERED = places.ROOT / "data" / "registered"


def sums(text: str) -> dict[str, str]:
    """The hashes by file, from lines as `sha256sum` writes them."""
    return {name: digest for digest, name in (line.split("  ", 1) for line in text.splitlines())}


def unlike(folder: Path, listed: dict[str, str]) -> list[str]:
    """A sentence for each published file that is not as listed, is not listed, or is gone."""
    there = {file.relative_to(folder).as_posix(): file for file in folder.rglob("*") if file.is_file() and file.parent != folder}
    changed = [f"{name} was changed." for name, file in there.items() if name in listed and hashlib.sha256(file.read_bytes()).hexdigest() != listed[name]]
    new = [f"{name} has no line in SHA256SUMS." for name in there if name not in listed]
    gone = [f"{name} is gone." for name in listed if name not in there]
    return changed + new + gone


def git(*arguments: str) -> str:
    return subprocess.run(["git", "-C", places.ROOT, *arguments], capture_output=True, text=True, check=True).stdout


class PublishedTest(unittest.TestCase):
    def test_every_published_file_is_as_it_was_published(self) -> None:
        listed = sums(SUMS.read_text(encoding="utf-8"))
        self.assertGreater(len(listed), 100)
        self.assertEqual(unlike(PUBLISHED, listed), [])

    def test_a_trial_that_was_changed_and_a_run_that_was_deleted_are_found_out(self) -> None:
        listed = sums(SUMS.read_text(encoding="utf-8"))
        name = next(iter(listed))
        self.assertEqual(unlike(PUBLISHED, {**listed, name: "0" * 64}), [f"{name} was changed."])
        self.assertEqual(unlike(PUBLISHED, {**listed, "gone-2026-11/trials.jsonl": "0" * 64}), ["gone-2026-11/trials.jsonl is gone."])
        self.assertEqual(unlike(PUBLISHED, {other: digest for other, digest in listed.items() if other != name}), [f"{name} has no line in SHA256SUMS."])

    def test_a_superseded_run_and_the_one_that_stands_in_for_it_are_both_there_and_the_record_says_why(self) -> None:
        for record in json.loads(RECORDS.read_text(encoding="utf-8")):
            with self.subTest(record["run"]):
                self.assertTrue((PUBLISHED / record["run"] / "manifest.json").is_file())
                self.assertTrue((PUBLISHED / record["by"] / "manifest.json").is_file())
                self.assertGreater(len(record["because"].split()), 5)
                self.assertRegex(record["on"], r"^\d{4}-\d{2}-\d{2}$")

    def test_no_commit_has_changed_a_published_file_or_taken_back_a_line(self) -> None:
        if not (places.ROOT / ".git").exists():
            self.skipTest("this is no clone, so there is no history to look at")
        began = git("log", "--diff-filter=A", "--format=%H", "--", str(SUMS)).split()
        if not began:
            self.skipTest("SHA256SUMS is not committed yet")
        since = f"{began[-1]}..HEAD"
        runs = [name for name in git("log", "--diff-filter=MDRT", "--no-renames", "--name-only", "--format=", since, "--", str(PUBLISHED)).split() if name.count("/") > 2]
        self.assertEqual(runs, [], "these published files were changed or deleted")
        for file in (SUMS, RECORDS):
            lines = git("log", "-p", "--format=", since, "--", str(file)).splitlines()
            taken = [line for line in lines if line.startswith("-") and not line.startswith("---")]
            self.assertEqual([line for line in taken if line.strip("-} ]")], [], f"lines of {file.name} were changed or taken back")

    def test_no_commit_has_changed_or_deleted_a_registration(self) -> None:
        if not (places.ROOT / ".git").exists():
            self.skipTest("this is no clone, so there is no history to look at")
        changed = git("log", "--diff-filter=MDRT", "--no-renames", "--name-only", "--format=", "--", str(REGISTERED)).split()
        self.assertEqual(changed, [], "a registration is superseded by another one, and never edited")
