"""Holds a printed text against the expected one: as a whole, by parts, by a pattern, or line by line."""

import re
import string
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias

from grader.judge.finding import PATTERN_S, OwnFault
from grader.judge.printed import (
    BLANKS,
    END,
    collapsed,
    compare_text,
    unlike_bytes_note,
    unlike_text_note,
    visible_blanks,
    without_blanks,
    without_trailing,
)
from grader.model.case import Ignored, Text, Whitespace
from grader.model.results import Difference
from grader.values.library import is_near
from grader.values.show import show
from grader.wire.byte_text import is_utf8

Matches: TypeAlias = Callable[[str, str], bool | None]
"""Tells whether a pattern is found in a hostile text; None if that takes too long.  Raises `CheckFailed`."""

_SEARCHED = 1 << 20
"""The most characters of a text in which a pattern is looked for."""
_SHOWN = 120
_BETWEEN = "…"
_SIGNS = "+-."
_MARKS = re.escape(
    "".join(mark for mark in string.punctuation if mark not in _SIGNS)
    + "«»¡¿·§¶\N{IDEOGRAPHIC COMMA}\N{IDEOGRAPHIC FULL STOP}\N{FULLWIDTH EXCLAMATION MARK}"
    "\N{FULLWIDTH COLON}\N{FULLWIDTH SEMICOLON}\N{FULLWIDTH QUESTION MARK}\N{FULLWIDTH COMMA}"
)
_GENERAL = "\N{HYPHEN}-\N{HORIZONTAL BAR}\N{LEFT SINGLE QUOTATION MARK}-\N{HORIZONTAL ELLIPSIS}"
_ALL = rf"{_MARKS}{_GENERAL}{re.escape(_SIGNS)}"
_PUNCTUATION = re.compile(
    rf"(?P<run>(?<=[0-9])[{_ALL}]{{2,}}(?=[0-9]))|[{re.escape(_SIGNS)}](?![0-9])"
    rf"|(?<![0-9])[{_MARKS}{_GENERAL}]|[{_MARKS}{_GENERAL}](?![0-9])"
)
"""All marks but signs and points before a digit, and single marks between two digits.  It looks at each
character once, or twice in a run of marks between two digits."""
_NUMBER = re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][-+]?[0-9]{1,3}(?![0-9]))?")
_LONGEST_NUMBER = 60
_WHOLE = re.compile(r"[-+]?[0-9]+")


@dataclass(frozen=True, slots=True)
class Unlike:
    """The first difference of a printed text from the expected one.

    where: its place in the text; empty for the text as a whole.
    sentence: the difference in words, without the place.
    """

    where: str
    sentence: str
    expected: str
    actual: str

    def at(self, place: str) -> tuple[str, Difference]:
        """Return the message, and the difference, for the text at `place`."""
        whole = f"{place}, {self.where}" if self.where else place
        return f"{whole}: {self.sentence}", Difference(whole, self.expected, self.actual)


def find_difference(text: Text, of_reference: str | None, actual: str, matches: Matches) -> Unlike | None:
    """Return the first difference of a text from the expected one, None if it is as expected.

    of_reference: the reference's text, if it is known.  Raises `OwnFault`, and `CheckFailed` by `matches`.
    """
    if text.lines:
        return _unlike_lines(text, of_reference, actual, matches)
    if text.contains:
        return _unlike_parts(text, actual)
    if text.pattern is not None:
        return _unlike_pattern(text.pattern, actual, matches)
    return _unlike_whole(text, _value(text, of_reference), actual)


def shown_text(text: Text, of_reference: str | None) -> str:
    """Return the expected text for people: `…` stands for what is not compared, `/…/` for a pattern.

    Raises `OwnFault`.
    """
    if text.contains:
        return "".join(f"{_BETWEEN}{part}{_BETWEEN}\n" for part in text.contains)
    if text.pattern is not None:
        return f"/{text.pattern}/\n"
    if not text.lines:
        return _value(text, of_reference)
    found, before, of_reference = [], 0, _counted_lines(text, of_reference or "")
    for number, line in text.lines:
        if number != before + 1:
            found.append(_BETWEEN)
        found.append(shown_text(line, _line(of_reference, number)).removesuffix("\n"))
        before = number
    if not text.every_line and before != -1:
        found.append(_BETWEEN)
    return "".join(f"{line}\n" for line in found)


