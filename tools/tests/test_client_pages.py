"""The site's page of each client: what is known of it, and what is not."""

import unittest
from types import SimpleNamespace

from tests import site_modules

CLIENT = {
    "id": "okhttp", "title": "OkHttp", "library": "okhttp", "version": "5.5.0", "protocols": ["http/1.1"],
    "settings": "maxRequests at the requests in flight; <time-outs> as asked", "timeouts": {"call": "callTimeout: none"}, "recipe": "fun okHttp() = 1",
}  # fmt: skip


def run(name: str, started: str, workload: str, *trials: dict) -> SimpleNamespace:
    return SimpleNamespace(name=name, id=f"id of {name}", manifest={"startedAt": started, "experiment": {"workload": {"type": workload, "upTo": 100}}}, trials=list(trials))


def held(client: str, calls: float, hosts: int = 1, outcome: str = "wave") -> dict:
    return {"trial": 1, "outcome": outcome, "treatment": {"client": client, "hosts": hosts}, "metrics": {"heldInFlight": calls}, "observations": []}


def sent(client: str, threads: float) -> dict:
    return {"trial": 2, "outcome": "complete", "treatment": {"client": client, "inFlight": 500}, "metrics": {"inFlightPeak": 500, "threadsBlocked": threads}}


class ClientPageTest(unittest.TestCase):
    def setUp(self) -> None:
        self.clients, cells, uses = site_modules.imported(self, "clients", "conduct", "uses")
        seen = {"situation": "idle.unasked", "fact": "takes it", "ms": None, "concern": "It is another's."}
        conduct = run("conduct-1", "2026-11-01", "conduct", {"trial": 3, "outcome": "complete", "treatment": {"client": "okhttp"}, "observations": [seen]})
        audit = run("audit-1", "2026-11-02", "audit", held("okhttp@default", 5), held("okhttp@default", 64, hosts=20), held("okhttp@default", 9, outcome="invalid"))
        burst = run("burst-1", "2026-11-03", "burst", sent("okhttp:4.12.0", 490), sent("okhttp:4.12.0", 500), sent("okhttp", 100), sent("jdk:1.0", 7))
        self.runs = [conduct, audit, burst]
        self.uses = [
            uses.Use("Little memory", "kBPerCall", {"okhttp": uses.Value("99.4 [98.6, 100]", "4"), "jdk": uses.Value("14", "1")}, ["id of burst-1"]),
            uses.Use("A high rate", "callsPerSecond", {"okhttp": uses.Value("5 [1, 9]", "")}, []),
        ]
        self.cells = cells.cells(self.runs)

    def test_a_page_has_the_limit_to_one_host_the_settings_the_concerns_and_the_runs(self) -> None:
        page = self.clients.page(CLIENT, self.cells, self.runs, self.uses, {"idle.unasked": "Try `this`."})
        self.assertIn("it lets 5 calls to one host through at once (n = 1, [audit-1](../data/audit-1.md))", page)
        self.assertIn("- maxRequests at the requests in flight\n", page)
        self.assertIn("callTimeout: none", page)
        self.assertEqual(page.count("no setting"), 4)
        self.assertIn("```kotlin\nfun okHttp() = 1\n```", page)
        self.assertIn("1 of 1 situations give a concern", page)
        self.assertIn('href="../conduct/index.html#okhttp.idle.unasked"', page)
        self.assertIn("Try <code>this</code>.", page)
        self.assertIn('<a href="../data/conduct-1.html">conduct-1</a>', page)

    def test_a_page_has_what_the_client_costs_for_each_use_and_what_other_versions_did(self) -> None:
        page = self.clients.page(CLIENT, self.cells, self.runs, self.uses, {"idle.unasked": "Try `this`."})
        self.assertIn('<a href="../notebooks/09-choose.html#little-memory">Little memory</a></td><td class="lab-words">kBPerCall</td>', page)
        self.assertIn('99.4 [98.6, 100]</td><td class="lab-words">4 of 2</td><td class="lab-words"><a href="../data/burst-1.html">burst-1</a>', page)
        self.assertIn('5 [1, 9]</td><td class="lab-words">not decided</td>', page)
        self.assertIn('okhttp:4.12.0</td><td class="lab-number">500</td><td class="lab-number">500</td><td class="lab-number">495</td>', page)
        self.assertNotIn("jdk:1.0", page)

    def test_what_is_not_known_is_said_or_left_out(self) -> None:
        bare = CLIENT | {"id": "fuel", "timeouts": {}, "recipe": None}
        page = self.clients.page(bare, self.cells, self.runs, self.uses, {"idle.unasked": "Try `this`."})
        self.assertIn("lets through by default was not measured here", page)
        for missing in ("What it costs", "Its time-outs", "The code that mends it", "When things go wrong", "In other versions", "Where it was measured"):
            self.assertNotIn(missing, page)
        self.assertIn("not measured", self.clients.index([bare], self.cells, self.runs))
