"""What the source of a reference says about its classes and functions: names for the tests' allow-list.

Names that only a run shows (of a base from a library, of `setattr`) come from the run of the reference itself
(`grader.plugins.tests.test_file.learning`).  A class that this cannot see through makes the list no longer.
"""

import ast
import builtins
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from grader.model.task import OwnCode
from grader.model.values import Value

_PLAIN_BASES = frozenset({"object", "ABC", "Exception", "ValueError", "TypeError", "Generic", "Protocol"})
"""Classes that bring no operators along."""
_BY_DATACLASS = ("__init__", "__eq__", "__repr__", "__hash__")
_ORDER = ("__lt__", "__le__", "__gt__", "__ge__")
_ENUMS = frozenset({"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag", "ReprEnum"})


def names_of(reference: OwnCode | None) -> dict[str, Value]:
    """Return the classes and functions at the top of the reference's modules, as plain data.

    classes: for each "own", what it and its bases in the modules define, "all", with what Python's own bases
    have, "plain": it has no further bases and no decorators that could define more.
    known: there is a reference.
    """
    texts = tuple(reference.texts.values()) if reference is not None else ()
    classes, functions = _names_in(texts)
    return {"classes": classes, "functions": functions, "known": reference is not None}


@cache
def _names_in(texts: tuple[str, ...]) -> tuple[dict[str, Value], list[str]]:
    functions: list[str] = []
    nodes: dict[str, ast.ClassDef] = {}
    made: dict[str, ast.Call] = {}
    for text in texts:
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError):
            continue
        nodes |= {node.name: node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
        for node in tree.body:
            match node:
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    functions.append(node.name)
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as call) if _makes_class(call):
                    made[name] = call
    classes: dict[str, Value] = {name: _described(name, nodes) for name in nodes}
    for name, call in made.items():
        words = sorted({word for text in _texts_in(call) for word in text.replace(",", " ").split()})
        classes[name] = {"own": words, "all": words, "plain": False}
    return classes, functions


def _makes_class(call: ast.Call) -> bool:
    made_by = ("namedtuple", "NamedTuple", "make_dataclass", "type", *_ENUMS)
    return ast.unparse(call.func).rpartition(".")[2] in made_by and len(call.args) > 1


def _texts_in(call: ast.Call) -> Iterator[str]:
    for node in ast.walk(call):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _described(name: str, nodes: Mapping[str, ast.ClassDef]) -> dict[str, Value]:
    own: set[str] = set()
    more: set[str] = set()
    is_plain, waiting, seen = True, [name], set()
    while waiting:
        node = nodes[waiting.pop()]
        seen.add(node.name)
        own |= {*_defined(node)}
        is_plain = is_plain and not node.keywords
        for decorator in node.decorator_list:
            kind = ast.unparse(decorator).partition("(")[0].rpartition(".")[2]
            own |= {*_BY_DATACLASS, *_ORDER} if kind == "dataclass" else {*_ORDER}
            is_plain = is_plain and kind in ("dataclass", "total_ordering")
        for base in node.bases:
            known = ast.unparse(base).partition("[")[0].rpartition(".")[2]
            if known in nodes:
                if known not in seen:
                    waiting.append(known)
                continue
            is_plain = is_plain and known in _PLAIN_BASES
            more |= {*dir(getattr(builtins, known, object))}
            if known in _ENUMS:
                more |= {"name", "value"}
    return {"own": sorted(own), "all": sorted(own | more), "plain": is_plain}


def _defined(node: ast.ClassDef) -> Iterable[str]:
    """Yield the names that a class and its methods bind."""
    for inner in ast.walk(node):
        match inner:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.Name(id=name, ctx=ast.Store()):
                yield name
            case ast.Attribute(attr=name, ctx=ast.Store()):
                yield name
