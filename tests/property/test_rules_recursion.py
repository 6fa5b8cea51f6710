"""A program that calls itself when it runs is never said to be free of recursion."""

import sys
from itertools import product
from types import FrameType, ModuleType
from typing import Any

import pytest
from support.rule_sources import checked

STORES = (
    "", "g = f", "T = {'a': f}", "T = [f]", "f.h = f", "class C: go = f\nc = C()", "h = f\ng = h",
    "class C:\n    def __init__(self, x): self.go = x\nc = C(f)", "def same(x): return x\ng = same(f)",
    "import functools\ng = functools.partial(f)", "import functools\ng = functools.lru_cache(f)",
    "import types\nc = types.SimpleNamespace(go=f)", "class C: pass\nsetattr(C, 'go', f)\nc = C()",
    "from collections import namedtuple\nc = namedtuple('N', 'go')(f)", "globals()['g'] = f",
    "class C:\n    def __call__(self, n): return f(n)\nc = C()", "class C: pass\nc = C()\nc.go = f",
    "class C:\n    def __getitem__(self, n): return f(n)\nc = C()", "T = {'a': lambda n: f(n)}",
    "class C:\n    @property\n    def go(self): return f\nc = C()", "def run(x, *a): return x(*a)",
    "def make(): return f", "import one as c\nc.go = f", "T = []\ndef keep(x): T.append(x)\nkeep(f)",
    "def wrap(x):\n    def inner(*a): return x(*a)\n    return inner\ng = wrap(f)", "import operator",
)  # fmt: skip
CALLS = (
    "f(n)", "g(n)", "T['a'](n)", "T[0](n)", "T.pop()(n)", "f.h(n)", "c.go(n)", "C.go(n)", "c(n)", "c[n]",
    "make()(n)", "run(f, n)", "run(lambda: f(n))", "list(map(f, [n]))", "list(map(g, [n]))", "g.__call__(n)",
    "sorted([n], key=f)", "getattr(c, 'go')(n)", "eval('f(n)')", "[h(n) for h in [f]]", "vars(c)['go'](n)",
    "(g or f)(n)", "(lambda: f(n))()", "g.func(n)", "type(c).go(c, n)", "operator.call(f, n)",
    "globals()['f'](n)",
)  # fmt: skip


def calls_itself(text: str) -> bool:
    """Run a program; tell whether a call of `f` comes to another one before it ends."""
    module = sys.modules["one"] = ModuleType("one")
    depth, deepest = 0, 0

    def watch(frame: FrameType, event: str, _: Any) -> None:
        nonlocal depth, deepest
        if frame.f_code.co_name == "f" and frame.f_code.co_filename == "one":
            depth += {"call": 1, "return": -1}.get(event, 0)
            deepest = max(deepest, depth)
            if depth > 1:
                raise RecursionError

    before = sys.getprofile()
    try:
        exec(compile(text, "one", "exec"), module.__dict__)
        sys.setprofile(watch)
        module.__dict__["f"](1)
    except Exception:
        return deepest > 1
    finally:
        sys.setprofile(before)
        del sys.modules["one"]
    return deepest > 1


@pytest.mark.parametrize("store", STORES)
def test_what_calls_itself_is_found_or_not_decidable(store: str) -> None:
    for call in CALLS:
        text = f"def f(n):\n    return {call}\n{store}\n"
        if calls_itself(text):
            assert any(checked("no recursion", text)), text


def test_many_of_these_programs_call_themselves() -> None:
    texts = [f"def f(n):\n    return {call}\n{store}\n" for store, call in product(STORES, CALLS)]
    assert sum(map(calls_itself, texts)) > 200
