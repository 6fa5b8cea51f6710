"""Where in the file each character of a scalar stands, with quotes, escapes and folding undone.

Needed to point into an expression.  Blanks are matched loosely, as YAML folds them; where
text and file do not agree after all, the whole scalar is the place.
"""

import re
from functools import cached_property

from grader.yamlfile.nodes import Scalar
from grader.yamlfile.source import Source, Span

_BLANKS = " \t\r\n"
_ESCAPE = re.compile(r"\\(?:x(..)|u(.{4})|U(.{8})|\r\n|.)", re.DOTALL)
_BLANK_ESCAPES = frozenset({"\\ ", "\\\t", "\\\n", "\\\r\n", "\\t", "\\n", "\\r"})


class Alignment:
    """Maps places in a scalar's text to places in the file; works only when it is asked."""

    def __init__(self, source: Source, scalar: Scalar) -> None:
        self.whole = scalar.span
        self._source = source
        self._scalar = scalar

    def span(self, start: int, end: int) -> Span:
        """Return the file's span of characters `start` to `end` of the text."""
        offsets = self._offsets
        if not offsets:
            return self.whole
        if start >= len(offsets):
            return Span(offsets[-1] + 1, offsets[-1] + 2)
        first = offsets[max(start, 0)]
        last = offsets[min(max(end, start + 1), len(offsets)) - 1]
        return Span(first, last + 1)

    @cached_property
    def _offsets(self) -> list[int] | None:
        start, end = self.whole.start, self.whole.end
        if self._scalar.style in ("'", '"'):
            start, end = start + 1, end - 1
        elif self._scalar.style in ("|", ">"):
            header = self._source.text.find("\n", start, end)
            start = end if header < 0 else header + 1
        return _match(self._source.text, start, end, self._scalar)


def _match(text: str, start: int, end: int, scalar: Scalar) -> list[int] | None:
    """Return the offset of each character of the scalar's text; None where they do not match."""
    offsets: list[int] = []
    at = start
    for character in scalar.text:
        if character in _BLANKS:
            offsets.append(min(at, end - 1))
            at += at < end and text[at] == character
            continue
        at = _skip_blanks(text, at, end, scalar.style)
        if at >= end:
            return None
        length = _length_of(text, at, character, scalar.style)
        if not length:
            return None
        offsets.append(at)
        at += length
    return offsets


def _skip_blanks(text: str, at: int, end: int, style: str) -> int:
    while at < end:
        if text[at] in _BLANKS:
            at += 1
        elif style == '"' and text[at] == "\\":
            escape = _ESCAPE.match(text, at)
            if escape is None or escape[0] not in _BLANK_ESCAPES:
                break
            at = escape.end()
        else:
            break
    return at


def _length_of(text: str, at: int, character: str, style: str) -> int:
    """Return how many characters of the file stand for `character`; 0 where they do not."""
    if style == '"' and text[at] == "\\":
        escape = _ESCAPE.match(text, at)
        return len(escape[0]) if escape else 0
    if text[at] != character:
        return 0
    return 2 if style == "'" and character == "'" else 1
