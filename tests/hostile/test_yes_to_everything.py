"""An operator that says yes to everything passes no test of a test file, whatever its yes looks like.

A right class whose operators do the same by other means, or answer with another sort of truth, passes.
"""

from pathlib import Path

import pytest
from support.marking import cases, mark, question

OBJECTS_RIGHT = """
class Point:
    def __init__(self, x, y): self.x, self.y = x, y
    def __eq__(self, other): return isinstance(other, Point) and (self.x, self.y) == (other.x, other.y)
    def __hash__(self): return hash((self.x, self.y))
def mid(p, q): return Point((p.x + q.x) // 2, (p.y + q.y) // 2)
def pts(n): return [Point(i, i) for i in range(n)]
"""
OBJECTS_TESTS = """
import work
from work import Point, mid, pts
def test_mid(): assert mid(Point(0, 0), Point(2, 2)) == Point(1, 1)
def test_list(): assert pts(3) == [Point(0, 0), Point(1, 1), Point(2, 2)]
def test_ne(): assert mid(Point(0, 0), Point(2, 2)) != Point(5, 1)
"""
OBJECTS_WRONG = """
class Point:
    def __init__(self, x, y): pass
    def __eq__(self, other): return @
    def __ne__(self, other): return @
    def __hash__(self): return 1
def mid(p, q): return Point(0, 0)
def pts(n): return [Point(0, 0) for i in range(n)]
"""
DATA_RIGHT = """
class Money(float):
    def __eq__(self, other): return abs(float(self) - float(other)) < 0.005
    def __lt__(self, other): return float(self) + 0.005 <= float(other)
    def __hash__(self): return 1
    def __add__(self, other): return Money(float(self) + float(other))
class Word(str):
    def __contains__(self, part): return part.lower() in str(self).lower()
    def __eq__(self, other): return str(self).lower() == str(other).lower()
    def __hash__(self): return 1
class Vec(tuple):
    def __eq__(self, other): return tuple(self) == tuple(other)
    def __hash__(self): return 1
    def __add__(self, other): return Vec(a + b for a, b in zip(self, other))
def price(n): return Money(n * 1.1)
def word(n): return Word("Ab" * n)
"""
DATA_TESTS = """
import unittest
from work import Money, Vec, Word, price, word
def test_like(): assert Money(1.001) == 1.0
def test_like_swapped(): assert 1.0 == Money(1.001)
def test_sum(): assert Money(1) + Money(2) == Money(3)
def test_price(): assert price(2) == Money(2.2)
def test_less(): assert Money(1) < Money(2)
def test_in(): assert "B" in Word("abc")
def test_word(): assert word(2) == Word("abab")
def test_vec(): assert Vec((1, 2)) + Vec((3, 4)) == Vec((4, 6))
def test_vec_like(): assert Vec((1, 2)) == (1, 2)
class Checks(unittest.TestCase):
    def test_equal(self): self.assertEqual(price(2), Money(2.2))
    def test_member(self): self.assertIn("B", Word("abc"))
"""
DATA_WRONG = """
class Yes:
    def __eq__(self, other): return @
    def __ne__(self, other): return @
    def __lt__(self, other): return @
    __gt__ = __lt__
    def __hash__(self): return 1
    def __contains__(self, other): return @
    def __add__(self, other): return type(self)(ZERO[type(self)])
class Money(Yes, float): pass
class Word(Yes, str): pass
class Vec(Yes, tuple): pass
ZERO = {Money: 0, Word: "", Vec: ()}
def price(n): return Money(0)
def word(n): return Word("")
"""
KINDS_RIGHT = """
class Shape: pass
class Circle(Shape): pass
class Square(Shape): pass
def shape(name): return Circle() if name == "circle" else Square()
"""
KINDS_TESTS = """
import unittest
from work import Circle, Shape, Square, shape
def test_object(): assert isinstance(shape("circle"), Circle)
def test_one_of(): assert isinstance(shape("circle"), (Square, Circle))
def test_class(): assert issubclass(Circle, Shape)
class Checks(unittest.TestCase):
    def test_it(self): self.assertIsInstance(shape("square"), Square)
"""
KINDS_WRONG = """
class Meta(type):
    def __instancecheck__(cls, value): return @
    def __subclasscheck__(cls, value): return @
class Shape(metaclass=Meta): pass
class Circle(metaclass=Meta): pass
class Square(metaclass=Meta): pass
def shape(name): return Shape()
"""
ORDERED_RIGHT = """
class Temp:
    def __init__(self, c): self.c = c
    def __eq__(self, other): return self.c == other.c
    def __lt__(self, other): return self.c < other.c
    def __le__(self, other): return self.c <= other.c
    def __gt__(self, other): return self.c > other.c
    def __ge__(self, other): return self.c >= other.c
    def __hash__(self): return hash(self.c)
def hot(temps): return max(temps, key=lambda each: each.c)
"""
ORDERED_TESTS = """
import work
from work import Temp, hot
def test_all(): assert all(each <= Temp(5) for each in [hot([Temp(1)]), hot([Temp(4)])])
def test_more(): assert hot([Temp(1), Temp(5)]) >= Temp(3)
def test_same(): assert hot([Temp(1), Temp(5)]) >= Temp(5)
def test_tie(): assert [t.c for t in sorted([Temp(1), Temp(1)])] == [1, 1]
def test_less(): assert hot([Temp(1), Temp(5)]) < Temp(6)
def test_greater(): assert hot([Temp(1), Temp(5)]) > Temp(4)
"""
ORDERED_WRONG = """
class Temp:
    def __init__(self, c): pass
    def __eq__(self, other): return @
    __lt__ = __le__ = __gt__ = __ge__ = __eq__
    def __hash__(self): return 1
def hot(temps): return Temp(0)
"""
HOLDERS_RIGHT = """
class AllBut:
    def __init__(self, *taken): self.taken = set(taken)
    def __contains__(self, x): return x >= 0 and x not in self.taken
"""
HOLDERS_TESTS = """
from work import AllBut
def test_in(): assert 5 in AllBut(3) and 3 not in AllBut(3)
def test_swapped(): assert 3 not in AllBut(3) and 5 in AllBut(3)
def test_apart():
    assert all(n in AllBut(3) for n in (0, 1, 2))
    assert 3 not in AllBut(3)
"""
HOLDERS_WRONG = """
class AllBut:
    def __init__(self, *taken): pass
    def __contains__(self, x): return @
"""
FAMILIES = {
    "holders": (HOLDERS_RIGHT, HOLDERS_TESTS, HOLDERS_WRONG),
    "ordered": (ORDERED_RIGHT, ORDERED_TESTS, ORDERED_WRONG),
    "objects": (OBJECTS_RIGHT, OBJECTS_TESTS, OBJECTS_WRONG),
    "data": (DATA_RIGHT, DATA_TESTS, DATA_WRONG),
    "kinds": (KINDS_RIGHT, KINDS_TESTS, KINDS_WRONG),
}
TRUTHS = ["True", "1", "[0]", "'x'", "Truth()", "(lambda: 0)", "type(self)"]


