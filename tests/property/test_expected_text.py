"""Printed text: an oracle that goes through the text mark by mark says the same as the judge."""

import re
import string
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from grader.judge.expected_text import Unlike, find_difference
from grader.model.case import Ignored, Text, Whitespace

_PRINTED = st.text("aAßİ\u0301\ud800 \t\n\r\x0c\x85\u00a01205.,-+()!eE", max_size=14)
_WHITESPACE = st.sampled_from(Whitespace)
_IGNORES = st.sampled_from([(), (Ignored.CASE,), (Ignored.PUNCTUATION,), tuple(Ignored)])
_BLANK = " \t\r\f\v\n"


def unlike(text: Text, actual: str) -> Unlike | None:
    return find_difference(text, None, actual, lambda pattern, text: bool(re.search(pattern, text)))


def counted(text: str, ignores: tuple[Ignored, ...]) -> str:
    text = text.casefold() if Ignored.CASE in ignores else text
    if Ignored.PUNCTUATION not in ignores:
        return text
    found, at = "", 0
    while at < len(text):
        end = at
        while end < len(text) and text[end] in string.punctuation:
            end += 1
        if end == at:
            found, at = found + text[at], at + 1
            continue
        run, before, after = text[at:end], text[:at][-1:], text[end : end + 1]
        sign = run[-1] if run[-1] in "+-." else ""
        is_after, is_before = before in set("0123456789"), after in set("0123456789")
        if is_after and is_before:
            found += run if len(run) == 1 else f",{sign}"
        elif is_before:
            found += sign
        at = end
    return found


def blanked(text: str, whitespace: Whitespace) -> object:
    if whitespace is Whitespace.NONE:
        return "".join(mark for mark in text if mark not in _BLANK)
    if whitespace is Whitespace.ANY:
        return re.split(f"[{_BLANK}]+", text.strip(_BLANK))
    if whitespace is Whitespace.TRAILING:
        return "\n".join(line.rstrip(_BLANK) for line in text.split("\n")).rstrip("\n")
    return text


@given(_PRINTED, _PRINTED, _WHITESPACE, _IGNORES)
@settings(max_examples=400)
def test_a_whole_text_is_equal_where_the_oracle_says_so(
    wanted: str, actual: str, whitespace: Whitespace, ignores: tuple[Ignored, ...]
) -> None:
    for other in (actual, wanted.swapcase(), wanted.replace(",", ""), f"{wanted} \n", wanted):
        is_equal = blanked(counted(wanted, ignores), whitespace) == blanked(
            counted(other, ignores), whitespace
        )
        found = unlike(Text(wanted, whitespace, ignores), other)
        assert (found is None) is is_equal


@given(_PRINTED, _PRINTED)
def test_the_place_is_that_of_the_first_character_that_differs(wanted: str, actual: str) -> None:
    found = unlike(Text(wanted), actual)
    same = 0
    while same < min(len(wanted), len(actual)) and wanted[same] == actual[same]:
        same += 1
    if found is not None:
        lines = wanted[:same].split("\n")
        assert found.where == f"line {len(lines)}, column {len(lines[-1]) + 1}"


@given(_PRINTED, st.integers(0, 14), st.integers(1, 14), _WHITESPACE, _IGNORES)
def test_a_part_of_a_text_stands_in_it(
    text: str, start: int, size: int, whitespace: Whitespace, ignores: tuple[Ignored, ...]
) -> None:
    part = text[start : start + size]
    if part and Ignored.PUNCTUATION not in ignores:
        assert unlike(Text(None, whitespace, ignores, contains=(part,)), text) is None


@given(st.lists(st.text("ab \r\x85", max_size=3), min_size=1, max_size=4), _PRINTED, _WHITESPACE)
def test_lines_are_as_the_whole_text(wanted: list[str], actual: str, whitespace: Whitespace) -> None:
    lines = tuple((number, Text(line, whitespace)) for number, line in enumerate(wanted, 1))
    text = Text(None, whitespace, lines=lines, every_line=True)
    for other in (
        actual,
        "\n".join(wanted),
        "".join(f"{line}\n" for line in wanted),
        "\n".join(wanted) + " \n\n",
    ):
        is_equal = other.removesuffix("\n").split("\n") == wanted and bool(other)
        if whitespace is not Whitespace.EXACT:
            one, two = (
                [blanked(x, whitespace) for x in each.split("\n")] for each in (other, "\n".join(wanted))
            )
            for each in (one, two):
                while each and each[-1] in ("", [""]):
                    each.pop()
            is_equal = one == two
        assert (unlike(text, other) is None) is is_equal, (wanted, other)


_NUMBERS = st.lists(
    st.sampled_from(["1", "2", "1.0", "1.05", "-1.0", "1e0", "10e-1", ".9", "1.2"]), max_size=3
)


@given(_NUMBERS, _NUMBERS, st.sampled_from([0.05, 0.1, 1.0]))
def test_numbers_may_be_off_each_by_the_tolerance(wanted: list[str], actual: list[str], off: float) -> None:
    def is_near(one: str, other: str) -> bool:
        if one.isdecimal() and other.isdecimal():
            return one == other
        return abs(Fraction(one) - Fraction(other)) <= Fraction(off)

    is_equal = len(wanted) == len(actual) and all(map(is_near, wanted, actual))
    assert (unlike(Text(" a ".join(wanted), abs=off), " a ".join(actual)) is None) is is_equal
