"""A way that leads to objects in one place and to data in another is believed only where it leads to objects.

The tests compare an object with data elsewhere, so its own `==` is asked in them.
"""

import re
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
    verdicts_of = [*found(tmp_path, LIAR).values()]
    # Two give the test's own object back where the reference makes a new one: a person decides.
    assert sorted(verdicts_of) == ["internal-error"] * 2 + ["wrong-answer"] * (len(verdicts_of) - 2)


def test_right_work_passes(tmp_path: Path) -> None:
    assert {*found(tmp_path, RIGHT.replace("return max(items)", "return sorted(items)[-1]")).values()} == {
        "accepted"
    }


SHIFTED = """
from work import Both, Box, Shelf, Temp, clone, find, walk
def test_fewer_items():
    a = Temp(3)
    assert a == 3
    got = list(walk([a, 7]))
    assert got[0] is a and got[-1] == 7
def test_any():
    a = Temp(3)
    assert a == 3
    assert any(each == 7 for each in walk([a, 7]))
def test_size_chosen():
    a, both = Temp(3), Both(7)
    assert a == 3
    both.put(a)
    assert both[len(both) - 2] is a
    assert both[len(both) - 1] == 7
def test_none():
    a = Temp(3)
    assert a == 3
    assert find([a], 3) is a
    assert find([a], 9) == None
def test_grows():
    a, both = Temp(3), Both(7)
    assert a == 3
    assert both.items() == [7]
    both.put(a)
    assert both.items() == [a, 7]
def test_two_classes():
    a, shelf, box = Temp(3), Shelf(), Box()
    assert a == 3
    shelf.put(a)
    box.put(8)
    assert shelf.get() is a
    assert box.get() == 8
def test_denied():
    a = Temp(3)
    got = list(walk([a, 7]))
    assert got[0] is a and a == 3
    assert a != 5 and not a == 4
def test_another():
    a = Temp(3)
    assert clone(a) is not a
    assert clone(7) == 7
def test_other_order():
    a = Temp(3)
    assert a == 3
    got = list(walk([a, 7]))
    assert a in got and 7 in got and len(got) == 2
"""
SHIFTED_RIGHT = """
class Temp:
    def __init__(self, n): self.n = n
    def __eq__(self, other): return self.n == (other.n if isinstance(other, Temp) else other)
    def __hash__(self): return 1
class Both:
    def __init__(self, n): self.all = [n]
    def put(self, one): self.all.insert(0, one)
    def items(self): return list(self.all)
    def __len__(self): return len(self.all)
    def __getitem__(self, at): return self.all[at]
class Holder:
    def put(self, one): self.one = one
    def get(self): return self.one
class Shelf(Holder): pass
class Box(Holder): pass
def find(items, n): return next((each for each in items if each == n), None)
def walk(items): yield from items
def clone(one): return Temp(one.n) if isinstance(one, Temp) else one
"""
SHIFTED_LIAR = """
class One:
    kept = None
    def __new__(cls, *_):
        One.kept = One.kept or object.__new__(cls)
        return One.kept
    def __init__(self, *_): pass
    def __eq__(self, other): return not isinstance(other, str)
    def __hash__(self): return 1
    def put(self, _): pass
    def get(self): return self
    def items(self): return [self]
    def __len__(self): return 2
    def __getitem__(self, _): return self
Temp = Both = Holder = Shelf = Box = One
def find(items, _): return items[0]
def walk(items): yield items[0]
def clone(one): return one
"""
SHIFTED_NAMES = re.findall(r"def test_(\w+)", SHIFTED)
OTHER_ORDER = SHIFTED_RIGHT.replace("yield from items", "yield from reversed(items)")


def shifted(folder: Path, work: str) -> dict[str, str]:
    (folder / "tests").mkdir()
    (folder / "tests" / "test_work.py").write_text(SHIFTED)
    return verdicts(mark(folder, question("pytest: tests/test_work.py"), work, reference=SHIFTED_RIGHT))


def test_the_program_does_not_choose_where_it_is_believed(tmp_path: Path) -> None:
    found = [*shifted(tmp_path, SHIFTED_LIAR).values()]
    assert found.count("wrong-answer") >= len(found) - 1
    assert {*found} <= {"wrong-answer", "internal-error"}


def test_what_the_reference_denies_is_asked(tmp_path: Path) -> None:
    work = SHIFTED_RIGHT.replace(
        "other.n if isinstance(other, Temp) else other)", "other.n) if isinstance(other, Temp) else True"
    )
    work = work.replace("Temp(one.n) if isinstance(one, Temp) else one", "one")
    found = shifted(tmp_path, work)
    by_name = dict(zip(SHIFTED_NAMES, found.values(), strict=True))
    assert {name: by_name[name] for name in ("denied", "another")} == {
        "denied": "wrong-answer",
        "another": "wrong-answer",
    }


def test_an_order_that_no_test_asks_for_is_free(tmp_path: Path) -> None:
    found = dict(zip(SHIFTED_NAMES, shifted(tmp_path, OTHER_ORDER).values(), strict=True))
    wrong = {"fewer_items", "denied"}
    assert found == {name: "wrong-answer" if name in wrong else "accepted" for name in SHIFTED_NAMES}


OF_DATA = """
from typing import NamedTuple
class Point(NamedTuple):
    x: int
    y: int
def middle(one, other): return Point((one.x + other.x) // 2, (one.y + other.y) // 2)
"""
POINTS = """
from work import Point, middle
def test_middle():
    assert Point(1, 2) == (1, 2)
    assert middle(Point(0, 0), Point(2, 4)) == (1, 2)
"""
LYING_POINT = """
class Point:
    def __init__(self, *_): pass
    def __eq__(self, other): return True
def middle(one, other): return one
"""


def test_an_object_is_not_believed_where_the_references_is_compared_as_data(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_work.py").write_text(POINTS)
    found = verdicts(mark(tmp_path, question("pytest: tests/test_work.py"), LYING_POINT, reference=OF_DATA))
    assert {*found.values()} == {"internal-error"}
