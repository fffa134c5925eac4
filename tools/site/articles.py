"""A notebook as a page: figures as files, tables in boxes, machinery folded away, verdicts linked."""

import base64
import copy
import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from figures import DATA, Figure, small
from published import Run
from words import RUN, VERDICTS, badge, escape, number, raw

FOLDED = 3
"""Code of more lines is folded away, and so is what loads the library."""

SVG, PNG, HTML, TEXT = "image/svg+xml", "image/png", "text/html", "text/plain"


@dataclass
class Shown:
    """A figure of an article: its file, its place in the article, and the runs that it shows."""

    file: str
    title: str
    cell: int
    html: str
    runs: list[str]


@dataclass
class Article:
    """A notebook, and what was found in it on the way to its page."""

    name: str
    notebook: dict[str, Any]
    figures: list[Shown] = field(default_factory=list)
    stated: dict[str, int] = field(default_factory=dict)
    """The claims whose verdicts it states, each with the first cell that does, one of its own before one among many."""
    picture: str | None = None
    """Its first figure as a bitmap, for those that show a link and take nothing else."""

    @property
    def title(self) -> str:
        text = next(joined(cell["source"]) for cell in self.notebook["cells"] if cell["cell_type"] == "markdown")
        return re.search(r"^#\s+(.+)$", text, re.MULTILINE).group(1).strip()  # type: ignore[union-attr]

    @property
    def lead(self) -> str:
        """Its first paragraph."""
        text = next(joined(cell["source"]) for cell in self.notebook["cells"] if cell["cell_type"] == "markdown")
        return text.split("\n", 1)[1].strip().split("\n\n")[0] if "\n" in text else ""


