"""Maven 3.8 or newer, and the build: repeated only when sources or jars have changed."""

import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ..base import places, stamps
from ..base.processes import environment, output_of, run_logged
from ..base.terminal import LabError, Step, say
from . import pairs, unpacked
from .java import Java

OLDEST = (3, 8)
TRUST_STORES = [
    Path("/etc/ssl/certs/java/cacerts"),
    Path("/etc/pki/ca-trust/extracted/java/cacerts"),
    Path("/var/lib/ca-certificates/java-cacerts"),
]
"""Where Linux distributions keep the certificates that the machine trusts, in Java's own format."""

REMEDY = "install it (`apt install maven`, `brew install maven`, `choco install maven`, `conda install maven`) or set MAVEN_HOME to its folder"


@dataclass(frozen=True)
class Maven:
    """Maven's launcher and where it was found, in words."""

    executable: Path
    source: str

    def version(self, java: Java) -> str | None:
        """Its version; takes half a second, because it starts Java."""
        found = re.search(r"Apache Maven (\d[\w.-]*)", output_of([self.executable, "--version"], **variables(java)) or "")
        return found.group(1) if found else None


def find(variables: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Maven | None:
    """Maven from MAVEN_HOME or M2_HOME, the active conda environment, or the path."""
    name = "mvn.cmd" if platform == "win32" else "mvn"
    for variable in ("MAVEN_HOME", "M2_HOME"):
        if variables.get(variable) and os.path.isfile(Path(variables[variable]) / "bin" / name):
            return Maven(Path(variables[variable]) / "bin" / name, variable)
    if variables.get("CONDA_PREFIX"):
        prefix = Path(variables["CONDA_PREFIX"])
        for folder in (prefix / "bin", prefix / "Library" / "bin", prefix / "Scripts"):
            if os.path.isfile(folder / name):
                return Maven(folder / name, "the conda environment")
    on_path = shutil.which(name, path=variables.get("PATH", ""))
    return Maven(Path(on_path), "the path") if on_path else None


def check_version(version: str | None) -> str | None:
    """What is wrong with this version of Maven, or None."""
    if version is None:
        return f"Maven was found and does not start: {REMEDY}"
    numbers = tuple(int(part) for part in re.findall(r"\d+", version)[:2])
    return None if numbers >= OLDEST else f"Maven {version} is older than 3.8: {REMEDY}"


def launcher() -> Maven | None:
    """Maven, or an error before anything else is done. In a bundle, which has its jars, it may be None."""
    return find() if unpacked.is_one() else required()


def required() -> Maven:
    maven = find()
    if maven is None:
        raise LabError(f"Maven was not found: {REMEDY}.")
    return maven


def modules() -> list[Path]:
    """The folders of the root pom's modules, the optional ones in profiles included, as far as they exist."""
    text = (places.ROOT / "pom.xml").read_text(encoding="utf-8")
    text = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
    return [places.ROOT / name for name in dict.fromkeys(re.findall(r"<module>\s*([^<\s]+)\s*</module>", text)) if (places.ROOT / name).is_dir()]


def version() -> str:
    """The project's version, from the root pom."""
    found = re.search(r"<artifactId>client-lab</artifactId>\s*<version>([^<]+)<", (places.ROOT / "pom.xml").read_text(encoding="utf-8"))
    if found is None:
        raise LabError("The root pom.xml states no version of client-lab: restore it from git.")
    return found.group(1)


def sources() -> list[Path]:
    """Every file that the jars are made from."""
    files = [places.ROOT / "pom.xml"]
    for module in [*modules(), *([places.KANDY] if places.KANDY.is_dir() else [])]:
        files += [module / "pom.xml", *(file for file in (module / "src" / "main").rglob("*") if file.is_file())]
    return [file for file in dict.fromkeys(files) if file.is_file()]


def inputs(java: Java) -> str:
    """What jars that are made now are made from."""
    return stamps.digest(stamps.digest_of_files(sources(), places.ROOT), java.version, *pairs.options())


def _outputs() -> str:
    """Which jars are there, by size and time, so that a jar that is gone, or that another build has made, is noticed."""
    targets = [module / "target" for module in modules()]
    jars = [jar for target in targets for jar in sorted([*target.glob("*.jar"), *target.glob("*/*.jar")])]
    return stamps.digest(*(f"{places.shown(jar)} {jar.stat().st_size} {jar.stat().st_mtime_ns}" for jar in jars))


def is_built(java: Java) -> bool:
    return places.NOTEBOOK_JAR.is_file() and stamps.holds("build", inputs(java) + _outputs())


def record_build(made_from: str) -> None:
    """Note what the jars that are there are made from."""
    stamps.put("build", made_from + _outputs())


def only_what_changed(java: Java) -> list[str]:
    """The option with which Kotlin is compiled where it has changed, and the tests alone where they have.

    Kotlin's Maven plugin does not see that another module has changed. So where a main source has, every module is compiled anew.
    """
    if not is_built(java):
        for module in modules():
            shutil.rmtree(module / "target" / "kotlin-ic", ignore_errors=True)
    return ["-Dkotlin.compiler.incremental=true"]


class Reader:
    """Turns each line of Maven's output into a short phrase: the module, what is fetched, the tests so far."""

    def __init__(self, at_last_tests: Callable[[], object] = lambda: None) -> None:
        self.at_last_tests = at_last_tests
        self.packaged = False
        """Whether all jars are there, which is so when the tests of the last module begin."""
        self.last = False
        self.module = ""
        self.fetched = 0
        self.tests = 0

    def __call__(self, line: str) -> str:
        line = re.sub(r"\x1b\[[0-9;]*m", "", line)
        if found := re.match(r"\[INFO\] Building (.+?) \S+\s+\[(\d+)/(\d+)\]", line):
            self.module = f"{found.group(1)} ({found.group(2)} of {found.group(3)})"
            self.last = found.group(2) == found.group(3)
        elif self.last and not self.packaged and re.search(r"surefire\S*:test \(default-test\) @", line):
            self.packaged = True
            self.at_last_tests()
        elif line.startswith("[INFO] Downloaded") or re.match(r"Downloaded from", line):
            self.fetched += 1
        elif found := re.match(r"\[\w+\]\s+Tests run: (\d+),.*Time elapsed", line):
            self.tests += int(found.group(1))
        else:
            return ""
        parts = [self.module, f"{self.tests} tests so far" if self.tests else "", f"{self.fetched} files fetched" if self.fetched else ""]
        return ", ".join(part for part in parts if part)


def arguments(maven: Maven, *goals: str) -> list[str]:
    return [str(maven.executable), "-B", "-Dstyle.color=never", *pairs.options(), *goals]


def trust(java: Java) -> list[str]:
    """The option with which a Java from PyPI trusts the certificates that this machine trusts; none for any other Java."""
    store = next((store for store in TRUST_STORES if os.path.isfile(store)), None)
    return [f"-Djavax.net.ssl.trustStore={store}"] if store and java.bundled else []


def variables(java: Java) -> dict[str, str]:
    """Maven's environment: the Java that lab has found, whatever the reader's JAVA_HOME says."""
    options = [os.environ.get("MAVEN_OPTS", "")]
    if "javax.net.ssl.trustStore" not in options[0]:
        options += trust(java)
    if java.feature >= 24:
        options.append("--sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED")
    return environment(JAVA_HOME=str(java.home), MAVEN_OPTS=" ".join(filter(None, options)))


def is_bundled() -> bool:
    """Whether the jars are those that a bundle brought, and the sources are still its own."""
    return unpacked.is_one() and unpacked.holds(stamps.digest_of_files(sources(), places.ROOT))


def build(maven: Maven | None, java: Java) -> bool:
    """Make all jars where sources or jars have changed; whether it did."""
    if is_built(java):
        return False
    # Read before: a source that changes during the build is in no jar.
    made_from = inputs(java)
    if is_bundled():
        record_build(made_from)
        return False
    incrementally = only_what_changed(java)
    stamps.drop("build")
    maven = maven or required()
    wrong = check_version(maven.version(java))
    if wrong:
        raise LabError(f"{wrong}.")
    step = Step("Building the library and the delay server")
    code = run_logged(
        arguments(maven, "package", "-Dmaven.test.skip=true", "-Dspotless.check.skip=true", *incrementally),
        step=step,
        log_name="build",
        environment=variables(java),
        reading=Reader(),
    )
    if code:
        step.done("failed")
        say(complaint("build"))
        if pairs.options() and why_not(maven, java, pairs.chosen().dataframe_artifact):
            raise LabError(f"{pairs.chosen()} cannot be had here: unset {pairs.VARIABLE} to build with {pairs.known()[0]}.")
        raise LabError("Maven could not build the project; what it fetched is kept, so repeating the command goes on from here.")
    step.done()
    record_build(made_from)
    return True


SOAK_MINUTES = 30


def groups(long: bool, soak: bool = False) -> list[str]:
    """The options that include the slow tests, and that give the longest of them its whole time."""
    return (["-Dlab.excludedGroups="] if long else []) + ([f"-Dlab.soakMinutes={SOAK_MINUTES}"] if soak else [])


def complaint(log_name: str) -> str:
    """What Maven itself says went wrong, from its log."""
    log = places.LOGS / f"{log_name}.log"
    text = log.read_text(encoding="utf-8", errors="replace")
    errors = [line.removeprefix("[ERROR] ") for line in text.splitlines() if line.startswith("[ERROR] ")]
    said = [line for line in errors if line.strip() and "[Help " not in line and not line.startswith(("Re-run", "To see", "For more", "After"))]
    said = said[:12]
    if "PKIX path building failed" in text:
        said.append("This Java does not trust your network's certificates: set JAVA_HOME to one that does, or name their store in MAVEN_OPTS.")
    return "\n".join([*dict.fromkeys(said), f"(the whole log is in {places.shown(log)})"])


def why_not(maven: Maven, java: Java, artifact: str) -> str | None:
    """Why `group:artifact:version` cannot be had from where Maven looks, or None; nothing is added to the local repository.

    A project that imports the artifact's POM needs no plugin to be checked, so this takes seconds.
    """
    group, name, version = artifact.split(":")
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "pom.xml").write_text(
            "<project><modelVersion>4.0.0</modelVersion><groupId>lab</groupId><artifactId>asks</artifactId><version>1</version>"
            "<packaging>pom</packaging><dependencyManagement><dependencies><dependency>"
            f"<groupId>{group}</groupId><artifactId>{name}</artifactId><version>{version}</version><type>pom</type><scope>import</scope>"
            "</dependency></dependencies></dependencyManagement></project>",
            encoding="utf-8",
        )
        local = f"-Dmaven.repo.local={Path(folder) / 'repository'}"
        said = output_of(
            [*arguments(maven, "-q", "validate", local), "-f", str(Path(folder) / "pom.xml")],
            seconds=60,
            even_failed=True,
            **variables(java),
        )
    if said is None:
        return f"Maven did not say within a minute whether {artifact} can be had"
    if "[ERROR]" not in said and "[FATAL]" not in said:
        return None
    missing = re.search(r"Could not find artifact|was not found in|status: 404|Not Found", said)
    return f"{artifact} {'is not in the repositories Maven uses here' if missing else 'could not be fetched: is there a network?'}"
