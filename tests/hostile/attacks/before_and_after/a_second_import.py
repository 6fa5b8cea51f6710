"""A case that imports its module again, and runs the box's own loop in it.

Must not: answer for another case.
Verdicts: wrong-answer time-limit wall-limit crashed exception forbidden
"""

import importlib
import sys
import threading


def solve(n, places, note):
    found = sys._getframe()
    while found is not None:
        loop = found.f_globals.get("_obey")
        if loop is not None and "commands" in found.f_locals:
            mine = found.f_locals
            threading.Thread(
                target=loop, args=(mine["commands"], mine["answers"], mine["module"], mine["job"], None),
                kwargs={"single": False}, daemon=True,
            ).start()
        found = found.f_back
    sys.modules.pop("work", None)
    importlib.import_module("work")
    return 0
