"""Laws of comparing: reflexive, symmetric, and no change goes unseen."""

import math
from copy import deepcopy
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import product
from random import Random

from hypothesis import example, given
from hypothesis import strategies as st

from grader.model.case import Comparison
from grader.model.values import EnumMember, OddSet, Record, Value
from grader.values.canonical import canonical
from grader.values.compare import first_difference
from grader.values.tolerance import numbers_equal

NUMBERS = st.one_of(
    st.integers(), st.floats(allow_nan=True), st.complex_numbers(allow_nan=True), st.integers(-2, 2)
)
TEXTS = st.text(st.characters(codec=None, categories=None), max_size=80)
MEMBERS = st.builds(EnumMember, st.sampled_from("AB"), st.sampled_from("xy"))
SCALARS = st.one_of(st.none(), st.booleans(), NUMBERS, TEXTS, st.binary(max_size=80), MEMBERS)


def _hashable(inner: st.SearchStrategy[Value]) -> st.SearchStrategy[Value]:
    return st.one_of(st.tuples(inner, inner), st.frozensets(inner, max_size=3), st.tuples(inner))


KEYS: st.SearchStrategy[Value] = st.recursive(SCALARS, _hashable, max_leaves=4)


def _containers(inner: st.SearchStrategy[Value]) -> st.SearchStrategy[Value]:
    return st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=4).map(tuple),
        st.sets(KEYS, max_size=4),
        st.frozensets(KEYS, max_size=3),
        st.dictionaries(KEYS, inner, max_size=3),
        st.dictionaries(st.sampled_from("xyz"), inner).map(lambda fields: Record("P", tuple(fields.items()))),
        st.builds(OddSet, st.sampled_from(["set", "frozenset"]), st.lists(inner, max_size=3).map(tuple)),
    )


VALUES: st.SearchStrategy[Value] = st.recursive(SCALARS, _containers, max_leaves=12)
COMPARISONS = st.builds(
    Comparison,
    any_sequence=st.booleans(),
    unordered=st.booleans(),
    rel=st.sampled_from([0.0, 1e-9, 0.1]),
    abs=st.sampled_from([0.0, 1e-9, 0.5]),
)


@given(VALUES, COMPARISONS)
def test_a_value_equals_its_copy(value: Value, comparison: Comparison) -> None:
    assert first_difference(value, deepcopy(value), comparison) is None


@given(VALUES, VALUES, COMPARISONS)
def test_comparing_is_symmetric_without_a_relative_tolerance(
    one: Value, other: Value, comparison: Comparison
) -> None:
    comparison = replace(comparison, rel=0.0)
    there = first_difference(one, other, comparison)
    back = first_difference(other, one, comparison)
    assert (there is None) == (back is None)


@given(NUMBERS, NUMBERS, COMPARISONS)
def test_comparing_numbers_is_symmetric(one: Value, other: Value, comparison: Comparison) -> None:
    assert numbers_equal(one, other, comparison) == numbers_equal(other, one, comparison)


@given(VALUES, VALUES)
def test_keys_are_equal_where_there_is_no_difference(one: Value, other: Value) -> None:
    assert (canonical(one) == canonical(other)) == (first_difference(one, other) is None)


@given(VALUES, VALUES, st.booleans())
def test_keys_can_always_be_ordered(one: Value, other: Value, any_sequence: bool) -> None:
    first, second = canonical(one, any_sequence), canonical(other, any_sequence)
    assert (first < second) + (first == second) + (first > second) == 1


def _changed(value: Value, data: st.DataObject) -> Value:
    """Return `value` with one scalar somewhere in it replaced by something that is not in it."""
    if isinstance(value, (list, tuple)) and value:
        items = list(value)
        at = data.draw(st.integers(0, len(items) - 1))
        items[at] = _changed(items[at], data)
        return type(value)(items)
    if isinstance(value, (set, frozenset)) and value:
        return type(value)(list(value)[1:])
    if isinstance(value, OddSet) and value.items:
        return OddSet(value.type_name, value.items[1:])
    if isinstance(value, dict) and value:
        key = data.draw(st.sampled_from(list(value)))
        return {**value, key: _changed(value[key], data)}
    if isinstance(value, Record) and value.fields:
        (name, field), *rest = value.fields
        return Record(value.type_name, ((name, _changed(field, data)), *rest))
    return "a text that is longer than any that is drawn, and so is in no value at all" * 2


@given(VALUES, st.booleans(), st.data())
def test_a_change_anywhere_is_found(value: Value, unordered: bool, data: st.DataObject) -> None:
    changed = _changed(value, data)
    found = first_difference(value, changed, Comparison(unordered=unordered))
    assert found is not None
    assert all(text.isprintable() for text in (found.where, found.expected, found.actual))


