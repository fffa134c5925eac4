"""What `lab install` leaves: a notebook in an empty folder without a network, and the tests of a stranger's project."""

import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from lab.base import places
from lab.prepare import environment, java, kernel, maven
from lab.share import install
from .test_bundle import REASON as NO_ROOM

PRICES = """package com.example.shop;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.Semaphore;

public class Prices implements AutoCloseable {
    private final Semaphore calls = new Semaphore(37);
    private final HttpClient client = HttpClient.newHttpClient();
    private final String address;

    public Prices(String address) { this.address = address; }

    public String of(int article) throws Exception {
        calls.acquire();
        try {
            HttpRequest request = HttpRequest.newBuilder(URI.create(address + "/price/" + article)).build();
            return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
        } finally {
            calls.release();
        }
    }

    @Override
    public void close() { client.close(); }
}
"""
"""The client of a service that knows nothing of the lab. Its limit of 37 is forgotten."""

IMPORTS = "package com.example.shop;\n\nimport clientlab.junit.*;\nimport org.junit.jupiter.api.Test;\n\n"

ARCHETYPE = ["archetype:generate", "-DarchetypeGroupId=org.apache.maven.archetypes", "-DarchetypeArtifactId=maven-archetype-quickstart", "-DarchetypeVersion=1.5"]


class Installed(unittest.TestCase):
    """The user is another one, whose folder was empty before."""

    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory(prefix="installed-")
        cls.addClassCleanup(folder.cleanup)
        cls.user = Path(folder.name)
        cls.java, _ = java.find()
        cls.mvn = maven.required()
        cls.variables = maven.variables(cls.java) | {"HOME": str(cls.user), "JAVA_TOOL_OPTIONS": f"-Duser.home={cls.user}", "CLIENT_LAB_HOME": ""}
        cls.lab("install")

    @classmethod
    def lab(cls, *arguments: str) -> str:
        return cls.done([sys.executable, str(places.ROOT / "lab"), *arguments])

    @classmethod
    def done(cls, command: list[str], folder: Path = places.ROOT, code: int = 0) -> str:
        ran = subprocess.run(command, cwd=folder, env=cls.variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=1200)
        if ran.returncode != code:
            raise AssertionError(f"{' '.join(command[:4])} ended with {ran.returncode}: {ran.stdout[-3000:]}")
        return ran.stdout

    @unittest.skipIf(NO_ROOM, NO_ROOM)
    def test_a_notebook_in_an_empty_folder_shows_a_client_of_its_own_without_a_network(self) -> None:
        folder = self.user / "mine"
        self.lab("new", str(folder))
        plain = self.user / "jupyter"
        kernel.install_plain(environment.prepare(), plain)
        named = {f"JUPYTER_{name}": str(plain / name) for name in ("CONFIG_DIR", "DATA_DIR", "RUNTIME_DIR")}
        variables = self.variables | named | {"JUPYTER_PATH": str(plain), "KOTLIN_JUPYTER_JAVA_OPTS": f"-Duser.home={self.user}"}
        out = self.user / "out.ipynb"
        execute = [str(environment.prepare().python), str(places.TOOLS / "jupyter" / "execute.py"), install.TEMPLATE.name, str(out), str(folder), "300"]
        # Its standard input is a leash, so it stays open until the notebook has ended.
        room = subprocess.Popen(
            ["unshare", "--net", "sh", "-c", 'ip link set lo up && exec "$@"', "sh", *execute],
            cwd=folder, env=variables, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )
        try:
            events = [json.loads(line) for line in room.stdout if line.startswith("{")]
        finally:
            room.stdin.close()
            room.wait(timeout=60)
        self.assertEqual([event for event in events if event["event"] == "failed"], [], events)
        self.assertEqual(events[-1]["event"], "done", events)
        shown = json.dumps(json.loads(out.read_text(encoding="utf-8")))
        self.assertIn("my-client holds a platform thread for each request", shown)
        self.assertIn("mine.fast: supported", shown)
        self.assertIn("my-client", [each.name for each in (folder / "data" / "raw").iterdir()])

    def test_the_tests_of_a_project_that_its_archetype_made_name_a_forgotten_limit(self) -> None:
        own = ["-DgroupId=com.example", "-DartifactId=shop", "-Dversion=1", "-Dpackage=com.example.shop"]
        self.done([*maven.arguments(self.mvn, *ARCHETYPE, *own)], self.user)
        shop = self.user / "shop"
        page = (places.PAGES / "elsewhere.md").read_text(encoding="utf-8")
        dependency, test = (re.search(rf"```{name}\n(.*?)```", page, re.DOTALL)[1] for name in ("xml", "java"))
        pom = shop / "pom.xml"
        text = pom.read_text(encoding="utf-8").replace("<maven.compiler.release>17<", "<maven.compiler.release>21<")
        begun, ended = text.rsplit("  </dependencies>", 1)
        pom.write_text(f"{begun}{dependency}  </dependencies>{ended}", encoding="utf-8")
        (shop / "src/main/java/com/example/shop/Prices.java").write_text(PRICES, encoding="utf-8")
        (shop / "src/test/java/com/example/shop/PricesTest.java").write_text(IMPORTS + test, encoding="utf-8")
        said = self.done(maven.arguments(self.mvn, "test"), shop, code=1)
        self.assertIn("200 calls were made at once, and the server saw 37 of them at a time.", said)
        self.assertIn("It belongs to com.example.shop.Prices → Prices.calls.", said)
        self.assertIn("Tests run: 4, Failures: 1, Errors: 0, Skipped: 0", said)
        seconds = [float(each) for each in re.findall(r'<testcase name="\w+\(Lab\)[^>]* time="([\d.]+)"', next((shop / "target").glob("surefire-reports/*PricesTest.xml")).read_text())]
        self.assertEqual(len(seconds), 4)
        self.assertLess(max(seconds), 10)
