"""A program's class may derive from data where the reference's does not: it is asked all the same."""

import textwrap
from pathlib import Path

import pytest
from support.marking import cases, mark, question
from support.rows import first_of

REFERENCE = """
class Pair:
    def __init__(self, x, y): self.x, self.y = x, y
    def __eq__(self, other): return isinstance(other, Pair) and (self.x, self.y) == (other.x, other.y)
    def __hash__(self): return hash((self.x, self.y))
    def __add__(self, other): return Pair(self.x + other.x, self.y + other.y)
    def __abs__(self): return abs(self.x) + abs(self.y)
    def __bool__(self): return self.x != 0
    def __index__(self): return self.x
    def __float__(self): return float(self.x)
    def __call__(self, k): return self.x * k
    def __round__(self, n=None): return Pair(round(self.x, n), round(self.y, n))
    def __iter__(self): return iter((self.x, self.y))

def pairs(): return [Pair(1, 2), Pair(3, 4)]
"""
TESTS = """
import work
from work import Pair

def test_of_another_type(): assert Pair(1, 2) != (1, 2) and not Pair(1, 2) == [1, 2]
def test_sum(): assert Pair(1, 2) + Pair(3, 4) == Pair(4, 6) and Pair(1, 2) in work.pairs()
def test_abs(): assert abs(Pair(-1, 2)) == 3
def test_bool(): assert Pair(1, 0) and not Pair(0, 1)
def test_index(): assert [10, 20, 30][Pair(1, 2)] == 20
def test_float(): assert float(Pair(1, 2)) == 1.0
def test_call(): assert Pair(3, 2)(4) == 12
def test_round(): assert round(Pair(1.26, 2.0), 1).x == 1.3
def test_parts(): assert [*Pair(1, 2)] == [1, 2] and sum(work.pairs()[1]) == 7
def test_key(): assert {Pair(1, 2): 3}[Pair(1, 2)] == 3
"""
METHODS = """
    def __eq__(self, other): return type(self) is type(other) and [*self] == [*other]
    def __ne__(self, other): return not self == other
    def __hash__(self): return hash((self.x, self.y))
    def __add__(self, other): return Pair(self.x + other.x, self.y + other.y)
    def __abs__(self): return abs(self.x) + abs(self.y)
    def __bool__(self): return self.x != 0
    def __index__(self): return self.x
    def __float__(self): return float(self.x)
    def __call__(self, k): return self.x * k
    def __round__(self, n=None): return Pair(round(self.x, n), round(self.y, n))
def pairs(): return [Pair(1, 2), Pair(3, 4)]
"""
BASES = {
    "named tuple": "from typing import NamedTuple\nclass Pair(NamedTuple):\n    x: float\n    y: float\n",
    "tuple": """
class Pair(tuple):
    x, y = property(lambda self: self[0]), property(lambda self: self[1])
    def __new__(cls, *values): return super().__new__(cls, values)
""",
    "list": """
class Pair(list):
    x, y = property(lambda self: self[0]), property(lambda self: self[1])
    def __init__(self, *values): super().__init__(values)
""",
    "str": """
class Pair(str):
    x, y = property(lambda self: eval(self)[0]), property(lambda self: eval(self)[1])
    def __new__(cls, *values): return super().__new__(cls, values)
    def __iter__(self): return iter((self.x, self.y))
""",
}
LIES = """
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __hash__(self): return 0
    __lt__ = __gt__ = __contains__ = __bool__ = __eq__
    __add__ = __abs__ = __round__ = __call__ = lambda self, *_: self
    def __index__(self): return 1
    __float__ = lambda self: 1.0
    x = y = 0
def pairs(): return Pair((1, 2))
"""
MAY_PASS = {"index", "float"}
"""What an object that is asked for a number may answer by chance."""


def passed(folder: Path, work: str) -> set[str]:
    folder.mkdir(exist_ok=True)
    (folder / "tests").mkdir()
    (folder / "tests" / "test_work.py").write_text(TESTS)
    found = cases(mark(folder, question("pytest: tests/test_work.py"), work, reference=REFERENCE))
    return {case.call.rpartition("test_")[2] for case in found.values() if case.verdict == "accepted"}


@pytest.mark.parametrize("base", first_of(BASES, 2))
def test_a_class_that_derives_from_data_is_asked_as_any_other(tmp_path: Path, base: str) -> None:
    all_of_them = {line[9:].partition("(")[0] for line in TESTS.splitlines() if line.startswith("def test_")}
    assert passed(tmp_path, textwrap.dedent(BASES[base]) + METHODS) == all_of_them


@pytest.mark.parametrize("base", first_of(["tuple", "list", "str", "int", "dict"], 2))
def test_a_class_that_derives_from_data_and_lies_gains_nothing(tmp_path: Path, base: str) -> None:
    made = {"int": "1", "dict": "()"}.get(base, "(1, 2)")
    text = f"class Pair({base}):\n    def __new__(cls, *_): return {base}.__new__(cls, {made})\n"
    text += f"    def __init__(self, *_): {base}.__init__(self{', ' + made if base == 'list' else ''})\n"
    assert passed(tmp_path, text + LIES) <= MAY_PASS
