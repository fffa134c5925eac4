"""The real kernel, started as lab starts it: in a locale that Java's own classes are not at home in, and where it cannot start."""

import contextlib
import io
import json
import tempfile
import unittest
from pathlib import Path

from lab.base import places
from lab.base.terminal import Step
from lab.prepare import environment, java, kernel
from lab.prepare.setup import Ready
from lab.notebook import execution, notebooks

TURKISH = {"JAVA_TOOL_OPTIONS": "-Duser.language=tr -Duser.country=TR"}
"""What LC_ALL=tr_TR.UTF-8 is to Java, on a machine that need not have that locale."""

LOCALES = """
println(java.util.Locale.getDefault())
val asked = listOf(System.getenv("CLIENT_LAB_JAVA"), "-XshowSettings:properties", "-version")
println(ProcessBuilder(asked).redirectErrorStream(true).start().inputStream.bufferedReader().readLines().first { "user.language = " in it }.trim())
"""

LOG = """\
Picked up JAVA_TOOL_OPTIONS: -Duser.language=tr
ERROR IkotlinKt: exception running kernel with args: "-classpath=lib.jar"
java.lang.IllegalStateException: Unknown ports scheme
\tat org.jetbrains.kotlinx.jupyter.IkotlinKt.main(Ikotlin.kt:82)
RuntimeError: Kernel died before replying to kernel_info
"""


class Log(unittest.TestCase):
    def test_the_first_exception_of_java_is_why_a_kernel_ended(self) -> None:
        self.assertEqual(kernel.why_it_ended(LOG), "java.lang.IllegalStateException: Unknown ports scheme")
        self.assertEqual(kernel.why_it_ended('Exception in thread "main" java.lang.OutOfMemoryError: heap\n\tat a.B'), "java.lang.OutOfMemoryError: heap")

    def test_what_the_jvm_says_of_its_options_is_a_reason_too(self) -> None:
        said = "Unrecognized VM option 'UseNoGC'\nError: Could not create the Java Virtual Machine.\n"
        self.assertEqual(kernel.why_it_ended(said), "Unrecognized VM option 'UseNoGC'")
        said = "Error occurred during initialization of VM\nToo small maximum heap\n"
        self.assertEqual(kernel.why_it_ended(said), "Too small maximum heap")

    def test_a_log_without_either_gives_no_reason(self) -> None:
        self.assertIsNone(kernel.why_it_ended("Traceback (most recent call last):\nRuntimeError: no\nzmq.error.ZMQError: no\n"))


class Real(unittest.TestCase):
    def setUp(self) -> None:
        env, (runtime, _) = environment.chosen(), java.find()
        if runtime is None or not any(env.prefix.glob("[lL]ib/**/run_kotlin_kernel")):
            self.skipTest("the kernel or a Java is not here: `lab prefetch` brings both")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        kernel.install(env, runtime, self.folder)
        self.ready = Ready(runtime, None, env)

    def run_cells(self, *sources: str, **variables: str) -> execution.Outcome:
        file = self.folder / "cell.ipynb"
        cells = [
            {"cell_type": "code", "id": f"cell-{number}", "metadata": {}, "source": source, "execution_count": None, "outputs": []}
            for number, source in enumerate(sources)
        ]
        kernelspec = {"display_name": "Kotlin", "language": "kotlin", "name": "kotlin"}
        file.write_text(json.dumps({"cells": cells, "metadata": {"kernelspec": kernelspec}, "nbformat": 4, "nbformat_minor": 5}), encoding="utf-8")
        with contextlib.redirect_stdout(io.StringIO()):
            step = Step("a cell")
            return execution.execute(self.ready, "test-kernel", step, source=file, variables={"JUPYTER_PATH": str(self.folder), **variables})

    def test_under_a_turkish_locale_it_runs_a_cell_in_english_and_the_java_that_a_cell_starts_stays_turkish(self) -> None:
        outcome = self.run_cells(LOCALES, **TURKISH)
        self.assertIsNone(outcome.failure)
        said = "\n".join(notebooks.texts(notebooks.load(outcome.notebook)["cells"][0]))
        self.assertEqual(said.split("\n"), ["en_US", "user.language = tr"])

    def test_it_compiles_with_the_compiler_that_is_asked_for(self) -> None:
        mode = 'println((notebook.variablesState.getValue("x") as org.jetbrains.kotlinx.jupyter.api.VariableStateImpl).compilerMode)'
        for compiler in ("K1", "K2"):
            with self.subTest(compiler):
                outcome = self.run_cells("val x = 1", mode, **{kernel.COMPILER: compiler})
                self.assertIsNone(outcome.failure)
                self.assertEqual("".join(notebooks.texts(notebooks.load(outcome.notebook)["cells"][1])).strip(), compiler)

    def test_the_doctor_starts_it_once(self) -> None:
        with contextlib.redirect_stdout(io.StringIO()):
            self.assertIsNone(execution.why_no_kernel(self.ready))

    def test_one_that_ends_before_its_first_cell_says_its_first_exception_and_where_its_log_is(self) -> None:
        outcome = self.run_cells("1", KOTLIN_JUPYTER_JAVA_OPTS_EXTRA="-Djava.system.class.loader=no.such.Loader")
        self.assertRegex(outcome.failure, r"^before its first cell: the kernel ended with java\.lang\.[\w.]*Error: .*no\.such\.Loader; the whole log is in ")
        self.assertTrue(outcome.failure.endswith(f"{places.shown(places.LOGS / 'test-kernel.log')}."))


if __name__ == "__main__":
    unittest.main()
