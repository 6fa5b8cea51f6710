"""Python text of a spec as a syntax tree whose nodes know their places in the file.

Parses, never evaluates.  Size and nesting are bounded before Python's parser sees the text,
because it can run out of stack or memory on hostile nesting.
"""

import ast
import re
import warnings
from dataclasses import dataclass
from keyword import kwlist

from grader.spec.expressions.source_map import Alignment
from grader.yamlfile.nodes import Scalar
from grader.yamlfile.reporter import Reporter
from grader.yamlfile.source import CONTROL, Span, shown

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
_IN_QUOTES = "inside YAML's own brackets and braces, an expression with commas needs quotes around it"


@dataclass(frozen=True, slots=True)
class Expression:
    """A parsed Python expression and where it stands."""

    tree: ast.expr
    text: str
    _lines: tuple[tuple[int, bytes], ...]
    _alignment: Alignment

    @property
    def whole(self) -> Span:
        """The place of the whole value."""
        return self._alignment.whole

    def span(self, node: ast.AST) -> Span:
        """Return the place of a node of the tree."""
        start = self._offset(getattr(node, "lineno", 1), getattr(node, "col_offset", 0))
        end = self._offset(getattr(node, "end_lineno", 1) or 1, getattr(node, "end_col_offset", 0) or 0)
        return self._alignment.span(start, end)

    def _offset(self, line: int, column_b: int) -> int:
        start, encoded = self._lines[line - 1]
        return start + len(encoded[:column_b].decode("utf-8", "ignore"))


def parse(scalar: Scalar, reporter: Reporter) -> Expression | None:
    """Return the expression that a scalar holds; report what Python would not read."""
    text = scalar.text
    alignment = Alignment(reporter.source, scalar)
    if not (_is_readable(scalar, reporter) and _is_sound(scalar, alignment, reporter)):
        return None
    # In parentheses an expression may go on over several lines.
    indent = len(text) - len(text.lstrip())
    opening = "(" if "\n" in text.strip() else ""
    code = f"{opening}{text[indent:]}\n{')' if opening else ''}"
    lines = _line_table(code, indent - len(opening))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(code, mode="eval").body
    except SyntaxError as error:
        _report_syntax_error(error, lines, alignment, reporter)
        return None
    except (ValueError, RecursionError, MemoryError, OverflowError):
        reporter.report(scalar.span, "Python can't read this expression")
        return None
    return Expression(tree, text, lines, alignment)


def _line_table(code: str, shift: int) -> tuple[tuple[int, bytes], ...]:
    """Return where in the scalar's text each line of the code starts, and the line's bytes."""
    table = []
    start = shift
    for line in code.split("\n"):
        table.append((start, line.encode("utf-8", "surrogatepass")))
        start += len(line) + 1
    return tuple(table)


def _report_syntax_error(
    error: SyntaxError, lines: tuple[tuple[int, bytes], ...], alignment: Alignment, reporter: Reporter
) -> None:
    line = min(max(error.lineno or 1, 1), len(lines))
    start = max(lines[line - 1][0] + max(error.offset or 1, 1) - 1, 0)
    span = alignment.span(start, start + 1)
    reporter.report(span, f"this is not a Python expression: {shown(error.msg)}")


def _is_readable(scalar: Scalar, reporter: Reporter) -> bool:
    """Check size and characters of the text; report the first mistake."""
    if not scalar.text.strip():
        reporter.report(scalar.span, "a Python expression is missing here")
    elif len(scalar.text) > MAX_CHARACTERS:
        message = (
            f"this expression has {len(scalar.text):,} characters; at most {MAX_CHARACTERS:,} are allowed"
        )
        reporter.report(scalar.span, message)
    elif CONTROL.search(scalar.text):
        hint = "YAML undoes escapes in double quotes; write the expression in single quotes"
        reporter.report(scalar.span, "this expression holds a control character", hint)
    else:
        return True
    return False


def _is_sound(scalar: Scalar, alignment: Alignment, reporter: Reporter) -> bool:
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
            problem, hint = f"`{mark}` closes nothing that is open here", _IN_QUOTES
        elif nesting.depth > MAX_NESTING:
            problem = f"this expression is nested more than {MAX_NESTING} levels deep"
        if problem:
            place = alignment.span(*match.span())
            break
    else:
        if not opened:
            return True
        mark, start = opened[-1]
        problem, hint = f"`{mark}` is never closed", _IN_QUOTES
        place = alignment.span(start, start + 1)
    reporter.report(place, problem, "" if scalar.style else hint)
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
