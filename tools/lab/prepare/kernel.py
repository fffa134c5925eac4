"""The Kotlin kernel's specification, in `.lab/jupyter`: the reader's own Jupyter folders are neither read nor written."""

import json
import re
import shlex
import zipfile
from collections.abc import Mapping
from pathlib import Path

from ..base import places, stamps
from ..base.processes import environment
from ..base.terminal import LabError
from . import maven
from .environment import PythonEnvironment
from .java import Java

OPTIONS = ("-Xmx1g", "-XX:+UseSerialGC", "-Djava.awt.headless=true", "-Duser.language=en", "-Duser.country=US")
"""The kernel's heap and collector are the same on a laptop and on a server. Its locale is English, because under Turkish lower case it does not
start; the JVMs of trials are not given these options and keep the reader's locale."""

COMPILER = "KOTLIN_JUPYTER_REPL_COMPILER_MODE"
"""Names the compiler that the kernel takes, K1 or K2."""

SAID = re.compile(
    r"^(?:Exception in thread \S+ |Caused by: )?((?:\w+\.)+\w+(?:: .*)?)(?=\n\s+at )"
    r"|^(?:Error occurred during initialization of VM\n)?(Unrecognized .*|Error: .*|(?<=of VM\n).*)",
    re.MULTILINE,
)
"""What a log says about the end of a Java: an exception above its frames, or a sentence of the JVM about its options."""


def _packaged_arguments(env: PythonEnvironment) -> Path:
    found = [
        *env.prefix.glob("lib/python3*/site-packages/run_kotlin_kernel/config/jar_args.json"),
        *env.prefix.glob("Lib/site-packages/run_kotlin_kernel/config/jar_args.json"),
    ]
    if not found:
        stamps.drop("python")
        raise LabError("The Kotlin kernel's package is incomplete: repeat the command, and lab installs it again.")
    return found[0]


def has(env: PythonEnvironment, name: str) -> bool:
    """Whether the kernel's main jar has this file in it."""
    arguments = _packaged_arguments(env)
    with zipfile.ZipFile(arguments.parent.parent / "jars" / json.loads(arguments.read_text(encoding="utf-8"))["mainJar"]) as jar:
        return name in jar.namelist()


def specification(python: Path, java: Java, folder: Path) -> dict[str, object]:
    """What Jupyter needs to know to start the kernel."""
    options = [*OPTIONS, f"-Dlogback.configurationFile={(places.TOOLS / 'kernel' / 'logback.xml').as_posix()}"]
    # Where the kernel looks for libraries by name, beside those in its own jar: `%use client-lab` works from any folder.
    options.append(f"-Xbootclasspath/a:{(folder / 'named').as_posix()}")
    # A cell may fetch the jars of another version.
    options += maven.trust(java)
    if java.feature >= 24:
        options += ["--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"]
    return {
        "argv": [str(python), str(places.TOOLS / "kernel" / "start.py"), "{connection_file}", str(folder / "jar_args.json")],
        "display_name": "Kotlin",
        "language": "kotlin",
        "interrupt_mode": "message",
        "env": {
            "KOTLIN_JUPYTER_JAVA_EXECUTABLE": str(java.executable),
            # The kernel's launcher splits this as a shell would, so a backslash or a space must be quoted.
            "KOTLIN_JUPYTER_JAVA_OPTS": " ".join(shlex.quote(option) for option in options),
            "JAVA_HOME": str(java.home),
            "CLIENT_LAB_JAVA": str(java.executable),
            "CLIENT_LAB_HOME": str(places.ROOT),
        },
    }


def why_it_ended(log: str) -> str | None:
    """The first exception of Java in a kernel's log, or None where there is none."""
    found = SAID.search(log)
    return (found[1] or found[2]).strip() if found else None


def library(root: Path = places.ROOT) -> dict[str, object]:
    """The descriptor that `%use client-lab` reads: that of the notebooks below `root`, with the jar's whole path."""
    notebooks = root / "notebooks"
    own = json.loads((notebooks / "lab.json").read_text(encoding="utf-8"))
    return own | {"dependencies": [(notebooks / jar).resolve().as_posix() for jar in own["dependencies"]]}


def install(env: PythonEnvironment, java: Java, jupyter: Path | None = None) -> None:
    """Write the specification into a Jupyter folder: lab's own one by default, where only lab's Jupyter looks."""
    folder = (jupyter or places.JUPYTER) / "kernels" / "kotlin"
    arguments = json.loads(_packaged_arguments(env).read_text(encoding="utf-8"))
    # By default a debugger listens at a fixed port, so a second kernel on this machine would end at once.
    arguments["debuggerPort"] = ""
    _write(folder / "jar_args.json", arguments)
    _write(folder / "named" / "jupyterLibraries" / "client-lab.json", library())
    _write(folder / "kernel.json", specification(env.python, java, folder))


def _write(path: Path, content: object) -> None:
    text = json.dumps(content, indent=2) + "\n"
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        stamps.write_whole(path, text)


def install_plain(env: PythonEnvironment, folder: Path) -> None:
    """Write a specification as the kernel's package has it, but without its debugger: tests use it to see what works without ours."""
    arguments = json.loads(_packaged_arguments(env).read_text(encoding="utf-8")) | {"debuggerPort": ""}
    target = folder / "kernels" / "kotlin"
    _write(target / "jar_args.json", arguments)
    argv = [str(env.python), "-m", "run_kotlin_kernel", "{connection_file}", str(target / "jar_args.json")]
    _write(target / "kernel.json", {"argv": argv, "display_name": "Kotlin", "language": "kotlin", "interrupt_mode": "message"})


def variables(extra: Mapping[str, str | None] | None = None) -> dict[str, str]:
    """The environment of everything Jupyter: all its folders inside `.lab`."""
    ours: dict[str, str | None] = {
        "JUPYTER_PATH": str(places.JUPYTER),
        "JUPYTER_CONFIG_DIR": str(places.JUPYTER / "config"),
        "JUPYTER_DATA_DIR": str(places.JUPYTER / "data"),
        "JUPYTER_RUNTIME_DIR": str(places.JUPYTER / "runtime"),
        "JUPYTERLAB_SETTINGS_DIR": str(places.JUPYTER / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(places.JUPYTER / "workspaces"),
        "IPYTHONDIR": str(places.JUPYTER / "ipython"),
        "JUPYTER_PLATFORM_DIRS": "0",
        "KOTLIN_JUPYTER_JAVA_OPTS_EXTRA": None,
    }
    return environment(**(ours | dict(extra or {})))