def verdicts(folder: Path, family: str, work: str, reference: str | None = None) -> dict[str, str]:
    right, tests, _ = FAMILIES[family]
    (folder / "tests").mkdir()
    (folder / "tests" / "test_work.py").write_text(tests)
    spec = question("pytest: tests/test_work.py")
    found = cases(mark(folder, spec, work, reference=right if reference is None else reference))
    return {case.call.rpartition("test_")[2]: str(case.verdict) for case in found.values()}


TRUTH = """
class Truth:
    def __bool__(self): return True
    def __eq__(self, other): return self
"""


def wrong(family: str, truth: str) -> str:
    here = truth.replace("self", "cls") if family == "kinds" else truth
    return TRUTH + FAMILIES[family][2].replace("@", here)


@pytest.mark.parametrize("truth", TRUTHS)
@pytest.mark.parametrize("family", FAMILIES)
def test_no_yes_to_everything_is_believed(tmp_path: Path, family: str, truth: str) -> None:
    found = verdicts(tmp_path, family, wrong(family, truth))
    assert len(found) >= 3
    assert {name for name, verdict in found.items() if verdict == "accepted"} == set()


GUARDED = """
from functools import total_ordering
@total_ordering
class Temp:
    def __init__(self, c): self.c = c
    def __eq__(self, other): return isinstance(other, Temp) and self.c == other.c
    def __gt__(self, other): return isinstance(other, Temp) and self.c > other.c
    def __hash__(self): return hash(self.c)
"""
COLUMNS_RIGHT = """
class Column:
    def __init__(self, values): self.values = values
    def __gt__(self, other): return Column([each > other for each in self.values])
class Vec:
    def __init__(self, values): self.values = values
    def __eq__(self, other):
        if not isinstance(other, Vec): return NotImplemented
        return Vec([a == b for a, b in zip(self.values, other.values)])
class Bag:
    def __init__(self, *xs): self.xs = xs
    def __iter__(self): return iter(self.xs)
    def __le__(self, other):
        if not isinstance(other, Bag): return NotImplemented
        return all(x in other.xs for x in self.xs)
class Squares:
    def __iter__(self): return (n * n for n in range(10))
    def __contains__(self, x): return int(x ** 0.5) ** 2 == x
"""
COLUMNS_TESTS = """
from work import Bag, Column, Squares, Vec
def test_column(): assert (Column([1, 5]) > 3).values == [False, True]
def test_vec(): assert (Vec([1, 2]) == Vec([1, 3])).values == [True, False]
def test_bag(): assert Bag() <= Bag(1, 2)
def test_squares(): assert 9 in Squares()
"""
COLUMNS_WRONG = """
class Column:
    def __init__(self, values): self.values = values
    def __gt__(self, other): return @
class Vec(Column):
    def __eq__(self, other): return @
class Bag:
    def __init__(self, *xs): pass
    def __le__(self, other): return @
    __eq__ = __ge__ = __lt__ = __gt__ = __le__
class Squares:
    def __contains__(self, x): raise ValueError
"""
STATES_RIGHT = """
class Item:
    compared = 0
    def __init__(self, key): self.key = key
    def __lt__(self, other):
        Item.compared += 1
        return self.key < other.key
    def __eq__(self, other):
        Item.compared += 1
        return self.key == other.key
    def __hash__(self): return 0
class Countdown:
    def __init__(self, n): self.n = n
    def __iter__(self): return self
    def __next__(self):
        if self.n == 0: raise StopIteration
        self.n -= 1
        return self.n + 1
    def __contains__(self, number):
        if number not in range(1, self.n + 1): return False
        self.n = number - 1
        return True
class Seen:
    def __init__(self): self.seen = []
    def __contains__(self, word):
        self.seen.append(word)
        return len(self.seen) > 1 and word in self.seen[:-1]
class Card:
    def __init__(self, rank): self.rank = rank
    def __eq__(self, other):
        if not isinstance(other, Card): return NotImplemented
        return "*" in (self.rank, other.rank) or self.rank == other.rank
    def __hash__(self): return 0
class Infinity:
    def __ge__(self, other):
        if not isinstance(other, (int, float, Infinity)): return NotImplemented
        return True
"""
STATES_TESTS = """
from work import Card, Countdown, Infinity, Item, Seen
def test_compared():
    a, b = Item(1), Item(2)
    assert a < b
    assert Item.compared == 1
    a.key = 3
    assert b < a
def test_equal_compared():
    assert Item(1) == Item(1)
    assert Item.compared == 1
def test_countdown():
    c = Countdown(5)
    assert 4 in c
    assert next(c) == 3
def test_seen():
    s = Seen()
    assert "a" not in s
    assert "a" in s
    assert s.seen == ["a", "a"]
def test_wild(): assert Card("*") == Card("8")
def test_infinity(): assert Infinity() >= 10
"""
STATES_WRONG = """
class Item:
    compared = 1
    def __init__(self, key): pass
    def __lt__(self, other): return @
    __gt__ = __eq__ = __lt__
    def __hash__(self): return 0
class Countdown:
    def __init__(self, n): pass
class Seen(Countdown): pass
class Card:
    def __init__(self, rank): pass
    def __eq__(self, other): return @
    def __hash__(self): return 0
class Infinity: pass
"""
FAMILIES["states"] = (STATES_RIGHT, STATES_TESTS, STATES_WRONG)
FAMILIES["columns"] = (COLUMNS_RIGHT, COLUMNS_TESTS, COLUMNS_WRONG)
RIGHT = {
    "states": [
        STATES_RIGHT,
        STATES_RIGHT.partition("    def __contains__(self, number)")[0]
        + "class Seen:"
        + STATES_RIGHT.partition("class Seen:")[2]
        .replace("        if not isinstance(other, Card): return NotImplemented\n", "")
        .replace('"*" in (self.rank, other.rank)', 'self.rank == "*" or other.rank == "*"')
        .replace("        if not isinstance(other, (int, float, Infinity)): return NotImplemented\n", ""),
    ],
    "columns": [
        COLUMNS_RIGHT,
        COLUMNS_RIGHT.replace(
            "class Vec:",
            "    def __lt__(self, other): return Column([each < other for each in self.values])\nclass Vec:",
        )
        .replace("        if not isinstance(other, Vec): return NotImplemented\n", "")
        .replace("other.values)])", "getattr(other, 'values', [other] * 2))])")
        .replace("        if not isinstance(other, Bag): return NotImplemented\n", "")
        .replace("x in other.xs", "x in other")
        .replace("(n * n for n in range(10))", "(n * n for n in __import__('itertools').count())")
        .replace("    def __contains__(self, x): return int(x ** 0.5) ** 2 == x\n", ""),
    ],
    "holders": [
        HOLDERS_RIGHT,
        # It has what is no number too; what says no as well is no yes to everything.
        HOLDERS_RIGHT.replace("x >= 0 and ", ""),
    ],
    "ordered": [
        ORDERED_RIGHT,
        "from functools import total_ordering\n"
        + ORDERED_RIGHT.replace("class Temp", "@total_ordering\nclass Temp")
        .replace("    def __le__(self, other): return self.c <= other.c\n", "")
        .replace("    def __ge__(self, other): return self.c >= other.c\n", ""),
        # Equal by `<=` and `>=`, but not by `==`: that is of the objects themselves.
        ORDERED_RIGHT.replace("    def __eq__(self, other): return self.c == other.c\n", ""),
        ORDERED_RIGHT.replace("return self.c == other.c", "return self is other"),
        # With one of the same rank, "no greater" is yes both ways.
        ORDERED_RIGHT.replace("self.c < other.c", "self.c <= other.c"),
        # `<=` is "not greater", also than what is no temperature.
        GUARDED + "def hot" + ORDERED_RIGHT.partition("def hot")[2],
    ],
    "objects": [
        OBJECTS_RIGHT,
        OBJECTS_RIGHT.replace("isinstance(other, Point) and ", ""),
        # A truth of another sort is fine, if it can be a no as well.
        OBJECTS_RIGHT.replace("return isinstance", "return 0 + (isinstance").replace(
            "other.y)\n", "other.y))\n"
        ),
    ],
    "data": [
        DATA_RIGHT,
        DATA_RIGHT.replace(
            "return abs(float(self) - float(other)) < 0.005", "return not round(self - other, 2)"
        ),
    ],
    "kinds": [
        KINDS_RIGHT,
        "from abc import ABC\n" + KINDS_RIGHT.replace("class Shape:", "class Shape(ABC):"),
        KINDS_RIGHT.replace("class Circle(Shape)", "class Round(Shape): pass\nclass Circle(Round)"),
        # By a protocol, whose class says yes to what does not derive from it.
        "from typing import Protocol, runtime_checkable\n@runtime_checkable\nclass Shape(Protocol):\n"
        + "    def area(self): ...\nclass Circle:\n    def area(self): return 3\nclass Square(Circle): pass\n"
        + KINDS_RIGHT.partition("class Square(Shape): pass\n")[2],
    ],
}


