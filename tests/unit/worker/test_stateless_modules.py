"""Which modules provably keep no state, so that their cases may share a process."""

import pytest

from grader.worker.stateless import is_stateless

PLAIN = """
\"\"\"A docstring.\"\"\"
from __future__ import annotations
import math
from collections import deque
from functools import reduce
from typing import List, Tuple

Position = tuple[int, int]
SIZE = 8
MOVES = [(1, 2), (2, 1)]
NAMES = {"a": 1}


def moves(dim: int, path: List[Tuple[int, int]], x) -> list[Position]:
    found = []
    for dx, dy in MOVES:
        y = (x[0] + dx, x[1] + dy)
        if y not in path and y[0] in range(dim):
            found.append(y)
    return sorted(found, key=lambda move: len(path))


def search(dim, path):
    queue = deque([path])
    while queue:
        here = queue.popleft()
        queue.extend([here + [move] for move in moves(dim, here, here[-1])])
    total = reduce(lambda a, b: a + b, [1, 2], 0)
    try:
        return math.sqrt(total) + NAMES["a"] + len(MOVES)
    except ValueError as error:
        raise RuntimeError("no") from error


if __name__ == "__main__":
    import sys
    print(search(SIZE, sys.argv))
"""

KEEPS_STATE = {
    "a global that is rebound": "n = 0\ndef f():\n    global n\n    n += 1\n    return n\n",
    "a list that is appended to": "xs = []\ndef f():\n    xs.append(1)\n    return len(xs)\n",
    "a list under another name": "xs = []\ndef f():\n    ys = xs\n    ys.append(1)\n    return len(ys)\n",
    "a list as an argument": "xs = []\ndef g(a):\n    a.append(1)\ndef f():\n    g(xs)\n    return len(xs)\n",
    "a list that is returned": "xs = []\ndef g():\n    return xs\ndef f():\n    g().append(1)\n",
    "a list through a walrus": "xs = []\ndef f():\n    if (ys := xs) is not None:\n        ys.append(1)\n",
    "a list through or": "xs = []\ndef f():\n    (xs or xs).append(1)\n",
    "a list in a tuple": "xs = []\ndef f():\n    for ys in (xs,):\n        ys.append(1)\n",
    "a list unpacked": "xs = [[]]\ndef f():\n    [a] = xs\n    a.append(1)\n",
    "a list of lists": "xs = [[]]\ndef f():\n    for a in xs:\n        a.append(1)\n",
    "an item that is set": "xs = [0]\ndef f():\n    xs[0] += 1\n    return xs[0]\n",
    "an item that is deleted": "xs = [0, 1]\ndef f():\n    del xs[0]\n",
    "a dict": "seen = {}\ndef f(x):\n    return seen.setdefault(x, len(seen))\n",
    "a mutable default": "def f(xs=[]):\n    xs.append(1)\n    return len(xs)\n",
    "a keyword default": "def f(*, xs={}):\n    xs[1] = 1\n    return len(xs)\n",
    "a lambda's default": "f = lambda xs=[]: xs.append(1)\n",
    "an attribute of a function": "def f():\n    f.n = getattr(f, 'n', 0) + 1\n    return f.n\n",
    "an attribute read": "def f():\n    return f.__dict__\n",
    "a class": "class C:\n    n = 0\n",
    "a decorator": "from functools import lru_cache\n@lru_cache\ndef f(x):\n    return x\n",
    "a cache by attribute": "import functools\ng = 1\ndef f(x):\n    return functools.lru_cache(g)\n",
    "an iterator": "import itertools\nc = itertools.count()\ndef f():\n    return next(c)\n",
    "a generator": "g = (n for n in range(9))\ndef f():\n    return next(g)\n",
    "a closure": "def make():\n    n = []\n    def g():\n        n.append(1)\n    return g\nf = make()\n",
    "an import that is not known": "import sys\ndef f():\n    sys.setrecursionlimit(5)\n",
    "an import inside a function": "def f():\n    import sys\n    sys.x = 1\n",
    "random": "import random\ndef f():\n    return random.random()\n",
    "attrgetter": "from operator import attrgetter\ndef f():\n    return attrgetter('__dict__')(f)\n",
    "overload": "from typing import overload\ndef f():\n    overload(f)\n",
    "setattr": "def f():\n    setattr(f, 'n', 1)\n",
    "globals": "def f():\n    globals()['n'] = 1\n",
    "vars": "def f():\n    vars(f)['n'] = 1\n",
    "eval": "def f():\n    eval('1')\n",
    "open": "def f():\n    open('x', 'w')\n",
    "id": "def f():\n    return id(f)\n",
    "a built-in bound elsewhere": "def g(id):\n    return id\ndef f(x):\n    return id(x)\n",
    "a shadowed reader": "xs = []\ndef len(a):\n    a.append(1)\ndef f():\n    len(xs)\n",
    "a shadowed reader inside": "xs = []\ndef f(len):\n    return len(xs)\n",
    "a value that is computed": "xs = list()\ndef f():\n    return 1\n",
    "a with statement": "def f(x):\n    with x:\n        pass\n",
    "a class pattern": "def f(x):\n    match x:\n        case int(real=y):\n            return y\n",
    "an annotation that binds": "def f(x: (xs := [])):\n    xs.append(1)\n",
    "a loop at the top": "for n in range(3):\n    pass\ndef f():\n    return n\n",
    "a star import": "from math import *\ndef f():\n    return pi\n",
    "async": "async def f():\n    return 1\n",
    "a deep attribute": "def f(x):\n    return x.gi_frame.f_globals\n",
    "no Python": "def f(:\n",
}


def test_an_ordinary_module_is_stateless() -> None:
    assert is_stateless({"work": PLAIN}, "work")


@pytest.mark.parametrize("name", sorted(KEEPS_STATE))
def test_a_place_for_state_is_found(name: str) -> None:
    assert not is_stateless({"work": KEEPS_STATE[name]}, "work")


def test_what_a_module_imports_counts() -> None:
    importer = "from other import g\ndef f(x):\n    return g(x)\n"
    assert is_stateless({"work": importer, "other": "def g(x):\n    return x\n"}, "work")
    assert not is_stateless({"work": importer, "other": KEEPS_STATE["a dict"].replace("f(", "g(")}, "work")


@pytest.mark.parametrize(
    "importer",
    [
        "from other import xs\ndef f():\n    xs.append(1)\n",
        "from other import xs\ndef f():\n    ys = xs\n    ys.append(1)\n",
        "from other import xs as pow\ndef f():\n    pow.append(1)\n",
        "import other\ndef f():\n    other.xs.append(1)\n",
        "from other import *\ndef f():\n    xs.append(1)\n",
    ],
)
def test_another_modules_list_is_out_of_reach(importer: str) -> None:
    assert not is_stateless({"work": importer, "other": "xs = []\n"}, "work")


def test_source_that_cannot_be_parsed_in_time_or_depth_is_not_stateless() -> None:
    assert not is_stateless({"work": "x = " + "(" * 5000 + ")" * 5000}, "work")
    assert not is_stateless({"work": "x = " + "-" * 50000 + "1"}, "work")
