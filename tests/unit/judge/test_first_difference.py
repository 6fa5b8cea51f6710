"""Where two values first differ, and what counts as equal."""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from time import process_time

import pytest

from grader.judge.messages import difference_message
from grader.model.case import Comparison
from grader.model.values import Cycle, Opaque, Record, Value
from grader.values.compare import EXACT, PART_LIMIT, first_difference, named

NAN = float("nan")
CLOSE = Comparison(abs=1e-6)
ANY_SEQUENCE = Comparison(any_sequence=True)


def _message(expected: Value, actual: Value, comparison: Comparison = EXACT) -> str:
    found = first_difference(expected, actual, comparison)
    assert found is not None
    return difference_message(found)


@pytest.mark.parametrize(
    ("expected", "actual", "told"),
    [
        ([3, 1, 2], [1, 3, 2], "item 1: expected 3, got 1"),
        ((0, (3, 4), (1, 4)), (0, (1, 4), (3, 4)), "item 2: expected (3, 4), got (1, 4)"),
        ([NAN, 1], [1, NAN], "item 1: expected float('nan'), got 1"),
    ],
)
def test_another_order_of_the_right_items_is_said(expected: Value, actual: Value, told: str) -> None:
    assert _message(expected, actual) == f"{told}; the right items are there, in another order"
    found = first_difference(expected, actual)
    assert found is not None
    assert found.code == f"[{int(told[5]) - 1}]"


@pytest.mark.parametrize(
    ("expected", "actual"),
    [
        ([1, 2], [2, 1.0]),
        ([1, 2, 2], [2, 1, 1]),
        ([[1, 2]], [[2, 1]]),
        ([1, True], [1.0, True]),
        ([1, 2], (2, 1)),
        ([1, Cycle(1)], [Cycle(1), 1]),
        ([*range(20_000)], [*reversed(range(20_000))]),
    ],
)
def test_other_items_or_very_many_are_not_another_order(expected: Value, actual: Value) -> None:
    assert "order" not in _message(expected, actual)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (True, 1),
        (False, 0),
        (1, 1.0),
        (1.0, 1 + 0j),
        ([1], (1,)),
        ({1}, frozenset({1})),
        ("a", b"a"),
        (None, 0),
        ({1}, {True}),
        ({1: "a"}, {True: "a"}),
        ([1, [True]], [1, [1]]),
        (Record("A", (("x", 1),)), Record("B", (("x", 1),))),
        (Record("A", (("x", 1),)), Record("A", (("y", 1),))),
        (Record("A", ()), Opaque("A", "")),
        ("", "\u200b"),
    ],
)
def test_types_and_names_count(one: Value, other: Value) -> None:
    assert first_difference(one, other) is not None
    assert first_difference(other, one) is not None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (NAN, -NAN),
        (0.0, -0.0),
        (complex(NAN, 0.0), complex(NAN, -0.0)),
        ([NAN, {NAN}], [float("nan"), {float("nan")}]),
        ({NAN: 1}, {float("nan"): 1}),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        (Record("A", (("x", 1), ("y", 2))), Record("A", (("y", 2), ("x", 1)))),
        ("\udc80", "\udc80"),
    ],
)
def test_equal_values(one: Value, other: Value) -> None:
    assert first_difference(one, other) is None


@pytest.mark.parametrize("value", [Opaque("f", "text"), Cycle(1), [Opaque("f", "")], {"a": Cycle(2)}])
def test_what_is_not_plain_data_equals_nothing(value: Value) -> None:
    assert first_difference(value, value) is not None
    for comparison in (Comparison(unordered=True), CLOSE, ANY_SEQUENCE):
        assert first_difference([value], [value], comparison) is not None
    assert first_difference({Opaque("f", "")}, {Opaque("f", "")}) is not None


