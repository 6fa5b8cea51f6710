"""Printed text: when it is as expected, and how a difference reads."""

import pytest

from grader.judge.printed import END, compare_text, only_blanks_differ, unlike_text_note, visible_blanks
from grader.model.case import Whitespace
from grader.model.results import Difference

EXACT, TRAILING, ANY, NONE = Whitespace.EXACT, Whitespace.TRAILING, Whitespace.ANY, Whitespace.NONE


@pytest.mark.parametrize(
    ("expected", "actual", "alike"),
    [
        ("a b\n", "a b\n", {EXACT, TRAILING, ANY, NONE}),
        ("", "", {EXACT, TRAILING, ANY, NONE}),
        ("a b\n", "a b", {TRAILING, ANY, NONE}),
        ("a b", "a b\n\n \n", {TRAILING, ANY, NONE}),
        ("a\nb\n", "a  \nb\t\n", {TRAILING, ANY, NONE}),
        ("a\nb\n", "a\r\nb\r\n", {TRAILING, ANY, NONE}),
        ("a b\n", "a  b\n", {ANY, NONE}),
        ("a b\n", " a\nb", {ANY, NONE}),
        ("\na\n", "a\n", {ANY, NONE}),
        ("a b", "ab", {NONE}),
        ("O", "0", set()),
        ("a\xa0b", "a b", set()),
        ("", "x", set()),
    ],
)
def test_which_blanks_count(expected: str, actual: str, alike: set[Whitespace]) -> None:
    found = {whitespace for whitespace in Whitespace if compare_text(expected, actual, whitespace) is None}
    assert found == alike
    assert found == {w for w in Whitespace if compare_text(actual, expected, w) is None}


@pytest.mark.parametrize(
    ("expected", "actual", "whitespace", "difference"),
    [
        ("0 . O\n1 .\n", "0 . 0\n1 .\n", EXACT, ("line 1, column 5", "0·.·O↵", "0·.·0↵")),
        ("a\nb c\n", "a\nb  c\n", EXACT, ("line 2, column 3", "b·c↵", "b··c↵")),
        ("a\n", "a", EXACT, ("line 1, column 2", "a↵", "a")),
        ("a\nb\n", "a\n", EXACT, ("line 2, column 1", "b↵", END)),
        ("", "x\n", EXACT, ("line 1, column 1", END, "x↵")),
        ("a b", "a\tb", EXACT, ("line 1, column 2", "a·b", "a→b")),
        ("a\n", "a\r\n", EXACT, ("line 1, column 2", "a↵", "a\\r↵")),
        ("a \nb", "a\nc", TRAILING, ("line 2, column 1", "b", "c")),
        ("a b c", "a\nb\nd", ANY, ("word 3, line 3", "c", "d")),
        ("a b", "a\n\n", ANY, ("word 2, line 1", "b", END)),
        ("", "\n\nx", ANY, ("word 1, line 3", END, "x")),
    ],
)
def test_where_texts_differ(
    expected: str, actual: str, whitespace: Whitespace, difference: tuple[str, str, str]
) -> None:
    assert compare_text(expected, actual, whitespace) == Difference(*difference)


def test_long_lines_are_cut_around_the_difference() -> None:
    found = compare_text("x" * 500 + "y" + "z" * 500, "x" * 500 + "w" + "z" * 500, EXACT)
    assert found == Difference(
        "line 1, column 501", "…" + "x" * 60 + "y" + "z" * 59 + "…", "…" + "x" * 60 + "w" + "z" * 59 + "…"
    )
    word = compare_text("x" * 500 + "y", "x" * 500, ANY)
    assert word == Difference("word 1, line 1", "…" + "x" * 60 + "y", "…" + "x" * 60)


def test_what_cannot_be_seen_is_made_visible_and_cannot_be_feigned() -> None:
    assert visible_blanks("a b\tc\n") == "a·b→c↵"
    assert visible_blanks("·→↵") == r"\xb7\u2192\u21b5"
    assert visible_blanks("\x1b[31m\x00\u202e\u200b\xa0") == r"\x1b[31m\x00\u202e\u200b\xa0"


@pytest.mark.parametrize(
    ("expected", "actual", "remark"),
    [
        ("a b\n", "a  b\n", "only blanks and line ends differ; · is a blank, ↵ a line end"),
        ("Well done!\n", "well done!\n", "only capital and small letters differ"),
        ("a b\n", "a c\n", ""),
    ],
)
def test_messages_say_what_kind_of_difference_it_is(expected: str, actual: str, remark: str) -> None:
    assert unlike_text_note(expected, actual) == (f" ({remark})" if remark else "")


def test_blanks_alone() -> None:
    assert only_blanks_differ("a b", "ab\n")
    assert not only_blanks_differ("a b", "a c")
