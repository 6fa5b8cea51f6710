"""Counts how often a module binds a name on one way through its statements.

What a `try` does and what its handlers do take each other's place: `np` is bound once where it is imported,
and set to `None` where that import fails.  The branches of an `if` do not: they give a constant two values.
"""

import ast
from collections.abc import Iterable, Iterator, Sequence


def most_on_one_way(body: Sequence[ast.stmt], lines: Iterable[int]) -> int:
    """Return the most of some lines, each the place of a binding, that run one after another."""
    wanted = list(lines)
    total = len(wanted) - sum(len(_within([statement], wanted)) for statement in body)
    for statement in body:
        own = _within([statement], wanted)
        branches = [branch for branch in _branches(statement) if branch] if len(own) > 1 else []
        inside = [_within(branch, own) for branch in branches]
        most = (most_on_one_way(branch, each) for branch, each in zip(branches, inside, strict=True))
        total += len(own) - sum(map(len, inside)) + max(most, default=0)
    return total


def _within(body: Sequence[ast.stmt], lines: Iterable[int]) -> list[int]:
    first, last = body[0].lineno, body[-1].end_lineno or body[-1].lineno
    return [line for line in lines if first <= line <= last]


def _branches(statement: ast.stmt) -> Iterator[Sequence[ast.stmt]]:
    """Yield the parts of a statement that take each other's place."""
    if isinstance(statement, ast.Try):
        yield [*statement.body, *statement.orelse]
        yield from (handler.body for handler in statement.handlers)
