"""What a line of a test may do to things that later lines rely on."""

import ast
import unittest

from grader.plugins.convert.python.scope import ConvertedScope

_LOOKING = {"isinstance", "len", "repr", "str", "type"}
_LOOKING_ASSERTIONS = {"assertEqual", "assertEquals", "assertNotEqual", "assertIs", "assertIsNot"}
_LOOKING_ASSERTIONS |= {"assertIsNone", "assertIsNotNone", "assertTrue", "assertFalse", "assertIsInstance"}
_LOOKING_ASSERTIONS |= {"assertListEqual", "assertTupleEqual", "assertDictEqual", "assertSetEqual"}
_LOOKING_ASSERTIONS |= {"assertAlmostEqual", "assertMultiLineEqual"}
_COMPUTING = {"re", "math", "json", "string", "textwrap", "itertools", "collections", "statistics", "copy"}
_COMPUTING |= {"functools", "operator", "fractions", "datetime", "numpy", "pytest", "nose"}
_CHANGING = {"exec", "eval", "compile", "__import__", "input", "globals", "locals", "vars", "open", "print"}
_CHANGING |= {"setattr", "delattr", "getattr", "exit", "quit", "breakpoint", "super"}


def handled(statement: ast.stmt, scope: ConvertedScope) -> set[str]:
    """Return the names of answers with which a statement does more than to look.

    An answer can be a list, which a method changes, or an iterator, of which nothing is left after a loop.
    """
    whole = _in_a_pass(statement)
    parents = {child: node for node in ast.walk(whole) for child in ast.iter_child_nodes(node)}
    return {
        node.id
        for node in parents
        if isinstance(node, ast.Name) and node.id in scope.calls and not _is_looked_at(node, parents, scope)
    }


def _is_looked_at(node: ast.Name, parents: dict[ast.AST, ast.AST], scope: ConvertedScope) -> bool:
    match parents[node]:
        case ast.Compare(left=left, ops=operators, comparators=rights):
            sides = [left, *rights]
            return all(
                side is not node or not isinstance(operator, ast.In | ast.NotIn)
                for operator, side in zip(operators, sides[1:], strict=True)
            )
        case ast.Call(func=ast.Name(id=name)):
            return name in _LOOKING and scope.is_pythons(name)
        case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name)):
            return name in _LOOKING_ASSERTIONS
        case ast.Assign(targets=[target]):
            return target is node
        case ast.Assert() | ast.UnaryOp(op=ast.Not()) | ast.FormattedValue() | ast.AnnAssign():
            return True
    return False


def may_do_more(statement: ast.stmt, scope: ConvertedScope) -> bool:
    """Tell whether a statement may do more than to call functions of the student's, and such that compute."""
    calls = (node for node in ast.walk(_in_a_pass(statement)) if isinstance(node, ast.Call))
    return any(_may_change(call.func, scope) for call in calls)


def _in_a_pass(statement: ast.stmt) -> ast.stmt:
    """Return what runs of a statement where its test goes on: `assert` makes its message before it fails."""
    return ast.Assert(statement.test, None) if isinstance(statement, ast.Assert) else statement


def _may_change(function: ast.expr, scope: ConvertedScope) -> bool:
    match function:
        case ast.Attribute(value=ast.Name(id="self" | "cls" as name), attr=attr):
            return name in scope.odd or not hasattr(unittest.TestCase, attr)
        case ast.Attribute(value=value) | ast.Call(func=value) | ast.Subscript(value=value):
            package = scope.stands_for(function)
            return _may_change(value, scope) if not package else _is_more(package)
        case ast.Name(id=name):
            if scope.theirs(name) or name in {*scope.modules, *scope.values, *scope.calls}:
                return False
            if package := scope.stands_for(function):
                return _is_more(package)
            return not scope.is_pythons(name) or name in _CHANGING
    return isinstance(function, ast.Lambda)


def _is_more(function: str) -> bool:
    """Tell whether a function of a package may do more than to compute."""
    return function.partition(".")[0] not in _COMPUTING or function.startswith(("numpy.random", "numpy.set"))
