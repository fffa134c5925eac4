"""What lab does on Windows and macOS, as far as another system can show it: their branches, with the system's own parts stood in for."""

import contextlib
import ctypes
import importlib.util
import io
import json
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import types
import unittest
import zipfile
from pathlib import Path
from unittest import mock

from lab.base import lock, machine, places, processes
from lab.prepare import environment, java, kernel, maven
from lab.notebook import execution
from lab.share import bundle
from lab import doctor

ONLY_POSIX = unittest.skipIf(os.name == "nt", "this stands in for Windows on other systems")


class Folder(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name).resolve()

    def script(self, place: str, text: str) -> Path:
        file = self.root / place
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"#!/bin/sh\n{text}\n")
        file.chmod(0o755)
        return file


@ONLY_POSIX
class Java(Folder):
    def java(self, place: str, version: str) -> Path:
        return self.script(place, f"echo 'openjdk version \"{version}\" 2025-01-21' >&2")

    def test_on_windows_the_newest_in_program_files_is_found(self) -> None:
        self.java("Programs/Eclipse Adoptium/jdk-21.0.5/bin/java.exe", "21.0.5")
        new = self.java("Programs/Microsoft/jdk-25.0.1/bin/java.exe", "25.0.1")
        for home, version in ((new.parents[1], "25.0.1"), (new.parents[2] / ".." / "Eclipse Adoptium" / "jdk-21.0.5", "21.0.5")):
            (home / "release").write_text(f'JAVA_VERSION="{version}"\n')
        found, notes = java.find({"ProgramFiles": str(self.root / "Programs"), "PATH": ""}, "win32", self.root / "user", self.root)
        self.assertEqual((found.home, found.version, notes), (new.parents[1], "25.0.1", []))

    def test_on_windows_a_java_home_without_the_ending_is_no_java(self) -> None:
        self.java("jdk/bin/java", "25.0.1")
        found, notes = java.find({"JAVA_HOME": str(self.root / "jdk"), "PATH": ""}, "win32", self.root / "user", self.root)
        self.assertIsNone(found)
        self.assertRegex(notes[0], "there is no Java in it")

    def test_on_windows_the_path_is_searched_for_java_exe(self) -> None:
        executable = self.java("jdk/bin/java.exe", "22.0.2")
        found, _ = java.find({"PATH": str(executable.parent)}, "win32", self.root / "user", self.root)
        self.assertEqual((found.home, found.source), (executable.parents[1], "the path"))

    def test_on_macos_homes_are_inside_bundles_and_homebrews_cellar_is_known(self) -> None:
        home = self.java("opt/homebrew/opt/openjdk@21/libexec/openjdk.jdk/Contents/Home/bin/java", "21.0.9").parents[1]
        self.assertEqual(java.find({"PATH": ""}, "darwin", self.root / "user", self.root)[0].home, home)
        newer = self.java("Library/Java/JavaVirtualMachines/temurin-25.jdk/Contents/Home/bin/java", "25.0.1").parents[1]
        for place, version in ((home, "21.0.9"), (newer, "25.0.1")):
            (place / "release").write_text(f'JAVA_VERSION="{version}"\n')
        self.assertEqual(java.find({"PATH": ""}, "darwin", self.root / "user", self.root)[0].home, newer)

    def test_the_stub_of_macos_that_asks_for_an_installation_is_no_java(self) -> None:
        stub = self.script("usr/bin/java", "echo 'Unable to locate a Java Runtime.' >&2; exit 1")
        self.assertIsNone(java.find({"PATH": str(stub.parent)}, "darwin", self.root / "user", self.root)[0])


class Maven(Folder):
    def test_on_windows_conda_keeps_it_in_library(self) -> None:
        launcher = self.script("conda/Library/bin/mvn.cmd", "")
        found = maven.find({"CONDA_PREFIX": str(self.root / "conda"), "PATH": ""}, "win32")
        self.assertEqual(found, maven.Maven(launcher, "the conda environment"))

    def test_on_windows_a_script_for_other_systems_is_passed_over(self) -> None:
        self.script("maven/bin/mvn", "")
        self.assertIsNone(maven.find({"MAVEN_HOME": str(self.root / "maven"), "PATH": ""}, "win32"))


