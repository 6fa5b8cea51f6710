"""What a test leaves changed for the tests after it: parts of modules, and of Python itself."""

import ast
from collections.abc import Collection, Iterable, Iterator

from grader.plugins.convert.forms import assertion_name, expected_in
from grader.plugins.convert.python.names import bound_at_any_depth, bound_by, declared, root_of
from grader.plugins.convert.python.reaching import CHANGING
from grader.plugins.convert.python.scope import ConvertedScope

_OF_PYTHON = ("random.", "os.chdir", "os.putenv", "os.environ", "locale.set", "sys.set", "importlib.reload")
_UNDOING = ("raises", "Raises", "patch", "context")
_LEAVING = {"setattr", "delattr", "exec"}


def lasting(
    body: Iterable[ast.stmt], scope: ConvertedScope, parameters: Iterable[str] = (), *, calls: bool = False
) -> int:
    """Return the first line of a test that changes what is not its own and outlives it; 0 if none does.

    calls: a call whose answer nothing has may do so as well.
    """
    statements = [*body]
    own = _own(statements) | {*parameters}
    lines = (each.lineno for one in statements for each in _parts(one) if _lasts(each, scope, own, calls))
    return next(lines, 0)


def _own(body: list[ast.stmt]) -> set[str]:
    """Return the names that a test makes values for: none of those that stand for what is there already."""
    own = {*bound_at_any_depth(body)} - {*declared(body)}
    parts = [part for each in body for part in ast.walk(each)]
    own -= {*bound_by(each for each in parts if isinstance(each, ast.Import | ast.ImportFrom))}
    for each in parts:
        match each:
            case ast.Assign(value=ast.Name() | ast.Attribute() as value) if root_of(value) not in own:
                own -= {*bound_by(each.targets)}
    return own


def _parts(node: ast.stmt) -> Iterator[ast.stmt | ast.expr]:
    """Yield the statements and expressions of a statement, but for what a `with` undoes, or has fail."""
    if isinstance(node, ast.With) and any(
        word in ast.unparse(item.context_expr) for item in node.items for word in _UNDOING
    ):
        return
    if isinstance(node, ast.Try) and expected_in(node) is not None:
        return
    yield node
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt):
            yield from _parts(child)
        else:
            for part in ast.walk(child):
                if isinstance(part, ast.stmt):
                    yield from _parts(part)
                elif isinstance(part, ast.expr):
                    yield part


def _lasts(node: ast.AST, scope: ConvertedScope, own: Collection[str], calls: bool) -> bool:
    match node:
        case ast.Attribute(ctx=ast.Store() | ast.Del()) | ast.Subscript(ctx=ast.Store() | ast.Del()):
            return root_of(node) not in own
        case ast.Global() | ast.Nonlocal():
            return True
        case ast.Call(func=ast.Attribute(attr="start")):
            # A patch, most likely, that something stops, or nothing.
            return True
        case ast.Call(func=ast.Attribute(value=value, attr=attr)) if attr in CHANGING:
            is_part = isinstance(value, ast.Attribute) and root_of(value) not in own
            is_theirs = isinstance(value, ast.Name) and value.id not in own and scope.theirs(value.id)
            return is_part or bool(is_theirs) or _is_pythons(node, scope)
        case ast.Call(func=ast.Name(id=name), args=[first, *_]) if name in _LEAVING:
            return root_of(first) not in own
        case ast.Call():
            return _is_pythons(node, scope)
        case ast.Expr(value=ast.Call(func=function) as call) if calls and not assertion_name(call):
            return not (isinstance(function, ast.Name) and function.id == "print")
    return False


def _is_pythons(call: ast.Call, scope: ConvertedScope) -> bool:
    """Tell whether a call changes something of Python's own."""
    name = scope.stands_for(call.func)
    return name.startswith(_OF_PYTHON) and name not in ("os.environ.get", "os.environ.copy")


def called_in(body: Iterable[ast.AST]) -> Iterator[str]:
    """Yield the names of the functions of a file, and of the methods of its classes, that are called."""
    for call in (node for part in body for node in ast.walk(part) if isinstance(node, ast.Call)):
        match call.func:
            case ast.Name(id=name) | ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name):
                yield name


def fixtures_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    """Yield the names of the fixtures that pytest sets up for a test, or for another fixture."""
    arguments = function.args
    yield from (each.arg for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs))
    for call in function.decorator_list:
        if isinstance(call, ast.Call) and ast.unparse(call.func).endswith("usefixtures"):
            constants = (each.value for each in call.args if isinstance(each, ast.Constant))
            yield from (name for name in constants if isinstance(name, str))
