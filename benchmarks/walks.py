"""Which functions tell values apart by their types?  Lists them, and counts them by package.

    python benchmarks/walks.py [--list] [COMMIT ...]

Without a commit it reads the working tree.  A function counts if it makes two tests or more of the class of
something: `isinstance`, `type(x)` compared or looked up, a class in a `match`.  Tests count that name a
container (`list`, `dict`, `Record`, `Table` ...), a stand-in (`EnumMember`, `Opaque` ...) or a value of the
standard library (`date`, `Fraction` ...), by themselves or in a constant of the module; two of these must be
named.  A test of `str` or `int` alone is none of these.

    walks     functions that tell sorts of values apart: they name more than lists, tuples and dicts
    shapes    functions that name lists, tuples and dicts alone: readers of JSON, boards, pairs
    family    functions like the first in `values` itself, outside its sorts

Not counted is what runs beside hostile code: `wire`, `worker`, `rules` and `plugins/tests/cell`, which was
`pytest_cell`.
"""

import ast
import sys
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from house import commit, working_tree

CLASSES = frozenset(
    {"list", "tuple", "set", "frozenset", "dict", "range", "date", "datetime", "time", "timedelta", "Decimal",
     "Fraction", "PurePosixPath", "Record", "OddSet", "Table", "EnumMember", "Opaque", "Cycle"}
)  # fmt: skip
_TABLES = {"LIBRARY": {"date", "Fraction"}, "LIBRARY_NUMBERS": {"Fraction", "Decimal"}}
"""Constants of other modules that hold classes."""
FAR_SIDE = tuple(
    f"grader/{name}/" for name in ("wire", "worker", "rules", "pytest_cell", "plugins/tests/cell")
)
FAMILY = ("grader/values/", "grader/judge/values/")
SORTS = "grader/values/sorts/"
_SHAPES = {"list", "tuple", "dict"}


class Told(NamedTuple):
    """The functions of a tree that tell classes of values apart, as `path: name`."""

    walks: list[str]
    shapes: list[str]
    family: list[str]


def told_in(texts: Mapping[str, str]) -> Told:
    """Return the functions of modules, by path, that tell classes of values apart."""
    told = Told([], [], [])
    for path, text in texts.items():
        if path.startswith(SORTS) or path.startswith(FAR_SIDE):
            continue
        for name, classes in telling(text):
            column = told.shapes if classes <= _SHAPES else told.walks
            (told.family if path.startswith(FAMILY) else column).append(f"{path}: {name}")
    return told


def telling(text: str) -> Iterator[tuple[str, set[str]]]:
    """Yield the functions of a module that tell classes of values apart, with these classes."""
    tree = ast.parse(text)
    constants = _constants(tree)
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            tests = [named for test in _own(function) if (named := _tested(test, constants))]
            classes = set[str]().union(*tests)
            if len(tests) >= 2 and len(classes) >= 2:
                yield function.name, classes


def _constants(tree: ast.Module) -> dict[str, set[str]]:
    """Return the classes that each constant of a module names."""
    constants = dict(_TABLES)
    for node in tree.body:
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ):
                if named := _names(value, constants):
                    constants[name] = named
    return constants


def _names(node: ast.AST, constants: Mapping[str, set[str]]) -> set[str]:
    names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    return (names & CLASSES).union(*(constants.get(name, ()) for name in names))


def _own(function: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a function without those of functions in it."""
    for node in ast.iter_child_nodes(function):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node
            yield from _own(node)


def _tested(node: ast.AST, constants: Mapping[str, set[str]]) -> set[str]:
    """Return the classes that a test of a class names; nothing if it is no such test."""
    match node:
        case ast.Call(func=ast.Name(id="isinstance" | "issubclass"), args=[_, classes]):
            return _names(classes, constants)
        case ast.MatchClass(cls=kind):
            return _names(kind, constants)
        case ast.Compare(left=left, comparators=[*others]) if any(map(_is_type, (left, *others))):
            return set[str]().union(*(_names(each, constants) for each in (left, *others)))
        case ast.Call(func=ast.Attribute(value=table, attr="get"), args=[key, *_]) if _is_type(key):
            return _names(table, constants)
        case ast.Subscript(value=table, slice=key) if _is_type(key):
            return _names(table, constants)
    return set()


def _is_type(node: ast.AST) -> bool:
    """Tell whether an expression is the class of something: `type(x)`, or the name `kind`."""
    match node:
        case ast.Call(func=ast.Name(id="type")) | ast.Name(id="kind"):
            return True
    return False


def main() -> None:
    """Print the numbers for the working tree, or for each commit that is named."""
    for name in [each for each in sys.argv[1:] if each != "--list"] or [""]:
        told = told_in(commit(name) if name else working_tree())
        print(name or "working tree", *(f"{key} {len(found)}" for key, found in told._asdict().items()))
        if "--list" in sys.argv:
            for key, found in told._asdict().items():
                print(*(f"    {key}  {each}" for each in found), sep="\n")


if __name__ == "__main__":
    main()
