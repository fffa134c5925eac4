"""A project that was unpacked from a bundle: it has its jars and its packages, and needs neither Maven nor a registry."""

import json
import platform
import sys
from functools import cache
from pathlib import Path
from typing import Any

from ..base import places, stamps
from ..base.terminal import LabError


@cache
def _marker() -> dict[str, Any] | None:
    try:
        return json.loads(places.BUNDLE.read_text(encoding="utf-8"))
    except OSError:
        return None
    except ValueError:
        raise LabError(f"{places.shown(places.BUNDLE)} cannot be read: unpack the bundle again.") from None


def is_one() -> bool:
    """Whether this folder was unpacked from a bundle."""
    return _marker() is not None


def holds(sources: str) -> bool:
    """Whether the jars are those of the bundle, and `sources` is the digest of the sources that they were made from."""
    marker = _marker()
    if marker is None or marker["sources"] != sources:
        return False
    return all(_is(places.ROOT / path, digest) for path, digest in marker["jars"].items())


def _is(file: Path, digest: str) -> bool:
    return file.is_file() and stamps.digest(file.read_bytes()) == digest


def system() -> str:
    """The kind of machine that packages are for, as in linux-x86_64."""
    return f"{platform.system()}-{platform.machine()}".lower()


def check(version: tuple[int, ...] = sys.version_info[:2]) -> None:
    """Refuses a machine or a Python that the bundle has no packages for."""
    marker = _marker()
    if marker is None:
        return
    if marker["system"] != system():
        raise LabError(f"This bundle is for {marker['system']}, and this is {system()}: make one with `lab bundle` on a machine of this kind.")
    running = ".".join(str(part) for part in version[:2])
    if running not in marker["pythons"]:
        *others, last = marker["pythons"]
        there = f"{', '.join(others)} and {last}" if others else last
        raise LabError(f"This bundle has packages for Python {there}, and this is {running}: call lab by such a one, as in `python{last} lab run`.")


def pip_options() -> list[str]:
    """The options with which pip looks in the bundle alone; none where there is no bundle."""
    return ["--no-index", "--find-links", str(places.WHEELS)] if is_one() else []


def pip() -> Path | None:
    """The bundle's own pip, which needs no installation: some Pythons, such as Debian's, have none."""
    found = sorted(places.WHEELS.glob("pip-*.whl")) if is_one() else []
    return found[-1] / "pip" if found else None
