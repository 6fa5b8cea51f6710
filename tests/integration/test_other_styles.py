"""A right work passes a test file whatever its classes are made of, and those of the reference."""

import textwrap
from pathlib import Path

import pytest
from support.marking import mark, question, verdicts

TESTS = """
import pytest
from work import Deck, Money, Reg, Stack, Vec, opened
def test_with():
    with opened("a") as f:
        assert f.name == "a"
    assert not f.is_open
def test_vector():
    v = Vec(1, 2)
    assert v == (1, 2) and Vec(3, 4)[0] == 3 and len(v) == 2
    assert (1, 1) + v == Vec(2, 3)
    assert -v == Vec(-1, -2) and abs(Vec(3, 4)) == 5 and v(10) == 21
    v += Vec(1, 1)
    assert v.x == 2
def test_money():
    assert Money(1) < 2 and Money(1) == 1
    assert sum([Money(1), Money(2)]) == Money(3)
def test_stack():
    s = Stack()
    s.push(1)
    assert s == [1] and 1 in s and list(s) == [1]
def test_register():
    r = Reg()
    r["a"] = 1
    assert r == {"a": 1} and r["a"] == 1 and "a" in r
    with pytest.raises(KeyError): r["b"]
def test_cards():
    assert [c.rank for c in Deck([1, 2, 3])[1:]] == [2, 3]
    assert [c.rank for c in Deck([1, 2]).dealt()] == [1, 2]
    assert sorted(c.rank for c in Deck([2, 1]).dealt()) == [1, 2]
"""
OF_DATA = """
import math
from collections import UserDict
from contextlib import contextmanager
from typing import NamedTuple
class File:
    def __init__(self, name): self.name, self.is_open = name, True
@contextmanager
def opened(name):
    file = File(name)
    yield file
    file.is_open = False
class Vec(NamedTuple):
    x: int
    y: int
    def __neg__(self): return Vec(-self.x, -self.y)
    def __abs__(self): return math.hypot(*self)
    def __call__(self, z): return self.x + self.y * z
    def __add__(self, other): return Vec(self.x + other[0], self.y + other[1])
    __radd__ = __add__
class Money(int):
    def __add__(self, other): return Money(int(self) + int(other))
    __radd__ = __add__
class Stack(list):
    push = list.append
class Reg(dict): pass
class Card:
    def __init__(self, rank): self.rank = rank
class Deck:
    def __init__(self, ranks): self.cards = [Card(each) for each in ranks]
    def __getitem__(self, at): return self.cards[at]
    def dealt(self): return self.cards
"""
OF_ITS_OWN = """
import math
from collections import UserDict
class opened:
    def __init__(self, name): self.name, self.is_open = name, True
    def __enter__(self): return self
    def __exit__(self, *_): self.is_open = False
class Vec:
    def __init__(self, x, y): self.x, self.y = x, y
    def __iter__(self): return iter((self.x, self.y))
    def __len__(self): return 2
    def __getitem__(self, at): return (self.x, self.y)[at]
    def __eq__(self, other): return tuple(self) == tuple(other)
    def __neg__(self): return Vec(-self.x, -self.y)
    def __abs__(self): return math.hypot(*self)
    def __call__(self, z): return self.x + self.y * z
    def __add__(self, other): return Vec(*(a + b for a, b in zip(self, other)))
    __radd__ = __add__
class Money:
    def __init__(self, n): self.n = n
    def of(self, other): return other.n if isinstance(other, Money) else other
    def __eq__(self, other): return self.n == self.of(other)
    def __lt__(self, other): return self.n < self.of(other)
    def __add__(self, other): return Money(self.n + self.of(other))
    __radd__ = __add__
class Stack:
    def __init__(self): self.items = []
    def push(self, item): self.items.append(item)
    def __eq__(self, other): return self.items == other
    def __contains__(self, item): return item in self.items
    def __iter__(self): return iter(self.items)
class Reg(UserDict): pass
class Card:
    def __init__(self, rank): self.rank = rank
class Deck:
    def __init__(self, ranks): self.cards = [each if isinstance(each, Card) else Card(each) for each in ranks]
    def __iter__(self): return iter(self.cards)
    def __getitem__(self, at): return Deck(self.cards[at])
    def dealt(self): yield from self.cards
"""


