"""The Kandy renderer, `lib/kandy`: built where Kandy can be had."""

import os
import shutil
import time
import zipfile
from pathlib import Path

from ..base import places, stamps
from ..base.processes import run_logged
from ..base.terminal import Step
from . import maven, pairs
from .java import Java
from .maven import Maven

PROFILE = "kandy"
RENDERER = "clientlab/kandy/KandyRenderer.class"
NOT_BUILT = "its renderer could not be built (see .lab/log/kandy.log)"
A_DAY = 24 * 3600


def artifact() -> str:
    """The version of Kandy that goes with the DataFrame that is built with."""
    return pairs.chosen().kandy_artifact


def is_there() -> bool:
    """Whether the module has been written."""
    return (places.KANDY / "pom.xml").is_file()


def known_reason() -> str | None:
    """What the last look for Kandy found: an empty text where it resolves, None where there was no look."""
    try:
        name, _, reason = (places.STAMPS / "kandy").read_text(encoding="utf-8").partition("\n")
    except OSError:
        return None
    return reason if name == artifact() else None


def in_jar() -> bool:
    """Whether the jar that notebooks load draws with Kandy."""
    try:
        with zipfile.ZipFile(places.NOTEBOOK_JAR) as jar:
            return RENDERER in jar.namelist()
    except (OSError, zipfile.BadZipFile):
        return False


def in_local_repository() -> bool:
    """Whether the user's own Maven repository has Kandy, wherever it came from."""
    group, name, version = artifact().split(":")
    folder = Path.home() / ".m2" / "repository" / group.replace(".", "/") / name / version
    return (folder / f"{name}-{version}.jar").is_file()


def is_due() -> bool:
    """Whether to look for Kandy again although the library is built: it came into the local repository, or a day has passed since the last look."""
    if not is_there() or maven.is_bundled() or in_jar():
        return False
    try:
        looked = (places.STAMPS / "kandy").stat().st_mtime
    except OSError:
        return True
    return time.time() - looked > A_DAY or (in_local_repository() and known_reason() != NOT_BUILT)


def why_not(mvn: Maven, java: Java) -> str:
    """Why Kandy cannot be had here, or an empty text."""
    return "" if in_local_repository() else maven.why_not(mvn, java, artifact()) or ""


def reason_against(mvn: Maven, java: Java) -> str:
    """The same, remembered until `is_due` says that it is time to look again."""
    reason = why_not(mvn, java)
    stamps.put("kandy", f"{artifact()}\n{reason}")
    return reason


def goals(*goals: str) -> tuple[str, ...]:
    return (*goals, f"-P{PROFILE}", "-pl", places.KANDY.relative_to(places.ROOT).as_posix(), "-am")


def build(mvn: Maven, java: Java) -> None:
    """Build the renderer if Kandy resolves; figures do not depend on it, so nothing here is fatal."""
    if not is_there():
        return
    step = Step("Looking for Kandy")
    reason = reason_against(mvn, java)
    if reason:
        step.done("not to be had here, figures are drawn by Lets-Plot")
        return
    code = run_logged(
        maven.arguments(mvn, *goals("package", "-Dmaven.test.skip=true", "-Dspotless.check.skip=true")),
        step=step,
        log_name="kandy",
        environment=maven.variables(java),
        reading=maven.Reader(),
    )
    if code:
        stamps.put("kandy", f"{artifact()}\n{NOT_BUILT}")
    else:
        put_in_place()
    step.done("found and built" if not code else "found, and its renderer could not be built: figures are drawn by Lets-Plot")


def put_in_place() -> None:
    """Put the library with Kandy in the place of the one without, because lab.json names one jar."""
    part = places.NOTEBOOK_JAR.with_suffix(".part")
    shutil.copyfile(places.KANDY / "target" / places.NOTEBOOK_JAR.name, part)
    os.replace(part, places.NOTEBOOK_JAR)
