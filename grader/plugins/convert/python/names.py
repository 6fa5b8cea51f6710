"""The names that code binds, by Python's own rules."""

import ast
from collections.abc import Iterable, Iterator

from grader.plugins.convert.python.imports import star_of

_SCOPES = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def bound_in(node: ast.AST) -> Iterator[str]:
    """Yield the name that a node gives to a value: a target, a parameter, or what `as` names."""
    match node:
        case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
            yield name
        case ast.ExceptHandler(name=str() as name) | ast.MatchAs(name=str() as name):
            yield name
        case ast.MatchStar(name=str() as name) | ast.MatchMapping(rest=str() as name):
            yield name


def bound_by(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Yield the names that statements bind, or unbind, in the scope in which they stand, once for each time.

    The bodies of functions, classes and comprehensions have scopes of their own.  `*` stands for the names of
    an import that does not say them.
    """
    for node in nodes:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.name
                of_body = {*node.body, *getattr(node, "type_params", ())}
                yield from bound_by(each for each in ast.iter_child_nodes(node) if each not in of_body)
            case ast.ImportFrom(module=module, names=[ast.alias(name="*")], level=0):
                yield from star_of(module)
            case ast.alias(name=name, asname=other):
                yield other or name.partition(".")[0]
            case ast.Name(id=name, ctx=ast.Del()):
                yield name
            case ast.arg():
                yield from bound_by(ast.iter_child_nodes(node))
            case _ if isinstance(node, _SCOPES):
                # `:=` in a comprehension binds outside of it.
                yield from (
                    name
                    for part in ast.walk(node)
                    if isinstance(part, ast.NamedExpr)
                    for name in bound_in(part.target)
                )
            case _:
                yield from bound_in(node)
                yield from bound_by(ast.iter_child_nodes(node))


def declared(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Yield the names that code declares as `global` or `nonlocal`, at any depth."""
    for node in nodes:
        for part in ast.walk(node):
            if isinstance(part, ast.Global | ast.Nonlocal):
                yield from part.names


def simply_bound(statement: ast.stmt) -> list[str]:
    """Return the names to which a statement gives what it says: `name = value`, or an import."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)]):
            return [name]
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr()):
            return [name]
        case ast.Import() | ast.ImportFrom():
            return [*bound_by([statement])]
    return []


def bound_at_any_depth(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Yield the names that code binds, and those that functions and classes in it bind."""
    for each in nodes:
        for node in ast.walk(each):
            match node:
                case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                    yield name
                case ast.alias(name=name, asname=other):
                    yield other or name.partition(".")[0]
                case _:
                    yield from bound_in(node)


def root_of(node: ast.expr) -> str:
    """Return the name in front of the attributes and items of an expression; empty if it has none."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Starred):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
