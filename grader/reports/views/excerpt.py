"""Cuts long texts to a readable length, and compares two texts.  Every cut says how much it left out."""

from typing import NamedTuple

from grader.judge.values.texts import common_length

_LONGEST_WORD = 40
_LONGEST_SHIFTED = 400


class Excerpt(NamedTuple):
    """The beginning and the end of a text; `cut` is the number of characters between them."""

    head: str
    cut: int
    tail: str


class Part(NamedTuple):
    """A text in which one stretch differs from its counterpart: `before` + `differs` + `after`."""

    before: str
    differs: str
    after: str


class Pair(NamedTuple):
    """The expected and the actual text, with the stretch marked in which they differ."""

    expected: Part
    actual: Part


def excerpt(text: str, limit: int) -> str | Excerpt:
    """Return the text, or three quarters of `limit` from its start and one from its end."""
    if len(text) <= limit:
        return text
    head, tail = limit - limit // 4, limit // 4
    return Excerpt(text[:head], len(text) - head - tail, text[len(text) - tail :])


def differing(expected: str, actual: str, context: int = 60) -> Pair:
    """Return both texts with the stretch marked in which they differ.

    A word is marked whole if no more than half of it is common.  For an item that is in one text only, its
    own brackets are marked, not those of its neighbour.
    context: at most this many equal characters are kept on either side of the stretch, and at most twice as
    many of the stretch itself; `…` marks a cut.
    """
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
    return Pair(_part(expected, start, end, context), _part(actual, start, end, context))


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


def _part(text: str, start: int, end: int, context: int) -> Part:
    stop = len(text) - end
    before, differs, after = text[:start], text[start:stop], text[stop:]
    if len(before) > context:
        before = "…" + before[-context:]
    if len(differs) > 2 * context:
        differs = differs[: 2 * context] + "…"
    if len(after) > context:
        after = after[:context] + "…"
    return Part(before, differs, after)
