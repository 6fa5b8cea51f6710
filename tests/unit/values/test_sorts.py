"""Each sort of value answers every question, and a new one is one class."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import PurePosixPath
from typing import Any

import pytest

from grader.model.values import Cycle, EnumMember, OddSet, Opaque, Record, Table, Value
from grader.sandbox.request import node_of
from grader.spec.expressions.bounds import size_of
from grader.values import sort
from grader.values.canonical import canonical
from grader.values.compare import first_difference, unlike
from grader.values.python_text import PythonText, literal
from grader.values.show import joined, show, unlabelled
from grader.values.sort import SORTS, Sort, sort_of
from grader.values.sorts import ALL
from grader.values.walk import first_non_data, parts, rebuilt

SAMPLES: list[Value] = [
    None,
    True,
    7,
    -0.0,
    2 + 3j,
    "a'b",
    b"\xff",
    [1, [2]],
    (1, (2,)),
    {1, (2,)},
    frozenset({1, (2,)}),
    {(1,): [2], "b": {}},
    date(2024, 2, 29),
    datetime(2024, 2, 29, 12),
    time(12, 30),
    timedelta(1, 2),
    Decimal("0.10"),
    Fraction(1, 3),
    PurePosixPath("a/b"),
    range(3),
    Record("Pawn", (("at", (1, 2)), ("colour", EnumMember("Colour", "Red")))),
    EnumMember("Colour", "Red"),
    Table("DataFrame", ("a", "b"), (0, 1), ("", ""), ((1, 2), ("x", None))),
    Table("Series", ("a",), ("p", "q"), ("int64",), ((1, 2),)),
    OddSet("set", ([1], [1])),
    Opaque("Thing", "<Thing>"),
    Cycle(1),
]
EQUAL_NOTHING = (Opaque, Cycle)
each_sample = pytest.mark.parametrize("value", SAMPLES, ids=lambda value: type(value).__name__)


def test_the_samples_are_of_all_sorts() -> None:
    assert {type(value) for value in SAMPLES} | {object} == SORTS.keys()
    assert len(ALL) == len({type(each) for each in ALL})


@each_sample
def test_a_value_is_made_of_its_parts(value: Value) -> None:
    of_value = sort_of(value)
    inner = list(of_value.parts(value))
    made = of_value.made(value, inner)
    assert type(made) is type(value)
    assert (of_value.shape(made), list(of_value.parts(made))) == (of_value.shape(value), inner)
    assert bool(inner) == of_value.is_container
    assert rebuilt(value, lambda part: part) is value
    assert sum(1 for _ in parts(value)) == 1 + sum(1 for part in inner for _ in parts(part))


@each_sample
def test_a_part_is_replaced_in_its_place(value: Value) -> None:
    of_value = sort_of(value)
    found = list(of_value.places(value))
    assert bool(found) == of_value.is_open
    for place, part in found:
        other = of_value.replaced(value, place, 99)
        assert 99 in list(of_value.parts(other))
        assert first_difference(value, other) is not None
        if not of_value.is_unordered:
            assert list(of_value.parts(value))[place.at] is part


@each_sample
def test_equal_keys_and_no_difference_are_the_same(value: Value) -> None:
    for other in SAMPLES:
        equal = value is other and not isinstance(value, EQUAL_NOTHING)
        assert (first_difference(value, other) is None) is equal
        assert (canonical(value) == canonical(other)) is equal


@each_sample
def test_text_gives_the_value_again(value: Value) -> None:
    names: dict[str, Any] = {
        kind.__name__: kind for kind in (date, datetime, time, timedelta, Decimal, Fraction)
    }
    names |= {"Path": PurePosixPath, "nan": float("nan")}
    if first_non_data(value) or isinstance(value, Table):
        return
    made = eval(literal(value), names)
    assert first_difference(value, made) is None
    assert show(value, 1000) == literal(value) or sort_of(value).is_unordered


@dataclass(frozen=True)
class Pair:
    """A class that no sort knows."""

    left: Value
    right: Value


class PairSort(Sort[Pair]):
    """All that the grader needs to know of it."""

    classes = (Pair,)
    is_container = True

    def parts(self, value):
        return [value.left, value.right]

    def made(self, value, parts):
        return Pair(*parts)

    def shape(self, value):
        return None

    def text(self, value, python: PythonText):
        return f"Pair({python.items(self.parts(value))})"

    def shown(self, value, room, level, whole):
        return joined(("Pair(", ")"), unlabelled(self.parts(value)), 2, room, level, whole=whole)

    def key(self, value, keys, level):
        return (99, *(keys.key(part, level) for part in self.parts(value)))

    def difference(self, expected, actual, rules, level):
        return None if canonical(expected) == canonical(actual) else unlike(expected, actual)

    def node(self, value, inner):
        return ["pair", *map(inner, self.parts(value))]


@pytest.fixture
def pairs() -> Iterator[None]:
    sort.register(PairSort())
    yield
    for table in (sort.SORTS, sort.SHOWN, sort.KEYS):
        del table[Pair]


@pytest.mark.usefixtures("pairs")
def test_a_new_sort_is_walked_written_shown_and_compared() -> None:
    value = [Pair({"a": 1.5}, (Pair(None, "x"),))]
    assert [part for part in parts(value) if type(part) is int or type(part) is float] == [1.5]
    assert size_of(value).items == 8
    assert literal(value) == show(value) == "[Pair({'a': 1.5}, (Pair(None, 'x'),))]"
    assert first_difference(value, [Pair({"a": 1.5}, (Pair(None, "x"),))]) is None
    found = first_difference(value, [Pair({"a": 2.5}, (Pair(None, "x"),))])
    assert found is not None
    assert found.where == "item 1"
    assert node_of(value) == ["l", [["pair", ["v", {"a": 1.5}], ["t", [["pair", ["v", None], ["v", "x"]]]]]]]
