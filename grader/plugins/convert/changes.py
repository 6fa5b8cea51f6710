"""Tells which names stand for one value: which lists, dicts and sets a source may change.

A few places of a name are known to read its value only.  Anywhere else it may change, or get another name.
"""

import ast
from collections.abc import Callable, Collection, Iterable, Mapping

from grader.model.values import Value
from grader.plugins.convert.forms import assertion_name
from grader.plugins.convert.python.names import bound_at_any_depth
from grader.plugins.convert.python.scope import is_mutable
from grader.plugins.convert.python.top_scope import scope_of
from grader.values.walk import parts

_READ_BY = {"all", "any", "dict", "enumerate", "frozenset", "len", "list", "max", "min", "print", "repr"}
_READ_BY |= {"set", "sorted", "str", "sum", "tuple", "zip"}
_ASSERTED = {"assertEqual", "assertEquals", "assertNotEqual", "assertIn", "assertNotIn", "assertCountEqual"}
_ASSERTED |= {"assertListEqual", "assertTupleEqual", "assertDictEqual", "assertSetEqual"}
_METHODS = {"copy", "count", "get", "index", "items", "keys", "values"}

Reads = Callable[[ast.Call], bool]


def _reads_nothing(_call: ast.Call) -> bool:
    return False


def constants(tree: ast.Module, reads: Reads = _reads_nothing) -> dict[str, Value]:
    """Return what the names stand for that a file gives a literal at its top, and never changes.

    reads: as in `changed`.
    """
    found = scope_of(tree).values
    for name in changed([tree], found, reads):
        del found[name]
    return found


def changed(
    nodes: Iterable[ast.AST],
    values: Mapping[str, Value],
    reads: Reads = _reads_nothing,
    own: Iterable[str] = (),
) -> set[str]:
    """Return the names of those values that the nodes may change.

    reads: tells of a further call that it only reads its arguments.
    own: names that are none of Python's in the file: a task may be to write `sorted`.
    """
    nodes = [*nodes]
    parents = {
        child: node for each in nodes for node in ast.walk(each) for child in ast.iter_child_nodes(node)
    }
    not_pythons = {*own, *bound_at_any_depth(nodes)}
    found = set()
    for node in parents:
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Store) and node.id not in found:
            value = values.get(node.id)
            if is_mutable(value) and not _is_read(node, value, parents, reads, not_pythons):
                found.add(node.id)
    return found


def _is_read(
    node: ast.Name,
    value: Value,
    parents: Mapping[ast.AST, ast.AST],
    reads: Reads,
    own: Collection[str],
) -> bool:
    above = parents[node]
    if isinstance(above, ast.keyword):
        above = parents[above]
    if isinstance(above, ast.Compare):
        return True
    if isinstance(above, ast.Call) and (_asserts(above, own) or reads(above)):
        return True
    if _is_nested(value):
        # What reads the items may hand on a list that is one of them.
        return False
    match above:
        case ast.BinOp() | ast.Starred() | ast.FormattedValue() | ast.Subscript(ctx=ast.Load()):
            return True
        case ast.For(iter=items) | ast.comprehension(iter=items):
            return items is node
        case ast.Attribute(attr=name):
            call = parents[above]
            return name in _METHODS and isinstance(call, ast.Call) and call.func is above
        case ast.Call(func=ast.Name(id=name)):
            return name in _READ_BY and name not in own
    return False


def _asserts(call: ast.Call, own: Collection[str]) -> bool:
    is_own = isinstance(call.func, ast.Name) and call.func.id in own
    return assertion_name(call) in _ASSERTED and not is_own


def _is_nested(value: Value) -> bool:
    return any(part is not value and is_mutable(part) for part in parts(value))