def literal_text(text: Text, of_reference: str | None) -> Text:
    """Return an expected text with the reference's words written out.  Raises `OwnFault`."""
    if text.lines:
        counted = _counted_lines(text, of_reference or "")
        lines = ((number, literal_text(line, _line(counted, number))) for number, line in text.lines)
        return replace(text, lines=tuple(lines))
    if not text.is_whole:
        return text
    value = _value(text, of_reference)
    if not is_utf8(value):
        raise OwnFault("the reference's text is no UTF-8")
    return replace(text, value=value)


def _value(text: Text, of_reference: str | None) -> str:
    if text.value is not None:
        return text.value
    if of_reference is None:
        raise OwnFault("the reference has nothing there to compare with")
    return of_reference


# -- a whole text --------------------------------------------------------------------------------------


def _unlike_whole(text: Text, wanted: str, actual: str) -> Unlike | None:
    if text.unordered:
        return _unlike_in_any_order(text, wanted, actual)
    one, other = _as_counted(wanted, text.ignores), _as_counted(actual, text.ignores)
    is_longer = (len(one), len(other)) != (len(wanted), len(actual))
    if text.rel or text.abs:
        one = _with_near_numbers(one, other, text)
    found = compare_text(one, other, text.whitespace)
    if found is None:
        return None
    note = unlike_text_note(one, other) or unlike_bytes_note(wanted, actual)
    where = found.where
    if text.ignores:
        note += f" ({' and '.join(text.ignores)} {'do' if text.ignores[1:] else 'does'} not count)"
    if is_longer or Ignored.PUNCTUATION in text.ignores:
        # Columns are those of the text without it, and with `ss` for `ß`.
        where = where.partition(", column")[0]
    sentence = f"expected {found.expected}, got {found.actual}{note}"
    return Unlike(where, sentence, found.expected, found.actual)


def _unlike_in_any_order(text: Text, wanted: str, actual: str) -> Unlike | None:
    """Return a line that is missing, or the first that is too much; equal lines count one by one."""
    missing = Counter(line for _, line in _lines_of(wanted, text))
    found: tuple[int, str] | None = None
    for number, line in _lines_of(actual, text):
        missing[line] -= 1
        if missing[line] < 0 and found is None:
            found = number, line
    lacking = next((line for line, count in missing.items() if count > 0), None)
    if found is None and lacking is None:
        return None
    expected = _cut(lacking) if lacking is not None else END
    if found is None:
        return Unlike("", f"expected the line {expected} too, in any order", expected, END)
    number, got = found[0], _cut(found[1])
    sentence = f"expected {expected} (the order of lines does not count), got {got}"
    return Unlike(f"line {number}", sentence, expected, got)


def _lines_of(printed: str, text: Text) -> Iterator[tuple[int, str]]:
    """Yield the lines of a text that count, as they are compared, each with its number."""
    counted_text = _counted_lines(text, printed)
    if text.whitespace is Whitespace.TRAILING:
        counted_text = without_trailing(counted_text)
    for number, line in enumerate(counted_text.removesuffix("\n").split("\n") if counted_text else (), 1):
        counted = for_search(line, text)
        if counted or text.whitespace in (Whitespace.EXACT, Whitespace.TRAILING):
            yield number, counted


def _as_counted(text: str, ignores: tuple[Ignored, ...]) -> str:
    """Return a text without what does not count in it."""
    if Ignored.CASE in ignores:
        text = text.casefold()
    return _PUNCTUATION.sub(_counted_mark, text) if Ignored.PUNCTUATION in ignores else text


def _counted_mark(found: re.Match[str]) -> str:
    """Return what counts of marks: of several between two digits a comma, which keeps the numbers apart."""
    run: str = found["run"] or ""
    return run and "," + (run[-1] if run[-1] in _SIGNS else "")


def _with_near_numbers(wanted: str, actual: str, text: Text) -> str:
    """Return the expected text with each number replaced by the one in its place that is near enough."""
    pieces: list[str] = []
    end = 0
    for mine, other in zip(_NUMBER.finditer(wanted), _NUMBER.finditer(actual), strict=False):
        number = other[0] if _is_near(mine[0], other[0], text) else mine[0]
        pieces += wanted[end : mine.start()], number
        end = mine.end()
    return "".join(pieces) + wanted[end:]


def _is_near(wanted: str, actual: str, text: Text) -> bool:
    if max(len(wanted), len(actual)) > _LONGEST_NUMBER:
        return False
    if _WHOLE.fullmatch(wanted) and _WHOLE.fullmatch(actual):
        # Tolerance is not for two whole numbers, as among values.
        return False
    one, other = Fraction(wanted), Fraction(actual)
    return is_near(one, other, text.rel, text.abs)


