"""Cutting long texts, and showing where two differ."""

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.reports.views.case.differing import differing
from grader.reports.views.excerpt import Excerpt, excerpt


def test_a_short_text_stays_whole() -> None:
    assert excerpt("abc", 3) == "abc"


def test_a_long_text_keeps_both_ends_and_says_how_much_is_gone() -> None:
    assert excerpt("a" * 90 + "z" * 10, 8) == Excerpt("aaaaaa", 92, "zz")


@pytest.mark.parametrize(
    ("expected", "actual", "parts"),
    [
        ("304", "303", (("30", "4", ""), ("30", "3", ""))),
        ("[1, 2]", "[1, 5, 2]", (("[1, ", "", "2]"), ("[1, ", "5, ", "2]"))),
        ("aa", "aaa", (("aa", "", ""), ("aa", "a", ""))),
        ("abc", "xyz", (("", "abc", ""), ("", "xyz", ""))),
        ("", "x", (("", "", ""), ("", "x", ""))),
        ("same", "same", (("same", "", ""), ("same", "", ""))),
        ("False", "True", (("", "False", ""), ("", "True", ""))),
        ("[0.25]", "[1.75]", (("[", "0.25", "]"), ("[", "1.75", "]"))),
        ("[(1, 2)]", "[(0, 3), (1, 2)]", (("[", "", "(1, 2)]"), ("[", "(0, 3), ", "(1, 2)]"))),
        ("f(1)", "f(1))", (("f(1)", "", ""), ("f(1)", ")", ""))),
        # items one by one
        ("[1, 2, 3]", "[0, 2, 4]", (("[", "1", ", 2, ", "3", "]"), ("[", "0", ", 2, ", "4", "]"))),
        (
            "[(0, 1), (0, 3)]",
            "[(0, 3), (0, 1)]",
            (("[(0, ", "1", "), (0, ", "3", ")]"), ("[(0, ", "3", "), (0, ", "1", ")]")),
        ),
        ("[1, 2]", "(1, 2)", (("", "[", "1, 2", "]", ""), ("", "(", "1, 2", ")", ""))),
        ("[1, 2, 3, 4, 5]", "[1, 3, 4, 6]", (("[1, ", "2, ", "3, 4, ", "5", "]"), ("[1, 3, 4, ", "6", "]"))),
        ("[1, -2, 3]", "[1, 2, 4]", (("[1, ", "-", "2, ", "3", "]"), ("[1, 2, ", "4", "]"))),
        # blanks that differ can be seen
        ("'a b'", "'a  b'", (("'a ", "", "b'"), ("'a ", "·", "b'"))),
        ("'ab  '", "'ab'", (("'ab", "··", "'"), ("'ab", "", "'"))),
    ],
)
def test_what_differs_is_found(expected: str, actual: str, parts: object) -> None:
    assert differing(expected, actual) == parts


def test_the_surroundings_are_cut_and_the_stretch_is_kept() -> None:
    pair = differing("a" * 100 + "X" + "b" * 100, "a" * 100 + "Y" + "b" * 100, context=5)
    assert pair.expected == ("…aaaaa", "X", "bbbbb…")
    assert pair.actual == ("…aaaaa", "Y", "bbbbb…")


def test_values_that_differ_as_a_whole_are_marked_whole_unless_they_are_of_one_form() -> None:
    pair = differing("Book('Emma')", "'Emma'", is_whole=True)
    assert pair == (("", "Book('Emma')", ""), ("", "'Emma'", ""))
    assert differing("[1]", "(1)", is_whole=True).actual == ("", "(", "1", ")", "")


VALUES = st.recursive(
    st.integers(-20, 20) | st.text("ab \U0001f40e'\u202e", max_size=5),
    lambda inner: (
        st.lists(inner, max_size=5) | st.tuples(inner, inner) | st.dictionaries(st.text("k"), inner)
    ),
    max_leaves=12,
).map(repr)


@given(VALUES, VALUES)
def test_nothing_is_lost_and_what_is_not_marked_is_alike(expected: str, actual: str) -> None:
    pair = differing(expected, actual, context=1000)
    for part, text in zip(pair, (expected, actual), strict=True):
        assert len(part) % 2
        shown = "".join(part)
        assert len(shown) == len(text)
        assert all(one == other or (one, other) == ("·", " ") for one, other in zip(shown, text, strict=True))
    assert "".join(pair.expected[::2]) == "".join(pair.actual[::2])


@pytest.mark.parametrize(
    "pair", [("1 " * 1000, "2" + " 1" * 999), ("(" * 2000, ")" * 1999), ("a," * 900, "b," * 901)]
)
def test_texts_made_to_be_slow_to_align_are_not_aligned(pair: tuple[str, str]) -> None:
    started = process_time()
    for _ in range(20):
        differing(*pair)
    assert process_time() - started < 5
