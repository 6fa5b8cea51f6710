"""Patterns of `match` in a student's own tests, on objects of the program's."""

from pathlib import Path

import pytest
from support.marking import tried_on

PROGRAM = """
import collections
import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

class Stack(list): pass
class Table(dict): pass
class Bag(set): pass
class Line(collections.deque): pass
class Pair(tuple): pass
class Age(int): pass
class Both(Sequence):
    def __len__(self): return 2
    def __getitem__(self, place): return [1, 2][place]
class Names(Mapping):
    def __len__(self): return 1
    def __iter__(self): return iter(["a"])
    def __getitem__(self, name): return {"a": 1}[name]
@dataclass
class Point:
    x: int
    y: int
Spot = collections.namedtuple("Spot", "x y")
class Color(enum.IntEnum):
    RED = 1
"""
FITS = """
Stack([1, 2])      list()  [a, b]  [1, *_]  list(x)  Stack()  list() | dict()
Table(a=1)         dict()  {"a": 1}  {"a": x, **more}  {}  Table()
Bag([1])           set()  set(x)
Line([1, 2])       collections.deque()  [1, 2]
Pair((1, 2))       tuple()  (1, 2)  (1, *_)
Age(3)             int()  int(3)  3
Both()             [1, 2]  Sequence()
Names()            {"a": 1}  {}  Mapping()
Point(1, 2)        Point(1, 2)  Point(x=1)  object()
Spot(1, 2)         Spot(1, 2)  (1, 2)  tuple()  Spot(x=1)
Color.RED          Color.RED  int()  1
[Stack([1])]       [Stack()]  [[1]]  [list()]
"""
FITS_NOT = """
Stack([1, 2])      dict()  tuple()  [1]  {"a": 1}  set()
Table(a=1)         list()  {"b": 1}  [a]
Bag([1])           list()  [1]  dict()
Age(3)             str()  4
Both()             list()  {"a": 1}
Names()            dict()  ["a"]  {"b": x}
Point(1, 2)        list()  [1, 2]  {"x": 1}  int()
"""


def rows(table: str) -> list[tuple[str, str]]:
    """Return the values of a table, each with one of its patterns."""
    parts = [
        [part.strip() for part in line.split("  ") if part.strip()] for line in table.strip().split("\n")
    ]
    return [(value, pattern) for value, *patterns in parts for pattern in patterns]


def text_of(value: str, pattern: str, number: int, *, fits: bool) -> str:
    """Return the text of a test."""
    return (
        f"def test_{number}():\n    match {value}:\n        case {pattern}: fits = True\n"
        f"        case other: fits = False\n    assert fits is {fits}\n"
    )


TESTS = [text_of(*row, number, fits=True) for number, row in enumerate(rows(FITS))]
TESTS += [text_of(*row, number, fits=False) for number, row in enumerate(rows(FITS_NOT), len(TESTS))]


def test_so_it_is_without_the_walls() -> None:
    names: dict[str, object] = {}
    exec(PROGRAM + "".join(TESTS), names)
    for number in range(len(TESTS)):
        names[f"test_{number}"]()  # type: ignore[operator]


@pytest.mark.parametrize("tests", [TESTS[::2], TESTS[1::2]], ids=["even", "odd"])
def test_patterns_fit_what_they_fit_in_one_process(tmp_path: Path, tests: list[str]) -> None:
    text = "import collections\nfrom shapes import *\n" + "".join(tests)
    assert tried_on(tmp_path, "shapes", PROGRAM, text) == ("accepted", "")
