"""Reports mistakes of YAML itself in our own words, which do not depend on the parser in use."""

import re
from contextlib import suppress

import yaml

from grader.yamlfile.reporter import Reporter
from grader.yamlfile.source import Span, shown

MAX_DEPTH = 50
TOO_DEEP = f"values are nested more than {MAX_DEPTH} levels deep"

_QUOTE = "put the whole value in quotes"

_WORDING: tuple[tuple[str, str, str], ...] = (
    ("mapping values are not allowed", "YAML takes this colon for the end of a key", _QUOTE),
    ("could not find expected ':'", "a key without a colon ends before this place", "write `key: value`"),
    ("found unexpected end of stream", "a quote is opened here and never closed", ""),
    ("found unexpected document indicator", "a quote is not closed before this line", ""),
    ("expected ',' or ']'", "a list in square brackets is not closed before this place", _QUOTE),
    ("expected ',' or '}'", "a mapping in braces is not closed before this place", _QUOTE),
    (
        "expected <block end>",
        "this does not belong to what stands before it",
        "check the indentation and the quotes",
    ),
    (
        "did not find expected key",
        "this does not belong to what stands before it",
        "check the indentation and the quotes",
    ),
    ("expected '-' indicator", "a list's next item must start with `- `", "check the indentation"),
    ("sequence entries are not allowed", "a list can't start here", "put it on a line of its own"),
    (
        "unknown escape character",
        "in double quotes a backslash starts an escape, and this is none",
        "use single quotes",
    ),
    # libyaml from 0.2.6 on has a limit of its own, of a thousand levels.
    ("exceeded maximum nesting depth", TOO_DEEP, ""),
    ("expected <document start>", "nothing can follow here", "check the brackets and the quotes"),
)
"""Words of the parsers' messages, our message, and a hint."""

_REFUSED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
"""Control characters, and characters that only some programs treat as the end of a line."""


def report_unreadable_character(reporter: Reporter) -> bool:
    """Report the first character that no spec may hold; return whether there is one."""
    match = _REFUSED.search(reporter.source.text)
    if match is None:
        return False
    code = f"U+{ord(match[0]):04X}"
    reporter.report(
        Span(match.start(), match.end()),
        f"the character {code} can't stand in a spec",
        f'in a Python text write "\\u{ord(match[0]):04x}"' if ord(match[0]) <= 0xFFFF else "",
    )
    return True


def report_syntax_error(reporter: Reporter, error: Exception) -> None:
    """Report a mistake that the YAML parser found, at the place where it noticed it."""
    problem = str(getattr(error, "problem", None) or "it can't be read")
    context = str(getattr(error, "context", None) or "")
    offset = _offset(error, opened="unexpected end of stream" in problem)
    character = reporter.source.text[offset : offset + 1]
    span = Span(offset, offset + 1)
    if character == "\t" and ("cannot start any token" in problem or "tab character" in problem):
        reporter.report(span, "a tab can't indent in YAML", "indent with blanks")
        return
    if "cannot start any token" in problem:
        reporter.report(span, f"a value can't start with `{shown(character)}` in YAML", _QUOTE)
        return
    if quote := _quote_before(reporter, offset):
        _report_quote(reporter, quote)
        return
    if any(words in problem for words in _AFTER_A_KEY) and (place := _without_colon(reporter, offset)):
        key = _text(reporter, place)
        reporter.report(place, f"a colon is missing behind `{shown(key)}`", f"write `{shown(key)}: …`")
        return
    for words, message, hint in _WORDING:
        if words in problem:
            reporter.report(span, message, _indentation(error, reporter) or hint)
            return
    reporter.report(span, f"this is not YAML: {f'{context}, ' if context else ''}{problem}")


_AFTER_A_KEY = ("mapping values are not allowed", "could not find expected ':'")
"""Words of the messages about what follows a key that has no colon."""
_BARE_KEY = re.compile(r"(?: *- )? *([A-Za-z_][\w-]*) +[^\s:#&*!|>%@`][^:]*")
"""A line such as `- call f(1)`."""


def _report_quote(reporter: Reporter, quoted: Span) -> None:
    source = reporter.source
    (first, _), (line, column) = source.position(quoted.start), source.position(quoted.end)
    rest = shown(source.line(line)[column - 1 :].strip(), 20)
    place = "" if line == first else f" on line {line},"
    message = f"a quote is opened here, and the next one closes it{place} before `{rest}`"
    reporter.report(Span(quoted.start, quoted.start + 1), message, _INSIDE[source.text[quoted.start]])


_INSIDE = {
    '"': 'close it where the text ends; inside of double quotes a quote is written `\\"`',
    "'": "close it where the text ends; inside of single quotes a quote is written `''`",
}


def _quote_before(reporter: Reporter, offset: int) -> Span | None:
    """Return the text in quotes that ends right before a place on its line; None if none does.

    Then the quote that ends it was most likely meant to open another text.
    """
    before = reporter.source.text[:offset].rstrip(" ")
    last: Span | None = None
    # The parser in Python notices no mistake later than the one in use, and tells where texts begin.
    with suppress(yaml.YAMLError, ValueError, OverflowError):
        for token in yaml.scan(reporter.source.text, Loader=yaml.SafeLoader):
            if token.start_mark.index >= offset:
                break
            if isinstance(token, yaml.ScalarToken) and token.style in _INSIDE:
                last = Span(token.start_mark.index, token.end_mark.index)
    return last if last is not None and last.end == len(before) else None


def _text(reporter: Reporter, span: Span) -> str:
    return reporter.source.text[span.start : span.end]


def _without_colon(reporter: Reporter, offset: int) -> Span | None:
    """Return the place of the word that begins the line before a place, if the line looks like a bare key."""
    text = reporter.source.text
    start = text.rfind("\n", 0, offset) + 1
    while start > 0:
        end, start = start - 1, text.rfind("\n", 0, start - 1) + 1
        line = text[start:end]
        if line.strip() and not line.lstrip().startswith("#"):
            found = _BARE_KEY.fullmatch(line)
            return Span(start + found.start(1), start + found.end(1)) if found else None
    return None


def _indentation(error: Exception, reporter: Reporter) -> str:
    """Return a hint on a line that begins in another column than the lines of its list or mapping."""
    source = reporter.source
    at, place = source.position(min(_offset(error, opened=False), len(source.text)))
    line = source.line(at)
    column = _column(line)
    is_key = re.fullmatch(r" *[\w-]+ *", line[: place - 1]) is not None
    if not line.strip() or (place != column and not is_key):
        return ""
    for number in range(at - 1, max(0, at - 1 - _LINES_BEFORE), -1):
        before = source.line(number)
        alike = _is_item(before) == _is_item(line) and ":" in before
        if alike and 0 < abs(_column(before) - column) <= _SLIP:
            what = "item" if _is_item(before) else "key"
            begun = f"the {what} on line {number} in column {_column(before)}"
            return f"this line begins in column {column}, and {begun}"
    return ""


_LINES_BEFORE = 50
_SLIP = 4
"""The most columns by which a slip of the indentation is off."""


def _column(line: str) -> int:
    return len(line) - len(line.lstrip(" ")) + 1


def _is_item(line: str) -> bool:
    return line.lstrip(" ").startswith("- ")


def _offset(error: Exception, opened: bool) -> int:
    """Return the offset of the problem; of an unclosed quote, the offset where it opens."""
    mark = getattr(error, "problem_mark", None)
    if opened:
        mark = getattr(error, "context_mark", None) or mark
    return int(mark.index) if mark is not None else 0
