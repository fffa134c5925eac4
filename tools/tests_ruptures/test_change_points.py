"""The change points of recorded series, found again by ruptures (C. Truong, L. Oudre, N. Vayatis, 2020) with the same cost and penalty."""

import json
import math
import unittest
from pathlib import Path

try:
    import numpy
    import ruptures
except ImportError:
    ruptures = None

SERIES = Path(__file__).resolve().parents[2] / "lib" / "core" / "src" / "test" / "resources" / "series"

SMALL_VARIANCE = 1e-6
"""What ruptures adds to the variance of each segment. A series is scaled so that this is what our cost adds."""


@unittest.skipUnless(ruptures, "ruptures is not installed here; requirements.txt has its version, and lab test installs it")
class ChangePointsTest(unittest.TestCase):
    def test_ruptures_finds_the_change_points_of_every_recorded_series_within_one_interval(self) -> None:
        files = sorted(SERIES.glob("*.json"))
        self.assertGreaterEqual(len(files), 20)
        for file in files:
            series = json.loads(file.read_text(encoding="utf-8"))
            with self.subTest(series["source"]):
                theirs, ours = change_points(series), series["changePoints"]
                self.assertEqual(len(ours), len(theirs), f"{ours} and {theirs}")
                for mine, other in zip(ours, theirs):
                    self.assertLessEqual(abs(mine - other), 1, f"{ours} and {theirs}")


def change_points(series: dict) -> list[int]:
    values = numpy.array(series["values"])
    differences = numpy.abs(numpy.diff(values))
    if series["cost"] == "mean":
        middle = numpy.median(differences)
        noise = middle / (0.6745 * math.sqrt(2)) if middle > 0 else differences.mean() * math.sqrt(math.pi) / 2
        model, scaled = "l2", values / noise
    else:
        model, scaled = "normal", values * math.sqrt(SMALL_VARIANCE) / (0.1 * differences.mean())
    search = ruptures.Pelt(model=model, min_size=series["shortest"], jump=1).fit(scaled)
    return search.predict(pen=series["penalty"])[:-1]
