"""Reads the tests of a class whose `setUp` makes objects: both together are the steps of a scenario."""

import ast
import copy
from collections.abc import Iterator
from typing import Any

from grader.plugins.convert.draft import Unconvertible
from grader.plugins.convert.python.names import bound_by
from grader.plugins.convert.python.scope import ConvertedScope, names_in
from grader.plugins.convert.steps import TestSteps

_ASSERTIONS = {"assertEqual": ast.Eq, "assertEquals": ast.Eq, "assertLess": ast.Lt, "assertGreater": ast.Gt}
_ASSERTIONS |= {"assertLessEqual": ast.LtE, "assertGreaterEqual": ast.GtE}


def read_with_set_up(owner: ast.ClassDef, function: ast.FunctionDef, scope: ConvertedScope) -> TestSteps:
    """Return the steps of a test.  Raises `Unconvertible`."""
    odd = [
        part.name
        for part in owner.body
        if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        and not part.name.startswith("test")
        and part.name != "setUp"
    ]
    if odd:
        raise Unconvertible(f"its class has `{odd[0]}`")
    begin = [part for part in owner.body if isinstance(part, ast.FunctionDef) and part.name == "setUp"]
    attributes = {name for each in begin for name in _attributes(each)}
    of_begin = {name for each in begin for name in bound_by(each.body)}
    own = {*names_in(function)}
    named = own.union(*map(names_in, begin), scope.functions)
    if clash := sorted((attributes & named) | (of_begin & own)):
        raise Unconvertible(f"`{clash[0]}` is a name of its own and of `setUp`")
    rewrite = _OfSelf(attributes)
    body = [rewrite.visit(node) for each in map(copy.deepcopy, (*begin, function)) for node in each.body]
    parameters = {each.arg for one in (*begin, function) for each in one.args.args}
    steps = TestSteps(scope.inner(body, parameters), calls=True)
    steps.statements(body)
    if not steps.asked:
        raise Unconvertible("it asserts nothing that was found")
    if len(steps.modules) != 1:
        raise Unconvertible("it uses none or several of the student's modules")
    return steps


def _attributes(function: ast.FunctionDef) -> Iterator[str]:
    for node in ast.walk(function):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and _is_self(node.value):
            yield node.attr


def _is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


class _OfSelf(ast.NodeTransformer):
    """Writes attributes of `self` as names, and assertions as statements."""

    def __init__(self, attributes: set[str]) -> None:
        self.attributes = attributes

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        if _is_self(node.value) and node.attr in self.attributes:
            return ast.copy_location(ast.Name(node.attr, node.ctx), node)
        return self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> Any:
        test: ast.expr | None = None
        match _of_self(node.value):
            case name, [first, second, *_] if name in _ASSERTIONS:
                test = ast.Compare(first, [_ASSERTIONS[name]()], [second])
            case "assertTrue", [first, *_]:
                test = first
            case "assertFalse", [first, *_]:
                test = ast.UnaryOp(ast.Not(), first)
        if test is None:
            return self.generic_visit(node)
        return ast.copy_location(ast.Assert(self.visit(test), None), node)


def _of_self(node: ast.expr) -> tuple[str, list[ast.expr]] | None:
    """Return name and arguments of a call such as `self.assertTrue(x)`."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name), args=arguments, keywords=[]):
            return name, arguments
    return None
