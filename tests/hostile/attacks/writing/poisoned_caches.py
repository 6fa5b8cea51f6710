"""Byte code, .pth files and shadowing modules in every folder on the path.

Must not: be written, or loaded by anybody.
Holds from: landlock
Verdicts: wrong-answer
"""

import marshal
import os
import sys


def solve(n, places, note):
    code = b"\0" * 16 + marshal.dumps(compile("print(1)", "x", "exec"))
    for folder in (*sys.path, *(f"{path}/__pycache__" for path in sys.path), "."):
        for name in ("work.cpython-311.pyc", "evil.pth", "sitecustomize.py", "json.py", "usercustomize.py"):
            path = os.path.join(folder, name)
            try:
                with open(path, "xb") as file:
                    file.write(code)
            except OSError:
                continue
            if folder != ".":
                print(places["shout"], path)
    return 0
