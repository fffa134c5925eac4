"""Render a notebook as one HTML file that asks nothing of the network: `python render.py NOTEBOOK HTML`."""

import os
import re
import sys
from pathlib import Path

import nbformat
from nbconvert import HTMLExporter


def title(notebook: nbformat.NotebookNode, otherwise: str) -> str:
    """The first heading of the notebook."""
    for cell in notebook.cells:
        found = cell.cell_type == "markdown" and re.search(r"^#\s+(.+)$", cell.source, re.MULTILINE)
        if found:
            return found.group(1).strip()
    return otherwise


def main(source: Path, target: Path) -> None:
    notebook = nbformat.read(source, as_version=4)
    exporter = HTMLExporter(
        template_name="offline",
        extra_template_basedirs=[str(Path(__file__).parent / "templates")],
        embed_images=True,
    )
    resources = {"metadata": {"name": title(notebook, source.stem), "path": str(source.parent)}}
    page, _ = exporter.from_notebook_node(notebook, resources=resources)
    part = target.with_suffix(".part")
    part.write_text(page, encoding="utf-8")
    os.replace(part, target)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
