"""Tells which names stand for one value: which lists, dicts and sets a source may change.

A few places of a name are known to read its value only.  Anywhere else it may change, or get another name.
"""

import ast
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from grader.model.values import Value
from grader.plugins.convert.draft import Unconvertible
from grader.plugins.convert.forms import assertion_name
from grader.plugins.convert.values import ConvertedScope, bound_in, is_mutable, read_value, shares
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
    made = Counter(_bound(tree.body))
    made.update(name for node in ast.walk(tree) if isinstance(node, ast.Global) for name in node.names)
    found: dict[str, Value] = {}
    for each in tree.body:
        match each:
            case ast.ImportFrom(names=[ast.alias(name="*")]):
                found.clear()
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if made[name] == 1:
                try:
                    if not shares(value, found):
                        found[name] = read_value(value, ConvertedScope(values=found))
                except Unconvertible:
                    continue
    for name in changed([tree], found, reads):
        del found[name]
    return found


def names_at_top(tree: ast.Module) -> set[str]:
    """Return the names that the top of a file binds."""
    return {*_bound(tree.body)}


def _bound(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Yield the names that the top of a file binds, once for each time."""
    for node in nodes:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.alias(name=name, asname=other):
                yield other or name.partition(".")[0]
            case ast.Module(body=body):
                yield from _bound(body)
            case _:
                yield from bound_in(node)
                yield from _bound(ast.iter_child_nodes(node))


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
    python = _READ_BY.difference(own, _bound(nodes))
    found = set()
    for node in parents:
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Store) and node.id not in found:
            value = values.get(node.id)
            if is_mutable(value) and not _is_read(node, value, parents, reads, python):
                found.add(node.id)
    return found


def _is_read(
    node: ast.Name,
    value: Value,
    parents: Mapping[ast.AST, ast.AST],
    reads: Reads,
    python: Collection[str],
) -> bool:
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
            return name in python
    return False


def _is_nested(value: Value) -> bool:
    return any(part is not value and is_mutable(part) for part in parts(value))
