"""The articles as a feed (RFC 4287): an entry is new when the newest run that its figures show is."""

from xml.sax.saxutils import escape, quoteattr

from articles import Article
from published import Run


def atom(articles: list[tuple[Article, str]], runs: dict[str, Run]) -> str:
    """The articles with their findings, the one with the newest run first. An article without a published run has no entry."""
    entries = sorted(
        ((day, article, finding) for article, finding in articles if (day := newest(article, runs))), key=lambda entry: (entry[0], entry[1].name), reverse=True
    )
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        '<feed xmlns="http://www.w3.org/2005/Atom">',
        "<title>Client Lab</title>",
        "<id>urn:client-lab:articles</id>",
        '<link rel="self" href="feed.xml"/>',
        '<link href="index.html"/>',
        "<author><name>Client Lab contributors</name></author>",
        *([f"<updated>{entries[0][0]}</updated>"] if entries else []),
        *(_entry(*entry) for entry in entries),
        "</feed>",
    ]
    return "\n".join(lines) + "\n"


def newest(article: Article, runs: dict[str, Run]) -> str | None:
    """When the newest published run began that a figure of the article shows, to the second."""
    days = [runs[name].manifest["startedAt"] for figure in article.figures for name in figure.runs if name in runs]
    return max(days).split(".")[0].removesuffix("Z") + "Z" if days else None


def _entry(day: str, article: Article, finding: str) -> str:
    address = quoteattr(f"notebooks/{article.name}.html")
    return (
        f"<entry><title>{escape(article.title)}</title><id>urn:client-lab:{escape(article.name)}</id><link href={address}/>"
        f"<updated>{day}</updated><summary>{escape(finding)}</summary></entry>"
    )
