"""Views and containers of Python's own, where the reference has a list, dict or set, are data in a test file.

A class that derives from one of them, or hides behind one, is an object of the program's as before.
"""

import textwrap
from pathlib import Path

import pytest
from support.marking import mark, question, tried_on, verdicts

from grader.wire import library_values

TESTS = """
from work import Card, Shop
def test_names():
    names = Shop().names()
    assert len(names) == 2 and "apple" in names and "pear" in names and "plum" not in names
    assert sorted(names) == ["apple", "pear"]
def test_unique():
    assert Shop().unique() == {"apple", "pear"}
def test_table():
    table = Shop().table()
    assert table == {"apple": 3, "pear": 1} and table["apple"] == 3 and len(table) == 2
    assert dict(table) == {"apple": 3, "pear": 1} and [*table.items()][0] == ("apple", 3)
def test_counts():
    counts = Shop().counts()
    assert len(counts) == 2 and sum(counts) == 4 and max(counts) == 3
def test_given_back():
    shop = Shop()
    assert shop.total(shop.counts()) == 4 and shop.total({"a": 2}.values()) == 2
def test_cards():
    cards = Shop().cards()
    assert len(cards) == 2 and [card.rank for card in cards] == [1, 2] and Card(2) in cards
"""
LISTS = """
class Card:
    def __init__(self, rank): self.rank = rank
    def __eq__(self, other): return isinstance(other, Card) and self.rank == other.rank
    def __hash__(self): return self.rank
class Shop:
    def __init__(self): self.stock = {"apple": 3, "pear": 1}
    def names(self): return list(self.stock)
    def unique(self): return set(self.stock)
    def table(self): return dict(self.stock)
    def counts(self): return list(self.stock.values())
    def total(self, counts): return sum(counts)
    def cards(self): return [Card(1), Card(2)]
"""
VIEWS = """
from types import MappingProxyType
class Shop(Shop):
    def names(self): return self.stock.keys()
    unique = names
    def table(self): return MappingProxyType(self.stock)
    def counts(self): return self.stock.values()
    def cards(self): return {1: Card(1), 2: Card(2)}.values()
"""
CONTAINERS = """
import array
from collections import ChainMap, OrderedDict, UserDict, UserList
class Shop(Shop):
    def names(self): return UserList(self.stock)
    def unique(self): return OrderedDict(self.stock).keys()
    def table(self): return UserDict(self.stock)
    def counts(self): return array.array("i", self.stock.values())
    def cards(self): return UserList([Card(1), Card(2)])
"""
CHAINED = """
from collections import ChainMap, Counter
from types import MappingProxyType
class Shop(Shop):
    def table(self): return ChainMap({"pear": 1}, {"apple": 3})
    def names(self): return MappingProxyType(Counter(self.stock))
"""
YES = """
class Yes:
    def __init__(self, *_): pass
    def __eq__(self, _): return True
    __contains__ = __eq__
    def __hash__(self): return 1
    def __len__(self): return 2
    def __iter__(self): yield from (Yes(), Yes())
    def __getitem__(self, _): return Yes()
    def keys(self): return [Yes(), Yes()]
    def copy(self): return self
    def items(self): return Yes()
    rank = 1
Card = Yes
"""
SUBCLASSES = (
    YES
    + """
from collections import ChainMap, UserDict, UserList
class List(Yes, UserList): pass
class Dict(Yes, UserDict): pass
class Shop:
    def names(self): return List()
    def unique(self): return List()
    def table(self): return Dict()
    def counts(self): return List()
    def total(self, _): return Yes()
    def cards(self): return List()
"""
)
BEHIND = (
    YES
    + """
import collections
from types import MappingProxyType
for kind in (collections.UserList, collections.UserDict, collections.ChainMap):
    for name in ("__eq__", "__contains__", "__len__", "__getitem__"): setattr(kind, name, getattr(Yes, name))
class Shop:
    def names(self): return {Yes(): 1}.keys()
    def unique(self): return {Yes(): 1}.keys()
    def table(self): return MappingProxyType(Yes())
    def counts(self):
        odd = collections.UserList()
        odd.data = Yes()
        return odd
    def total(self, _): return collections.ChainMap(Yes())
    def cards(self): return {1: Yes()}.values()
"""
)
UNHASHABLE = """
class Shop(Shop):
    def names(self):
        class Key:
            def __hash__(self): return HASH[0]
        HASH = [1]
        found = {Key(): 1, (Key(), 2): 2}
        HASH[0] = []
        return found.keys()
    def counts(self): return dict.fromkeys(range(200_000)).keys()
"""


def found(folder: Path, work: str, *names: str) -> list[str]:
    (folder / "tests").mkdir()
    (folder / "tests" / "test_work.py").write_text(textwrap.dedent(TESTS))
    case = (
        f"{{pytest: tests/test_work.py, tests: [{', '.join(names)}]}}"
        if names
        else "pytest: tests/test_work.py"
    )
    return [*verdicts(mark(folder, question(case), work, reference=LISTS)).values()]


@pytest.mark.parametrize("more", [VIEWS, CONTAINERS, CHAINED])
def test_a_right_work_may_answer_with_them(tmp_path: Path, more: str) -> None:
    assert found(tmp_path, LISTS + more) == ["accepted"] * 6


@pytest.mark.parametrize("work", [SUBCLASSES, BEHIND])
def test_what_says_yes_passes_nothing_by_them(tmp_path: Path, work: str) -> None:
    assert found(tmp_path, work) == ["wrong-answer"] * 6


def test_strange_and_many_keys_are_the_programs_fault(tmp_path: Path) -> None:
    assert found(tmp_path, LISTS + UNHASHABLE, "test_names", "test_counts") == ["wrong-answer"] * 2


def test_a_view_stays_live_in_tests_of_students(tmp_path: Path) -> None:
    tests = """
        from shop import Shop
        def test_it():
            shop = Shop()
            names = shop.names()
            shop.stock["plum"] = 2
            assert "plum" in names and len(names) == 3
    """
    assert tried_on(tmp_path, "shop", LISTS + VIEWS, tests) == ("accepted", "")


@pytest.mark.parametrize("name", [*library_values._PARTS])
def test_nothing_is_made_of_what_never_ends(name: str) -> None:
    for parts in ([range(10**15)], [10**15], ["i", range(10**15)], [None, range(10**15)]):
        is_endless = not library_values.is_bounded(name, parts)
        assert is_endless or name in library_values._NUMBERS
