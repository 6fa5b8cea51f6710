"""Values as text: pastable where possible, bounded always."""

import ast
import sys
from time import process_time

import pytest

from grader.model.values import Cycle, Opaque, Record, Value
from grader.values.show import safe_line, show, type_name


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "None"),
        (True, "True"),
        (304, "304"),
        (-0.0, "-0.0"),
        (float("nan"), "float('nan')"),
        (float("-inf"), "float('-inf')"),
        (2 - 1j, "(2-1j)"),
        (complex(float("inf"), 0), "complex(float('inf'), 0.0)"),
        ("it's", '"it\'s"'),
        (b"\x00a", "b'\\x00a'"),
        ([1, [2]], "[1, [2]]"),
        ((1,), "(1,)"),
        ((), "()"),
        (set(), "set()"),
        ({10, 9, 2.5}, "{2.5, 9, 10}"),
        (frozenset(), "frozenset()"),
        (frozenset({1}), "frozenset({1})"),
        ({"a": (1, 2), 3: []}, "{'a': (1, 2), 3: []}"),
        (Record("Pawn", (("pos", (4, 4)), ("energy", 4))), "Pawn((4, 4), 4)"),
        (Opaque("generator", "<generator object f>"), "<generator object: <generator object f>>"),
        (Opaque("Board", ""), "<Board object>"),
        ([Cycle(1)], "[...]"),
    ],
)
def test_shows_each_kind_of_value(value: Value, text: str) -> None:
    assert show(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("a\x1b[31m", "'a\\x1b[31m'"),
        ("\u202eabc", "'\\u202eabc'"),
        ("\udc80", "'\\udc80'"),
        ("a\u3164\ufe0f\U000e0101", "'a\\u3164\\ufe0f\\U000e0101'"),
        ("\xa0\u200b", "'\\xa0\\u200b'"),
        ("é漢", "'é漢'"),
    ],
)
def test_escapes_what_cannot_be_seen(value: str, text: str) -> None:
    assert show(value) == text
    assert ast.literal_eval(text) == value


def test_names_and_texts_of_objects_are_made_visible() -> None:
    hostile = Opaque("Evil\x1b[2J\n", "\u202eline\nline")
    assert show(hostile) == "<Evil\\x1b[2J\\n object: \\u202eline\\nline>"
    assert show(Record("A\n", (("b\u202e", 1),))) == "A\\n(1)"


def test_visible_cuts_long_texts() -> None:
    assert safe_line("abc\n", 10) == "abc\\n"
    assert safe_line("a" * 100, 10) == "a" * 9 + "…"
    assert len(safe_line("\u202e" * 100, 50)) == 50


@pytest.mark.parametrize(
    ("value", "limit", "text"),
    [
        (list(range(100)), 40, "[0, 1, 2, 3, 4, 5, 6, … 93 more]"),
        ("a" * 1000, 40, "'aaaaaaaaaaaaaaaaaaaaaaaaaaa'… 973 more"),
        ([[1] * 100, 2, 3], 60, "[[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, … 90 more], … 2 more]"),
        ({n: n for n in range(50)}, 40, "{0: 0, 1: 1, 2: 2, … 47 more}"),
        (set(range(5000)), 2000, "<set of 5000 items>"),
    ],
)
def test_counts_what_it_leaves_out(value: Value, limit: int, text: str) -> None:
    assert show(value, limit) == text


def test_counts_the_digits_of_a_huge_int() -> None:
    assert show(10**119_999) == "<int of 120000 digits>"
    assert show(10**120_000 - 1) == "<int of 120000 digits>"
    assert show(-(10**1000)) == "<negative int of 1001 digits>"
    assert show([10**400], 200) == "[<int of 401 digits>]"
    assert show(10**30, 20) == "<int of 31 digits>"


def test_shows_start_and_end_of_a_long_string() -> None:
    text = show("start" + "x" * 5000 + "end", 120)
    assert text.startswith("'start")
    assert text.endswith("end'")
    assert "characters" in text


def test_a_value_that_just_fits_is_whole() -> None:
    value = list(range(10))
    assert show(value, len(repr(value))) == repr(value)
    assert "more" in show(value, len(repr(value)) - 1)


def test_the_interpreters_limit_on_digits_does_not_matter() -> None:
    limit = sys.get_int_max_str_digits()
    try:
        sys.set_int_max_str_digits(640)
        assert show(7**2000) == "<int of 1691 digits>"
    finally:
        sys.set_int_max_str_digits(limit)


def _nested(levels: int) -> Value:
    value: Value = 1
    for level in range(levels):
        value = [value, {"k": level}]
    return value


def _nested_sets(levels: int) -> Value:
    value: Value = 1
    for level in range(levels):
        value = frozenset({value, level, (level, "x" * 10)})
    return value


def test_work_is_bounded_for_huge_and_deep_values() -> None:
    huge: list[Value] = [
        "x" * 10_000_000,
        [list(range(1000))] * 1000,
        {number: [number] * 100 for number in range(10_000)},
        set(range(500_000)),
        1 << 8_000_000,
        _nested(99),
        _nested_sets(99),
        [[[]] * 1000] * 1000,
    ]
    for value in huge:
        before = process_time()
        for limit in (20, 100, 2000):
            assert len(show(value, limit)) <= limit
        assert process_time() - before < 5


def test_too_deep_is_not_followed() -> None:
    assert "…" in show(_nested(400), 10_000)


def test_a_small_limit_is_taken_as_the_smallest() -> None:
    assert len(show("x" * 100, 1)) <= 20


def test_type_names_are_those_that_students_know() -> None:
    values: list[Value] = [1, None, [], Record("Pawn", ()), Opaque("map", ""), Cycle(1)]
    assert [type_name(value) for value in values] == ["int", "NoneType", "list", "Pawn", "map", "cycle"]
