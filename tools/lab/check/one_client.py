"""`lab test --client NAME`: the contract of one client, and what the catalogue and the figures need of it."""

import shutil

from ..base import lock, places, processes, reports
from ..base.reports import Results
from ..base.terminal import Step, say
from ..prepare import maven, setup
from ..prepare.maven import Reader

MODULES = ("server/delay", "lib/core", "lib/clients", "lib/gateway", "lib/notebook", "lib/articles")
"""Where the tests are, and what they need."""

TESTS = (
    *(f"clientlab.clients.{name}" for name in ("CatalogueTest", "CatalogueFileTest", "ContractTest", "ProtocolTest", "TransferTest", "DecodingTest")),
    "clientlab.notebook.chart.StyleTest",
    "clientlab.articles.ArchitectureTest",
)


def test(name: str, long: bool = False) -> int:
    """Test the client NAME of the catalogue; 0 when no test failed and some passed."""
    mvn = maven.required()
    with lock.only_one("test"):
        java = setup.find_java()
        folders = [places.ROOT / module / "target" / "surefire-reports" for module in MODULES]
        for folder in folders:
            shutil.rmtree(folder, ignore_errors=True)
        step = Step(f"Tests of the client {name}")
        code = processes.run_logged(
            maven.arguments(mvn, *goals(name, long)),
            step=step,
            log_name="test-client",
            environment=maven.variables(java),
            reading=Reader(),
        )
        step.stop()
    results = reports.of_surefire(file for folder in folders for file in folder.glob("TEST-*.xml"))
    if code:
        results.failed.append(("the project is built", maven.complaint("test-client")))
    show(results)
    return 0 if results.good else 1


def goals(name: str, long: bool) -> list[str]:
    """What Maven is asked for: only these tests, and of those that run over clients only this one's."""
    return [
        "test",
        "-pl",
        ",".join(MODULES),
        f"-Dtest={','.join(TESTS)}",
        f"-Dlab.client={name}",
        "-Dsurefire.failIfNoSpecifiedTests=false",
        "-Dmaven.test.failure.ignore=true",
        "-Dspotless.check.skip=true",
        *maven.groups(long),
    ]


def show(results: Results) -> None:
    for test_name, message in results.failed:
        say(f"FAILED {test_name}")
        for line in message.splitlines()[:20]:
            say(f"  {line}")
    say(str(results))
