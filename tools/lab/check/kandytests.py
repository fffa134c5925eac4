"""The tests of the Kandy renderer; where Kandy cannot be had, the name of each with the reason."""

import shutil

from ..base import places
from ..base.processes import run_logged
from ..base.reports import Results, names_in_kotlin, of_surefire
from ..base.terminal import Step
from ..prepare import maven
from ..prepare.java import Java
from ..prepare.kandy import goals, is_there, put_in_place, reason_against
from ..prepare.maven import Maven


def run(mvn: Maven, java: Java, long: bool) -> Results:
    """The module's tests; where Kandy cannot be had, each one's name with the reason."""
    results = Results()
    if not is_there():
        return results
    reason = reason_against(mvn, java)
    if reason:
        for file in sorted((places.KANDY / "src" / "test").rglob("*.kt")):
            results.skipped += [(name, reason) for name in names_in_kotlin(file.read_text(encoding="utf-8"))]
        return results
    reports = places.KANDY / "target" / "surefire-reports"
    shutil.rmtree(reports, ignore_errors=True)
    step = Step("Tests of the Kandy renderer")
    code = run_logged(
        maven.arguments(mvn, *goals("verify"), "-Dmaven.test.failure.ignore=true", "-Dsurefire.failIfNoSpecifiedTests=false",
                        "-Dtest=clientlab.kandy.**", *maven.groups(long)),
        step=step,
        log_name="test-kandy",
        environment=maven.variables(java),
        reading=maven.Reader(),
    )
    step.stop()
    results += of_surefire(reports.glob("TEST-*.xml"))
    if code:
        results.failed.append(("lib/kandy is built", maven.complaint("test-kandy")))
    else:
        put_in_place()
    return results
