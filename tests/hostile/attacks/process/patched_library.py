"""json, marshal, the built-ins and the worker's own functions, all replaced.

Must not: change a verdict.
Verdicts: wrong-answer crashed load-error exception
"""

import builtins
import gc
import json
import marshal
import struct
import sys


class Yes:
    __eq__ = lambda self, other: True
    __hash__ = lambda self: 0


json.dumps = marshal.dumps = lambda *args, **kwargs: "true"
json.loads = marshal.loads = lambda *args, **kwargs: True
struct.Struct = struct.pack = lambda *args: b"\x01"
for found in gc.get_objects():
    if isinstance(found, type) and found.__name__ in ("Encoder", "Decoder", "Channel"):
        for name in ("encode", "decode", "_put"):
            try:
                setattr(found, name, lambda self, *args: b"T")
            except (AttributeError, TypeError):
                pass
for name in list(sys.modules):
    if name.startswith(("grader", "importlib")):
        sys.modules.pop(name)
builtins.isinstance = builtins.all = builtins.any = lambda *args: True


def solve(n, places, note):
    return Yes()
