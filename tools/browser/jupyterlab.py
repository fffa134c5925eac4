"""JupyterLab for the tests: the project's own, over copies of its notebooks, driven through its pages as a reader would."""

import json
import secrets
import shutil
import socket
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import browsers
from lab.base import places
from lab.base.terminal import tail
from lab.notebook import jupyter, notebooks

PATIENCE_MS = 600_000
"""How long a page may take for what a test waits for; no test asserts it."""


class JupyterLabTest(browsers.BrowserTest):
    """Tests against one running JupyterLab, with experiments at their smallest, and a folder of notebooks of its own."""

    folder: Path
    address: str
    token: str
    log: Path
    child: Any = None

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        if browsers.why_not() is not None:
            return
        cls.folder = Path(tempfile.mkdtemp(prefix="lab-browser-"))
        cls.log = cls.folder.with_suffix(".log")
        descriptor = json.loads((places.NOTEBOOKS / "lab.json").read_text(encoding="utf-8"))
        # The jar stays where it is; the notebooks do not.
        descriptor["dependencies"] = [(places.NOTEBOOKS / path).resolve().as_posix() for path in descriptor["dependencies"]]
        (cls.folder / "lab.json").write_text(json.dumps(descriptor), encoding="utf-8")
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            port = listener.getsockname()[1]
        cls.address, cls.token = f"http://127.0.0.1:{port}", secrets.token_hex(16)
        cls.child = jupyter.start_jupyter_lab(
            Path(sys.executable),
            "--ServerApp.open_browser=False",
            f"--ServerApp.ip={jupyter.LOOPBACK}",
            f"--ServerApp.port={port}",
            "--ServerApp.port_retries=0",
            f"--IdentityProvider.token={cls.token}",
            folder=cls.folder,
            extra={"CLIENT_LAB_SMOKE": "1"},
            log=cls.log,
        )
        limit = time.monotonic() + 120
        while not cls._answers():
            if cls.child.exited() or time.monotonic() > limit:
                raise RuntimeError(f"JupyterLab did not start:\n{tail(cls.log)}")
            time.sleep(0.2)

    @classmethod
    def _answers(cls) -> bool:
        try:
            cls.asked("/api/status")
            return True
        except (urllib.error.URLError, OSError):
            return False

    @classmethod
    def tearDownClass(cls) -> None:
        try:
            if cls.child is not None:
                cls.child.end()
                shutil.rmtree(cls.folder, ignore_errors=True)
                cls.log.unlink(missing_ok=True)
        finally:
            super().tearDownClass()

    @classmethod
    def asked(cls, path: str) -> Any:
        """What the notebook server's API says."""
        request = urllib.request.Request(cls.address + path, headers={"Authorization": f"token {cls.token}"})
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)

    def written(self, name: str, *cells: str) -> str:
        """A notebook of these code cells, in the folder; its name."""
        content = {
            "cells": [
                {"cell_type": "code", "id": f"c{i}", "metadata": {}, "execution_count": None, "outputs": [], "source": cell} for i, cell in enumerate(cells)
            ],
            "metadata": {"kernelspec": {"display_name": "Kotlin", "language": "kotlin", "name": "kotlin"}},
            "nbformat": 4,
            "nbformat_minor": 5,
        }
        (self.folder / f"{name}.ipynb").write_text(json.dumps(content), encoding="utf-8")
        return name

    def copied(self, name: str) -> str:
        shutil.copy(places.NOTEBOOKS / f"{name}.ipynb", self.folder)
        return name

    def opened(self, name: str, **options: Any) -> Any:
        """The notebook in a JupyterLab page, its kernel ready."""
        page = self.page(viewport={"width": 1280, "height": 1000}, **options)
        page.set_default_timeout(PATIENCE_MS)
        page.goto(f"{self.address}/lab/tree/{name}.ipynb?token={self.token}&reset")
        # A page whose server has gone would be waited for in vain.
        while page.query_selector(".jp-Notebook .jp-Cell") is None:
            if self.child.exited():
                raise RuntimeError(f"JupyterLab ended by itself:\n{tail(self.log)}")
            page.wait_for_timeout(200)
        # What the page says of a kernel before it has heard from it is a guess.
        while self.kernel(name)["execution_state"] != "idle":
            page.wait_for_timeout(200)
        page.wait_for_selector(".jp-Notebook-ExecutionIndicator[data-status='idle']")
        return page

    def run_all(self, page: Any) -> None:
        """Run, Run All Cells, by the menu."""
        page.click("li.lm-MenuBar-item:has-text('Run')")
        page.get_by_text("Run All Cells", exact=True).click()

    def finished(self, page: Any, name: str) -> dict[str, Any]:
        """The notebook as JupyterLab saves it, once its last cell has run."""
        while True:
            page.keyboard.press("Control+s")
            page.wait_for_timeout(1_000)
            saved = self.asked(f"/api/contents/{name}.ipynb?content=1")["content"]
            code = notebooks.code_cells(saved)
            ended = [cell for cell in code if cell.get("execution_count")]
            failed = any(output["output_type"] == "error" for cell in code for output in cell["outputs"])
            if failed or len(ended) == len(code):
                return saved

    def kernel(self, name: str) -> dict[str, Any]:
        """What the server says of the notebook's kernel."""
        found = (session["kernel"] for session in self.asked("/api/sessions") if session["path"] == f"{name}.ipynb")
        return next(found, {"execution_state": "none"})


def kinds(cell: dict[str, Any]) -> list[set[str]]:
    """Of each output of a cell: under which types it is there."""
    found = [set(output.get("data", {"stream"})) for output in cell["outputs"]]
    # How many pieces a printed text comes in is chance.
    return [kind for place, kind in enumerate(found) if kind != {"stream"} or place == 0 or found[place - 1] != kind]


def plain(cell: dict[str, Any]) -> str:
    """All that a cell says in words."""
    return "\n".join("".join(output.get("text", "")) + "".join(output.get("data", {}).get("text/plain", "")) for output in cell["outputs"])
