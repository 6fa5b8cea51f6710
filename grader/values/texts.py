"""Finds the first difference between two texts, and names its place as a reader would."""

from typing import TypeVar

from grader.model.results import Difference
from grader.values.show import show

_SHORT = 60
"""The longest text of one line that is shown whole."""
_BEFORE = 20
_AFTER = 40

Text = TypeVar("Text", str, bytes)


def text_difference(expected: str, actual: str) -> Difference:
    """Return the first difference of two texts: its line and column, or its character; from 1.

    Lines end at newlines alone, so a carriage return is shown as one.
    """
    several_lines = "\n" in expected or "\n" in actual
    if not several_lines and max(len(expected), len(actual)) <= _SHORT:
        return Difference("", show(expected), show(actual))
    position = common_length(expected, actual)
    line_start = expected.rfind("\n", 0, position) + 1
    column = position - line_start + 1
    line = expected.count("\n", 0, position) + 1
    where = f"line {line}, column {column}" if several_lines else f"character {column}"
    start = max(line_start, position - _BEFORE)
    return Difference(where, _line_part(expected, start, position), _line_part(actual, start, position))


def bytes_difference(expected: bytes, actual: bytes) -> Difference:
    """Return the first difference of two byte strings; the first byte is byte 1."""
    if max(len(expected), len(actual)) <= _SHORT:
        return Difference("", show(expected), show(actual))
    position = common_length(expected, actual)
    start, end = max(0, position - _BEFORE), position + _AFTER
    return Difference(f"byte {position + 1}", _part(expected, start, end), _part(actual, start, end))


def _line_part(text: str, start: int, position: int) -> str:
    """Return the text around `position` in its line, with the newline if that is near."""
    end = position + _AFTER
    newline = text.find("\n", position, end)
    return _part(text, start, end if newline < 0 else newline + 1)


def _part(text: Text, start: int, end: int) -> str:
    part = text[start:end]
    return show(part) if part else "the end of the text"


def common_length(one: Text, other: Text) -> int:
    """Return the length of the common start, by halving: slices compare at the speed of memory."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
