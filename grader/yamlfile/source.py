"""A file's text with its places: spans, lines and columns, excerpts for messages.

A span counts characters of the text, so it does not depend on a parser's lines and columns.
"""

import re
from bisect import bisect_right
from dataclasses import dataclass, field

from grader.model.errors import Fault

EXCERPT_WIDTH = 160
"""Longer lines are cut to a window around the caret."""

CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
"""Characters that no text of a spec may hold: controls except tab and newline, and lone surrogates."""

_SHOWN_WIDTH = 60
_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Span:
    """Characters `start` to `end` (exclusive) of a text.

    source: the file with that text; None for the file that is read now.
    """

    start: int
    end: int
    source: "Source | None" = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Source:
    """The text of one file.

    name: the file's name as messages give it.
    text: the whole text, decoded.
    """

    name: str
    text: str
    _line_starts: list[int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        starts = [0, *(match.end() for match in _LINE_END.finditer(self.text))]
        object.__setattr__(self, "_line_starts", starts)

    def position(self, offset: int) -> tuple[int, int]:
        """Return line and column, both counted from 1, of the character at `offset`."""
        offset = min(max(offset, 0), len(self.text))
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def line(self, number: int) -> str:
        """Return line `number`, counted from 1, without its end."""
        start = self._line_starts[number - 1]
        end = self._line_starts[number] if number < len(self._line_starts) else len(self.text)
        return self.text[start:end].rstrip("\r\n")

    def offset(self, line: int, column: int) -> int:
        """Return the offset of a line and column, both counted from 1, kept inside the text."""
        line = min(max(line, 1), len(self._line_starts))
        return min(self._line_starts[line - 1] + max(column, 1) - 1, len(self.text))

    def fault(self, span: Span, message: str, hint: str = "") -> Fault:
        """Return a fault that points at `span`; a span over several lines is shown on its first."""
        number, column = self.position(span.start)
        line = self.line(number)
        width = max(1, min(span.end - span.start, len(line) - column + 1))
        excerpt, caret = _window(line, column)
        return Fault(
            message=message,
            where=f"{self.name}:{number}:{column}",
            excerpt=excerpt,
            column=caret if excerpt else 0,
            width=max(1, min(width, len(excerpt) - caret + 1)),
            hint=hint,
        )


def shown(text: str, width: int = _SHOWN_WIDTH) -> str:
    """Return a text of the user's for a message: one line, short, without control characters."""
    if len(text) > width:
        text = text[: width - 1] + "…"
    return _visible(text.replace("\n", " "))


def _visible(text: str) -> str:
    """Replace each character that does not take exactly one column by one that does."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c == "\xa0" else " " if c == "\t" else "\ufffd" for c in text)


def _window(line: str, column: int) -> tuple[str, int]:
    """Cut a long line to a window around `column`; return it and the caret's column in it."""
    if len(line) <= EXCERPT_WIDTH:
        return _visible(line), column
    first = max(0, min(column - 1 - EXCERPT_WIDTH // 3, len(line) - EXCERPT_WIDTH))
    window = line[first : first + EXCERPT_WIDTH]
    if first > 0:
        window = "…" + window[1:]
    if first + EXCERPT_WIDTH < len(line):
        window = window[:-1] + "…"
    return _visible(window), column - first
