"""The annotations of a module: they are evaluated like any other code, so what they name can be reached.

Honest annotations name types, which uses nothing: `xs: list` makes no list.  A function is no type, so to
name one there is to use it: `x: eval` hands `eval` to whoever reads annotations.  A type or a module counts
as used only where the program may read its annotations.
"""

import ast
from collections.abc import Iterator

from grader.rules.source.library import is_module, value_of
from grader.rules.source.modules import Module, every_node, words
from grader.rules.source.origins import ATTRIBUTE_GETTERS, BUILTINS, Origins
from grader.rules.source.scopes import Scope, folded

LAZY = words("__value__ __bound__ __constraints__ __default__")
"""Attributes of a type alias or a type parameter: who reads them runs the expression in the source."""
_READERS = words("__annotations__ __annotate__ __dict__ __dataclass_fields__ __type_params__") | LAZY
"""Attributes by which annotations are read, and keys of the tables that hold them."""
_READING = ATTRIBUTE_GETTERS | {
    "builtins.vars", "builtins.globals", "builtins.locals", "builtins.dir", "typing.get_type_hints",
    "functools.singledispatch", "functools.singledispatchmethod",
    "dataclasses.fields", "builtins.__import__", "importlib.import_module",
}  # fmt: skip
_READING_MODULES = ("inspect.", "gc.", "ctypes.", "annotationlib.")
_MISTAKEN = words("any callable")
"""Functions that students take for `typing.Any` and `typing.Callable`."""
_PLAIN_METACLASSES = frozenset({"abc.ABCMeta", "enum.EnumMeta", "enum.EnumType"})


def every_annotation(module: Module, *, are_read: bool = False) -> Iterator[tuple[ast.AST, Scope]]:
    """Yield the nodes of the annotations that only name types, each with its scope.

    Those of all other annotations are among `every_node`.
    are_read: with those of texts in annotations, which are code for who reads them.
    """
    for scope in module.scope.walk():
        for node in (*scope.annotated, *(scope.quoted if are_read else ())):
            yield node, scope


def names_type(origin: str) -> bool:
    """Tell whether a dotted name stands for what an honest annotation names."""
    name = origin.removeprefix(BUILTINS)
    return name in _MISTAKEN or isinstance(value_of(origin), type) or is_module(origin)


def are_read(modules: list[Module], origins: Origins) -> bool:
    """Tell whether a program may read its annotations."""
    nodes = [each for module in modules for each in every_node(module)]
    return any(_may_read(node, scope, origins) for node, scope in nodes) or any(
        _has_odd_metaclass(scope, origins) for module in modules for scope in module.scope.walk()
    )


def _may_read(node: ast.AST, scope: Scope, origins: Origins) -> bool:
    match node:
        case ast.Attribute(attr=name) | ast.Name(id=name) if name in _READERS:
            return True
        case ast.MatchClass(kwd_attrs=names):
            return not _READERS.isdisjoint(names)
        case ast.Constant() | ast.BinOp() | ast.JoinedStr():
            return folded(node) in _READERS
        case ast.Name() | ast.Attribute():
            found = origins.real(node, scope)
            return not found.isdisjoint(_READING) or any(each.startswith(_READING_MODULES) for each in found)
    return False


def _has_odd_metaclass(scope: Scope, origins: Origins) -> bool:
    """Tell whether a class is made by code that is handed all that its body binds."""
    if not isinstance(scope.node, ast.ClassDef) or scope.parent is None:
        return False
    makers = [each.value for each in scope.node.keywords if each.arg in (None, "metaclass")]
    bases = (origins.real(base, scope.parent) for base in scope.node.bases)
    return any(not origins.real(each, scope.parent) & _PLAIN_METACLASSES for each in makers) or any(
        "builtins.type" in base for base in bases
    )
