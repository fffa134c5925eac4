"""What the article on choosing found for each use of a client, from its own outputs."""

import re
from dataclasses import dataclass, field

from articles import Article, joined
from figures import DATA


@dataclass(frozen=True)
class Value:
    """What was measured of a client for a use, and its place, which is empty where too few forks count."""

    words: str
    place: str


@dataclass(frozen=True)
class Use:
    """A use with the heading that it has in the article, what is compared, each client's value, and the ids of the runs."""

    need: str
    compared: str
    values: dict[str, Value]
    runs: list[str] = field(default_factory=list)


def of(choose: Article) -> list[Use]:
    """Each table of the article that ranks clients."""
    found = []
    heading = ""
    for cell in choose.notebook["cells"]:
        if cell["cell_type"] == "markdown":
            headings = re.findall(r"^## (.+)$", joined(cell["source"]), re.MULTILINE)
            heading = headings[-1] if headings else heading
        for output in cell.get("outputs", []):
            part = output.get("data", {}).get(DATA, {})
            columns = [column["name"] for column in part.get("columns", [])]
            if columns[:2] == ["place", "client"]:
                values = {row[1]: Value(str(row[2]), row[0] if str(row[0]).isdigit() else "") for row in part["values"]}
                found.append(Use(heading, columns[2], values, part.get("runs", [])))
    return found