@pytest.mark.parametrize(
    ("expected", "actual", "message"),
    [
        (304, 303, "expected 304, got 303"),
        (True, False, "expected True, got False"),
        ([(3, 4), (4, 3), (4, 1)], [(3, 4), (4, 3), (4, 3)], "item 3, item 2: expected 1, got 3"),
        ([1, 2, 3, 4, 5], [1, 2, 3, 4], "length: expected 5 items, got 4"),
        ([[1]], [[]], "item 1, length: expected 1 item, got 0"),
        ({"a": [1]}, {"a": [2]}, "key 'a', item 1: expected 1, got 2"),
        ({"a": 1}, {"b": 1}, "keys: expected 'a' among them, got 'b' in its place"),
        ({"a": 1, "b": 1}, {"a": 1}, "keys: expected 'b' among them, got nothing equal to it"),
        ({"a": 1}, {"a": 1, "b": 1}, "keys: expected nothing equal to 'b', got 'b'"),
        ({1, 2}, {1}, "elements: missing 2"),
        ({1, 2}, {1, 2.0}, "elements: missing 2 (int); unexpected 2.0 (float)"),
        (1, True, "expected 1 (int), got True (bool)"),
        (304, "304", "expected 304 (int), got '304' (str)"),
        ([1], (1,), "expected [1] (list), got (1,) (tuple)"),
        (304, None, "expected 304, got None"),
        (
            Record("Pawn", (("pos", (1, 2)), ("energy", 4))),
            Record("Pawn", (("pos", (1, 2)), ("energy", 3))),
            "field energy: expected 4, got 3",
        ),
        ([1], Opaque("map", "<map>"), "expected [1] (list), got <map object: <map>> (not plain data)"),
        ([1], [Cycle(1)], "item 1: expected 1 (int), got ... (a container inside itself)"),
    ],
)
def test_says_where_and_what(expected: Value, actual: Value, message: str) -> None:
    assert _message(expected, actual) == message


@pytest.mark.parametrize(
    ("expected", "actual", "message"),
    [
        ("cat", "cut", "expected 'cat', got 'cut'"),
        ("a\nbc\nd", "a\nbx\nd", "line 2, column 2: expected 'bc\\n', got 'bx\\n'"),
        ("a\nb", "a\r\nb", "line 1, column 2: expected 'a\\n', got 'a\\r\\n'"),
        ("a\nb\n", "a\nb", "line 2, column 2: expected 'b\\n', got 'b'"),
        ("a\n", "a\nb", "line 2, column 1: expected the end of the text, got 'b'"),
        (
            "x" * 70 + "a",
            "x" * 70 + "\u202e",
            f"character 71: expected '{'x' * 20}a', got '{'x' * 20}\\u202e'",
        ),
        (["a\nb"], ["a\nc"], "item 1, line 2, column 1: expected 'b', got 'c'"),
        (b"abc", b"abd", "expected b'abc', got b'abd'"),
        (b"x" * 70, b"x" * 69 + b"y", f"byte 70: expected b'{'x' * 21}', got b'{'x' * 20}y'"),
    ],
)
def test_says_where_texts_differ(expected: Value, actual: Value, message: str) -> None:
    assert _message(expected, actual) == message


def test_huge_ints_are_told_apart_by_their_last_digits() -> None:
    assert first_difference(10**5000, 10**5000) is None
    assert _message(10**5000, 10**5000 + 7) == (
        "expected <int of 5001 digits that end in 00000000000000000000>, "
        "got <int of 5001 digits that end in 00000000000000000007>"
    )


def test_any_sequence_lets_lists_stand_for_tuples_at_any_depth() -> None:
    assert first_difference([(1, 2)], ([1, 2],), ANY_SEQUENCE) is None
    assert _message([(1, 2)], ([1, 3],), ANY_SEQUENCE) == "item 1, item 2: expected 2, got 3"
    assert first_difference([1], {1}, ANY_SEQUENCE) is not None


@pytest.mark.parametrize(
    ("one", "other", "comparison"),
    [
        (1.0, 1.0 + 1e-9, CLOSE),
        (1.0, 1, CLOSE),
        (1e20, 1e20 + 1e9, Comparison(rel=1e-9)),
        (1 + 1j, 1 + 1.0000001j, CLOSE),
        ({1.0, 2.0}, {2.0000001, 1}, CLOSE),
        ({"a": [0.1 + 0.2]}, {"a": [0.3]}, Comparison(rel=1e-9)),
        (float("inf"), float("inf"), CLOSE),
        (NAN, NAN, CLOSE),
        ({(0.3, 1), (0.3, 2)}, {(0.1 + 0.2, 1), (0.3, 2)}, CLOSE),
    ],
)
def test_tolerance(one: Value, other: Value, comparison: Comparison) -> None:
    assert first_difference(one, other, comparison) is None
    assert first_difference(other, one, comparison) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1.0, 1.1),
        (10, 11),
        (True, 1.0),
        (1.0, 1 + 0j),
        (float("inf"), 1e308),
        (float("inf"), float("-inf")),
        (NAN, 1.0),
        (10**400, float("inf")),
        (10**400, 1.0),
        ("1.0", "1.0000001"),
        ({1.0: "a"}, {1.0000001: "a"}),
        (complex(NAN, 1), complex(1, 1)),
    ],
)
def test_tolerance_has_limits(one: Value, other: Value) -> None:
    assert first_difference(one, other, CLOSE) is not None
    assert first_difference(other, one, CLOSE) is not None


