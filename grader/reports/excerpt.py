"""Long texts cut to what a reader can use, and two texts set side by side.

Every cut says how much it left out.
"""

from typing import NamedTuple


class Excerpt(NamedTuple):
    """The beginning and the end of a text; `cut` tells how many characters lay between."""

    head: str
    cut: int
    tail: str


class Part(NamedTuple):
    """A text in which one stretch differs from its counterpart: `before` + `differs` + `after`."""

    before: str
    differs: str
    after: str


class Pair(NamedTuple):
    """What was expected and what came, with the stretch marked in which they differ."""

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

    context: at most this many equal characters are kept on either side of the stretch, and
    at most twice as many of the stretch itself; `…` stands where some were left out.
    """
    start = _common_length(expected, actual)
    end = _common_length(expected[start:][::-1], actual[start:][::-1])
    return Pair(_part(expected, start, end, context), _part(actual, start, end, context))


def _common_length(one: str, other: str) -> int:
    # By halving: comparing slices is far quicker than comparing characters in a loop.
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


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
