"""Results of tests, of Python or Kotlin, as names and messages that can be added up."""

import json
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Results:
    """How many tests passed, which failed or were skipped, each with the message or the reason, and the seconds that each class of tests took."""

    passed: int = 0
    failed: list[tuple[str, str]] = field(default_factory=list)
    skipped: list[tuple[str, str]] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)

    def __iadd__(self, other: "Results") -> "Results":
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped
        self.seconds |= other.seconds
        return self

    def __add__(self, other: "Results") -> "Results":
        return Results(self.passed + other.passed, [*self.failed, *other.failed], [*self.skipped, *other.skipped], self.seconds | other.seconds)

    def __str__(self) -> str:
        return f"{self.passed} passed, {len(self.failed)} failed, {len(self.skipped)} skipped"

    @property
    def good(self) -> bool:
        """No test failed, and there was one."""
        return not self.failed and self.passed > 0


def of_json_lines(lines: Iterable[str]) -> Results:
    """What tools/unittests.py prints; other lines are passed over."""
    results = Results()
    for line in lines:
        try:
            test = json.loads(line)
            name, outcome, message = test["name"], test["outcome"], test["message"]
        except (ValueError, TypeError, KeyError):
            continue
        if outcome == "passed":
            results.passed += 1
        else:
            (results.failed if outcome == "failed" else results.skipped).append((name, message.strip()))
    return results


def _reason(skipped: ElementTree.Element) -> str:
    """Why a test was skipped: an annotation says so in the message, an assumption in the first line of its trace."""
    if skipped.get("message"):
        return skipped.get("message", "").strip()
    first = (skipped.text or "").strip().partition("\n")[0]
    return first.partition("Assumption failed: ")[2] or first or "no reason given"


def _plain(name: str) -> str:
    """A test's name without the types of its parameters; their values, which stand behind a number, say which client it was."""
    return re.sub(r"\([\w$., ]*\)(?=\[\d+\] )", " ", name).removesuffix("()")


def of_surefire(files: Iterable[Path]) -> Results:
    """What Surefire's XML reports say; a report that cannot be read is a failure."""
    results = Results()
    for file in sorted(files):
        try:
            suite = ElementTree.parse(file).getroot()
            results.seconds[suite.get("name", file.stem)] = float(suite.get("time", "0").replace(",", ""))
            cases = list(suite.iter("testcase"))
        except (OSError, ValueError, ElementTree.ParseError) as error:
            results.failed.append((file.name, f"the report cannot be read: {error}"))
            continue
        for case in cases:
            name = f"{case.get('classname', '')}.{_plain(case.get('name', ''))}"
            broken = case.find("failure") if case.find("failure") is not None else case.find("error")
            skipped = case.find("skipped")
            if broken is not None:
                results.failed.append((name, (broken.get("message") or broken.text or broken.get("type") or "").strip()))
            elif skipped is not None:
                results.skipped.append((name, _reason(skipped)))
            else:
                results.passed += 1
    return results


def names_in_kotlin(source: str) -> list[str]:
    """The names of the test functions in a Kotlin file, as `Class.function`, without compiling it."""
    package = re.search(r"^package ([\w.]+)", source, re.MULTILINE)
    prefix = f"{package.group(1)}." if package else ""
    names, owner = [], ""
    pattern = r"\bclass (\w+)|@(?:Test|ParameterizedTest|RepeatedTest|TestFactory)\b.*?\bfun\s+(?:`([^`]+)`|(\w+))"
    # A comment may hold an example of either.
    plain = re.sub(r"/\*.*?\*/|//[^\n]*", "", source, flags=re.DOTALL)
    for found in re.finditer(pattern, plain, re.DOTALL):
        if found.group(1):
            owner = f"{found.group(1)}."
        else:
            names.append(f"{prefix}{owner}{found.group(2) or found.group(3)}")
    return names
