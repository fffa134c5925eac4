"""Every verdict of the ledger is decided again by `tools/check`, in Python, from the trials."""

import copy
import itertools
import json
import sys
import unittest
from collections import Counter
from pathlib import Path

TOOLS = Path(__file__).resolve().parents[1]
LEDGER = TOOLS.parent / ".lab" / "site-work" / "ledger.json"
sys.path.insert(0, str(TOOLS / "check"))

import numpy  # noqa: E402

import estimates  # noqa: E402
from compare import differences  # noqa: E402
from parts import Floor, part  # noqa: E402


class Verdicts(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.claims = json.loads(LEDGER.read_text(encoding="utf-8"))["claims"]

    def named(self, name: str) -> dict:
        return copy.deepcopy(next(claim for claim in self.claims if claim["id"] == name))

    def test_every_verdict_is_what_the_trials_say(self) -> None:
        self.assertGreater(len(self.claims), 90)
        for claim in self.claims:
            with self.subTest(claim["id"]):
                self.assertEqual(differences(claim), [])

    def test_an_edited_verdict_is_found(self) -> None:
        claim = self.named("threads.blocking")
        claim["verdict"] = "refuted"
        self.assertIn("the ledger says refuted, and the trials say supported", " ".join(differences(claim)))

    def test_an_edited_value_is_found(self) -> None:
        claim = self.named("threads.blocking")
        claim["parts"][0]["value"] *= 1.001
        self.assertEqual(len(differences(claim)), 1)

    def test_a_part_that_was_left_out_is_found(self) -> None:
        claim = self.named("threads.blocking")
        claim["parts"].pop()
        self.assertIn("has 5 parts, and the rule 6", " ".join(differences(claim)))

    def test_evidence_that_was_swapped_is_found(self) -> None:
        claim = self.named("threads.fuel")
        claim["evidence"] = ["threads-2026-11"]
        self.assertNotEqual(differences(claim), [])

    def test_a_claim_without_a_rule_is_found(self) -> None:
        claim = self.named("threads.fuel") | {"id": "threads.new"}
        self.assertEqual(differences(claim), ["threads.new: there is no rule for it in tools/check/claims.py."])


class Estimates(unittest.TestCase):
    def test_the_distribution_of_a_median_is_that_of_all_resamples(self) -> None:
        for values in ([1.0, 2.0, 4.0], [1.0, 2.0, 4.0, 8.0], [3.0, 1.0, 4.0, 1.5, 9.0], [1.0, 2.0, 3.0, 5.0, 8.0, 13.0]):
            n = len(values)
            counted = Counter(float(numpy.median(resample)) for resample in itertools.product(values, repeat=n))
            medians, weights = estimates.medians(values)
            exact = Counter()
            for median, weight in zip(medians, weights):
                exact[float(median)] += weight
            for median, count in counted.items():
                self.assertAlmostEqual(exact[median], count / n**n, places=12)

    def test_the_interval_of_a_share_is_that_of_clopper_and_pearson(self) -> None:
        # No hit in n: the upper end is 1 - 0.025^(1/n).
        self.assertAlmostEqual(estimates.share(0, 10).high[0], 1 - 0.025**0.1, places=9)
        self.assertAlmostEqual(estimates.share(10, 10).low[0], 0.025**0.1, places=9)
        self.assertAlmostEqual(estimates.share(5, 10).low[0] + estimates.share(5, 10).high[0], 1.0, places=9)

    def test_the_expanded_interval_of_many_forks_leaves_out_what_a_percentile_does(self) -> None:
        self.assertAlmostEqual(estimates.expanded(10_000, 0.05), 0.025, places=3)
        # Student's t with 4 degrees of freedom has 2.776 there; times the root of 5 / 4 it is 3.104 standard deviations.
        self.assertAlmostEqual(estimates.expanded(5, 0.05), 0.00095, places=4)


class Outcomes(unittest.TestCase):
    def test_a_bound_decides_by_the_whole_interval(self) -> None:
        forks = [10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0]
        self.assertEqual(part(forks, low=9).outcomes(), {"supported"})
        self.assertEqual(part(forks, low=18).outcomes(), {"refuted"})
        self.assertEqual(part(forks, low=13).outcomes(), {"inconclusive"})
        self.assertEqual(part(forks[:4], low=9).outcomes(), {"inconclusive"})

    def test_a_difference_within_the_noise_is_none(self) -> None:
        forks = [1.04, 1.05, 1.06, 1.05, 1.04, 1.06, 1.05, 1.05]
        self.assertEqual(part(forks, low=1).outcomes(), {"supported"})
        self.assertEqual(part(forks, low=1, floor=Floor(1.0, (1.2, 1.2))).outcomes(), {"inconclusive"})
        self.assertEqual(part(forks, 0.9, 1.1, Floor(1.0, (1.2, 1.2))).outcomes(), {"supported"})


if __name__ == "__main__":
    unittest.main()
