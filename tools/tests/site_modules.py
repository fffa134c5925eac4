"""The modules of the site, for tests of its pages: they are no package, and the tables of runs need a library that a page does not."""

import importlib
import sys
import unittest
from types import ModuleType
from unittest import mock

from lab.base import places

ABSENT = ("pyarrow", "pyarrow.ipc")
"""What is there where a site is made."""

OURS = ("published", "words", "conduct", "clients", "figures", "articles", "compare", "feed")


def imported(test: unittest.TestCase, *names: str) -> list[ModuleType]:
    """Modules of `tools/site`, until `test` ends."""
    patched = mock.patch.dict(sys.modules, {name: mock.MagicMock() for name in ABSENT})
    path = mock.patch.object(sys, "path", [str(places.TOOLS / "site"), *sys.path])
    for each in (patched, path):
        each.start()
        test.addCleanup(each.stop)
    for name in OURS:
        sys.modules.pop(name, None)
    return [importlib.import_module(name) for name in names]
