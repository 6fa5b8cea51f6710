"""A way that leads to objects in one place and to data in another is believed only where it leads to objects.

The tests compare an object with data elsewhere, so its own `==` is asked in them.
"""

import textwrap
from pathlib import Path

from support.marking import mark, question, verdicts

TESTS = """
import pytest
from work import Queue, Seq, Temp, Vec, biggest, each_of, find, named, pair, together
def test_items():
    s = Seq([4, 5, 6])
    assert s == [4, 5, 6]
    assert s[1:3] == Seq([5, 6])
    assert s[0] == 4
def test_operator():
    v, w = Vec(1, 2), Vec(3, 4)
    assert v == (1, 2)
    assert v * 2 == Vec(2, 4)
    assert v * w == 11
@pytest.mark.parametrize("n, found", [(4, -1), (3, 0)])
def test_found(n, found):
    a = Temp(3)
    assert a == 3
    assert find([a], 3) is a
    assert find([Temp(9), a], n + 100) == -1
def test_biggest():
    assert biggest([Temp(3), Temp(9)]) == 9
    assert biggest([3, 12]) == 12
def test_asked_again():
    q, a = Queue(), Temp(5)
    q.put(a)
    q.put(8)
    assert a == 5
    assert q.get() is a
    assert q.get() == 8
def test_within():
    a = Temp(1)
    assert a == 1
    assert pair(a, 7) == (a, 7)
    assert named(a, 7)["it"] is a and named(a, 7)["n"] == 7
    assert together(a, 7) == {a, 7}
    assert each_of(a, 7) == [a, 7]
    assert each_of(6, 7)[0] == 6
def test_called():
    a, seen = Temp(1), []
    assert a == 1
    Queue().tell(a, 7, lambda one, n: seen.extend([one, n]))
    assert seen[0] is a and seen[1] == 7
"""
RIGHT = """
class Own:
    def __init__(self, *parts): self.parts = parts
    def __hash__(self): return 1
class Seq(Own):
    def __getitem__(self, at):
        return Seq(self.parts[0][at]) if isinstance(at, slice) else self.parts[0][at]
    def __eq__(self, other): return self.parts[0] == (other.parts[0] if isinstance(other, Seq) else other)
class Vec(Own):
    def __mul__(self, by):
        if isinstance(by, Vec): return sum(a * b for a, b in zip(self.parts, by.parts))
        return Vec(*(each * by for each in self.parts))
    def __eq__(self, other): return self.parts == (other.parts if isinstance(other, Vec) else other)
class Temp(Own):
    def __eq__(self, other): return self.parts[0] == (other.parts[0] if isinstance(other, Temp) else other)
    def __lt__(self, other): return self.parts[0] < other.parts[0]
    def __hash__(self): return 1
class Queue:
    def __init__(self): self.items = []
    def put(self, item): self.items.append(item)
    def get(self): return self.items.pop(0)
    def tell(self, one, n, visit): visit(one, n)
def biggest(items): return max(items)
def find(items, n): return next((each for each in items if each == n), -1)
def pair(one, n): return one, n
def named(one, n): return {"it": one, "n": n}
def together(one, n): return {one, n}
def each_of(one, n): return [one, n]
"""
LIAR = """
class Own:
    def __init__(self, *_): pass
    def __getitem__(self, _): return self
    def __mul__(self, _): return self
    def __eq__(self, other): return not isinstance(other, str)
    def __hash__(self): return 1
class Seq(Own): pass
class Vec(Own): pass
class Temp(Own): pass
class Queue:
    def put(self, item): self.item = getattr(self, "item", item)
    def get(self): return self.item
    def tell(self, one, n, visit): visit(one, one)
def biggest(items): return Temp()
def find(items, _): return items[-1]
def pair(one, _): return one, one
def named(one, _): return {"it": one, "n": one}
def together(one, _): return {one, Temp()}
def each_of(*_): return [Temp(), Temp()]
"""


def found(folder: Path, work: str) -> dict[str, str]:
    (folder / "tests").mkdir()
    (folder / "tests" / "test_work.py").write_text(textwrap.dedent(TESTS))
    return verdicts(mark(folder, question("pytest: tests/test_work.py"), work, reference=RIGHT))


def test_an_object_in_place_of_data_is_no_answer(tmp_path: Path) -> None:
    assert {*found(tmp_path, LIAR).values()} == {"wrong-answer"}


def test_right_work_passes(tmp_path: Path) -> None:
    assert {*found(tmp_path, RIGHT.replace("return max(items)", "return sorted(items)[-1]")).values()} == {
        "accepted"
    }
