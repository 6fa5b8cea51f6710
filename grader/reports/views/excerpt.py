"""Cuts long texts to a readable length.  Every cut says how much it left out."""

from typing import NamedTuple

VALUE_LIMIT = 2000
MESSAGE_LIMIT = 1000
"""The longest values and messages shown, in characters."""


class Excerpt(NamedTuple):
    """The beginning and the end of a text; `cut` is the number of characters between them."""

    head: str
    cut: int
    tail: str


def excerpt(text: str, limit: int) -> str | Excerpt:
    """Return the text, or three quarters of `limit` from its start and one from its end."""
    if len(text) <= limit:
        return text
    head, tail = limit - limit // 4, limit // 4
    return Excerpt(text[:head], len(text) - head - tail, text[len(text) - tail :])
