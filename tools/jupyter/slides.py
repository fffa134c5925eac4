"""Render a deck of slides as one HTML file that asks nothing of the network: `python slides.py MARKDOWN HTML`.

A line of `---` begins a slide. Pictures become part of the page. The page names the digest of what it was made from, so that a test can
tell whether it is that of its source."""

import base64
import mimetypes
import os
import re
import sys
from pathlib import Path

import mistune

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from lab.base.stamps import digest  # noqa: E402

TEMPLATE = Path(__file__).parent / "templates" / "slides.html"


def embedded(page: str, folder: Path) -> str:
    """The page with its pictures inside."""

    def inside(found: re.Match[str]) -> str:
        file = folder / found[1]
        kind = mimetypes.guess_type(file.name)[0]
        return f'src="data:{kind};base64,{base64.b64encode(file.read_bytes()).decode("ascii")}"'

    return re.sub(r'src="([^":]+)"', inside, page)


def main(source: Path, target: Path) -> None:
    text = source.read_text(encoding="utf-8")
    template = TEMPLATE.read_text(encoding="utf-8")
    markdown = mistune.create_markdown(escape=False, plugins=["table"])
    slides = [markdown(slide) for slide in re.split(r"^---$", text, flags=re.MULTILINE)]
    body = "\n".join(f'<section tabindex="0" aria-label="Slide {number} of {len(slides)}">\n{slide}</section>' for number, slide in enumerate(slides, 1))
    title = re.search(r"^# (.+)$", text, re.MULTILINE)[1]
    page = template.replace("{title}", title).replace("{source}", digest(text, template)).replace("{slides}", embedded(body, source.parent))
    part = target.with_suffix(".part")
    part.write_text(page, encoding="utf-8")
    os.replace(part, target)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