class Packages(Folder):
    """Windows keeps packages in `Lib`, without the version of Python."""

    def installed(self) -> environment.PythonEnvironment:
        folder = self.root / "Lib" / "site-packages"
        (folder / "pip").mkdir(parents=True)
        config = folder / "run_kotlin_kernel" / "config" / "jar_args.json"
        config.parent.mkdir(parents=True)
        config.write_text('{"mainJar": "a.jar", "debuggerPort": "1044"}')
        return environment.PythonEnvironment(self.root, conda=True)

    def test_pip_is_found_where_windows_keeps_it(self) -> None:
        env = self.installed()
        self.assertEqual(environment._pip(env), [str(env.python), "-m", "pip"])

    def test_the_kernels_own_arguments_are_found_there_and_its_debugger_is_switched_off(self) -> None:
        env, jdk = self.installed(), java.Java(Path("C:/jdk"), 25, "25.0.1", "somewhere")
        with mock.patch.object(places, "JUPYTER", self.root / "jupyter"):
            kernel.install(env, jdk)
        written = json.loads((self.root / "jupyter" / "kernels" / "kotlin" / "jar_args.json").read_text(encoding="utf-8"))
        self.assertEqual(written, {"mainJar": "a.jar", "debuggerPort": ""})

    def test_the_kernels_options_survive_a_folder_with_a_space_and_backslashes(self) -> None:
        # The kernel's launcher splits them as a shell of POSIX does, on Windows too.
        tools = types.SimpleNamespace(as_posix=lambda: "C:/Users/A Reader/lab/logback.xml")
        parts = mock.MagicMock()
        parts.__truediv__.return_value.__truediv__.return_value = tools
        with mock.patch.object(places, "TOOLS", parts):
            options = kernel.specification(Path("python.exe"), java.Java(Path("jdk"), 25, "25.0.1", "x"), self.root)["env"]["KOTLIN_JUPYTER_JAVA_OPTS"]
        self.assertIn("-Dlogback.configurationFile=C:/Users/A Reader/lab/logback.xml", shlex.split(options))


class Locking(Folder):
    def test_on_windows_a_byte_far_behind_the_text_is_locked(self) -> None:
        asked = []

        def locking(_: int, mode: int, count: int) -> None:
            asked.append((mode, count))
            if len(asked) == 1:
                raise OSError("held by another process")

        stand_in = types.SimpleNamespace(locking=locking, LK_NBLCK=2)
        with (self.root / "lock").open("a+b") as file, mock.patch.dict(sys.modules, {"msvcrt": stand_in}), mock.patch.object(os, "name", "nt"):
            self.assertFalse(lock._try(file))
            self.assertTrue(lock._try(file))
            self.assertGreater(file.tell(), 4096)
        self.assertEqual(asked, [(2, 1), (2, 1)])


class Machine(unittest.TestCase):
    def test_windows_is_asked_for_its_memory_by_its_own_call(self) -> None:
        def status(reference: object) -> int:
            reference._obj.field0 = 16 << 30
            return 1

        kernel32 = types.SimpleNamespace(GlobalMemoryStatusEx=status)
        with mock.patch.object(sys, "platform", "win32"), mock.patch.object(ctypes, "windll", types.SimpleNamespace(kernel32=kernel32), create=True):
            self.assertEqual(machine.memory_bytes(), 16 << 30)
            kernel32.GlobalMemoryStatusEx = lambda _: 0
            self.assertIsNone(machine.memory_bytes())

    def test_where_there_are_no_limits_for_a_process_none_is_told(self) -> None:
        with mock.patch.dict(sys.modules, {"resource": None}):
            self.assertIsNone(machine.open_files())
            self.assertEqual(doctor.open_files().found, "no limit for a process")

    def test_the_ports_are_asked_for_as_each_system_wants_it(self) -> None:
        answers = {"sysctl": "49152\n65535\n", "netsh": "Protocol tcp Dynamic Port Range\nStart Port : 49152\nNumber of Ports : 16384\n"}
        with mock.patch.object(machine, "output_of", lambda argv: answers[argv[0]]):
            self.assertEqual(machine.ephemeral_ports("darwin"), (49152, 65535))
            self.assertEqual(machine.ephemeral_ports("win32"), (49152, 65535))
            self.assertIsNone(machine.ephemeral_ports("plan9"))
        with mock.patch.object(machine, "output_of", lambda argv: None):
            self.assertIsNone(machine.ephemeral_ports("win32"))

    def test_windows_and_macos_always_have_fonts(self) -> None:
        for platform in ("win32", "darwin"):
            self.assertIsNone(machine.fonts(platform))
            with mock.patch.object(sys, "platform", platform), mock.patch.object(machine, "fonts", return_value=None):
                self.assertEqual((doctor.fonts().state, doctor.fonts().found), (doctor.OK, "the system's"))

    def test_where_the_system_tells_no_load_the_doctor_says_so(self) -> None:
        with mock.patch.object(os, "getloadavg", side_effect=OSError, create=True):
            self.assertIsNone(machine.load())
            self.assertEqual(doctor.load().found, "not told by this system")

    def test_where_the_system_tells_no_affinity_all_processors_count(self) -> None:
        with mock.patch.object(machine, "os", types.SimpleNamespace(cpu_count=lambda: 8)):
            self.assertEqual(machine.cores(), 8)


