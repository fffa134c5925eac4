"""Small pieces of HTML and Markdown that all pages are made of."""

import html
import re

RUN = re.compile(r"\b\d{8}-\d{6}-[0-9a-f]{4}\b")
"""The id of a run, where it stands in words that become a link."""

VERDICTS = {"supported": "supported", "no longer so": "past", "refuted": "refuted", "inconclusive": "inconclusive", "not testable here": "untestable"}


def escape(text: object) -> str:
    """Text as HTML, kept from being read as Markdown too."""
    return html.escape(str(text), quote=True).replace("\n", " ")


def told(text: str) -> str:
    """A sentence whose code stands in backquotes, as HTML."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))


def badge(verdict: str) -> str:
    return f'<span class="lab-verdict lab-{VERDICTS[verdict]}">{escape(verdict)}</span>'


def boxed(table: str, label: str) -> str:
    """A table that scrolls inside its own box, with the keyboard too."""
    return f'<div class="lab-table" tabindex="0" role="group" aria-label="{escape(label)}">\n{table}\n</div>'


def table(header: list[str], rows: list[list[str]], label: str, right: tuple[int, ...] = (), ids: list[str] | None = None) -> str:
    """A table of cells that are HTML already; the columns `right` hold numbers."""
    side = ["lab-number" if i in right else "lab-words" for i in range(len(header))]
    head = "".join(f'<th scope="col" class="{side[i]}">{cell}</th>' for i, cell in enumerate(header))
    lines = []
    for number, row in enumerate(rows):
        cells = "".join(f'<td class="{side[i]}">{cell}</td>' for i, cell in enumerate(row))
        lines.append(f'<tr id="{ids[number]}">{cells}</tr>' if ids else f"<tr>{cells}</tr>")
    body = "\n".join(lines)
    return boxed(f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>", label)


def raw(text: str) -> str:
    """HTML as a block of its own in a MyST page."""
    # A blank line would end the block, and a fence inside it would too.
    return f"`````{{raw}} html\n{text}\n`````\n"


def number(value: float | int | None) -> str:
    """As the library rounds for readers: whole from a hundred up, three significant digits below."""
    if value is None:
        return ""
    if value == int(value) and abs(value) < 1e6 or abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}" if abs(value) >= 0.1 else f"{value:.3g}"


def size(count: int) -> str:
    """A file's size for a reader."""
    return f"{count / 1e6:.1f} MB" if count >= 1e6 else f"{max(1, round(count / 1000))} kB"


def slug(heading: str) -> str:
    """The anchor of a heading on its page."""
    return re.sub(r"[^a-z0-9]+", "-", plain(heading).lower()).strip("-")


def plain(markdown: str) -> str:
    """Markdown's words without its marks, for a title or a description."""
    return re.sub(r"[*_`]|\[([^\]]*)\]\([^)]*\)", r"\1", markdown).strip()
