"""The Kandy renderer, `lib/kandy`: built where Kandy can be had."""

import os
import re
import shutil

from ..base import places, stamps
from ..base.processes import run_logged
from ..base.terminal import Step
from . import maven
from .java import Java
from .maven import Maven

PROFILE = "kandy"


def artifact() -> str:
    """The one version of Kandy that goes with the one version of DataFrame, from the root pom."""
    found = re.search(r"<kandy\.version>([^<]+)<", (places.ROOT / "pom.xml").read_text(encoding="utf-8"))
    return f"org.jetbrains.kotlinx:kandy-lets-plot:{found.group(1) if found else '0.8.0'}"


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


def reason_against(mvn: Maven, java: Java) -> str:
    """Why Kandy cannot be had here, or an empty text; remembered for `lab doctor`."""
    reason = maven.why_not(mvn, java, artifact()) or ""
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
        stamps.put("kandy", f"{artifact()}\nits renderer could not be built (see .lab/log/kandy.log)")
    else:
        put_in_place()
    step.done("found and built" if not code else "found, and its renderer could not be built: figures are drawn by Lets-Plot")


def put_in_place() -> None:
    """Put the library with Kandy in the place of the one without, because lab.json names one jar."""
    part = places.NOTEBOOK_JAR.with_suffix(".part")
    shutil.copyfile(places.KANDY / "target" / places.NOTEBOOK_JAR.name, part)
    os.replace(part, places.NOTEBOOK_JAR)
