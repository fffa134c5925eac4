"""Pairs of DataFrame and Kandy: a Kandy is built on one DataFrame, and the root pom knows two such pairs."""

import os
import re
from dataclasses import dataclass

from ..base import places
from ..base.terminal import LabError

VARIABLE = "CLIENT_LAB_PAIR"
"""Names the pair to build with, as in CLIENT_LAB_PAIR=1.0; the first is built where it is not set."""


@dataclass(frozen=True)
class Pair:
    """A DataFrame, and the Kandy that is built on it."""

    name: str
    dataframe: str
    kandy: str

    @property
    def dataframe_artifact(self) -> str:
        return f"org.jetbrains.kotlinx:dataframe-core:{self.dataframe}"

    @property
    def kandy_artifact(self) -> str:
        return f"org.jetbrains.kotlinx:kandy-lets-plot:{self.kandy}"

    def __str__(self) -> str:
        return f"DataFrame {self.dataframe}"


def known() -> list[Pair]:
    """The pairs in the root pom: that of its properties, and those of its profiles."""
    text = (places.ROOT / "pom.xml").read_text(encoding="utf-8")
    pairs = []
    for block in (re.search(r"<properties>.*?</properties>", text, re.DOTALL), *re.finditer(r"<id>pair-.*?</properties>", text, re.DOTALL)):
        dataframe, kandy = (re.search(rf"<{name}\.version>([^<]+)<", block[0])[1] for name in ("dataframe", "kandy"))
        pairs.append(Pair(".".join(dataframe.split(".")[:2]), dataframe, kandy))
    return pairs


def chosen() -> Pair:
    """The pair that is built with."""
    pairs = known()
    name = os.environ.get(VARIABLE) or pairs[0].name
    found = next((pair for pair in pairs if pair.name == name), None)
    if found is None:
        raise LabError(f"{VARIABLE} is {name}, and the pairs are {' and '.join(pair.name for pair in pairs)}: set it to one of them, or unset it.")
    return found


def options() -> list[str]:
    """Maven's options for the pair that is built with."""
    if not os.environ.get(VARIABLE) or chosen() == known()[0]:
        return []
    return [f"-Dlab.pair={chosen().name}"]
