"""The kernel's specification: where it finds its jars and the lab's library."""

import json
import shlex
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

from lab.base import places
from lab.prepare import kernel


class KernelTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.prefix = Path(folder.name)
        self.package = self.prefix / "lib" / "python3.11" / "site-packages" / "run_kotlin_kernel"
        (self.package / "config").mkdir(parents=True)
        arguments = {"mainJar": "main.jar", "classPath": ["lib.jar", "api.jar"], "debuggerPort": "generate"}
        (self.package / "config" / "jar_args.json").write_text(json.dumps(arguments), encoding="utf-8")

    def installed(self) -> Path:
        env = SimpleNamespace(prefix=self.prefix, python=self.prefix / "bin" / "python")
        java = SimpleNamespace(feature=25, executable=Path("/java/bin/java"), home=Path("/java"))
        with mock.patch.object(places, "JUPYTER", self.prefix / "jupyter"), mock.patch.object(kernel.maven, "trust", return_value=[]):
            kernel.install(env, java)
        return self.prefix / "jupyter" / "kernels" / "kotlin"

    def test_the_library_is_named_by_its_whole_path_so_that_it_loads_from_any_folder(self) -> None:
        folder = self.installed()
        library = json.loads((folder / "named" / "jupyterLibraries" / "client-lab.json").read_text(encoding="utf-8"))
        self.assertEqual(library["dependencies"], [places.NOTEBOOK_JAR.as_posix()])
        notebooks = json.loads((places.NOTEBOOKS / "lab.json").read_text(encoding="utf-8"))
        self.assertEqual(library["imports"], notebooks["imports"])
        options = json.loads((folder / "kernel.json").read_text(encoding="utf-8"))["env"]["KOTLIN_JUPYTER_JAVA_OPTS"]
        self.assertIn(f"-Xbootclasspath/a:{(folder / 'named').as_posix()}", shlex.split(options))

    def test_no_debugger_is_switched_on(self) -> None:
        arguments = json.loads((self.installed() / "jar_args.json").read_text(encoding="utf-8"))
        self.assertEqual(arguments, {"mainJar": "main.jar", "classPath": ["lib.jar", "api.jar"], "debuggerPort": ""})


if __name__ == "__main__":
    unittest.main()
