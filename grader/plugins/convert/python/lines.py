"""The lines of a text of Python."""

import ast


def lines_of(text: str) -> list[str]:
    """Return the lines without their ends, as Python's parser counts them: a form feed ends none."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def share_a_line(one: ast.stmt, other: ast.stmt) -> bool:
    """Tell whether two statements stand on one line, at least in part."""
    return one.lineno <= (other.end_lineno or other.lineno) and other.lineno <= (one.end_lineno or one.lineno)
