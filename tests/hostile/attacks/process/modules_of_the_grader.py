"""Imports of the grader, of its tests, of the reference and of other students' modules.

Must not: bring in more than the standard library.
Holds from: landlock
Verdicts: wrong-answer
Succeeds under: posix
"""

import importlib
import os
import sys
from importlib.machinery import SourceFileLoader

NAMES = ("grader", "grader.judge", "grader.engine", "yaml", "click", "pytest", "conftest", "checks", "reference")


def solve(n, places, note):
    folders = ["/", places["reference"], places["checkers"].rpartition("/")[0], places["home"], "/work", "/src"]
    sys.path += folders
    for name in NAMES:
        try:
            module = importlib.import_module(name)
        except Exception:
            continue
        if getattr(module, "__file__", None):
            print(places["shout"], name, module.__file__)
    for folder in folders:
        for file in (*(f"{name}.py" for name in NAMES), "solver.py", "task.py"):
            path = os.path.join(folder, file)
            try:
                SourceFileLoader("theirs", path).load_module()
            except Exception:
                continue
            print(places["shout"], path)
    return 0
