"""The site's page of what clients do: which trial is behind a cell, and what it says where forks differ."""

import unittest
from types import SimpleNamespace

from tests import site_modules

STORIES = {"idle.unasked": "The server sends too much.", "idle.closed-get": "It closes <early>."}


def trial(number: int, client: str, fact: str, concern: str = "", outcome: str = "complete", situation: str = "idle.unasked") -> dict:
    seen = {"situation": situation, "fact": fact, "ms": float(number), "concern": concern}
    return {"trial": number, "outcome": outcome, "treatment": {"client": client}, "observations": [seen]}


def run(name: str, started: str, *trials: dict, workload: str = "conduct") -> SimpleNamespace:
    manifest = {"startedAt": started, "experiment": {"workload": {"type": workload}}}
    return SimpleNamespace(name=name, manifest=manifest, trials=list(trials))


class ConductPageTest(unittest.TestCase):
    def setUp(self) -> None:
        (self.conduct,) = site_modules.imported(self, "conduct")

    def test_a_cell_has_the_fact_of_most_forks_and_one_of_their_trials(self) -> None:
        forks = [trial(1, "okhttp", "waits"), trial(2, "okhttp", "asks"), trial(3, "okhttp", "asks"), trial(4, "okhttp", "fails", outcome="invalid")]
        (cell,) = self.conduct.cells([run("conduct-1", "2026-11-01", *forks)])
        self.assertEqual((cell.id, cell.forks, cell.trial, cell.ms), ("okhttp.idle.unasked", 3, 2, 2.0))
        self.assertEqual(cell.fact, "varies: asks (2 of 3); waits (1 of 3)")

    def test_most_forks_count_and_then_the_newest_run_and_other_workloads_do_not(self) -> None:
        runs = [
            run("conduct-2", "2026-12-01", trial(7, "okhttp", "new"), trial(8, "fuel", "new")),
            run("conduct-1", "2026-11-01", trial(1, "okhttp", "old"), trial(2, "fuel", "old"), trial(3, "fuel", "old")),
            run("burst-1", "2026-12-02", trial(1, "okhttp", "other"), workload="burst"),
        ]
        self.assertEqual({(cell.client, cell.fact, cell.run.name) for cell in self.conduct.cells(runs)}, {("okhttp", "new", "conduct-2"), ("fuel", "old", "conduct-1")})

    def test_the_page_has_an_address_for_each_cell_and_a_way_to_its_trial(self) -> None:
        forks = [
            trial(1, "okhttp", "asks"), trial(2, "fuel", "takes it", concern="Another's."), trial(3, "ktor-cio", "asks"),
            trial(4, "okhttp:5.3.0", "asks", situation="idle.closed-get"),
        ]  # fmt: skip
        page = self.conduct.page(self.conduct.cells([run("conduct-1", "2026-11-01", *forks)]), STORIES, {"idle.unasked": "Take `another` <client>."})
        rows = [line for line in page.splitlines() if line.startswith("<tr id=")]
        self.assertEqual([row.split('"')[1] for row in rows], ["ktor-cio.idle.unasked", "okhttp.idle.unasked", "fuel.idle.unasked", "okhttp:5.3.0.idle.closed-get"])
        self.assertIn('data-client="okhttp" data-version="5.3.0"', rows[3])
        self.assertNotIn("data-version", rows[1])
        self.assertIn('<option value="5.3.0">5.3.0</option>', page)
        self.assertIn('<small>Another&#x27;s.</small>', rows[2])
        self.assertEqual([row for row in rows if " data-concern" in row], [rows[2]])
        self.assertIn('href="../data/conduct-1.html#trial-2"', rows[2])
        self.assertIn("It closes &lt;early&gt;.", page)
        self.assertIn("<p>Take <code>another</code> &lt;client&gt;.</p></th>", page)
        self.assertIn('<summary>Idle connections, and a server that closes them</summary><ul><li><a href="#idle.unasked">The server sends too much.</a></li>', page)

    def test_a_remedy_for_a_situation_that_is_not_there_is_refused(self) -> None:
        self.assertEqual(self.conduct.remedies('[idle]\nunasked = "Take another."', STORIES), {"idle.unasked": "Take another."})
        self.assertEqual(self.conduct.remedies('[idle]\n"unasked.jdk" = "Close it."', STORIES), {"idle.unasked.jdk": "Close it."})
        with self.assertRaisesRegex(SystemExit, "names idle.asked, and there is no such situation"):
            self.conduct.remedies('[idle]\nasked = "Take another."', STORIES)


if __name__ == "__main__":
    unittest.main()