@pytest.mark.parametrize(
    ("expected", "near", "far"),
    [
        (100.0, (90.0, 110.0, 90, 110), (89.999, 110.001, 111.0, 111, -100.0)),
        (-100.0, (-90.0, -110.0), (-111.0, 100.0)),
        (0.0, (0, -0.0), (1e-300, -5e-324)),
        (100j, (90j, 110j, 6 + 100j), (111j, 100 + 0j)),
        (float("inf"), (float("inf"),), (1e308, float("-inf"), NAN)),
        (1e308, (0.9e308,), (float("inf"), 1.2e308)),
        (5, (5.5, 4.5), (5.6, 6)),
        (Fraction(100), (Fraction(110), Fraction(90)), (Fraction(111), Fraction(1101, 10))),
        (Decimal(100), (Decimal(110),), (Decimal("110.0001"), Decimal("Infinity"))),
    ],
)
def test_a_relative_tolerance_is_a_share_of_the_expected_number(
    expected: Value, near: tuple[Value, ...], far: tuple[Value, ...]
) -> None:
    rules = Comparison(rel=0.1)
    for python in (False, True):
        rules = replace(rules, python=python)
        for wrap in (lambda one: one, lambda one: [one], lambda one: {"a": (one,)}, lambda one: {one}):
            for one in near:
                assert first_difference(wrap(expected), wrap(one), rules) is None, one
            for one in far:
                assert first_difference(wrap(expected), wrap(one), rules) is not None, one


def _nested(levels: int, inner: Value) -> Value:
    for _ in range(levels):
        inner = [inner]
    return inner


def test_deep_values_are_compared_and_located_within_bounds() -> None:
    assert first_difference(_nested(100, 1), _nested(100, 1)) is None
    found = first_difference(_nested(100, 1), _nested(100, 2))
    assert found is not None
    assert len(found.where) <= PART_LIMIT + 3
    assert (
        first_difference({"a": _nested(99, frozenset({1}))}, {"a": _nested(99, frozenset({2}))}) is not None
    )


def test_beyond_the_depth_that_the_wire_allows_nothing_is_equal() -> None:
    found = first_difference(_nested(500, 1), _nested(500, 1))
    assert found is not None
    assert "levels" in found.expected


class _Liar:
    """Equal to all, were it asked."""

    def __eq__(self, other: object) -> bool:
        raise AssertionError("asked")

    def __hash__(self) -> int:
        return 1


class _IntLiar(int):
    def __eq__(self, other: object) -> bool:
        raise AssertionError("asked")

    def __hash__(self) -> int:
        return 1


def test_methods_of_foreign_classes_are_never_called() -> None:
    for liar in (_Liar(), _IntLiar(3)):
        assert first_difference(3, liar) is not None
        assert first_difference([3], [liar], Comparison(unordered=True)) is not None
        assert first_difference(3.0, liar, CLOSE) is not None


def test_large_values_are_compared_in_linear_time() -> None:
    before = process_time()
    grid = [[(x, y) for x in range(300)] for y in range(300)]
    assert first_difference(grid, [list(row) for row in grid]) is None
    text = "line\n" * 500_000
    found = first_difference(text + "a", text + "b")
    assert found is not None
    assert found.where == "line 500001, column 1"
    assert process_time() - before < 10


@pytest.mark.parametrize(
    ("expected", "actual", "code"),
    [
        ([[4]], [[5]], "answer[0][0]"),
        ({"key": [1]}, {"key": [2]}, "answer['key'][0]"),
        ({("a", 1): 1}, {("a", 1): 2}, "answer[('a', 1)]"),
        ((Record("P", (("x", 1),)),), (Record("P", (("x", 2),)),), "answer[0].x"),
        (["long\ntext"], ["long\ntexts"], "answer[0]"),
        ([[1, 2]], [[1]], "answer[0]"),
        # The value as a whole, a set's elements, and keys that cannot be typed have none.
        (1, 2, ""),
        ([1], [1, 2], ""),
        ({1}, {2}, ""),
        ({"k" * 100: 1}, {"k" * 100: 2}, ""),
    ],
)
def test_the_place_as_code_can_be_typed(expected: Value, actual: Value, code: str) -> None:
    found = first_difference(expected, actual)
    assert found is not None
    assert named(found, "answer").code == code


def test_code_that_is_cut_is_left_out() -> None:
    one: Value = 1
    other: Value = 2
    for _ in range(60):
        one, other = [one], [other]
    found = first_difference(one, other)
    assert found is not None
    assert "…" in found.where
    assert found.code == ""
