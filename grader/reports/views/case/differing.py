"""Compares two shown values, and marks in both what differs: item by item where they are of one form."""

import re
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import NamedTuple, TypeAlias

from grader.values.texts import common_length

_LONGEST_WORD = 40
_LONGEST_SHIFTED = 400
_LONGEST_BY_ITEMS = 2000
_MOST_ALIGNED = 2500
"""The most pairs of tokens that are compared to align two texts."""

_TOKEN = re.compile(r"[\w.]+|.", re.DOTALL)
_BRACKETS = frozenset("()[]{}")

Part: TypeAlias = tuple[str, ...]
"""A text in pieces: by turns one that both texts have, first and last, and one that differs."""

_Span: TypeAlias = tuple[int, int]
"""The start and end of a stretch that differs."""


class Pair(NamedTuple):
    """The expected and the actual text, with the stretches marked in which they differ."""

    expected: Part
    actual: Part


def differing(expected: str, actual: str, context: int = 60, *, is_whole: bool = False) -> Pair:
    """Return both texts with what differs marked; blanks that differ are shown as `·`.

    Texts of one form are compared word by word.  Else as much as possible stays unmarked, or one stretch is
    marked.  A word is marked whole if no more than half of it is common.  For an item that is in one text
    only, its own brackets are marked, not those of its neighbour.
    context: at most this many equal characters are kept on either side of a stretch, and at most twice as
    many of the stretch itself; `…` marks a cut.
    is_whole: the values differ as a whole, so that texts of different forms have nothing in common.
    """
    spans = None
    if max(len(expected), len(actual)) <= _LONGEST_BY_ITEMS:
        spans = _by_items(_TOKEN.findall(expected), _TOKEN.findall(actual), may_align=not is_whole)
    if spans is None:
        spans = ([(0, len(expected))], [(0, len(actual))]) if is_whole else _one_stretch(expected, actual)
    left, right = spans
    return Pair(_part(expected, left, context), _part(actual, right, context))


# -- item by item ------------------------------------------------------------------------------------


def _by_items(
    left: list[str], right: list[str], *, may_align: bool
) -> tuple[list[_Span], list[_Span]] | None:
    """Return what differs in both lists of tokens, as places in their texts; None if they are too unlike."""
    if len(left) == len(right) and all(map(_is_of_one_form, left, right)):
        return _word_by_word(left, right)
    if not may_align:
        return None
    start = _common(left, right)
    end = _common(left[start:][::-1], right[start:][::-1])
    inner = left[start : len(left) - end], right[start : len(right) - end]
    if not all(inner) or len(inner[0]) * len(inner[1]) > _MOST_ALIGNED:
        return None
    kept = _aligned(*inner)
    shared = sum(not inner[0][one].isspace() for one, _ in kept)
    if 2 * shared < min(sum(not token.isspace() for token in each) for each in inner):
        return None
    offset = len("".join(left[:start]))
    return tuple(  # type: ignore[return-value]
        [(offset + first, offset + last) for first, last in _unkept(tokens, {pair[side] for pair in kept})]
        for side, tokens in enumerate(inner)
    )


def _is_of_one_form(left: str, right: str) -> bool:
    if _is_word(left) or left == right:
        return _is_word(right) or left == right
    return left in _BRACKETS and right in _BRACKETS


def _word_by_word(left: list[str], right: list[str]) -> tuple[list[_Span], list[_Span]]:
    places, spans = [0, 0], ([list[_Span](), list[_Span]()])
    for one, other in zip(left, right, strict=True):
        if one != other:
            for place, found, span in zip(places, spans, _one_stretch(one, other), strict=True):
                ((first, last),) = span
                found.append((place + first, place + last))
        places = [places[0] + len(one), places[1] + len(other)]
    # Equal texts have a mark of no length, so that all pairs are of one form.
    return spans[0] or [(places[0],) * 2], spans[1] or [(places[1],) * 2]


