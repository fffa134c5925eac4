"""A headless Chromium for the tests, which reaches this machine and no other, and says what went wrong in its pages."""

import functools
import http.server
import os
import shutil
import threading
import unittest
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parents[2]
SHOTS = ROOT / "target" / "screenshots"
"""Where screenshots are kept, to be looked at."""

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
PLACES = ("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome", "/Applications/Chromium.app/Contents/MacOS/Chromium")
LOOPBACK = ("127.0.0.1", "localhost", "::1")
OPTIONS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    # Whatever asks for another host is told that there is none.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
)


def chromium() -> str | None:
    """A Chromium of this machine: the one that CLIENT_LAB_CHROMIUM names, else the first that is found."""
    named = os.environ.get("CLIENT_LAB_CHROMIUM")
    if named:
        return named if Path(named).is_file() else None
    return next((found for name in NAMES if (found := shutil.which(name))), None) or next((place for place in PLACES if Path(place).is_file()), None)


def why_not() -> str | None:
    """Why nothing can be tested in a browser here, or None."""
    if chromium() is None:
        return "there is no Chromium on this machine; install one, or name its program in CLIENT_LAB_CHROMIUM"
    try:
        import playwright.sync_api  # noqa: F401
    except ImportError:
        return "the package playwright is not installed; `./lab test` installs it"
    return None


@contextmanager
def browser() -> Iterator[Any]:
    """A Chromium without a window, ended when the block is left."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium(), headless=True, args=list(OPTIONS))
        try:
            yield running
        finally:
            running.close()


class Watch:
    """Takes down what a page's reader would not see: errors on the console, failed requests, and requests to other machines."""

    def __init__(self, page: Any):
        self.errors: list[str] = []
        self.strangers: list[str] = []
        page.on("console", lambda message: self.errors.append(f"console: {message.text}") if message.type == "error" else None)
        page.on("pageerror", lambda error: self.errors.append(f"script: {error}"))
        page.on("request", self._asked)
        page.on("requestfailed", self._failed)
        page.on("response", lambda response: self.errors.append(f"{response.status}: {response.url}") if response.status >= 400 else None)

    def _failed(self, request: Any) -> None:
        # A page that is left stops asking.
        if request.failure != "net::ERR_ABORTED":
            self.errors.append(f"request: {request.url}: {request.failure}")

    def _asked(self, request: Any) -> None:
        address = urlsplit(request.url)
        if address.scheme not in ("data", "blob", "about") and address.hostname not in LOOPBACK:
            self.strangers.append(request.url)


class BrowserTest(unittest.TestCase):
    """Tests with a browser of their own, which all tests of a class share; each is skipped by name where there is none."""

    running: Any = None
    _opened: Any = None

    @classmethod
    def setUpClass(cls) -> None:
        if why_not() is None:
            cls._opened = browser()
            cls.running = cls._opened.__enter__()

    @classmethod
    def tearDownClass(cls) -> None:
        if cls._opened is not None:
            cls._opened.__exit__(None, None, None)

    def setUp(self) -> None:
        reason = why_not()
        if reason:
            self.skipTest(reason)

    def page(self, **options: Any) -> Any:
        """A new page in a context of its own, with a Watch as `watch`; closed after the test."""
        context = self.running.new_context(**options)
        self.addCleanup(context.close)
        page = context.new_page()
        page.watch = Watch(page)
        return page

    def quiet(self, page: Any) -> None:
        """Nothing went wrong in the page, and it asked no other machine."""
        self.assertEqual(page.watch.strangers, [], "it asked another machine")
        self.assertEqual(page.watch.errors, [], "something went wrong in the page")


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The folder on a free port of the loopback interface; the address, without a slash at its end."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def shot(page: Any, name: str, **options: Any) -> Path:
    """A screenshot among those that are kept."""
    SHOTS.mkdir(parents=True, exist_ok=True)
    path = SHOTS / f"{name}.png"
    page.screenshot(path=str(path), **options)
    return path