def found(folder: Path, work: str, reference: str) -> dict[str, str]:
    (folder / "tests").mkdir()
    (folder / "tests" / "test_work.py").write_text(textwrap.dedent(TESTS))
    return verdicts(mark(folder, question("pytest: tests/test_work.py"), work, reference=reference))


@pytest.mark.parametrize(
    ("work", "reference"),
    [(OF_ITS_OWN, OF_DATA), (OF_DATA, OF_ITS_OWN), (OF_DATA, OF_DATA)],
    ids=["own classes", "classes of data", "the reference"],
)
def test_each_style_passes(tmp_path: Path, work: str, reference: str) -> None:
    assert {*found(tmp_path, work, reference).values()} == {"accepted"}


def test_wrong_work_does_not(tmp_path: Path) -> None:
    work = OF_ITS_OWN.partition("class Vec:")[0] + "class opened(opened): __exit__ = lambda *_: None\n"
    work += "class Vec:" + OF_ITS_OWN.partition("class Vec:")[2].replace("self.x + self.y * z", "self.x")
    work += "Money.__lt__ = lambda *_: False\nStack.push = lambda *_: None\n"
    work += "class Reg(UserDict):\n    def __setitem__(self, key, value): self.data[key] = value + 1\n"
    work += "Card.__init__ = lambda self, rank: setattr(self, 'rank', rank + 1)\n"
    assert {*found(tmp_path, work, OF_DATA).values()} == {"wrong-answer"}


CALLBACKS = """
import time
from unittest.mock import patch
from hypothesis import given, settings, strategies as st
import work
from work import Account, Bell
def test_wrapped():
    def double(x):
        "Twice."
        return 2 * x
    kept = work.memo(double)
    assert (kept.__name__, kept.__doc__, kept(2)) == ("double", "Twice.", 4)
def test_patched_method():
    with patch.object(Account, "deposit", return_value="x") as deposit:
        assert Account().deposit(3) == "x"
    deposit.assert_called_once_with(3)
    with patch.object(Account, "deposit", lambda self, n: n): assert Account().deposit(3) == 3
def test_taken_off():
    bell, heard = Bell(), []
    bell.on(heard.append)
    bell.ring(1)
    bell.off(heard.append)
    bell.ring(2)
    assert heard == [1]
@settings(max_examples=2)
@given(st.just(0.3))
def test_slow_example(seconds): assert work.waited(seconds)
"""
CALLED = """
import functools, time
def memo(f):
    @functools.wraps(f)
    def kept(*args): return f(*args)
    return kept
class Account:
    def deposit(self, n): return self
class Bell:
    def __init__(self): self.heard = []
    def on(self, run): self.heard.append(run)
    def off(self, run): self.heard.remove(run)
    def ring(self, n):
        for run in self.heard: run(n)
def waited(seconds):
    time.sleep(seconds)
    return True
"""


def test_functions_of_the_tests_are_what_they_are_in_python(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_work.py").write_text(CALLBACKS)
    found = verdicts(mark(tmp_path, question("pytest: tests/test_work.py"), CALLED, reference=CALLED))
    assert [*found.values()] == ["accepted"] * 4


PAIRS = """
from work import Cart
def test_dict():
    assert dict(Cart()) == {"a": 1} and {**dict(Cart()), "b": 2} == {"a": 1, "b": 2}
"""
CART = """
class Cart:
    def __iter__(self): yield "a", 1
    def __getitem__(self, key): return 1
"""


def test_a_method_more_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_work.py").write_text(PAIRS)
    more = CART + "    def keys(self): return ['a']\n"
    found = verdicts(mark(tmp_path, question("pytest: tests/test_work.py"), more, reference=CART))
    assert [*found.values()] == ["accepted"]
