"""Cutting long texts, and showing where two differ."""

import pytest

from grader.reports.views.excerpt import Excerpt, differing, excerpt


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
    ],
)
def test_the_differing_stretch_is_found(expected: str, actual: str, parts: object) -> None:
    assert differing(expected, actual) == parts


def test_the_surroundings_are_cut_and_the_stretch_is_kept() -> None:
    pair = differing("a" * 100 + "X" + "b" * 100, "a" * 100 + "Y" + "b" * 100, context=5)
    assert pair.expected == ("…aaaaa", "X", "bbbbb…")
    assert pair.actual == ("…aaaaa", "Y", "bbbbb…")
