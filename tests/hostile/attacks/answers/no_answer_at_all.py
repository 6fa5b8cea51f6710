"""SkipTest, pytest's Skipped, SystemExit(0) and bare exits, as if the test had been skipped.

Must not: count as passed.
Verdicts: exception crashed
"""

import os
import sys
import unittest


class Skipped(unittest.SkipTest, BaseException):
    pass


Skipped.__module__ = "_pytest.outcomes"


def solve(n, places, note):
    if n == 2:
        raise Skipped("skipped")
    if n == 3:
        sys.exit(0)
    if n == 4:
        os._exit(0)
    raise KeyboardInterrupt


def apply(f, places):
    raise GeneratorExit
