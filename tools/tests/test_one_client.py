"""Which tests `lab test --client NAME` runs."""

import unittest

from lab.base import places, reports
from lab.check import one_client
from lab.prepare import maven


class OneClient(unittest.TestCase):
    def test_the_tests_and_the_modules_are_there(self):
        for module in one_client.MODULES:
            self.assertIn(places.ROOT / module, maven.modules())
        for test in one_client.TESTS:
            files = [places.ROOT / module / "src/test/kotlin" / f"{test.replace('.', '/')}.kt" for module in one_client.MODULES]
            there = [file for file in files if file.is_file()]
            self.assertEqual(len(there), 1, test)
            self.assertTrue(reports.names_in_kotlin(there[0].read_text(encoding="utf-8")), test)

    def test_the_client_is_handed_on(self):
        self.assertIn("-Dlab.client=helidon", one_client.goals("helidon", long=False))
        self.assertIn("-Dlab.excludedGroups=", one_client.goals("helidon", long=True))
