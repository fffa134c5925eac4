"""Stamps: what was made from what, written after it was made, so that an unchanged set-up is not repeated."""

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path

from . import places


def write_whole(path: Path, text: str) -> None:
    """Write a file so that it is there wholly or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    part.write_text(text, encoding="utf-8")
    os.replace(part, path)


def digest(*parts: str | bytes) -> str:
    """A short name for what `parts` hold; the borders between them count."""
    total = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        total.update(len(data).to_bytes(8, "big") + data)
    return total.hexdigest()[:32]


def digest_of_files(files: Iterable[Path], root: Path) -> str:
    """A short name for the contents of files, and for where they are below `root`."""
    parts: list[str | bytes] = []
    for file in sorted(files):
        parts += [file.relative_to(root).as_posix(), file.read_bytes()]
    return digest(*parts)


def holds(name: str, value: str) -> bool:
    """Whether the stamp is there and says just this."""
    try:
        return (places.STAMPS / name).read_text(encoding="utf-8") == value
    except OSError:
        return False


def put(name: str, value: str) -> None:
    write_whole(places.STAMPS / name, value)


def drop(name: str) -> None:
    (places.STAMPS / name).unlink(missing_ok=True)
