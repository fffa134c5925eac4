"""The delay server's two pages in a browser: what it sees as it happens, and what can be tried."""

import json
import os
import shutil
import tempfile
import threading
import unittest
import urllib.request
from pathlib import Path

import browsers
from lab.base.processes import environment, start
from lab.prepare.java import inspect
from lab.library import serve


class ServersPages(browsers.BrowserTest):
    """One delay server for each test, as `./lab serve` starts it."""

    def setUp(self) -> None:
        super().setUp()
        java = inspect(Path(os.environ["CLIENT_LAB_JAVA_HOME"]), "the one that the tests run with")
        folder = Path(tempfile.mkdtemp(prefix="lab-live-"))
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        said = folder / "said.txt"
        with said.open("w", encoding="utf-8") as output:
            self.server = start(serve.command(java), environment=environment(), output=output, leash=True)
        self.addCleanup(self.server.end)
        while not said.read_text(encoding="utf-8").endswith("\n"):
            self.assertFalse(self.server.exited(), "the delay server did not start")
            threading.Event().wait(0.05)
        ready = json.loads(said.read_text(encoding="utf-8").splitlines()[0])
        self.data, self.control = (f"http://127.0.0.1:{ready[port]}" for port in ("port", "controlPort"))

    def test_the_live_page_shows_what_is_in_flight_while_it_is_and_says_when_the_server_has_gone(self) -> None:
        for scheme, width in (("light", 1100), ("dark", 390)):
            page = self.page(color_scheme=scheme, viewport={"width": width, "height": 760})
            page.goto(f"{self.control}/live")
            page.wait_for_function("() => document.querySelector('#in-flight .number').textContent === '0'")
            waiting = [threading.Thread(target=self.asked, args=(3,), daemon=True) for _ in range(7)]
            for each in waiting:
                each.start()
            page.wait_for_function("() => document.querySelector('#in-flight .number').textContent === '7'")
            browsers.shot(page, f"live-{scheme}")
            for each in waiting:
                each.join()
            page.wait_for_function("() => document.querySelector('#in-flight .number').textContent === '0'")
            self.quiet(page)
        self.server.end()
        page.wait_for_selector("#state.gone")

    def test_a_request_can_be_tried_on_the_servers_own_page(self) -> None:
        page = self.page(viewport={"width": 1100, "height": 900})
        page.goto(f"{self.data}/")
        page.fill("#try [data-key=delay]", "0.3")
        page.click("#try button:has-text('Send')")
        page.wait_for_selector("#seen li:has-text('200')")
        browsers.shot(page, "server-page", full_page=True)
        self.quiet(page)

    def asked(self, seconds: float) -> None:
        with urllib.request.urlopen(f"{self.data}/delay?delay={seconds}", timeout=30) as answer:
            answer.read()


if __name__ == "__main__":
    unittest.main()
