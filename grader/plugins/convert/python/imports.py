"""What imports give to names: modules and functions of the student's, and parts of other packages."""

import ast
import importlib
import sys
from collections.abc import Iterator
from dataclasses import dataclass

_PACKAGES = {"pytest", "gradescope_utils", "otter", "nose", "hypothesis", "parameterized", "check50", "numpy"}
_PACKAGES |= {"pandas", "scipy", "matplotlib", "sklearn", "seaborn", "sympy", "requests", "IPython", "bs4"}
_PACKAGES |= {"timeout_decorator", "func_timeout", "wrapt_timeout_decorator", "flaky", "faker", "freezegun"}

_PURE = {"bisect", "cmath", "collections", "copy", "datetime", "decimal", "fractions", "functools", "heapq"}
_PURE |= {"itertools", "json", "math", "operator", "os.path", "random", "re", "statistics", "string", "time"}
_PURE |= {"typing", "dataclasses", "enum", "unittest"}
"""Modules of Python's whose import does nothing but to give names."""
_OF_STARS = {
    "gradescope_utils.autograder_utils.decorators": frozenset(
        {"weight", "number", "visibility", "hide_errors", "tags", "leaderboard", "partial_credit", "wraps"}
    )
}


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import gives to a name.

    module: dotted.  attribute: what is taken of the module, `*` for all; empty for the module itself.
    """

    name: str
    module: str
    attribute: str = ""

    @property
    def is_foreign(self) -> bool:
        return is_foreign(self.module)


def is_foreign(module: str) -> bool:
    """Tell whether a module is Python's own or a well-known package, and so no student's."""
    package = module.partition(".")[0]
    return package in sys.stdlib_module_names or package in _PACKAGES


def star_of(module: str | None) -> frozenset[str]:
    """Return the names that `from module import *` binds; `*` alone where they are not known."""
    if module in _PURE:
        found = importlib.import_module(module)
        return frozenset(getattr(found, "__all__", [name for name in vars(found) if name[0] != "_"]))
    return _OF_STARS.get(module or "", frozenset("*"))


def imported_by(statement: ast.stmt) -> Iterator[Imported]:
    """Yield what a statement imports.  A module that stands beside the file has a dot before its name."""
    match statement:
        case ast.Import(names=names):
            for each in names:
                package, _, inner = each.name.partition(".")
                if each.asname or not inner or is_foreign(package):
                    yield Imported(each.asname or package, each.name if each.asname else package)
        case ast.ImportFrom(module=str() as module, names=[ast.alias(name="*")], level=level):
            whole = "." * level + module
            yield from (Imported(name, whole, name) for name in sorted(star_of(whole)))
        case ast.ImportFrom(module=module, names=names, level=level):
            for each in names:
                if module:
                    yield Imported(each.asname or each.name, "." * level + module, each.name)
                else:
                    yield Imported(each.asname or each.name, "." * level + each.name)


def imports_in(tree: ast.Module) -> Iterator[Imported]:
    """Yield what a file imports anywhere."""
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt):
            yield from imported_by(node)


def students_modules(tree: ast.Module) -> set[str]:
    """Return the modules of the student's that a file imports anywhere, dotted, without leading dots."""
    return {each.module.lstrip(".") for each in imports_in(tree) if not each.is_foreign}