@pytest.mark.parametrize(
    ("family", "work"), [(name, work) for name, works in RIGHT.items() for work in works]
)
def test_right_classes_pass(tmp_path: Path, family: str, work: str) -> None:
    assert set(verdicts(tmp_path, family, work).values()) == {"accepted"}


def test_a_yes_that_the_reference_says_too_is_taken(tmp_path: Path) -> None:
    """Its class takes in others by a hook of its own, as `abc` registers them."""
    reference = KINDS_RIGHT.replace(
        "class Shape: pass", "from abc import ABC\nclass Shape(ABC): pass"
    ).replace("class Circle(Shape): pass", "@Shape.register\nclass Circle: pass")
    assert "register" in reference
    assert set(verdicts(tmp_path, "kinds", reference, reference).values()) == {"accepted"}


SLOW = """
from time import process_time
class Bag:
    def __init__(self, *items): self.items = items
    def _slow(self):
        until = process_time() + 0.2
        while process_time() < until: pass
    def __le__(self, other):
        self._slow()
        return all(item in other.items for item in self.items)
    def __eq__(self, other):
        self._slow()
        return self.items == other.items
    def __ne__(self, other): return not self == other
"""
SLOW_TESTS = """
from work import Bag
def test_subset(): assert Bag(1) <= Bag(1, 2)
def test_another(): assert Bag(1) != Bag(1, 2)
"""
SHORT = "pytest: test_work.py\n  limits: {time: 0.5}"


@pytest.mark.parametrize(("longest_s", "verdict"), [("0.2", "accepted"), ("1.1", "time-limit")])
@pytest.mark.acceptance  # it computes for seconds
def test_the_time_of_control_questions_is_not_the_programs(
    tmp_path: Path, longest_s: str, verdict: str
) -> None:
    (tmp_path / "test_work.py").write_text(SLOW_TESTS)
    work = SLOW.replace("0.2", longest_s)
    found = cases(mark(tmp_path, question(SHORT), work, reference=SLOW))
    assert [case.verdict for case in found.values()] == [verdict, verdict]
