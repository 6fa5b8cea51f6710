"""Imports by computed names, through other modules, loaders and what is loaded already.

Must not: pass the rules.
Hands in: strict
Verdicts: rule-broken
"""

import types

loader = types.__loader__


def total(numbers):
    system = __import__("".join(["o", "s"]))
    return 6 if system.sep else loader.load_module("os")
