"""Parses Python text of a spec into a syntax tree whose nodes know their places in the file.

Size and nesting are bounded before Python's parser sees the text, because hostile nesting can exhaust its
stack or memory.  A `SourceMap` undoes quotes, escapes and folding of YAML, so that a mistake inside an
expression has its place.
"""

import ast
import re
import warnings
from dataclasses import dataclass
from functools import cached_property
from keyword import kwlist

from grader.yamlfile.nodes import Scalar
from grader.yamlfile.reporter import Reporter
from grader.yamlfile.source import CONTROL, Source, Span, shown
from grader.yamlfile.unusable import Unusable

_BLANKS = " \t\r\n"
_ESCAPE = re.compile(r"\\(?:x(..)|u(.{4})|U(.{8})|\r\n|.)", re.DOTALL)
_BLANK_ESCAPES = frozenset({"\\ ", "\\\t", "\\\n", "\\\r\n", "\\t", "\\n", "\\r"})


class SourceMap:
    """Maps places in a scalar's text to places in the file; computed at the first use."""

    def __init__(self, source: Source, scalar: Scalar) -> None:
        self.whole = scalar.span
        self._source = scalar.span.source or source
        self._scalar = scalar

    def span(self, start: int, end: int) -> Span:
        """Return the file's span of characters `start` to `end` of the text."""
        offsets = self._offsets
        if not offsets:
            return self.whole
        if start >= len(offsets):
            return Span(offsets[-1] + 1, offsets[-1] + 2, self._source)
        first = offsets[max(start, 0)]
        last = offsets[min(max(end, start + 1), len(offsets)) - 1]
        return Span(first, last + 1, self._source)

    @property
    def is_within_brackets(self) -> bool:
        """Whether the scalar ends where a list or a mapping in YAML's own brackets goes on."""
        return self._source.text[self.whole.end :][:80].lstrip()[:1] in (",", "]", "}")

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
    """Return the offset of each character of the scalar's text; None if they do not match."""
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
    """Return how many characters of the file stand for `character`; 0 if none do."""
    if style == '"' and text[at] == "\\":
        escape = _ESCAPE.match(text, at)
        return len(escape[0]) if escape else 0
    if text[at] != character:
        return 0
    return 2 if style == "'" and character == "'" else 1


MAX_CHARACTERS = 100_000
MAX_NESTING = 50

_TOKEN = re.compile(
    r"""(?P<prefix>[A-Za-z]{0,2})(?P<string>
            \"{3}(?:\\.|[^\\])*?\"{3} | '{3}(?:\\.|[^\\])*?'{3}
          | (?!\"{3}) \"(?:\\.|[^\"\\\n])*\" | (?!'{3}) '(?:\\.|[^'\\\n])*' )
      | \#[^\n]* | (?P<word>\w+) | (?P<mark>\S) | \s+""",
    re.DOTALL | re.VERBOSE,
)
_OPENING = frozenset("([{")
_CLOSING = {")": "(", "]": "[", "}": "{"}
_NESTING_MARKS = frozenset("+-*/%@~.&|^<>=")
_NESTING_WORDS = frozenset(kwlist) - {"True", "False", "None"}
_DATE = re.compile(rb"\d{4}-\d\d-\d\d")
_IN_QUOTES = "inside YAML's own brackets and braces, an expression with commas needs quotes around it"


@dataclass(frozen=True, slots=True)
class Expression:
    """A parsed Python expression and its place.

    statement: it sets or deletes the tree, which is an attribute or an item.
    """

    tree: ast.expr
    text: str
    _lines: tuple[tuple[int, bytes], ...]
    _source_map: SourceMap
    statement: ast.Assign | ast.Delete | None = None

    @property
    def whole(self) -> Span:
        """The place of the whole value."""
        return self._source_map.whole

    def span(self, node: ast.AST) -> Span:
        """Return the place of a node of the tree."""
        start = self._offset(getattr(node, "lineno", 1), getattr(node, "col_offset", 0))
        end = self._offset(getattr(node, "end_lineno", 1) or 1, getattr(node, "end_col_offset", 0) or 0)
        return self._source_map.span(start, end)

    def _offset(self, line: int, column_b: int) -> int:
        start, encoded = self._lines[line - 1]
        return start + len(encoded[:column_b].decode("utf-8", "ignore"))


def parse(
    scalar: Scalar, reporter: Reporter, longest: int = MAX_CHARACTERS, *, statement: bool = False
) -> Expression:
    """Return the expression that a scalar holds.

    Raises Unusable for text that Python can't read, or with too many characters.

    statement: it can also be `a.x = 3`, `a[i] = 3` or `del a[i]`.
    """
    text = scalar.text
    source_map = SourceMap(reporter.source, scalar)
    if not (_is_readable(scalar, reporter, longest) and _is_sound(scalar, source_map, reporter)):
        raise Unusable
    # Parentheses allow an expression over several lines.
    indent = len(text) - len(text.lstrip())
    opening = "(" if "\n" in text.strip() else ""
    code = f"{opening}{text[indent:]}\n{')' if opening else ''}"
    lines = _line_table(code, indent - len(opening))
    try:
        with warnings.catch_warnings(action="ignore"):
            if statement and (found := _statement(code)) is not None:
                return Expression(found.targets[0], text, lines, source_map, found)
            tree = ast.parse(code, mode="eval").body
    except SyntaxError as error:
        _report_syntax_error(error, lines, source_map, reporter)
        raise Unusable from None
    except (ValueError, RecursionError, MemoryError, OverflowError):
        reporter.report(scalar.span, "Python can't read this expression")
        raise Unusable from None
    return Expression(tree, text, lines, source_map)


