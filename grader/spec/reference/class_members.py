"""What the instances of a class have, as far as its source alone tells."""

import ast
from collections.abc import Iterator

_ANSWERING = {"__getattr__", "__getattribute__"}


def members(tree: ast.ClassDef) -> frozenset[str] | None:
    """Return the names of a class's methods and attributes, or None where its source does not tell.

    It does not where there are bases, decorators or a metaclass, or where the class answers for
    attributes itself.
    """
    if tree.decorator_list or tree.keywords or any(not _is_object(base) for base in tree.bases):
        return None
    found: set[str] = set()
    for statement in tree.body:
        found.update(_bound(statement))
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            found.update(_set_on_self(statement))
    return None if found & _ANSWERING else frozenset(found | set(dir(object)))


def _is_object(base: ast.expr) -> bool:
    return isinstance(base, ast.Name) and base.id == "object"


def _bound(statement: ast.stmt) -> Iterator[str]:
    match statement:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Assign(targets=targets):
            for target in targets:
                yield from (node.id for node in ast.walk(target) if isinstance(node, ast.Name))
        case ast.AnnAssign(target=ast.Name(id=name)):
            yield name


def _set_on_self(method: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    first = (*method.args.posonlyargs, *method.args.args)[:1]
    for node in ast.walk(method):
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr=attribute, ctx=ast.Store()):
                if first and name == first[0].arg:
                    yield attribute
