"""Modules named like the library, the tests and the grader, byte code, .pth, hooks of pytest and Python.

Must not: be imported by anything but the student's own work.
Handed in by: hand_in
Verdicts: any
"""

import marshal

BODY = """
import os
class Yes:
    __eq__ = lambda self, other: True
    __hash__ = lambda self: 0
def __getattr__(name):
    return lambda *args, **kwargs: Yes()
"""
NAMES = ("random", "json", "math", "os", "marshal", "socket", "grader", "codec", "conftest", "sitecustomize",
         "usercustomize", "site", "pytest", "unittest", "checkers", "__init__", "__main__", "setup", "_socket")


def hand_in(batch, places):
    folder = batch / "shadowing"
    (folder / "__pycache__").mkdir(parents=True)
    for name in NAMES:
        (folder / f"{name}.py").write_text(BODY)
    (folder / "evil.pth").write_text("import os; os._exit(0)")
    (folder / "pytest.ini").write_text("[pytest]\naddopts = --collect-only\n")
    (folder / "Makefile").write_text("all:\n\ttouch made\n")
    code = marshal.dumps(compile("def solve(n, places, note): return n * n + 1", "work.py", "exec"))
    for version in ("311", "312", "313"):
        (folder / "__pycache__" / f"work.cpython-{version}.pyc").write_bytes(bytes(16) + code)
    (folder / "work.py").write_text("import random, json, conftest\ndef solve(n, places, note): return 0\n")