def _common(left: Sequence[str], right: Sequence[str]) -> int:
    return next((i for i, (a, b) in enumerate(zip_longest(left, right)) if a != b), len(left))


def _aligned(left: list[str], right: list[str]) -> list[tuple[int, int]]:
    """Return the places of a longest common subsequence."""
    lengths = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for i in range(len(left) - 1, -1, -1):
        for j in range(len(right) - 1, -1, -1):
            alike = left[i] == right[j]
            lengths[i][j] = lengths[i + 1][j + 1] + 1 if alike else max(lengths[i + 1][j], lengths[i][j + 1])
    found, i, j = [], 0, 0
    while i < len(left) and j < len(right):
        if left[i] == right[j]:
            found.append((i, j))
            i, j = i + 1, j + 1
        elif lengths[i + 1][j] >= lengths[i][j + 1]:
            i += 1
        else:
            j += 1
    return found


def _unkept(tokens: list[str], kept: set[int]) -> list[_Span]:
    spans: list[_Span] = []
    place = 0
    for number, token in enumerate(tokens):
        if number not in kept:
            if spans and spans[-1][1] == place:
                spans[-1] = spans[-1][0], place + len(token)
            else:
                spans.append((place, place + len(token)))
        place += len(token)
    return spans or [(place, place)]


# -- one stretch -------------------------------------------------------------------------------------


def _one_stretch(expected: str, actual: str) -> tuple[list[_Span], list[_Span]]:
    start = common_length(expected, actual)
    end = common_length(expected[start:][::-1], actual[start:][::-1])
    stretches = [text[start : len(text) - end] for text in (expected, actual)]
    if all(stretches):
        before, after = _word_around(expected, start, end)
        longest = max(map(len, stretches))
        if before + after <= longest <= _LONGEST_WORD and all(map(_is_word, stretches)):
            start, end = start - before, end - after
    elif any(stretches):
        shift = _shift(expected[:start], stretches[0] or stretches[1])
        start, end = start - shift, end + shift
    return [(start, len(expected) - end)], [(start, len(actual) - end)]


def _is_word(text: str) -> bool:
    return all(character.isalnum() or character in "_." for character in text)


def _word_around(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the number of word characters right before and right after a stretch."""
    before = text[max(0, start - _LONGEST_WORD) : start][::-1]
    after = text[len(text) - end :][:_LONGEST_WORD]
    return _word_length(before), _word_length(after)


def _word_length(text: str) -> int:
    return next((index for index, character in enumerate(text) if not _is_word(character)), len(text))


def _shift(before: str, inserted: str) -> int:
    """Return how far to move an inserted stretch to the left so that its brackets match.

    `(1), (2` is the same insertion as `(1), ` one character earlier.
    """
    if len(inserted) > _LONGEST_SHIFTED:
        return 0
    for shift in range(len(inserted)):
        if shift and (shift > len(before) or before[-shift] != inserted[-shift]):
            return 0
        if _is_balanced(inserted[len(inserted) - shift :] + inserted[: len(inserted) - shift]):
            return shift
    return 0


def _is_balanced(text: str) -> bool:
    level = 0
    for character in text:
        level += (character in "([{") - (character in ")]}")
        if level < 0:
            return False
    return level == 0


# -- pieces ------------------------------------------------------------------------------------------


def _part(text: str, spans: Iterable[_Span], context: int) -> Part:
    pieces, place = list[str](), 0
    for start, stop in spans:
        between = text[place:start]
        if not pieces:
            between = between if len(between) <= context else "…" + between[-context:]
        elif len(between) > 2 * context:
            between = f"{between[:context]}…{between[-context:]}"
        differs = text[start:stop]
        if differs.isspace():
            differs = differs.replace(" ", "·")
        if len(differs) > 2 * context:
            differs = differs[: 2 * context] + "…"
        pieces += between, differs
        place = stop
    rest = text[place:]
    return (*pieces, rest if len(rest) <= context else rest[:context] + "…")
