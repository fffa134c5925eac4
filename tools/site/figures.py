"""The figures of a notebook as files, small and sharp, and what is written on them."""

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

NAMESPACE = "{http://www.w3.org/2000/svg}"
TRIAL_ALPHA = "0.35"
"""How the library draws a trial, where an estimate is opaque."""

RUN = re.compile(r"\b\d{8}-\d{6}-[0-9a-f]{4}\b")


@dataclass(frozen=True)
class Dot:
    """A trial as it is drawn: its middle, in the figure's own pixels, its colour, and the panel that it is in."""

    x: float
    y: float
    color: str
    panel: tuple[float, float, float, float]


@dataclass
class Figure:
    """An SVG that the library made."""

    svg: str
    alt: str

    @cached_property
    def root(self) -> ElementTree.Element:
        return ElementTree.fromstring(self.svg)

    @property
    def title(self) -> str:
        return (self.root.findtext(f"{NAMESPACE}title") or self.alt).strip()

    @property
    def size(self) -> tuple[float, float]:
        return float(self.root.get("width", "760")), float(self.root.get("height", "400"))

    @cached_property
    def words(self) -> dict[str, list[tuple[str, float, float]]]:
        """What is written on it, by what it is there for, with its place."""
        found: dict[str, list[tuple[str, float, float]]] = {}
        for element, x, y, _ in _walk(self.root):
            if element.tag == f"{NAMESPACE}text":
                found.setdefault(element.get("class", ""), []).append((" ".join("".join(element.itertext()).split()), x, y))
        return found

    def said(self, what: str) -> str:
        return " ".join(text for text, _, _ in self.words.get(what, []) if text)

    @cached_property
    def runs(self) -> list[str]:
        """The runs that its caption names."""
        return list(dict.fromkeys(RUN.findall(self.said("plot-caption"))))

    @cached_property
    def dots(self) -> list[Dot]:
        """Every trial that is drawn, in the order of the data."""
        dots = []
        for element, x, y, panel in _walk(self.root):
            drawn = element.get("fill-opacity") if element.get("fill-opacity") != "0.0" else element.get("stroke-opacity")
            middle = _middle(element) if drawn == TRIAL_ALPHA and panel else None
            if middle:
                color = element.get("stroke") if element.get("fill-opacity") == "0.0" else element.get("fill")
                dots.append(Dot(x + middle[0], y + middle[1], color or "", panel))
        return dots


def small(svg: str) -> str:
    """The same drawing in fewer bytes: a hundredth of a pixel is finer than any screen, and what paints nothing need not be said."""
    head, style, drawn = svg.partition("</style>")
    # Only what is drawn, never what is written.
    drawn = re.sub(r"<\w[^>]*>", lambda tag: _lighter(tag[0]), drawn)
    drawn = re.sub(r">\s+<", "><", drawn)
    drawn = re.sub(r"\s*(?:></(?:rect|line|path|circle)>|/>)", "/>", drawn)
    return re.sub(r"\n\s+", "\n ", head) + style + drawn


def _lighter(tag: str) -> str:
    tag = re.sub(r"-?\d+\.\d+(?:[eE]-?\d+)?", lambda found: _short(float(found[0])), tag)
    tag = re.sub(r"rgb\((\d+),(\d+),(\d+)\)", lambda found: "#" + "".join(f"{int(each):02x}" for each in found.groups()), tag)
    tag = re.sub(r' clip-bounds-jfx="[^"]*"| (?:stroke|fill)-opacity="1"', "", tag)
    if ' stroke-width="0"' in tag or ' stroke-opacity="0"' in tag:
        tag = re.sub(r' stroke(?:-width|-opacity)?="[^"]*"', "", tag)
    return tag


def _short(number: float) -> str:
    text = f"{number:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _walk(
    element: ElementTree.Element, x: float = 0.0, y: float = 0.0, panel: tuple[float, float, float, float] | None = None
) -> Iterator[tuple[ElementTree.Element, float, float, tuple[float, float, float, float] | None]]:
    """Every element with where it stands, and the panel that it is in as left, top, right and bottom."""
    moved = re.match(r"translate\((-?[\d.eE-]+)[ ,]+(-?[\d.eE-]+)", element.get("transform", ""))
    if moved:
        x, y = x + float(moved[1]), y + float(moved[2])
    if element.get("clip-path"):
        clip = element.find(f".//{NAMESPACE}clipPath/{NAMESPACE}rect")
        if clip is not None:
            panel = (round(x, 1), round(y, 1), round(x + float(clip.get("width", 0)), 1), round(y + float(clip.get("height", 0)), 1))
    yield element, x, y, panel
    for child in element:
        yield from _walk(child, x, y, panel)


def _middle(element: ElementTree.Element) -> tuple[float, float] | None:
    tag = element.tag.removeprefix(NAMESPACE)
    if tag == "circle":
        return float(element.get("cx", 0)), float(element.get("cy", 0))
    if tag == "rect":
        return tuple(float(element.get(at, 0)) + float(element.get(length, 0)) / 2 for at, length in (("x", "width"), ("y", "height")))
    if tag == "path":
        numbers = [(float(a), float(b)) for a, b in re.findall(r"[ML]\s*(-?[\d.eE-]+)[ ,]+(-?[\d.eE-]+)", element.get("d", ""))]
        if numbers:
            xs, ys = zip(*numbers)
            return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    return None
