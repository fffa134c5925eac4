"""`lab bundle`: one archive for a room without a network. To use it takes a Python, and no registry, no Java and no Maven."""

import gzip
import io
import json
import os
import platform
import shutil
import subprocess
import tarfile
import zipfile
from collections.abc import Iterable
from pathlib import Path

from ..base import lock, places, stamps
from ..base.processes import output_of
from ..base.terminal import LabError, Step, say
from ..prepare import environment, maven, setup
from ..prepare.unpacked import system
from ..library import mains

PYTHONS = ("3.11", "3.12", "3.13")
"""The versions of Python that the bundle has packages for: those that environment.yml allows."""

MADE_HERE = {".git", ".lab", ".idea", ".kotlin", ".ipynb_checkpoints", "__pycache__", "target", "node_modules"}
"""Folders that hold no sources; used where git is not there to list the sources."""


def run(versions: bool = False) -> int:
    """Build, fetch, pack; 0 when the archive is there. With `versions` it holds the jars of every locked version of a client's library."""
    ready = setup.ready("bundle")
    if versions:
        mains.fetch(ready.java)
    with lock.only_one("bundle"):
        pythons = fetch(ready.python)
        where = archive(pythons, locked_jars() if versions else [])
    size = where.stat().st_size / 2**20
    say(f"The bundle: {where} ({size:.0f} MiB), for {system()} and Python {', '.join(pythons)}.")
    say("Unpack it anywhere: `./lab run` and `./lab notebook` work there without a network, with that Python and nothing else.")
    return 0


def fetch(env: environment.PythonEnvironment) -> list[str]:
    """All packages as wheels, in a folder made afresh, and the versions of Python that they are enough for."""
    folder = places.LAB / "wheels"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    own = (output_of([env.python, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]) or "").strip()
    step = Step("Fetching Python packages for the bundle")
    there = [python for python in sorted({*PYTHONS, own}) if environment.download(env, python, folder, step)]
    step.done(f"for Python {', '.join(there) or 'none'}")
    if own not in there:
        raise LabError(f"pip could not fetch all packages for Python {own}; see {places.shown(places.LOGS / f'pip-download-{own}.log')}.")
    return there


def sources() -> list[Path]:
    """Every file of the project: those that git lists, and without git all that lab and the build have not made."""
    listed = _known_to_git()
    if listed is not None:
        return [file for file in listed if file.is_file()]
    found = []
    for folder, folders, files in os.walk(places.ROOT):
        folders[:] = sorted(set(folders) - MADE_HERE)
        found += [Path(folder) / name for name in sorted(files)]
    apart = (places.WHEELS, places.ROOT / "data" / "raw", places.BUNDLE)
    return [file for file in found if not any(file.is_relative_to(one) for one in apart)]


def _known_to_git() -> list[Path] | None:
    if not (places.ROOT / ".git").exists():
        return None
    try:
        said = subprocess.run(["git", "-C", str(places.ROOT), "ls-files", "-z"], capture_output=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return None
    return [places.ROOT / name for name in said.decode("utf-8", "surrogateescape").split("\0") if name]


def jars() -> list[Path]:
    """What the build has made and a run needs: jars that are started or loaded, and the profiler's libraries."""
    single = [places.NOTEBOOK_JAR, places.SERVER_JAR]
    single += [places.ROOT / name for name in ("server/jetty/target/jetty-server.jar", "server/wire/target/wire.jar", "lib/agent/target/agent.jar")]
    folders = [places.ROOT / "lib" / name for name in ("clients/target/trial", "clients/target/profiler", "gateway/target/gateway")]
    missing = [file for file in [*single, *folders] if not file.exists()]
    if missing:
        raise LabError(f"The build has made no {places.shown(missing[0])}: delete .lab/stamps/build and repeat.")
    return single + [file for folder in folders for file in sorted(folder.rglob("*")) if file.is_file()]


def marker(pythons: list[str], built: Iterable[Path]) -> str:
    """What the bundle says of itself: the digests of its jars, and of the sources that they were made from."""
    content = {
        "schemaVersion": 1,
        "version": maven.version(),
        "system": system(),
        "pythons": pythons,
        "sources": stamps.digest_of_files(maven.sources(), places.ROOT),
        "jars": {file.relative_to(places.ROOT).as_posix(): stamps.digest(file.read_bytes()) for file in built},
    }
    return json.dumps(content, indent=1) + "\n"


def locked_jars() -> list[Path]:
    """The jars of locked versions; a run checks their hashes."""
    return sorted(places.JARS.glob("*.jar"))


def archive(pythons: list[str], others: Iterable[Path] = ()) -> Path:
    """The archive: a zip on Windows, which can unpack it without a program, and elsewhere a tar, which keeps the right to execute a file."""
    name = f"client-lab-{maven.version()}"
    built = jars()
    wheels = sorted((places.LAB / "wheels").iterdir())
    # The sources of the jars belong to the bundle even where they are not in git yet.
    files = [(file, file.relative_to(places.ROOT).as_posix()) for file in dict.fromkeys([*sources(), *maven.sources(), *built, *others])]
    files += [(file, f"{places.WHEELS.name}/{file.name}") for file in wheels]
    target = places.LAB / f"{name}-{system()}{'.zip' if platform.system() == 'Windows' else '.tar.gz'}"
    part = target.with_suffix(".part")
    step = Step("Packing the bundle")
    pack = _zip if target.suffix == ".zip" else _tar
    pack(part, name, files, marker(pythons, built), step)
    os.replace(part, target)
    step.done(f"{len(files) + 1} files")
    return target


def _zip(target: Path, top: str, files: list[tuple[Path, str]], text: str, step: Step) -> None:
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as out:
        out.writestr(f"{top}/{places.BUNDLE.name}", text)
        for file, name in files:
            out.write(file, f"{top}/{name}")
            step.update(name)


def _tar(target: Path, top: str, files: list[tuple[Path, str]], text: str, step: Step) -> None:
    def plain(info: tarfile.TarInfo) -> tarfile.TarInfo:
        info.uid = info.gid = 0
        info.uname = info.gname = ""
        return info

    # Most of it is compressed already, so more than the lowest level would cost minutes for nothing.
    with gzip.open(target, "wb", compresslevel=1) as packed, tarfile.open(fileobj=packed, mode="w") as out:
        info = tarfile.TarInfo(f"{top}/{places.BUNDLE.name}")
        info.size = len(text.encode())
        out.addfile(info, io.BytesIO(text.encode()))
        for file, name in files:
            out.add(file, f"{top}/{name}", recursive=False, filter=plain)
            step.update(name)
