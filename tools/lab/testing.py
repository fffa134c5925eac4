"""`lab test`: every test there is, in groups, and one total as the last line."""

import shutil
import sys
from concurrent.futures import ThreadPoolExecutor

from . import browser, houserules, kandy, kernel, lock, maven, notebooks, pages, places, processes, publish, reports, setup, environment, workshop
from .java import Java
from .maven import Maven
from .reports import Results
from .setup import Ready
from .terminal import LabError, Step, say

CELL_SECONDS = 600
AT_ONCE = 2


def run(long: bool, soak: bool = False) -> int:
    """Run them all; 0 when none failed and some passed."""
    total = Results()

    def group(name: str, results: Results) -> None:
        nonlocal total
        total += results
        say(f"{name}: {results}")
        for test, message in results.failed:
            say(f"  FAILED {test}")
            for line in message.splitlines()[:20]:
                say(f"    {line}")
        for test, reason in results.skipped:
            say(f"  skipped {test}: {reason}")

    group("Python tests", python_tests("tests"))
    mvn = maven.required()
    with lock.only_one("test"):
        python = environment.prepare()
        java = setup.find_java()
        built, results = maven_tests(mvn, java, long, soak)
        group("Kotlin tests", results)
        group("Format", format_check(mvn, java))
        group("Kandy renderer", kandy.test(mvn, java, long))
        if built:
            maven.record_build(java)
            kernel.install(python, java)
    ready = Ready(java, mvn, python)
    group("Notebooks, house rules", house_rules())
    group("Workshop, house rules", workshop.house_rules())
    group("Notebooks, executed", executed(ready, built))
    group("JupyterLab in a browser", jupyterlab(ready, built, long))
    group("The site", site(ready, built, long))
    if long:
        group("Notebooks, published data alone", executed(ready, built, published=True))
        group("Workshop, executed", workshop.executed(ready, built, long))
        group("Pages, executed", pages.run(ready, built))
        group("Python tests, long", python_tests("tests_long"))
    say(str(total))
    return 0 if total.good else 1


def python_tests(folder: str) -> Results:
    """The tests of lab itself that are in `tools/FOLDER`."""
    step, log_name = Step(f"Python tests in tools/{folder}"), f"test-python-{folder}"
    code = processes.run_logged(
        [sys.executable, places.TOOLS / "unittests.py", folder], step=step, log_name=log_name, environment=processes.environment()
    )
    step.stop()
    log = places.LOGS / f"{log_name}.log"
    results = reports.of_json_lines(log.read_text(encoding="utf-8", errors="replace").splitlines())
    if code and not results.failed:
        results.failed.append((f"tools/{folder}", f"the tests could not be run; see {places.shown(log)}"))
    return results


def maven_tests(mvn: Maven, java: Java, long: bool, soak: bool = False) -> tuple[bool, Results]:
    """The tests of every module, and whether all jars were made."""
    for module in maven.modules():
        shutil.rmtree(module / "target" / "surefire-reports", ignore_errors=True)
    step = Step("Kotlin tests")
    code = processes.run_logged(
        maven.arguments(mvn, "verify", "-Dmaven.test.failure.ignore=true", "-Dspotless.check.skip=true", *maven.groups(long, soak)),
        step=step,
        log_name="test-maven",
        environment=maven.variables(java),
        reading=maven.Reader(),
    )
    step.stop()
    results = reports.of_surefire(file for module in maven.modules() for file in (module / "target" / "surefire-reports").glob("TEST-*.xml"))
    if code:
        results.failed.append(("the project is built", maven.complaint("test-maven")))
    return code == 0, results


def format_check(mvn: Maven, java: Java) -> Results:
    step = Step("Format")
    code = processes.run_logged(
        maven.arguments(mvn, "spotless:check", "--fail-at-end"), step=step, log_name="test-format", environment=maven.variables(java), reading=maven.Reader()
    )
    step.stop()
    complaint = maven.complaint("test-format") + "\nremedy: mvn spotless:apply"
    return Results(0, [("the Kotlin sources are formatted", complaint)]) if code else Results(1)


def house_rules() -> Results:
    results = Results()
    for name in notebooks.articles():
        results += houserules.check(places.NOTEBOOKS / f"{name}.ipynb")
    return results


def jupyterlab(ready: Ready, built: bool, long: bool) -> Results:
    """What a reader does in JupyterLab, in a real browser; with `long`, Run All on every notebook too."""
    if not built:
        return Results(skipped=[("JupyterLab in a browser", "the project could not be built")])
    return browser.tests(ready.python, "lab", "JupyterLab in a browser", CLIENT_LAB_JAVA_HOME=str(ready.java.home), **({"CLIENT_LAB_LONG": "1"} if long else {}))


def site(ready: Ready, built: bool, long: bool) -> Results:
    """The site, made as `lab publish` makes it; with `long`, every page of it looked at in a browser."""
    name = "the site is made of notebooks, ledger and data, without a warning"
    if not built:
        return Results(skipped=[(name, "the project could not be built")])
    try:
        publish.make(ready)
    except LabError as error:
        return Results(failed=[(name, str(error))])
    results = Results(1)
    if long:
        results += browser.site_tests(ready)
    return results


def executed(ready: Ready, built: bool, published: bool = False) -> Results:
    """Every notebook from top to bottom in a clean kernel: with the smallest experiments there are, or without those cells and the server."""

    def of(name: str) -> Results:
        test = f"{name}.ipynb {'shows the published data without a server' if published else 'runs from top to bottom'}"
        if not built:
            return Results(skipped=[(test, "the project could not be built")])
        step = Step(test, alone=False)
        outcome = notebooks.execute(ready, name, step, smoke=not published, published=published, cell_seconds=CELL_SECONDS)
        step.done("failed" if outcome.failure else "passed")
        if outcome.failure:
            return Results(failed=[(test, f"{outcome.failure}\nexecuted so far: {places.shown(outcome.notebook)}")])
        return Results(1)

    # Two at a time: most of a notebook is compiling, and where one measures the other waits.
    pool = ThreadPoolExecutor(AT_ONCE)
    try:
        return sum(pool.map(of, notebooks.articles()), Results())
    finally:
        # Whoever presses Ctrl-C waits for nothing: what was started is ended by lab itself.
        pool.shutdown(wait=False, cancel_futures=True)
