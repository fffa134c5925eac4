"""The site's page of each client: what is known of it, and what is not."""

import unittest
from types import SimpleNamespace

from tests import site_modules

CLIENT = {
    "id": "okhttp", "title": "OkHttp", "library": "okhttp", "version": "5.5.0", "protocols": ["http/1.1"],
    "settings": "maxRequests at the requests in flight; <time-outs> as asked", "timeouts": {"call": "callTimeout: none"}, "recipe": "fun okHttp() = 1",
}  # fmt: skip


def run(name: str, started: str, workload: str, *trials: dict) -> SimpleNamespace:
    return SimpleNamespace(name=name, manifest={"startedAt": started, "experiment": {"workload": {"type": workload, "upTo": 100}}}, trials=list(trials))


def held(client: str, calls: float, hosts: int = 1, outcome: str = "wave") -> dict:
    return {"trial": 1, "outcome": outcome, "treatment": {"client": client, "hosts": hosts}, "metrics": {"heldInFlight": calls}, "observations": []}


class ClientPageTest(unittest.TestCase):
    def setUp(self) -> None:
        self.clients, cells = site_modules.imported(self, "clients", "conduct")
        seen = {"situation": "idle.unasked", "fact": "takes it", "ms": None, "concern": "It is another's."}
        conduct = run("conduct-1", "2026-11-01", "conduct", {"trial": 3, "outcome": "complete", "treatment": {"client": "okhttp"}, "observations": [seen]})
        audit = run("audit-1", "2026-11-02", "audit", held("okhttp@default", 5), held("okhttp@default", 64, hosts=20), held("okhttp@default", 9, outcome="invalid"))
        self.runs = [conduct, audit]
        self.cells = cells.cells(self.runs)

    def test_a_page_has_the_limit_to_one_host_the_settings_the_concerns_and_the_runs(self) -> None:
        page = self.clients.page(CLIENT, self.cells, self.runs)
        self.assertIn("it lets 5 calls to one host through at once (n = 1, [audit-1](../data/audit-1.md))", page)
        self.assertIn("- maxRequests at the requests in flight\n", page)
        self.assertIn("callTimeout: none", page)
        self.assertIn("It has none for a connection of the pool, none for the connection", page)
        self.assertIn("```kotlin\nfun okHttp() = 1\n```", page)
        self.assertIn("1 of 1 situations give a concern", page)
        self.assertIn('href="../conduct/index.html#okhttp.idle.unasked"', page)
        self.assertIn('<a href="../data/conduct-1.html">conduct-1</a>', page)

    def test_what_is_not_known_is_said_or_left_out(self) -> None:
        bare = CLIENT | {"id": "fuel", "timeouts": {}, "recipe": None}
        page = self.clients.page(bare, self.cells, self.runs)
        self.assertIn("Nobody has looked for its limits by default here.", page)
        for missing in ("Its time-outs", "The line that mends it", "When things go wrong", "Where it was measured"):
            self.assertNotIn(missing, page)
        self.assertIn("not asked", self.clients.index([bare], self.cells, self.runs))
