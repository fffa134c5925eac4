"""`lab test`: every test there is, in groups, and one total as the last line.

Tests that measure run alone, and tests that wait run side by side. Maven runs test classes in several JVMs, and beside the first module's run
the Python tests, and beside the last module's the notebooks, the check of the format, and the site."""

import shutil
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from ..base import lock, places, processes, reports
from ..base.reports import Results
from ..base.terminal import LabError, Step, duration, say, several_steps, table
from ..prepare import environment, kandy, kernel, maven, setup
from ..prepare.java import Java
from ..prepare.maven import Maven
from ..prepare.setup import Ready
from ..notebook import execution, houserules, notebooks, workshop
from ..share import publish
from . import browser, kandytests, pages

CELL_SECONDS = 600
JVMS = 3
"""How many JVMs run test classes at once. Each has a folder of its own for temporary files, and so a lock of its own for runs."""

AT_ONCE = 3
"""How many of lab's own jobs run beside them: most of a notebook is compiling, and small runs wait for each other."""

SLOWEST = 10

ONE_COMPILER = "-XX:TieredStopAtLevel=1"
"""A kernel compiles each cell once, and a test class runs once: the first compiler alone saves a third of their processor time. A class that
measures is not given this option, and the library itself gives it to the trials of a small run."""

MEASURE = (
    *("CalibrationTest", "CapacityTrialTest", "ClosedLoopTrialTest", "OpenLoopTrialTest", "LoadGeneratorTest", "BackgroundLoadTest", "PriorityThreadTest"),
    *("ContractTest", "StatisticsTimeTest", "TrialMainTest"),
    *("AuditTrialTest", "AuditLimitsTest", "TasksTrialTest", "StormTrialTest", "StreamsTrialTest", "SocketStatesTest"),
    *("RunTest", "ProtocolsTest", "PublishedClientTest", "SerializedClientTest", "AliasRunTest", "VersionedRunTest", "TwoNetworksTest", "LedgerCampaignTest"),
    *("BisectTest", "CompareTest", "CleanTrialsTest"),
)
"""The test classes that measure time or processor time, hold a client to what it does on a quiet machine, or fill accept queues on
purpose: the machine counts full queues as a whole, so that trials in other tests would be invalid."""


class Groups:
    """The groups of one run: what they found together, and how long each took."""

    def __init__(self) -> None:
        self.total = Results()
        self.took: list[tuple[str, float]] = []
        self.speaking = threading.Lock()

    def run(self, name: str, work: Callable[[], Results]) -> None:
        began = time.monotonic()
        results = work()
        with self.speaking:
            self.total += results
            self.took.append((name, time.monotonic() - began))
            say(f"{name}: {results}")
            for test, message in results.failed:
                say(f"  FAILED {test}")
                for line in message.splitlines()[:20]:
                    say(f"    {line}")
            for test, reason in results.skipped:
                say(f"  skipped {test}: {reason}")

    def say_what_took_longest(self) -> None:
        for heading, times in (("The groups", self.took), ("The slowest test classes and notebooks", self.total.seconds.items())):
            longest = sorted(times, key=lambda each: each[1], reverse=True)[:SLOWEST]
            say(f"{heading}:")
            say(table([(f"  {name}", duration(seconds)) for name, seconds in longest]))


def run(long: bool, soak: bool = False) -> int:
    """Run them all; 0 when none failed and some passed."""
    groups = Groups()
    mvn = maven.required()
    with lock.only_one("test"):
        python = environment.prepare()
        ready = Ready(setup.find_java(), mvn, python)
        kernel.install(python, ready.java)
        groups.run("Notebooks, house rules", house_rules)
        groups.run("Workshop, house rules", workshop.house_rules)
        built = side_by_side(groups, ready, long, soak)
    groups.run("JupyterLab in a browser", lambda: jupyterlab(ready, built, long))
    if long:
        groups.run("The site in a browser", lambda: site_in_browser(ready, built))
        groups.run("Notebooks, published data alone", lambda: executed(ready, built, published=True))
        groups.run("Notebooks, the kernel's other compilers", lambda: other_compilers(ready, built))
        groups.run("Workshop, executed", lambda: workshop.executed(ready, built, long))
        groups.run("Pages, executed", lambda: pages.run(ready, built))
        groups.run("Python tests, long", lambda: python_tests("tests_long"))
    groups.say_what_took_longest()
    say(str(groups.total))
    return 0 if groups.total.good else 1


