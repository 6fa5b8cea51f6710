"""Compares printed text with the expected one, and finds their first difference.

It serves for the output of functions and of programs.  Differences are given by line, with blanks (·), tabs
(→) and line ends (↵) made visible, because they cannot be seen otherwise.
"""

import re
from itertools import zip_longest

from grader.model.case import Whitespace
from grader.model.results import Difference
from grader.values.show import quoted
from grader.values.texts import common_length
from grader.wire.byte_text import bytes_of, is_utf8, legible

END = "the end of the text"
"""A side of a difference that has ended."""

_AROUND = 60
"""The most characters of a line that are shown on either side of its first difference."""
BLANKS = " \t\r\f\v"
_WORD = re.compile(r"[^ \t\r\f\v\n]+")
_SPACE = re.compile(r"[ \t\r\f\v\n]+")
_SEEN = {" ": "·", "\t": "→", "\n": "↵"}
_NOT_PLAIN = re.compile(r"[^!-~]")


def compare_text(expected: str, actual: str, whitespace: Whitespace) -> Difference | None:
    """Return the first difference between `actual` and `expected`, None if there is none.

    The place is a line and a column, both from 1; with `Whitespace.ANY` a word, and its line in `actual`;
    with `Whitespace.NONE` the line alone.
    The parts are the texts at that place by `visible_blanks`, or `END`.
    """
    if expected == actual:
        return None
    match whitespace:
        case Whitespace.EXACT:
            return _by_line(expected, actual)
        case Whitespace.TRAILING:
            return _by_line(without_trailing(expected), without_trailing(actual))
        case Whitespace.ANY:
            return _by_word(expected, actual)
        case Whitespace.NONE:
            return _by_sign(expected, actual)


def only_blanks_differ(expected: str, actual: str) -> bool:
    """Tell whether two different texts would be equal if blanks and line ends did not count at all."""
    return without_blanks(expected) == without_blanks(actual)


def without_blanks(text: str) -> str:
    """Return a text without blanks and line ends."""
    return _SPACE.sub("", text)


def unlike_text_note(expected: str, actual: str) -> str:
    """Return a note in brackets on two different texts that are nearly equal, else ""."""
    if only_blanks_differ(expected, actual):
        return " (only blanks and line ends differ; · is a blank, ↵ a line end)"
    if collapsed(expected).casefold() == collapsed(actual).casefold():
        return " (only capital and small letters differ)"
    return ""


def unlike_bytes_note(expected: str, actual: str) -> str:
    """Return a note in brackets on the first bytes that differ where a text is no UTF-8, else ""."""
    if is_utf8(expected) and is_utf8(actual):
        return ""
    one, other = bytes_of(expected), bytes_of(actual)
    at = common_length(one, other)
    texts = [f"0x{side[at]:02x}" if at < len(side) else "the end" for side in (one, other)]
    who = "what was expected" if is_utf8(actual) else "the text"
    return f" (byte {at + 1}: expected {texts[0]}, got {texts[1]}; {who} is no UTF-8)"


def visible_blanks(text: str) -> str:
    """Return a text of the student's as one line in which every character can be seen."""
    return _NOT_PLAIN.sub(lambda match: _seen(match[0]), text)


def _seen(character: str) -> str:
    mark = _SEEN.get(character)
    if mark is not None:
        return mark
    if not is_utf8(character):
        return legible(character)
    # One of our marks in the text itself must not look like a blank.
    if character in _SEEN.values():
        return character.encode("unicode_escape").decode("ascii")
    return quoted(character)[1:-1]


def collapsed(text: str) -> str:
    """Return a text in which each run of blanks and line ends is one blank."""
    return _SPACE.sub(" ", text)


def without_trailing(text: str) -> str:
    """Return a text without blanks at the ends of its lines, and without empty lines at its end."""
    lines = [line.rstrip(BLANKS) for line in text.split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    return "\n".join(lines)


def _by_line(expected: str, actual: str) -> Difference | None:
    if expected == actual:
        return None
    position = common_length(expected, actual)
    start = expected.rfind("\n", 0, position) + 1
    line, column = expected.count("\n", 0, position) + 1, position - start + 1
    return Difference(
        f"line {line}, column {column}",
        _line_part(expected, start, position),
        _line_part(actual, start, position),
    )


def _line_part(text: str, start: int, position: int) -> str:
    """Return the line that begins at `start`, with its end, around `position`."""
    if start >= len(text):
        return END
    newline = text.find("\n", position)
    end = len(text) if newline < 0 else newline + 1
    first, last = max(start, position - _AROUND), min(end, position + _AROUND)
    before, after = "…" if first > start else "", "…" if last < end else ""
    return f"{before}{visible_blanks(text[first:last])}{after}"


def _by_word(expected: str, actual: str) -> Difference | None:
    pairs = zip_longest(_WORD.finditer(expected), _WORD.finditer(actual))
    for number, (wanted, found) in enumerate(pairs, 1):
        one, other = wanted[0] if wanted else "", found[0] if found else ""
        if one == other:
            continue
        place = found.start() if found else len(actual.rstrip(BLANKS + "\n"))
        where = f"word {number}, line {actual.count(chr(10), 0, place) + 1}"
        first = max(0, common_length(one, other) - _AROUND)
        return Difference(where, _word_part(one, first), _word_part(other, first))
    return None


def _by_sign(expected: str, actual: str) -> Difference | None:
    one, other = without_blanks(expected), without_blanks(actual)
    if one == other:
        return None
    same = common_length(one, other)
    place, left = len(actual), same
    for word in _WORD.finditer(actual):
        left -= len(word[0])
        if left < 0:
            place = word.end() + left
            break
    first = max(0, same - _AROUND)
    where = f"line {actual.count(chr(10), 0, place) + 1}"
    return Difference(where, _word_part(one, first), _word_part(other, first))


def _word_part(word: str, first: int) -> str:
    if not word:
        return END
    before, after = "…" if first else "", "…" if len(word) > first + 2 * _AROUND else ""
    return f"{before}{visible_blanks(word[first : first + 2 * _AROUND])}{after}"