@ONLY_POSIX
class Processes(unittest.TestCase):
    """As on Windows: no process groups and no signals; the whole tree is ended by taskkill."""

    def setUp(self) -> None:
        self.killed: list[list[str]] = []
        self.flags: list[int] = []
        popen, run = subprocess.Popen, subprocess.run

        def start(*argv: object, creationflags: int = 0, **options: object) -> subprocess.Popen:
            self.flags.append(creationflags)
            return popen(*argv, **options)

        def kill(argv: list[str], **options: object) -> object:
            if argv[0] != "taskkill":
                return run(argv, **options)
            self.killed.append(argv)
            os.kill(int(argv[-1]), signal.SIGKILL)
            return None

        for patch in (
            mock.patch.object(processes, "WINDOWS", True),
            mock.patch.object(subprocess, "CREATE_NEW_PROCESS_GROUP", 512, create=True),
            mock.patch.object(subprocess, "Popen", start),
            mock.patch.object(subprocess, "run", kill),
        ):
            patch.start()
            self.addCleanup(patch.stop)

    def child(self, code: str, **options: object) -> processes.Child:
        return processes.start([sys.executable, "-c", code], environment=processes.environment(), **options)

    def test_a_child_has_a_group_of_its_own(self) -> None:
        self.assertEqual(self.child("").wait(), 0)
        self.assertEqual((self.flags, self.killed), ([512], []))

    def test_a_child_that_does_not_end_is_ended_with_all_it_has_started(self) -> None:
        child = self.child("import time; time.sleep(600)", grace=0.1)
        child.end()
        self.assertEqual(self.killed[0], ["taskkill", "/T", "/F", "/PID", str(child.popen.pid)])
        self.assertIsNotNone(child.popen.returncode)

    def test_a_child_on_a_leash_ends_by_itself(self) -> None:
        child = self.child("import sys; sys.stdin.read()", leash=True, grace=60)
        child.end()
        self.assertEqual((child.popen.returncode, self.killed), (0, []))

    def test_the_signals_that_windows_has_are_taken(self) -> None:
        taken = []
        windows = types.SimpleNamespace(SIGINT=2, SIGTERM=15, SIGBREAK=21, signal=lambda number, _: taken.append(number))
        with mock.patch.object(processes, "signal", windows):
            processes._Signals().install()
        self.assertEqual(taken, [2, 15, 21])


class Kernel(unittest.TestCase):
    def test_where_there_are_no_process_groups_the_kernel_leaves_its_end_to_jupyter(self) -> None:
        file = places.TOOLS / "kernel" / "start.py"
        spec = importlib.util.spec_from_file_location("kernel_start", file)
        start = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(start)
        ran = []
        package = types.SimpleNamespace(run_kernel=lambda *arguments: ran.append(arguments))
        modules = {"run_kotlin_kernel": types.SimpleNamespace(), "run_kotlin_kernel.run_kernel": package}
        alone = types.SimpleNamespace(name="nt")
        with mock.patch.object(start, "os", alone), mock.patch.dict(sys.modules, modules), mock.patch.object(sys, "argv", ["start.py", "c", "j"]):
            start.main()
        self.assertEqual(ran, [("c", "j")])


class Console(unittest.TestCase):
    def test_a_console_that_cannot_show_a_sign_gets_another_and_no_error(self) -> None:
        # As Windows' code page 437, which has no dash of that kind.
        out = io.TextIOWrapper(io.BytesIO(), encoding="cp437")
        from lab import command

        with contextlib.redirect_stdout(out), mock.patch.object(command, "dispatch", lambda _: print("\u2013") or 0):
            self.assertEqual(command.main([]), 0)
        out.flush()
        self.assertEqual(out.buffer.getvalue().strip(), b"?")


class Archive(Folder):
    def pack(self, system: str) -> Path:
        places_here = {"ROOT": self.root, "LAB": self.root / ".lab", "WHEELS": self.root / "wheels"}
        jar = self.script("lib/articles/target/client-lab.jar", "a jar")
        (self.root / ".lab" / "wheels").mkdir(parents=True)
        (self.root / ".lab" / "wheels" / "a-1-py3-none-any.whl").write_text("a wheel")
        with contextlib.ExitStack() as stack:
            for name, place in places_here.items():
                stack.enter_context(mock.patch.object(places, name, place))
            stack.enter_context(mock.patch.object(bundle, "jars", lambda: [jar]))
            stack.enter_context(mock.patch.object(bundle.maven, "sources", lambda: []))
            stack.enter_context(mock.patch.object(bundle.maven, "version", lambda: "0.1.0"))
            stack.enter_context(mock.patch.object(bundle.platform, "system", lambda: system))
            stack.enter_context(mock.patch.object(bundle.platform, "machine", lambda: "AMD64"))
            stack.enter_context(contextlib.redirect_stdout(io.StringIO()))
            return bundle.archive(["3.12"])

    def test_windows_gets_a_zip_with_one_folder_in_it(self) -> None:
        self.script("lab", "the entry")
        self.script("target/made-here", "")
        archive = self.pack("Windows")
        self.assertEqual(archive.name, "client-lab-0.1.0-windows-amd64.zip")
        with zipfile.ZipFile(archive) as packed:
            names = {"bundle.json", "lab", "lib/articles/target/client-lab.jar", "wheels/a-1-py3-none-any.whl"}
            self.assertEqual(set(packed.namelist()), {f"client-lab-0.1.0/{name}" for name in names})


class Progress(unittest.TestCase):
    def test_a_line_that_windows_ended_is_read_as_any_other(self) -> None:
        self.assertEqual(execution.progress_in_words('{"done": 1, "total": 2}\r\n'), "1 of 2 trials")
