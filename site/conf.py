"""How Sphinx makes the site. It runs on what tools/site/prepare.py has written, and asks no other machine for anything."""

import html
import json
import os
from pathlib import Path

project = "Client Lab"
author = "Client Lab contributors"
html_title = "Client Lab"
html_short_title = "Client Lab"
extensions = ["myst_nb", "sphinx_copybutton"]
exclude_patterns = ["README.md", "DECISIONS.md"]
html_extra_path = [os.environ["CLIENT_LAB_SITE_FILES"]]
html_favicon = "static/favicon.svg"
html_static_path = ["static"]
html_css_files = ["lab.css"]
html_js_files = [("lab.js", {"defer": "defer"})]
html_copy_source = False
html_baseurl = (address.rstrip("/") + "/") if (address := os.environ.get("CLIENT_LAB_SITE_ADDRESS", "")) else ""
html_show_sourcelink = False
html_show_copyright = False
html_theme = "furo"
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"

# The outputs are those of the notebooks' one clean run.
nb_execution_mode = "off"
nb_code_prompt_show = "Show the code"
nb_code_prompt_hide = "Hide the code"
nb_merge_streams = True
myst_heading_anchors = 3

html_theme_options = {
    "light_css_variables": {
        "font-stack": "system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', Helvetica, Arial, sans-serif",
        "font-stack--monospace": "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace",
        "color-brand-primary": "#1d4f91",
        "color-brand-content": "#1d4f91",
        "color-brand-visited": "#5b3a8c",
        "color-foreground-muted": "#57606a",
        "color-sidebar-caption-text": "#57606a",
        "color-sidebar-search-text": "#1f2328",
        "color-toc-title-text": "#57606a",
        "color-toc-item-text": "#57606a",
    },
    "dark_css_variables": {
        "color-brand-primary": "#8ab8f5",
        "color-brand-content": "#8ab8f5",
        "color-brand-visited": "#c3a6f0",
        "color-foreground-muted": "#a9b1ba",
        "color-sidebar-caption-text": "#a9b1ba",
        "color-toc-title-text": "#a9b1ba",
        "color-toc-item-text": "#a9b1ba",
    },
    "footer_icons": [],
    "navigation_with_keys": False,
    "top_of_page_buttons": [],
}


CARDS = json.loads((Path(__file__).parent / "cards.json").read_text(encoding="utf-8"))
"""The title and the finding of each article."""


def shared(app, pagename, templatename, context, doctree):
    """What a link shows where it is shared, and where the feed is."""
    card = CARDS.get(pagename, {"title": context.get("title") or html_title, "description": "What network clients of Kotlin really cost, measured."})
    tags = {"og:site_name": html_title, "og:type": "article", "og:title": card["title"], "og:description": card["description"]}
    # Those who show a link take absolute addresses alone.
    if html_baseurl:
        tags["og:url"] = f"{html_baseurl}{pagename}.html"
        tags |= {"og:image": f"{html_baseurl}{card['image']}", "og:image:alt": card["description"]} if "image" in card else {}
    lines = [f'<meta property="{name}" content="{html.escape(text)}">' for name, text in tags.items()]
    if "og:image" in tags:
        lines.append('<meta name="twitter:card" content="summary_large_image">')
    lines.append(f'<meta name="description" content="{html.escape(card["description"])}">')
    feed = context["pathto"]("feed.xml", resource=True)
    lines.append(f'<link rel="alternate" type="application/atom+xml" title="{html_title}" href="{feed}">')
    context["metatags"] = context.get("metatags", "") + "\n".join(lines)


def open_to_all(app, pagename, templatename, context, doctree):
    """What stands between a page and its readers: boxes that scroll and no keyboard reaches, names that are not what is shown."""
    body = context.get("body", "")
    body = body.replace('<div class="table-wrapper', '<div tabindex="0" role="group" aria-label="Table" class="table-wrapper')
    context["body"] = body.replace('<summary aria-label="Toggle hidden content">', "<summary>")
    tree = context.get("furo_navigation_tree", "")
    context["furo_navigation_tree"] = tree.replace('<p class="caption" role="heading">', '<p class="caption">')


def setup(app):
    # After the theme, which makes the navigation.
    app.connect("html-page-context", open_to_all, priority=900)
    app.connect("html-page-context", shared)