@given(st.lists(VALUES, max_size=6), st.randoms(use_true_random=False), COMPARISONS)
def test_unordered_sees_no_order(items: list[Value], random: object, comparison: Comparison) -> None:
    shuffled = list(items)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    relaxed = Comparison(True, True, comparison.rel, comparison.abs)
    assert first_difference(items, tuple(deepcopy(shuffled)), relaxed) is None


@given(st.lists(st.tuples(st.floats(0, 3), st.integers(0, 2)), max_size=5), st.data())
def test_unordered_with_a_tolerance_finds_a_pairing_if_there_is_one(
    items: list[tuple[float, int]], data: st.DataObject
) -> None:
    other = [(data.draw(st.floats(-0.5, 0.5)) + number, tag) for number, tag in items]
    shuffled = data.draw(st.permutations(other))
    close = all(
        numbers_equal(number, moved, Comparison(abs=0.5))
        for (number, _), (moved, _) in zip(items, other, strict=True)
    )
    if close:
        assert first_difference(items, list(shuffled), Comparison(unordered=True, abs=0.5)) is None


FLOATS = st.floats(allow_nan=False, allow_infinity=False)
TOLERANCES = st.one_of(st.sampled_from([0.0, 1e-9, 0.1, 0.5]), st.floats(0, 0.999))
FACTORS = st.one_of(st.sampled_from([0.5, 0.9, 1.0, 1.1, 1.2]), st.floats(-2, 2))


def _read(number: float) -> Fraction:
    return Fraction(repr(number))


@given(FLOATS, FACTORS, TOLERANCES, TOLERANCES)
@example(100.0, 1.11, 0.1, 0.0)
@example(-100.0, 1.11, 0.1, 0.0)
@example(1.0, 1.1, 0.1, 0.0)
@example(1.0, 1.1, 0.0, 0.1)
@example(0.0, 1.0, 0.9, 0.0)
@example(1.7e308, -1.0, 0.9, 0.0)
@example(5e-324, 2.0, 0.5, 0.0)
@example(4.538337613238182e16, 0.9, 0.1, 0.0)
def test_a_tolerance_is_exact(expected: float, factor: float, rel: float, most: float) -> None:
    actual = expected * factor
    if not math.isfinite(actual):
        actual = -expected
    comparison = Comparison(rel=rel, abs=most)
    between, size = abs(_read(expected) - _read(actual)), abs(_read(expected))
    near = expected == actual or between <= max(_read(rel) * size, _read(most))
    ways: list[tuple[Value, Value]] = [
        (expected, actual),
        ((expected,), (actual,)),
        (complex(0, expected), complex(0, actual)),
        (complex(expected, 0), complex(actual, 0)),
    ]
    for one, other in ways:
        assert (first_difference(one, other, comparison) is None) == near
        assert (first_difference(one, other, replace(comparison, python=True)) is None) == near
        for python in (False, True):
            free = replace(comparison, unordered=True, python=python)
            assert (first_difference(["x", one], [other, "x"], free) is None) == near
            assert (first_difference({one}, {other}, replace(free, unordered=False)) is None) == near


_OF_ALL_TYPES: list[Value] = [
    *(100, 101, 101.0, True, 1, 1.05, 0.5, 2, 2 + 0j, 1 + 1j, 1.05 + 1j, float("nan"), float("inf")),
    *(Fraction(1, 2), Fraction(100), Decimal(100), Decimal("101"), Decimal("NaN"), 10**400, "100"),
]


def test_a_tolerance_is_the_same_in_any_order() -> None:
    for python, one, other in product((False, True), _OF_ALL_TYPES, _OF_ALL_TYPES):
        rules = Comparison(rel=0.1, python=python)
        alone = first_difference(one, other, rules) is None
        free = replace(rules, unordered=True)
        assert (first_difference(["x", one], [other, "x"], free) is None) == alone, (python, one, other)


@given(st.lists(st.tuples(FLOATS, FACTORS), max_size=6), st.randoms(use_true_random=False))
def test_in_any_order_near_numbers_are_paired_where_that_is_possible(
    pairs: list[tuple[float, float]], random: Random
) -> None:
    expected = [number for number, _ in pairs]
    actual = [number * (1 + factor / 20) for number, factor in pairs]
    comparison = Comparison(rel=0.1, unordered=True)
    if not all(math.isfinite(number) for number in actual):
        return
    if not all(numbers_equal(*pair, comparison) for pair in zip(expected, actual, strict=True)):
        return
    random.shuffle(actual)
    assert first_difference(expected, actual, comparison) is None
    # Sets lose equal numbers, and keep the law.
    if len(set(expected)) == len(set(actual)) == len(pairs):
        assert first_difference(set(expected), set(actual), replace(comparison, unordered=False)) is None