def _statement(code: str) -> ast.Assign | ast.Delete | None:
    """Return the only statement of a text, if it sets or deletes one thing.  Raises as `ast.parse`."""
    try:
        body = ast.parse(code, mode="exec").body
    except SyntaxError:
        return None
    match body:
        case [ast.Assign(targets=[_]) | ast.Delete(targets=[_]) as statement]:
            return statement
    return None


def _line_table(code: str, shift: int) -> tuple[tuple[int, bytes], ...]:
    """Return the start of each line of the code in the scalar's text, and the line's bytes."""
    table = []
    start = shift
    for line in code.split("\n"):
        table.append((start, line.encode("utf-8", "surrogatepass")))
        start += len(line) + 1
    return tuple(table)


def _report_syntax_error(
    error: SyntaxError, lines: tuple[tuple[int, bytes], ...], source_map: SourceMap, reporter: Reporter
) -> None:
    line = min(max(error.lineno or 1, 1), len(lines))
    start = max(lines[line - 1][0] + max(error.offset or 1, 1) - 1, 0)
    span = source_map.span(start, start + 1)
    text = b"".join(bytes_ for _, bytes_ in lines)
    hint = "write a date as date(2024, 2, 29)" if _DATE.match(text) else ""
    reporter.report(span, f"this is not a Python expression: {shown(error.msg)}", hint)


def _is_readable(scalar: Scalar, reporter: Reporter, longest: int) -> bool:
    """Check size and characters of the text; report the first mistake."""
    if not scalar.text.strip():
        reporter.report(scalar.span, "a Python expression is missing here")
    elif len(scalar.text) > longest:
        message = f"this expression has {len(scalar.text):,} characters; at most {longest:,} are allowed"
        reporter.report(scalar.span, message)
    elif CONTROL.search(scalar.text):
        hint = "YAML undoes escapes in double quotes; write the expression in single quotes"
        reporter.report(scalar.span, "this expression holds a control character", hint)
    else:
        return True
    return False


def _is_sound(scalar: Scalar, source_map: SourceMap, reporter: Reporter) -> bool:
    """Check quotes, brackets and an upper bound of the nesting; report the first mistake."""
    opened: list[tuple[str, int]] = []
    nesting = _Nesting()
    problem = hint = ""
    for match in _TOKEN.finditer(scalar.text):
        mark = match["mark"] or ""
        nesting.add(match)
        if mark in ('"', "'"):
            problem = "this quote is never closed"
        elif mark in _OPENING:
            opened.append((mark, match.start()))
        elif mark in _CLOSING and (not opened or opened.pop()[0] != _CLOSING[mark]):
            problem = f"`{mark}` closes nothing that is open here"
            hint = f"take it out, or open it with `{_CLOSING[mark]}`"
        elif nesting.depth > MAX_NESTING:
            problem = f"this expression is nested more than {MAX_NESTING} levels deep"
        if problem:
            place = source_map.span(*match.span())
            break
    else:
        if not opened:
            return True
        mark, start = opened[-1]
        closing = next(closing for closing, opening in _CLOSING.items() if opening == mark)
        problem, hint = f"`{mark}` is never closed", f"write `{closing}` where it ends"
        place = source_map.span(start, start + 1)
    cut = not scalar.style and source_map.is_within_brackets
    reporter.report(place, problem, _IN_QUOTES if cut else hint)
    return False


class _Nesting:
    """An upper bound of how deep the syntax tree gets: brackets, and operators between two commas."""

    def __init__(self) -> None:
        self.depth = 0
        self._operators = [0]

    def add(self, token: re.Match[str]) -> None:
        """Take in the next token."""
        mark = token["mark"]
        if mark in _CLOSING and len(self._operators) > 1:
            self.depth -= self._operators.pop()
        elif mark == ",":
            self.depth -= self._operators[-1]
            self._operators[-1] = 0
        else:
            levels = _levels_of(token)
            self.depth += levels
            self._operators[-1] += levels
            if mark in _OPENING:
                self._operators.append(0)


def _levels_of(token: re.Match[str]) -> int:
    """Return how many levels a token can add; a formatted string holds expressions of its own."""
    if token["string"] is not None:
        formatted = "f" in token["prefix"].lower()
        return sum(c in _OPENING or c in _NESTING_MARKS for c in token["string"]) if formatted else 0
    return token["word"] in _NESTING_WORDS or token["mark"] in _NESTING_MARKS or token["mark"] in _OPENING
