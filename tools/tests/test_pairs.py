"""Which DataFrame and which Kandy belong together, and how another pair is asked for."""

import os
import unittest
from unittest import mock

from lab.base.terminal import LabError
from lab.prepare import kandy, pairs


class Pairs(unittest.TestCase):
    def test_the_root_pom_knows_two(self) -> None:
        self.assertEqual([(pair.name, pair.dataframe[:3], pair.kandy[:3]) for pair in pairs.known()], [("0.15", "0.1", "0.8"), ("1.0", "1.0", "0.8")])

    def test_the_first_is_built_where_none_is_asked_for(self) -> None:
        with mock.patch.dict(os.environ):
            os.environ.pop(pairs.VARIABLE, None)
            self.assertEqual((pairs.chosen().name, pairs.options()), ("0.15", []))

    def test_another_is_asked_for_by_its_name(self) -> None:
        with mock.patch.dict(os.environ, {pairs.VARIABLE: "1.0"}):
            self.assertEqual(pairs.options(), ["-Dlab.pair=1.0"])
            self.assertEqual(kandy.artifact(), f"org.jetbrains.kotlinx:kandy-lets-plot:{pairs.known()[1].kandy}")

    def test_an_unknown_one_is_refused_in_a_sentence(self) -> None:
        with mock.patch.dict(os.environ, {pairs.VARIABLE: "2"}), self.assertRaises(LabError) as refused:
            pairs.chosen()
        self.assertEqual(str(refused.exception), "CLIENT_LAB_PAIR is 2, and the pairs are 0.15 and 1.0: set it to one of them, or unset it.")


if __name__ == "__main__":
    unittest.main()