# -- parts and patterns ----------------------------------------------------------------------------------


def _unlike_parts(text: Text, actual: str) -> Unlike | None:
    whole, position, before = for_search(actual, text), 0, ""
    for part in text.contains:
        wanted = for_search(part, text)
        found = whole.find(wanted, position)
        if found < 0:
            after = f" after {before}" if before else " in it"
            if not before and wanted.casefold() in whole.casefold():
                after += " (only capital and small letters differ)"
            elif before and wanted in whole:
                after += ", where it comes before"
            expected = _cut(part)
            return Unlike("", f"expected {expected}{after}", expected, _beginning(actual))
        position, before = found + len(wanted), _cut(part)
    return None


def for_search(text: str, wanted: Text) -> str:
    """Return a text, or a part of one, without what does not count in it."""
    text = _as_counted(text, wanted.ignores)
    match wanted.whitespace:
        case Whitespace.TRAILING:
            return without_trailing(text)
        case Whitespace.ANY:
            return collapsed(text).strip(" ")
        case Whitespace.NONE:
            return without_blanks(text)
    return text


def _unlike_pattern(pattern: str, actual: str, matches: Matches) -> Unlike | None:
    found = matches(pattern, actual[:_SEARCHED])
    if found:
        return None
    wanted, got = show(pattern, _SHOWN), _beginning(actual)
    sentence = f"expected a match of {wanted}, got {got}"
    if found is None:
        sentence = f"could not be matched with {wanted} within {PATTERN_S:g} s, which counts as no match"
    return Unlike("", sentence, f"a match of {wanted}", got)


def _cut(text: str) -> str:
    return visible_blanks(text[:_SHOWN]) + (_BETWEEN if len(text) > _SHOWN else "")


def _beginning(actual: str) -> str:
    line = actual[: _SHOWN + 1].partition("\n")[0]
    if not actual:
        return END
    return _cut(line) + (_BETWEEN if len(line) < len(actual.removesuffix("\n")) <= _SHOWN else "")


# -- lines ---------------------------------------------------------------------------------------------


def _unlike_lines(text: Text, of_reference: str | None, actual: str, matches: Matches) -> Unlike | None:
    of_reference, actual = _counted_lines(text, of_reference or ""), _counted_lines(text, actual)
    for number, line in text.lines:
        of_line, found = _line(of_reference, number), _line(actual, number)
        if found is None and number > 0 and text.whitespace is not Whitespace.EXACT:
            # An empty line at the end does not count.
            found = "" if find_difference(line, of_line, "", matches) is None else None
        if found is None:
            wanted = _cut(shown_text(line, of_line).removesuffix("\n"))
            return Unlike(f"line {number}", f"expected {wanted}, got {END}", wanted, END)
        unlike = find_difference(line, of_line, found, matches)
        if unlike is not None:
            at = number if number > 0 else actual.removesuffix("\n").count("\n") + 2 + number
            return replace(unlike, where=_in_line(f"line {at}", unlike.where))
    more = _after(actual, len(text.lines)) if text.every_line else None
    if more is None:
        return None
    shown = _cut(more.partition("\n")[0])
    return Unlike(f"line {len(text.lines) + 1}", f"expected {END}, got {shown}", END, shown)


def _in_line(place: str, where: str) -> str:
    """Return where in the whole text a place of a line is."""
    word, found, _ = where.partition(", line 1")
    if found:
        return f"{word}, {place}"
    _, found, column = where.partition("line 1, ")
    return f"{place}, {column}" if found else place


def _counted_lines(text: Text, printed: str) -> str:
    """Return printed text without the empty lines at its end, unless every blank counts."""
    if text.whitespace is Whitespace.EXACT:
        return printed
    newline = printed.find("\n", len(printed.rstrip(f"{BLANKS}\n")))
    return printed if newline < 0 else printed[:newline]


def _line(text: str, number: int) -> str | None:
    """Return a line, None if there is none.  The text is not split, since it can have a million lines."""
    if not text:
        return None
    whole = text.removesuffix("\n")
    lines = whole.split("\n", number) if number > 0 else whole.rsplit("\n", -number)
    return None if len(lines) < abs(number) else lines[number - 1 if number > 0 else number]


def _after(text: str, count: int) -> str | None:
    """Return what follows that many lines, None for nothing."""
    lines = text.removesuffix("\n").split("\n", count)
    return lines[count] if len(lines) > count else None
