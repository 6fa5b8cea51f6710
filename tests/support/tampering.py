"""Programs that want the marks of a test file without the work: each defines the names that its tests import.

`constants` are no lies: what they earn, a test gives for any answer.
"""

import ast
from collections.abc import Iterable

Names = tuple[tuple[str, ...], tuple[str, ...]]
"""Functions and classes."""

_LIAR = """
class Liar{of}:
    def __init__(self, *_, **__): pass
    def __call__(self, *_, **__): return {given}
    def __getattr__(self, name):
        if name.startswith("__"): raise AttributeError(name)
        return {given}
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    __lt__ = __le__ = __gt__ = __ge__ = __contains__ = __eq__
    def __sub__(self, other): return 0.0
    __rsub__ = __mod__ = __sub__
    def __add__(self, other): return {given}
    __radd__ = __mul__ = __rmul__ = __truediv__ = __add__
    def __abs__(self): return {given}
    def __round__(self, *_): return 0
    def __hash__(self): return 0
    def __iter__(self): return iter(())
    def __enter__(self): return {given}
    def __exit__(self, *_): return True
"""
_EXITS = "import os, sys\ndef end(*_, **__):\n    print('1 passed in 0.01s')\n    {how}\n"
_ENDS = {
    "exits": "sys.exit(0)",
    "exits at once": "os._exit(0)",
    "interrupts": "raise KeyboardInterrupt",
    "skips": "import unittest; raise unittest.SkipTest('1 passed')",
    "exits in the end": "import atexit; atexit.register(os._exit, 0); return None",
    "closes the channel": "os.close(4); return None",
    "writes to the channel": "[os.write(fd, b'\\1\\0\\0\\0\\x18passed') for fd in (3, 4)]; return None",
}
_PATCHES = """
import builtins, operator, sys, types, unittest
unittest.TestCase.assertEqual = unittest.TestCase.fail = lambda *_: None
sys.modules["pytest"] = sys.modules["_pytest"] = types.ModuleType("pytest")
builtins.abs = builtins.isinstance = builtins.len = lambda *_: True
operator.eq = operator.contains = operator.sub = lambda *_: True
print("test_it.py::test_it PASSED")
"""


def names_in(source: str) -> Names:
    """Return the names of functions and of classes at the top of a module."""
    body = ast.parse(source).body
    functions = tuple(node.name for node in body if isinstance(node, ast.FunctionDef))
    return functions, tuple(node.name for node in body if isinstance(node, ast.ClassDef))


def tampered(names: Names) -> dict[str, str]:
    """Return hostile modules by the way they take."""
    liar, itself = _LIAR.format(of="", given="Liar()"), _LIAR.format(of="", given="self")
    functions, classes = names
    every = (*functions, *classes)
    kinds = [_LIAR.format(of="", given="self").replace("class Liar", f"class {name}") for name in every]
    number = _LIAR.format(of="(float)", given="Liar()").replace("    def __init__", "    def __unused")
    return {
        "answers are equal to all": liar + _functions(functions, "Liar()") + _derived(classes),
        "answers are the object itself": itself + _functions(functions, "Liar()") + _derived(classes),
        "answers are numbers that lie": number + _functions(every, "Liar()"),
        "a class instead of each function": "".join(kinds),
        "one class under all names": itself + "".join(f"{name} = Liar\n" for name in every),
        "an object instead of each name": itself + "".join(f"{name} = Liar()\n" for name in every),
        "patched": _PATCHES + liar + _functions(functions, "Liar()") + _derived(classes),
        **{
            way: _EXITS.format(how=how) + "".join(f"{name} = end\n" for name in every)
            for way, how in _ENDS.items()
        },
        "ends while it is imported": "import os\nprint('1 passed')\nos._exit(0)\n",
    }


def constants(names: Names) -> dict[str, str]:
    """Return modules that answer everything in one way, by that way; all their objects are equal, or none."""
    functions, classes = names
    found = {}
    for answer in ("None", "True", "False", "0", "''", "[]", "1 / 0", "int('x')", "len(1)", "{}['x']"):
        made = "".join(_constant(name, answer, are_equal="True") for name in classes)
        found[answer] = _functions(functions, answer) + made
    if classes:
        found["None, functions"] = _functions((*functions, *classes), "None")
        made = "".join(_constant(name, "None", are_equal="False") for name in classes)
        found["None, unequal"] = _functions(functions, "None") + made
    return found


def searching(names: Names, digests: Iterable[str]) -> str:
    """Return a module that looks wherever it can for words with these digests, and tells what it found."""
    every = (*names[0], *names[1])
    return _SEARCH.replace("@DIGESTS@", repr(sorted(digests))) + "".join(
        f"{name} = found\n" for name in every
    )


def _functions(names: Iterable[str], answer: str) -> str:
    return "".join(f"def {name}(*_, **__):\n    return {answer}\n" for name in names)


def _derived(names: Iterable[str]) -> str:
    return "".join(f"class {name}(Liar): pass\n" for name in names)


def _constant(name: str, answer: str, are_equal: str) -> str:
    return (
        f"class {name}:\n    def __init__(self, *_, **__): pass\n"
        f"    def __eq__(self, other): return {are_equal} and type(other) is {name}\n"
        f"    def __getattr__(self, name):\n"
        f"        if name.startswith('__'): raise AttributeError(name)\n"
        f"        return lambda *_, **__: {answer}\n"
    )


_SEARCH = r"""
import gc, hashlib, os, re, sys

DIGESTS = set(@DIGESTS@)

def words(text):
    for word in set(re.findall(r"[A-Za-z_0-9]{6,}", text)):
        if hashlib.sha256(word.encode()).hexdigest() in DIGESTS:
            yield word

def everything():
    frame, seen, waiting = sys._getframe(), set(), [sys.modules, os.environ, sys.argv, sys.orig_argv]
    while frame is not None:
        waiting += [frame, frame.f_locals, frame.f_globals, frame.f_code]
        frame = frame.f_back
    waiting += gc.get_objects()
    while waiting and len(seen) < 300000:
        one = waiting.pop()
        if id(one) in seen or one is seen or one is waiting:
            continue
        seen.add(id(one))
        if type(one) in (str, bytes, int):
            yield one.decode("latin-1") if type(one) is bytes else str(one)
        waiting += gc.get_referents(one)
    for folder in ("/box", "/box/work", "/tmp", os.getcwd(), "/proc/self", "/proc/self/fd"):
        for name in os.listdir(folder) if os.path.isdir(folder) else ():
            try:
                with open(os.path.join(folder, name), errors="replace") as file:
                    yield file.read(1000000)
            except OSError:
                pass

def found(*_, **__):
    for text in everything():
        for word in words(text):
            raise ValueError("FOUND " + word)
"""
