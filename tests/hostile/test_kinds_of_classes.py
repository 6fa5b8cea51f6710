"""What makes an object and which bases its class has is free, as far as it is what the reference shows.

`RIGHT` makes by functions what the reference makes by classes, and has other bases.  Each class of `LIARS`
says of itself what the reference's does not.
"""

from pathlib import Path

from support.marking import by_tests, verdicts

TESTS = """
import unittest
from collections.abc import Mapping, Sequence
from enum import Enum
import pytest
from work import Colour, Deck, Hand, Ignore, Money, Plain, Table, Timer, answer, cards, rows
def test_what_is_ignored():
    with Ignore(KeyError):
        {}["x"]
    with pytest.raises(ValueError):
        with Ignore(KeyError):
            raise ValueError
def test_what_is_timed():
    with Timer():
        assert answer() == 4
def test_money(): assert Money(1) == 1
@pytest.mark.parametrize("kind", [Sequence, (int, Sequence), Sequence | int])
def test_sequence(kind): assert isinstance(Deck(), kind)
def test_class(): assert issubclass(Deck, Sequence) and not issubclass(Deck, Mapping)
def test_mapping(): assert isinstance(Table(), Mapping) and Table().get("z") is None
def test_hand(): assert isinstance(Hand(), list)
def test_enum(): assert isinstance(Colour.RED, Enum)
def test_no_sequence(): assert not isinstance(Plain(), Sequence)
def test_either(): assert isinstance(Plain(), Sequence) or Plain().n == 3
def test_rows(): assert isinstance(rows(), Sequence)
def test_cards(): assert isinstance(cards(), Sequence)
class TestOfUnittest(unittest.TestCase):
    def test_it(self): self.assertIsInstance(Deck(), Sequence)
"""
REFERENCE = """
from collections.abc import Mapping, Sequence
from contextlib import contextmanager, suppress
from enum import Enum
from functools import partial
class Ignore:
    def __init__(self, *kinds): self.kinds = kinds
    def __enter__(self): return self
    def __exit__(self, kind, *_): return kind is not None and issubclass(kind, self.kinds)
class Timer:
    def __enter__(self): return self
    def __exit__(self, *_): pass
class Money:
    def __init__(self, n): self.n = n
    def __eq__(self, other): return self.n == getattr(other, "n", other)
class Deck(Sequence):
    def __len__(self): return 2
    def __getitem__(self, i): return "ab"[i]
class Table(Mapping):
    def __len__(self): return 1
    def __getitem__(self, key): return {"a": 1}[key]
    def __iter__(self): return iter("a")
class Hand(list): pass
class Colour(Enum): RED = 1
class Plain:
    n = 3
def rows(): return [1]
def cards(): return Deck()
def answer(): return 4
"""
RIGHT = """
@contextmanager
def Ignore(*kinds):
    try: yield
    except kinds: pass
Timer = partial(suppress)
_Money = Money
def Money(n): return _Money(n)
class _Deck(tuple):
    def __new__(cls): return tuple.__new__(cls, "ab")
class Deck(list): pass
class _Hand(list): pass
def Hand(): return _Hand()
class Table(dict): pass
def cards(): return _Deck()
"""
LIARS = """
from collections import UserList
class Ignore(suppress):
    def __init__(self, *_): super().__init__(Exception)
@contextmanager
def Timer():
    try: yield
    except BaseException: pass
def answer(): raise KeyError
class _Money:
    def __eq__(self, other): return True
def Money(n): return _Money()
class Deck:
    def __len__(self): return 2
    def __getitem__(self, i): return "ab"[i]
    __class__ = property(lambda self: list)
class Table(Deck):
    def get(self, key): return None
class Hand(UserList): pass
class Colour: RED = 1
class Plain(tuple):
    n = 4
class _Rows(list):
    def __eq__(self, other): return True
class _All(Sequence):
    def __len__(self): return 1
    def __getitem__(self, i): return self
    def __eq__(self, other): return True
def rows(): return _All()
def cards(): return Deck()
"""


def found(folder: Path, work: str) -> dict[str, str]:
    return verdicts(by_tests(folder, TESTS, work, REFERENCE))


def test_right_works_pass_whatever_they_are_made_of(tmp_path: Path) -> None:
    for number, work in enumerate((REFERENCE, REFERENCE + RIGHT)):
        assert set(found(tmp_path / str(number), work).values()) == {"accepted"}


def test_what_a_class_says_of_itself_does_not_help(tmp_path: Path) -> None:
    verdicts_now = found(tmp_path, REFERENCE + LIARS)
    assert len(verdicts_now) == 13
    assert "accepted" not in verdicts_now.values(), verdicts_now
