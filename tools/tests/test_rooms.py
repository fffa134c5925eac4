"""The rooms of lab: what each is for, and that imports lead in one direction."""

import ast
import importlib
import unittest
from pathlib import Path

from lab.base import places

LAB = places.TOOLS / "lab"
ROOMS = ["base", "prepare", "notebook", "library", "share", "check", "bench"]
"""A room imports from those in front of it. The command line, in the folder itself, imports from all of them."""
MOST_FILES = 25


def imported(file: Path) -> set[str]:
    """The rooms that a file imports from."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level == 2:
            found |= {node.module.split(".")[0]} if node.module else {alias.name for alias in node.names}
    return found


class Rooms(unittest.TestCase):
    def test_every_room_has_its_place_in_the_order(self) -> None:
        self.assertEqual({file.parent.name for file in LAB.rglob("__init__.py")} - {"lab"}, set(ROOMS))

    def test_imports_lead_to_rooms_in_front(self) -> None:
        for place, room in enumerate(ROOMS):
            for file in (LAB / room).glob("*.py"):
                self.assertLessEqual(imported(file), set(ROOMS[:place]), f"{room}/{file.name}")

    def test_no_room_is_too_full(self) -> None:
        for folder in (LAB, *(LAB / room for room in ROOMS)):
            self.assertLessEqual(len(list(folder.glob("*.py"))), MOST_FILES, folder.name)

    def test_the_long_tests_find_what_they_import(self) -> None:
        files = sorted((places.TOOLS / "tests_long").glob("test_*.py"))
        self.assertTrue(files)
        for file in files:
            importlib.import_module(f"tests_long.{file.stem}")


if __name__ == "__main__":
    unittest.main()
