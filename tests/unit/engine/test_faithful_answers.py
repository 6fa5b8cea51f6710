"""A right program behaves in the tests as in the student's own Python, whatever its answers are made of."""

from pathlib import Path

import pytest
from support.marking import cases, mark, question

REFERENCE = """
from enum import Enum, IntEnum
from typing import NamedTuple
from dataclasses import dataclass, field

class Suit(IntEnum):
    HEARTS = 0
    SPADES = 1

class Colour(Enum):
    RED = 0
    BLUE = "b"

class Place(NamedTuple):
    x: int = 0
    y: int = 0

    def __add__(self, other):
        return Place(self.x + other.x, self.y + other.y)

@dataclass
class Card:
    rank: int
    suit: Suit = Suit.HEARTS
    marks: list = field(default_factory=list)

class Stack(list):
    def push(self, x):
        self.append(x)
        return self

class Name(str):
    def upper(self):
        return "<" + str.upper(self) + ">"

class Quiet:
    def __init__(self, *kinds):
        self.kinds = kinds
    def __enter__(self):
        return self
    def __exit__(self, kind, *_):
        return kind is not None and issubclass(kind, self.kinds)

def suit(letter): return Suit["HEARTS" if letter == "H" else "SPADES"]
def name_of(suit): return suit.name
def numbers(): return [1, 2, 3]
def counts(): return {"a": 1}
def title(): return "a title"
def zero(): return 0
def nothing(): return []
def deal(n): return [Card(rank) for rank in range(n)]
def total(xs): return sum(xs)
def fails(): raise KeyError("no")
def safely(f):
    try:
        f()
    except AssertionError:
        return False
    return True
"""
OWN = (
    REFERENCE.replace(
        "def numbers(): return [1, 2, 3]", "class L(list): pass\ndef numbers(): return L([1, 2, 3])"
    )
    .replace('def counts(): return {"a": 1}', "class D(dict): pass\ndef counts(): return D(a=1)")
    .replace('def title(): return "a title"', 'class S(str): pass\ndef title(): return S("a title")')
    .replace("def zero(): return 0", "class I(int): pass\ndef zero(): return I(0)")
    .replace("def nothing(): return []", "def nothing(): return L()")
)
TESTS = """
import copy
import pytest
from work import *
import work

def test_falsy():
    assert suit("H") == 0 and suit("H") == Suit.HEARTS and suit("H") is Suit.HEARTS
    assert not suit("H") and suit("S")
    assert suit("H").name == "HEARTS" and name_of(suit("H")) == "HEARTS"
    assert Suit.HEARTS < Suit.SPADES and Suit.SPADES + 1 == 2
    assert zero() == 0 and not zero() and nothing() == [] and not nothing()

def test_enum():
    assert Colour(0) is Colour.RED and Colour.RED == Colour.RED and Colour.RED != Colour.BLUE
    assert Colour.BLUE.value == "b" and Colour["RED"].name == "RED"
    assert [each.name for each in Colour] == ["RED", "BLUE"] and len({Colour.RED, Colour.BLUE}) == 2

def test_copies():
    card = Card(3, marks=[1])
    other, deep = copy.copy(card), copy.deepcopy(card)
    assert other == card and deep == card and deep is not card
    deep.rank = 4
    assert card.rank == 3 and deep.rank == 4 and deep != card
    hand = copy.deepcopy([card, card])
    assert hand[0] is hand[1] and hand[0] == card
    found = numbers()
    kept = copy.deepcopy(found)
    found.append(4)
    assert kept == [1, 2, 3] and copy.copy(counts()) == {"a": 1}
    assert copy.deepcopy(Place(1, 2)) == (1, 2)

def test_data_of_a_class_of_its_own():
    found = numbers()
    assert found == [1, 2, 3] and [1, 2, 3] == found and found[0] == 1 and len(found) == 3 and 2 in found
    assert isinstance(found, list) and sorted(found, reverse=True) == [3, 2, 1]
    assert found + [4] == [1, 2, 3, 4]
    assert total(found) == 6
    found.append(4)
    assert found == [1, 2, 3, 4] and total(found) == 10
    assert found.count(2) == 1 and found.pop() == 4
    assert counts() == {"a": 1} and counts()["a"] == 1 and {**counts()} == {"a": 1}
    assert list(counts().items()) == [("a", 1)]
    assert title() == "a title" and title().startswith("a ") and f"{title()}!" == "a title!"
    assert "".join([title()]) == "a title" and title().upper() == "A TITLE"

def test_named_tuple():
    assert Place(1, 2) == (1, 2) and Place(1, 2).x == 1 and Place(1, 2)._replace(x=3) == (3, 2)
    assert Place(1, 2) + Place(2, 3) == Place(3, 5)
    x, y = Place(4, 5)
    assert (x, y) == (4, 5) and Place() == (0, 0)
    assert repr(Place(1, 2)) == "Place(x=1, y=2)"

def test_dataclass():
    assert Card(1) == Card(1) and Card(1) != Card(2)
    hand = deal(3)
    assert [card.rank for card in hand] == [0, 1, 2] and hand[1] == Card(1)
    assert hand == [Card(0), Card(1), Card(2)]
    assert Card(1) in hand and hand.index(Card(2)) == 2
    assert repr(Card(1)) == "Card(rank=1, suit=<Suit.HEARTS: 0>, marks=[])"

def test_classes_that_derive_from_data():
    stack = Stack()
    assert stack.push(1) is stack
    stack.append(2)
    assert stack == [1, 2] and len(stack) == 2 and stack[-1] == 2 and 1 in stack and bool(stack)
    assert list(stack) == [1, 2] and stack.index(2) == 1 and stack.pop() == 2 and stack == [1]
    assert Stack([3, 1]) == [3, 1] and sorted(Stack([3, 1])) == [1, 3] and Stack() == []
    assert Name("ann") == "ann" and Name("ann").upper() == "<ANN>" and len(Name("ann")) == 3

def test_what_may_be_swallowed():
    with Quiet(ValueError, KeyError):
        raise ValueError(1)
    with Quiet(KeyError):
        fails()
    with pytest.raises(KeyError):
        with Quiet(ValueError):
            fails()
    def check():
        assert zero() == 1
    assert safely(check) is False
"""


@pytest.mark.acceptance  # `make test` has `unit/engine/test_test_files.py`
def test_a_right_program_passes_whatever_it_is_made_of(tmp_path: Path) -> None:
    for name, work in {"reference": REFERENCE, "own": OWN}.items():
        folder = tmp_path / name
        (folder / "tests").mkdir(parents=True)
        (folder / "tests" / "test_work.py").write_text(TESTS)
        spec = question("pytest: tests/test_work.py\n  limits: {time: 5s}")
        found = cases(mark(folder, spec, work, reference=REFERENCE))
        wrong = {case.call: case.message for case in found.values() if case.verdict != "accepted"}
        assert wrong == {}, name
