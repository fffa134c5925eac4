"""What `lab install` copies, and what `lab new` makes; that it works elsewhere is for the long tests."""

import contextlib
import io
import json
from pathlib import Path

from lab.base import places
from lab.base.terminal import LabError
from lab.notebook import houserules, notebooks
from lab.prepare import kernel
from lab.share import bundle, install
from tests.test_bundle import Project


class Copied(Project):
    def setUp(self) -> None:
        super().setUp()
        self.patch(bundle, "sources", lambda: [self.root / name for name in self.sources])
        self.sources = ["data/published/threads-2026-11/manifest.json", "notebooks/lab.json", "server/delay/jvm.options", "lib/core/src/main/kotlin/A.kt", "lab"]
        for name in self.sources:
            if not (self.root / name).exists():
                self.write(name, '{"dependencies": ["../lib/core/target/a.jar"], "imports": ["a.B"]}')

    def copied(self) -> Path:
        with contextlib.redirect_stdout(io.StringIO()):
            return install.copy(self.root.parent / "user")

    def test_jars_published_data_and_the_descriptor_are_copied_and_no_sources(self) -> None:
        where = self.copied()
        self.assertEqual(where.name, "1.2.3")
        there = {file.relative_to(where).as_posix() for file in where.rglob("*") if file.is_file()}
        self.assertEqual(there, {"lib/core/target/a.jar", "installed.txt", *self.sources[:3]})

    def test_a_second_copy_takes_the_place_of_the_first(self) -> None:
        (self.copied() / "old").write_text("old")
        self.assertFalse((self.copied() / "old").exists())

    def test_the_descriptor_names_the_copied_jar(self) -> None:
        where = self.copied()
        self.assertEqual(kernel.library(where), {"dependencies": [(where / "lib/core/target/a.jar").as_posix()], "imports": ["a.B"]})

    def test_what_is_read_at_a_run_is_among_the_sources_of_the_real_project(self) -> None:
        self.at(Path(__file__).resolve().parents[2])
        needed = {name for name in ("notebooks/lab.json", "server/delay/jvm.options", "lib/clients/versions.lock.json", "data/published/SHA256SUMS")}
        self.assertTrue(all(install.NEEDED.match(name) and (places.ROOT / name).is_file() for name in needed))


class New(Project):
    def test_a_new_folder_has_one_notebook_and_is_not_made_over_another(self) -> None:
        folder = self.root.parent / "mine" / "first"
        with contextlib.redirect_stdout(io.StringIO()):
            self.assertEqual(install.new(folder), 0)
        self.assertEqual([each.name for each in folder.iterdir()], ["my-client.ipynb"])
        with self.assertRaisesRegex(LabError, "is there already: give another folder"):
            install.new(folder)

    def test_the_template_begins_with_the_library_by_name_and_keeps_no_outputs(self) -> None:
        template = json.loads(install.TEMPLATE.read_text(encoding="utf-8"))
        code = [cell for cell in template["cells"] if cell["cell_type"] == "code"]
        self.assertEqual(notebooks.source_of(code[0]).splitlines()[0], "%use client-lab")
        self.assertEqual([cell["outputs"] for cell in code], [[]] * len(code))
        self.assertLessEqual(max(houserules.lines_of(notebooks.source_of(cell)) for cell in code), houserules.MOST)
