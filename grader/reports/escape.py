"""Makes foreign text safe for each medium: terminal, HTML, XML, CSV, workflow commands.

Names, messages, values and outputs come from submissions and are hostile.  This module disarms all characters
that a medium would obey (escape codes, formulas, commands) and all that deceive a reader (text that runs
backwards, characters without width).  Nothing is dropped: such a character is shown as the escape that a
Python string literal would have, `\\x1b` or `\\u202e`.

Jinja2's autoescape escapes HTML.  This module does not replace it; `visible` runs before it on everything
that a page shows.
"""

import re

_DECEPTIVE = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # controls; tab and newline are told apart below
    "\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2"
    "\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164"
    "\ud800-\udfff\ufe00-\ufe0e\ufeff\uffa0\ufff9-\ufffb\ufffe\uffff"
    "\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff"
)
"""Controls, format characters (bidi, zero width, tags), fillers that look like nothing, line
and paragraph separators, surrogates.  Not U+FE0F, which only colours an emoji."""

_IN_LINES = re.compile(f"[{_DECEPTIVE}]")
_IN_ONE_LINE = re.compile(f"[{_DECEPTIVE}\t\n]")

_SHORT = {"\t": "\\t", "\n": "\\n", "\r": "\\r"}

_WORKFLOW_LINE = re.compile(r"^([^\S\n]*):(?=:)", re.MULTILINE)
_WORKFLOW_INSIDE = re.compile(r"##(\w*)\[")

_MARKDOWN = re.compile(r"[\\`*_{}\[\]()#+\-!|>~$^=]")

_FORMULA_STARTS = "=+-@\t\r\n\uff1d\uff0b\uff0d\uff20"  # the last four: their full-width forms


def visible(text: str, *, multiline: bool = True) -> str:
    """Return the text with an escape for every character that hides or misleads.

    multiline: keep tabs and newlines as they are; else they are shown as escapes too.
    """
    if text.isascii() and text.isprintable():
        return text  # nearly all texts, and much faster than the pattern
    pattern = _IN_LINES if multiline else _IN_ONE_LINE
    return pattern.sub(_escape, text) if pattern.search(text) else text


def plain(text: str, *, multiline: bool = False) -> str:
    """Return the text fit for a terminal, a pipe or the log of a CI job.

    No line of it is a command to a CI system either: `::error::` at the start of a line and `##[error]`
    anywhere lose one character to an escape.
    """
    shown = visible(text, multiline=multiline)
    if "::" in shown:
        shown = _WORKFLOW_LINE.sub(r"\1\\x3a", shown)
    if "##" in shown:
        shown = _WORKFLOW_INSIDE.sub(r"##\1\\x5b", shown)
    return shown


def encodable(text: str, encoding: str | None) -> str:
    """Return the text as a stream of an encoding can write it: what that lacks is shown as an escape."""
    known = encoding or "utf-8"
    return text.encode(known, "backslashreplace").decode(known)


def csv_cell(text: str) -> str:
    """Return the text for a cell of a spreadsheet, on one line and never a formula.

    A text that a spreadsheet could compute gets a leading apostrophe: the spreadsheet shows or hides it, but
    never runs the text.  Numbers of our own go through `marking.rounding.csv_number`.
    """
    cell = visible(text, multiline=False)
    start = text.lstrip(" \xa0")[:1]
    return "'" + cell if start and start in _FORMULA_STARTS else cell


def xml_text(text: str) -> str:
    """Return the text without characters that XML 1.0 forbids; the writer escapes `<`, `&` and `>`."""
    return visible(text)


def workflow_message(text: str) -> str:
    """Return the text for the message of a GitHub workflow command (`::error::MESSAGE`)."""
    return visible(text).replace("%", "%25").replace("\n", "%0A")


def workflow_property(text: str) -> str:
    """Return the text for a property of a GitHub workflow command, such as a title."""
    shown = visible(text, multiline=False).replace("%", "%25").replace(":", "%3A")
    return shown.replace(",", "%2C").replace("\n", "%0A")


def markdown_text(text: str) -> str:
    """Return the text for a line of Markdown: no markup, no HTML, nobody is mentioned."""
    shown = _MARKDOWN.sub(r"\\\g<0>", plain(text))
    return shown.replace("&", "&amp;").replace("<", "&lt;").replace("@", "&#64;")


def markdown_block(text: str) -> str:
    """Return the text as a block of code, which no text can close; no line of it is a workflow command."""
    shown = plain(text, multiline=True)
    longest = max(map(len, re.findall(r"`+", shown)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{shown.rstrip()}\n{fence}\n"


def _escape(match: re.Match[str]) -> str:
    character = match.group()
    if character in _SHORT:
        return _SHORT[character]
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
