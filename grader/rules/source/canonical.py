"""A module written again from its tree, for a tool that reads source by a parser of its own.

Python reads `(sorted)(x)`, `sorted(x)` and the same in letters of full width alike.  Here they are one text.
"""

import ast

Canonical = tuple[str, list[tuple[int, int]]]
"""The text, and for each statement in it, its line there and its line in the source."""


def canonical(tree: ast.Module) -> Canonical | None:
    """Return the text of a tree; None if it has none that Python reads as the same statements."""
    try:
        text = ast.unparse(tree)
        again = ast.parse(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return None
    ours, theirs = _statements(again), _statements(tree)
    if [type(node) for node in ours] != [type(node) for node in theirs]:
        return None
    return text, sorted((one.lineno, other.lineno) for one, other in zip(ours, theirs, strict=True))


def _statements(tree: ast.Module) -> list[ast.stmt]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.stmt)]
