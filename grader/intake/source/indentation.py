"""Mends indentation for which Python would raise `TabError`, by tabs of eight columns.

Cost grows with the length of the text alone (see `statements`), and `CHECK_MAX` bounds it.
"""

import re
from collections.abc import Iterable

from grader.intake.source.statements import statement_starts

CHECK_MAX = 256 * 1024
"""Characters beyond which mixed indentation is left as it is: the check is not free."""

_TAB_INDENT = re.compile(r"^ *\t", re.MULTILINE)
_SPACE_INDENT = re.compile(r"^\t* ", re.MULTILINE)


def may_mix(text: str) -> bool:
    """Tell whether some lines are indented by tabs and some by spaces, and the text is not too long."""
    if len(text) > CHECK_MAX:
        return False
    return _TAB_INDENT.search(text) is not None and _SPACE_INDENT.search(text) is not None


def expanded(text: str) -> str:
    """Return the text with its indentation in spaces if Python would raise `TabError`."""
    lines = text.split("\n")
    spaced = [_spaced(line) for line in lines]
    starts = statement_starts("\n".join(spaced))
    if not starts or _consistent(lines[start] for start in starts):
        return text
    for start in starts:
        lines[start] = spaced[start]
    return "\n".join(lines)


def _spaced(line: str) -> str:
    indent = _indent(line)
    return indent.expandtabs(8) + line[len(indent) :] if "\t" in indent else line


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t\f"))]


def _consistent(lines: Iterable[str]) -> bool:
    """Tell whether indentation means the same for tabs of eight columns and of one.

    This is the rule by which Python's tokenizer raises `TabError`.
    """
    stack = [(0, 0)]
    for line in lines:
        wide, narrow = _columns(_indent(line))
        while wide < stack[-1][0]:
            stack.pop()
        if wide == stack[-1][0]:
            if narrow != stack[-1][1]:
                return False
        elif narrow <= stack[-1][1]:
            return False
        else:
            stack.append((wide, narrow))
    return True


def _columns(indent: str) -> tuple[int, int]:
    wide = narrow = 0
    for character in indent:
        if character == "\f":
            wide = narrow = 0
        else:
            wide = wide + 1 if character == " " else wide // 8 * 8 + 8
            narrow += 1
    return wide, narrow