def side_by_side(groups: Groups, ready: Ready, long: bool, soak: bool) -> bool:
    """The Kotlin tests and what needs no quiet machine beside them; whether the project could be built.

    The Python tests run beside the server's, among which none measures. The rest waits for the last module.
    """
    begin = threading.Event()
    # The library with Kandy in it takes the place of the one without, and no notebook may be running then.
    with_kandy = kandy.is_there() and not kandy.reason_against(ready.maven, ready.java)
    reader = maven.Reader(at_last_tests=(lambda: None) if with_kandy else begin.set)

    def kotlin() -> None:
        try:
            groups.run("Kotlin tests", lambda: maven_tests(ready.maven, ready.java, long, soak, reader))
            groups.run("Kandy renderer", lambda: kandytests.run(ready.maven, ready.java, long))
        finally:
            begin.set()

    def others() -> None:
        groups.run("Format", lambda: format_check(ready.maven, ready.java))
        groups.run("Change points, against ruptures", lambda: checked(ready, "tests_ruptures"))
        groups.run("The site", lambda: site(ready, reader.packaged))
        groups.run("Verdicts, decided again", lambda: verdicts_again(ready, reader.packaged))

    made_from = maven.inputs(ready.java)
    pool = ThreadPoolExecutor()
    try:
        with several_steps():
            jobs = [pool.submit(kotlin), pool.submit(groups.run, "Python tests", lambda: python_tests("tests"))]
            begin.wait()
            jobs += [pool.submit(others), pool.submit(groups.run, "Notebooks, executed", lambda: executed(ready, reader.packaged))]
            for job in as_completed(jobs):
                job.result()
    finally:
        # After Ctrl-C nothing is waited for: lab itself ends what was started.
        pool.shutdown(wait=False, cancel_futures=True)
    if reader.packaged:
        maven.record_build(made_from)
    return reader.packaged


def python_tests(folder: str, python: Path | str = sys.executable) -> Results:
    """The tests of lab itself that are in `tools/FOLDER`."""
    step, log_name = Step(f"Python tests in tools/{folder}"), f"test-python-{folder}"
    code = processes.run_logged(
        [python, places.TOOLS / "unittests.py", folder], step=step, log_name=log_name, environment=processes.environment()
    )
    step.stop()
    log = places.LOGS / f"{log_name}.log"
    results = reports.of_json_lines(log.read_text(encoding="utf-8", errors="replace").splitlines())
    if code and not results.failed:
        results.failed.append((f"tools/{folder}", f"the tests could not be run; see {places.shown(log)}"))
    return results


def checked(ready: Ready, folder: str) -> Results:
    """The tests in `tools/FOLDER` that need numpy and ruptures, in the environment's Python; skipped where they cannot be installed."""
    try:
        environment.add(ready.python, "check")
    except LabError as error:
        return Results(skipped=[(f"tools/{folder}", f"numpy and ruptures cannot be installed: {error}")])
    return python_tests(folder, ready.python.python)


def verdicts_again(ready: Ready, built: bool) -> Results:
    """Every verdict of the ledger, which the site has computed, decided again in Python by `tools/check`."""
    if not built:
        return Results(skipped=[("every verdict is decided again", "the project could not be built")])
    return checked(ready, "tests_check")


def maven_tests(mvn: Maven, java: Java, long: bool, soak: bool, reader: maven.Reader) -> Results:
    """The tests of every module: those that measure alone, then the others."""
    shutil.rmtree(places.LAB / "tmp", ignore_errors=True)
    for number in range(1, JVMS + 1):
        (places.LAB / "tmp" / str(number)).mkdir(parents=True, exist_ok=True)
    for module in maven.modules():
        shutil.rmtree(module / "target" / "surefire-reports", ignore_errors=True)
    step = Step("Kotlin tests")
    options = [*in_order(), *maven.only_what_changed(java), *maven.groups(long, soak)]
    code = processes.run_logged(
        maven.arguments(mvn, "verify", "-Dmaven.test.failure.ignore=true", "-Dspotless.check.skip=true", *options),
        step=step,
        log_name="test-maven",
        environment=maven.variables(java),
        reading=reader,
    )
    step.stop()
    results = reports.of_surefire(file for module in maven.modules() for file in (module / "target" / "surefire-reports").glob("TEST-*.xml"))
    if code:
        results.failed.append(("the project is built", maven.complaint("test-maven")))
    return results


