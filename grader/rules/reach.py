"""Finds the modules of the submission that a module can import.

A literal import names its module.  Where the name may be computed (a name that is put together, text that
is run as code, the import system itself, a gateway), it may be any module of the submission.  A module with
the name of one of Python's own counts as imported by that name, although Python's own may come first.
"""

import ast

from grader.rules.closure import Imports
from grader.rules.source.annotations import every_annotation
from grader.rules.source.gateways import gateways
from grader.rules.source.modules import Module, every_node, words
from grader.rules.source.origins import BUILTINS, COMPUTED, IMPORTERS, Origins
from grader.rules.source.scopes import Scope, folded

_RUNNERS = frozenset({f"{BUILTINS}exec", f"{BUILTINS}eval", f"{BUILTINS}compile"})
_TABLES = frozenset({f"{BUILTINS}{name}" for name in ("globals", "locals", "vars", "breakpoint", COMPUTED)})
_IMPORT_SYSTEM = words(
    "modules meta_path path_hooks path_importer_cache __import__ import_module find_spec find_module "
    "load_module exec_module get_code get_source create_module _getframe"
)
"""Attributes of any object by which modules are found."""
_ANY_MODULE = words(
    "builtins importlib runpy pkgutil imp zipimport pickle _pickle shelve marshal copyreg code codeop "
    "timeit ctypes gc inspect types pydoc doctest unittest pdb bdb cProfile profile trace site "
    "_frozen_importlib _imp"
)
"""Modules of Python that run text as code, or find modules by text."""
_RUNS_CODE = ("exec", "eval", "compile", "__import__")


def imports_of(module: Module) -> Imports:
    """Return the modules of the submission that a module may import; None if it may be any."""
    if next(gateways(module), None) is not None:
        return None
    origins = Origins()
    nodes = [*every_node(module), *every_annotation(module)]
    literal: set[int] = set()
    found: set[str] = set()
    for node, scope in nodes:
        named = _literal_import(node, scope, origins)
        if named is not None:
            found.update(named)
            if isinstance(node, ast.Call):
                literal.add(id(node.func))
    if any(id(node) not in literal and _may_be_any(node, scope, origins) for node, scope in nodes):
        return None
    return frozenset(found & module.siblings)


def _literal_import(node: ast.AST, scope: Scope, origins: Origins) -> list[str] | None:
    """Return the modules that a node imports by literal names; None if it has no literal name."""
    match node:
        case ast.Import(names=names):
            return [_top(alias.name) for alias in names]
        case ast.ImportFrom(module=str(base), level=0):
            return [_top(base)]
        case ast.Call(func=func, args=[first, *_]):
            text = folded(first)
            if text is None:
                return None
            origin = origins.real(func, scope)
            if origin and origin <= IMPORTERS:
                return None if text.startswith(".") else [_top(text)]
            # A literal text that is run was examined as code in its place, unless it runs text itself.
            if origin and origin <= _RUNNERS and isinstance(func, ast.Name | ast.Attribute):
                is_plain = not any(word in text for word in _RUNS_CODE)
                return [] if is_plain and _called(func) in _RUNS_CODE else None
    return None


def _may_be_any(node: ast.AST, scope: Scope, origins: Origins) -> bool:
    match node:
        case ast.ImportFrom(level=level, module=base) if level or base is None:
            # A relative import works in a module that calls itself a package.
            return True
        case ast.ImportFrom(module=str(base), names=names):
            # Uses of `import_module` are checked at the calls.
            taken = {alias.name for alias in names} - {"import_module"}
            return bool(taken) and (_top(base) in _ANY_MODULE or not _IMPORT_SYSTEM.isdisjoint(taken))
        case ast.Import(names=names):
            return any(_top(alias.name) in _ANY_MODULE and alias.name != "importlib" for alias in names)
        case ast.Attribute(attr=attr) if attr in _IMPORT_SYSTEM:
            return True
        case ast.Call():
            return any(name is None or name in _IMPORT_SYSTEM for name in origins.attributes(node, scope))
    if isinstance(node, ast.Name | ast.Attribute | ast.Subscript):
        return bool(origins.real(node, scope) & (IMPORTERS | _RUNNERS | _TABLES | {COMPUTED}))
    return False


def _called(func: ast.Name | ast.Attribute) -> str:
    return func.id if isinstance(func, ast.Name) else func.attr


def _top(name: str) -> str:
    return name.partition(".")[0]