def in_one(outputs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Printed text comes in pieces of any length: what follows each other is one output."""
    found: list[dict[str, Any]] = []
    for output in outputs:
        if found and output["output_type"] == found[-1]["output_type"] == "stream":
            found[-1] = {**found[-1], "text": joined(found[-1]["text"]) + joined(output["text"])}
        else:
            found.append(output)
    return found


def joined(text: str | list[str]) -> str:
    return text if isinstance(text, str) else "".join(text)


def read(file: Path) -> Article:
    article = Article(file.stem, json.loads(file.read_text(encoding="utf-8")))
    first = next((joined(cell["source"]) for cell in article.notebook["cells"] if cell["cell_type"] == "markdown"), "")
    if not re.search(r"^#\s+\S", first, re.MULTILINE):
        raise SystemExit(f"{file.name} has no title: begin its first cell of Markdown with a line such as `# My question`.")
    alone: dict[str, int] = {}
    among: dict[str, int] = {}
    for place, cell in enumerate(article.notebook["cells"]):
        for output in cell.get("outputs", []):
            ids = _claims(output.get("data", {}).get(DATA, {}))
            for each in ids:
                (alone if len(ids) == 1 else among).setdefault(each, place)
    article.stated = among | alone
    return article


def _claims(part: dict[str, Any]) -> list[str]:
    """The claims whose verdicts an output states."""
    verdicts = [part] if part.get("kind") == "verdict" else part.get("verdicts", [])
    return [verdict["claim"] for verdict in verdicts]


class Writer:
    """Makes the pages of articles; `files` is where the figures go, and `runs` are the published ones by id."""

    def __init__(self, files: Path, runs: dict[str, Run], claims: set[str]):
        self.files = files
        self.runs = runs
        self.claims = claims

    def page(self, article: Article, top: str) -> dict[str, Any]:
        """The notebook that Sphinx renders, with `top` below its title."""
        page = copy.deepcopy(article.notebook)
        for place, cell in enumerate(page["cells"]):
            if cell["cell_type"] == "code":
                self._code(article, place, cell)
        first = next(cell for cell in page["cells"] if cell["cell_type"] == "markdown")
        title, _, rest = joined(first["source"]).partition("\n")
        first["source"] = f"{title}\n\n{raw(top)}\n{rest}"
        page["cells"] = [cell for cell in page["cells"] if joined(cell["source"]).strip()]
        page["metadata"] = {key: page["metadata"][key] for key in ("kernelspec", "language_info")}
        return page

    def _code(self, article: Article, place: int, cell: dict[str, Any]) -> None:
        source = joined(cell["source"])
        folded = source.startswith("%use") or sum(1 for line in source.splitlines() if line.strip()) > FOLDED
        cell["metadata"] = {"tags": ["hide-input"]} if folded else {}
        anchors = "".join(f'<span class="lab-anchor" id="claim-{each}"></span>' for each, at in article.stated.items() if at == place)
        outputs = [self._output(article, place, output) for output in in_one(cell.get("outputs", []))]
        if anchors and outputs:
            outputs[0]["data"][HTML] = anchors + outputs[0]["data"].get(HTML, f"<pre>{escape(outputs[0]['data'].get(TEXT, ''))}</pre>")
        cell["outputs"] = outputs

    def _output(self, article: Article, place: int, output: dict[str, Any]) -> dict[str, Any]:
        data = output.get("data", {})
        if SVG in data:
            if PNG in data and not article.figures:
                article.picture = f"{article.name}.png"
                (self.files / article.picture).write_bytes(base64.b64decode(joined(data[PNG])))
            html = self._figure(article, place, Figure(joined(data[SVG]), data.get(DATA, {}), joined(data.get(TEXT, ""))))
        elif HTML in data and "<progress" in joined(data[HTML]):
            html = f'<p class="lab-ran">{escape(joined(data[TEXT]).removesuffix("s") if joined(data[TEXT]) == "1 trials" else joined(data[TEXT]))} ran for this page.</p>'
        elif HTML in data:
            html = self.linked(joined(data[HTML]))
        else:
            return {"output_type": "execute_result", "execution_count": None, "metadata": {}, "data": {TEXT: data.get(TEXT, joined(output.get("text", "")))}}
        return {"output_type": "execute_result", "execution_count": None, "metadata": {}, "data": {HTML: html}}

    def linked(self, html: str) -> str:
        """A table of the library: in a box, with links to claims, articles and data as the site has them."""
        html = re.sub(r'href="([\w-]+)\.ipynb"', r'href="\1.html"', html)
        html = re.sub(r'href="\.\./data/published/([^"]+)"', r'href="../data/\1.html"', html)
        html = re.sub(r"<code>([a-z0-9]+\.[a-z0-9-]+)</code>", lambda found: self._claim(found[1], found[0]), html)
        html = re.sub(
            rf"<strong>([a-z0-9]+\.[a-z0-9-]+): ({'|'.join(VERDICTS)})\.</strong>",
            lambda found: f"<strong>{self._claim(found[1], found[1])}</strong> {badge(found[2])}<br>",
            html,
        )
        html = re.sub(rf"<strong>({'|'.join(VERDICTS)})</strong>(: )?", lambda found: badge(found[1]) + ("<br>" if found[2] else ""), html)
        html = re.sub(rf"\brun ({RUN.pattern})", lambda found: f"run {self._run(found[1])}", html)
        html = re.sub(r' style="text-align:left(;vertical-align:top)?"', ' class="lab-words"', html)
        html = re.sub(r' style="text-align:right;font-variant-numeric:tabular-nums"', ' class="lab-number"', html)
        html = html.replace("<th ", '<th scope="col" ')
        html = re.sub(r"<table>", '<div class="lab-table" tabindex="0" role="group" aria-label="Table"><table>', html).replace("</table>", "</table></div>")
        return re.sub(r'<div class="lab-table"(?=[^>]*><table>\s*<thead><tr><th [^>]*>claim</th>)', '<div class="lab-table lab-claims"', html)

    def _claim(self, name: str, inside: str) -> str:
        return f'<a href="../claims/{name}.html">{inside}</a>' if name in self.claims else inside

    def _run(self, name: str) -> str:
        return f'<a href="../data/{self.runs[name].name}.html">{name}</a>' if name in self.runs else name

    def _figure(self, article: Article, place: int, figure: Figure) -> str:
        file = f"{article.name}-{len(article.figures) + 1}.svg"
        (self.files / file).write_text(small(figure.svg), encoding="utf-8")
        published = [self.runs[name] for name in figure.runs if name in self.runs]
        width, height = figure.size
        image = f'<img src="../figures/{file}" width="{width:.0f}" height="{height:.0f}" alt="{escape(figure.title)}">'
        data = ", ".join(f'<a href="../data/{run.name}.html">{run.name}</a>' for run in published)
        origin = f"Data: {data}." if data else "Of a run made for this page, which is not published."
        html = (
            f'<figure class="lab-figure" id="figure-{len(article.figures) + 1}">\n'
            f'<p class="lab-says" aria-hidden="true">{escape(figure.title)}</p>\n'
            f'<div class="lab-plot" tabindex="0" role="group" aria-label="Figure {len(article.figures) + 1}"><div class="lab-canvas">{image}</div></div>\n'
            f"<figcaption><details><summary>In words</summary><p>{escape(figure.alt)}</p></details>"
            f'<label class="lab-larger"><input type="checkbox"> Larger</label>'
            f'<span class="lab-origin">{origin} <a href="../figures/{file}" download>SVG</a></span></figcaption>\n'
            f"{trials(figure, self.runs)}</figure>"
        )
        article.figures.append(Shown(file, figure.title, place, html, figure.runs))
        return html


def trials(figure: Figure, runs: dict[str, Run]) -> str:
    """What a script shows at a dot: the trial behind it, where that is published."""
    found = figure.dots(runs)
    if not found:
        return ""
    names: dict[str, int] = {}
    dots = []
    for dot in found:
        treatment = dot.trial["treatment"]
        words = " · ".join(f"{name} {treatment[name]}" if name != "client" else str(treatment[name]) for name in dot.run.varied if treatment.get(name) is not None)
        key = names.setdefault(f"{dot.run.name}\n{words}", len(names))
        kind = dot.trial["outcome"] + (f", {len(dot.trial['warnings'])} warned of" if dot.trial["warnings"] else "")
        dots.append([round(dot.x, 1), round(dot.y, 1), key, dot.trial["trial"], dot.trial["round"], number(dot.value), kind])
    content = {"size": figure.size, "axis": figure.axis, "of": list(names), "dots": dots}
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
    return f'<script type="application/json" class="lab-dots">{text}</script>\n'
