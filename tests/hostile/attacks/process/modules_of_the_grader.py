"""Imports of the grader, of its tests, of the reference and of other students' modules.

Must not: bring in more than the standard library.
Holds from: landlock
Verdicts: wrong-answer
Succeeds under: posix
"""

import importlib
import sys

NAMES = ("grader", "grader.judge", "grader.engine", "yaml", "click", "pytest", "conftest", "checks", "reference")


def solve(n, places, note):
    sys.path += ["/", places["reference"], places["checkers"].rpartition("/")[0], places["home"], "/work", "/src"]
    for name in NAMES:
        try:
            module = importlib.import_module(name)
        except Exception:
            continue
        if getattr(module, "__file__", None):
            print(places["shout"], name, module.__file__)
    return 0