def in_order() -> list[str]:
    """Options of the root pom: every module is packaged before its tests, those that measure run first and alone, the others in several JVMs."""
    folder = f"-Djava.io.tmpdir={places.LAB / 'tmp' / '${surefire.forkNumber}'}"
    return [
        "-Dlab.testPhase=integration-test",
        "-Dlab.skipAlone=false",
        f"-Dlab.alone={','.join(f'**/{name}.class' for name in MEASURE)}",
        f"-Dlab.testForks={JVMS}",
        f"-Dlab.testCompilers={ONE_COMPILER}",
        # Surefire splits its line of arguments at spaces.
        f'-Dlab.argLine="{folder}"' if " " in folder else f"-Dlab.argLine={folder}",
    ]


def format_check(mvn: Maven, java: Java) -> Results:
    step = Step("Format")
    code = processes.run_logged(
        maven.arguments(mvn, "spotless:check", "--fail-at-end"), step=step, log_name="test-format", environment=maven.variables(java), reading=maven.Reader()
    )
    step.stop()
    complaint = maven.complaint("test-format") + "\nremedy: mvn spotless:apply"
    return Results(0, [("the Kotlin sources are formatted", complaint)]) if code else Results(1)


def house_rules() -> Results:
    files = [places.NOTEBOOKS / f"{name}.ipynb" for name in notebooks.articles()]
    results = houserules.check_together(files)
    for file in files:
        results += houserules.check(file)
    return results


def jupyterlab(ready: Ready, built: bool, long: bool) -> Results:
    """What a reader does in JupyterLab, in a real browser; with `long`, Run All on every notebook too."""
    if not built:
        return Results(skipped=[("JupyterLab in a browser", "the project could not be built")])
    return browser.tests(ready.python, "lab", "JupyterLab in a browser", CLIENT_LAB_JAVA_HOME=str(ready.java.home), **({"CLIENT_LAB_LONG": "1"} if long else {}))


def site(ready: Ready, built: bool) -> Results:
    """The site, made as `lab publish` makes it."""
    name = "the site is made of notebooks, ledger and data, without a warning"
    if not built:
        return Results(skipped=[(name, "the project could not be built")])
    try:
        publish.make(ready)
    except LabError as error:
        return Results(failed=[(name, str(error))])
    return Results(1)


def site_in_browser(ready: Ready, built: bool) -> Results:
    """Every page of the site, looked at in a browser."""
    return browser.site_tests(ready) if built else Results(skipped=[("the site in a browser", "the project could not be built")])


def other_compilers(ready: Ready, built: bool) -> Results:
    """Every notebook, compiled by each compiler that this kernel has beside the one it takes by itself."""
    # A kernel that has a compiler in a process of its own takes it by itself, so the notebooks were run with it.
    apart = kernel.has(ready.python, "org/jetbrains/kotlinx/jupyter/compiler/daemon/client/DaemonCompilerServiceProvider.class")
    why_not = f"{environment.pinned('kotlin-jupyter-kernel')} has none"
    return executed(ready, built, compiler="K2") + (Results(1) if apart else Results(skipped=[("a compiler in a process of its own", why_not)]))


def executed(ready: Ready, built: bool, published: bool = False, compiler: str | None = None) -> Results:
    """Every notebook from top to bottom in a clean kernel: with the smallest experiments there are, or without those cells and the server."""

    def of(name: str) -> Results:
        test = f"{name}.ipynb {'shows the published data without a server' if published else 'runs from top to bottom'}"
        test += f", compiled by {compiler}" if compiler else ""
        if not built:
            return Results(skipped=[(test, "the project could not be built")])
        step = Step(test)
        options = {"KOTLIN_JUPYTER_JAVA_OPTS_EXTRA": ONE_COMPILER, kernel.COMPILER: compiler}
        outcome = execution.execute(ready, name, step, smoke=not published, published=published, cell_seconds=CELL_SECONDS, variables=options)
        step.done("failed" if outcome.failure else "passed")
        seconds = {f"{name}.ipynb": outcome.seconds}
        if outcome.failure:
            return Results(failed=[(test, f"{outcome.failure}\nexecuted so far: {places.shown(outcome.notebook)}")], seconds=seconds)
        return Results(1, seconds=seconds)

    pool = ThreadPoolExecutor(AT_ONCE)
    try:
        with several_steps():
            return sum(pool.map(of, notebooks.articles()), Results())
    finally:
        # After Ctrl-C nothing is waited for: lab itself ends what was started.
        pool.shutdown(wait=False, cancel_futures=True)
