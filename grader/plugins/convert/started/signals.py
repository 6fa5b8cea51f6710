"""Whether a test wants its program to end by a signal, for which `subprocess` has a number below zero."""

import ast
from collections.abc import Iterator, Sequence

from grader.plugins.convert.draft import Unconvertible
from grader.plugins.convert.started.start import Read

_EXITS = {"returncode", "wait", "poll"}
_ASSERTIONS: dict[str, type[ast.cmpop]] = {"assertEqual": ast.Eq, "assertEquals": ast.Eq}
_ASSERTIONS |= {"assertLess": ast.Lt, "assertLessEqual": ast.LtE}


def wants_signal(body: Sequence[ast.stmt], call: ast.Call, kind: str, read: Read) -> bool:
    """Tell it of a test.  call, kind: how it starts its program.  read: returns the value of a literal."""
    names: set[str] = set()
    nodes = [node for each in body for node in ast.walk(each)]

    def is_exit(node: ast.expr) -> bool:
        """Tell whether an expression is made of the exit code."""
        return any(
            (isinstance(part, ast.Attribute) and part.attr in _EXITS)
            or (isinstance(part, ast.Name) and part.id in names)
            or (part is call and kind.endswith("call"))
            for part in ast.walk(node)
        )

    for node in nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if is_exit(value):
                names.add(name)
    for left, sign, right in _comparisons(nodes):
        for exit_code, number, less in ((left, right, (ast.Lt, ast.LtE)), (right, left, (ast.Gt, ast.GtE))):
            if is_exit(exit_code):
                try:
                    value = read(number)
                except Unconvertible:
                    continue
                if type(value) is int and (
                    (isinstance(sign, (ast.Eq, *less)) and value < 0)
                    or (isinstance(sign, less[0]) and value == 0)
                ):
                    return True
    return False


def _comparisons(nodes: Sequence[ast.AST]) -> Iterator[tuple[ast.expr, ast.cmpop, ast.expr]]:
    for node in nodes:
        match node:
            case ast.Compare(left=left, ops=[sign], comparators=[right]):
                yield left, sign, right
            case ast.Call(func=ast.Attribute(attr=name), args=[left, right, *_]) if name in _ASSERTIONS:
                yield left, _ASSERTIONS[name](), right
