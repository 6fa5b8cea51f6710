"""Tells which lists, dicts and sets a source may change, by the places where their names stand.

A few places are known to read a value only.  Anywhere else it may change, or get another name.
"""

import ast
from collections.abc import Callable, Iterable, Mapping

from grader.model.values import Value
from grader.plugins.convert.forms import assertion_name
from grader.plugins.convert.values import is_mutable
from grader.values.walk import parts

_READ_BY = {"all", "any", "dict", "enumerate", "frozenset", "len", "list", "max", "min", "print", "repr"}
_READ_BY |= {"set", "sorted", "str", "sum", "tuple", "zip"}
_ASSERTED = {"assertEqual", "assertEquals", "assertNotEqual", "assertIn", "assertNotIn", "assertCountEqual"}
_ASSERTED |= {"assertListEqual", "assertTupleEqual", "assertDictEqual", "assertSetEqual"}
_METHODS = {"copy", "count", "get", "index", "items", "keys", "values"}

Reads = Callable[[ast.Call], bool]


def changed(
    nodes: Iterable[ast.AST], values: Mapping[str, Value], reads: Reads = lambda _: False
) -> set[str]:
    """Return the names of those values that the nodes may change.

    reads: tells of a further call that it only reads its arguments.
    """
    parents = {
        child: node for each in nodes for node in ast.walk(each) for child in ast.iter_child_nodes(node)
    }
    found = set()
    for node in parents:
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Store) and node.id not in found:
            value = values.get(node.id)
            if is_mutable(value) and not _is_read(node, value, parents, reads):
                found.add(node.id)
    return found


def _is_read(node: ast.Name, value: Value, parents: Mapping[ast.AST, ast.AST], reads: Reads) -> bool:
    above = parents[node]
    if isinstance(above, ast.keyword):
        above = parents[above]
    if isinstance(above, ast.Compare):
        return True
    if isinstance(above, ast.Call) and (assertion_name(above) in _ASSERTED or reads(above)):
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
            return name in _READ_BY
    return False


def _is_nested(value: Value) -> bool:
    return any(part is not value and is_mutable(part) for part in parts(value))
