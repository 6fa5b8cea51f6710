"""Rules on imports: modules that must not be imported, or the only ones that may be."""

import ast
import sys
from collections.abc import Callable, Iterator

from grader.rules.source.annotations import every_annotation
from grader.rules.source.gateways import undecidable
from grader.rules.source.library import is_module, real_name
from grader.rules.source.modules import Module, RuleHit, every_node, line_of
from grader.rules.source.origins import BUILTINS, COMPUTED, IMPORTERS, Origins
from grader.rules.source.run_texts import unclear
from grader.rules.source.scopes import Scope, folded

_MODULE_TABLE = "sys.modules"
_IN_C = {
    "os": ("posix", "nt"),
    "threading": ("_thread",),
    "subprocess": ("_posixsubprocess", "_winapi"),
    "re": ("_sre",),
}
"""Parts of a module in C that are not named for it, as `_socket` is for `socket`."""
_TABLES = frozenset({"sys"})
"""Modules whose names lead to all modules that are loaded."""


def forbidden_imports(modules: list[Module], names: list[str]) -> list[RuleHit]:
    """Find imports of the named modules and of their contents."""

    unwanted = [*names, *(part for name in names for part in _parts_in_c(name))]

    def wrong_one(paths: list[str]) -> str:
        return next((path for path in paths if _is_within(path, unwanted)), "")

    origins = Origins(modules, doubts=True)
    found = [found for module in modules for found in _violations(module, wrong_one, origins)]
    parts = {part for name in unwanted for part in name.split(".")}
    return [
        *found,
        *undecidable(modules, origins, tables=_TABLES),
        *unclear(modules, origins, parts, texts=True),
    ]


def allowed_imports(modules: list[Module], names: list[str]) -> list[RuleHit]:
    """Find imports of anything but the named modules and the submission's own."""
    found: list[RuleHit] = []
    origins = Origins(modules, doubts=True)
    for module in modules:
        allowed = [*names, *module.siblings, "__future__"]

        def wrong_one(paths: list[str], allowed: list[str] = allowed) -> str:
            return "" if any(_is_within(path, allowed) for path in paths) else paths[0]

        found += _violations(module, wrong_one, origins)
    doubts = unclear(modules, origins, {"import"}, texts=True)
    return [*found, *undecidable(modules, origins, tables=_TABLES), *doubts]


def _parts_in_c(name: str) -> tuple[str, ...]:
    """Return the modules in C of which a module of the library is made: they do the same without it."""
    own = (f"_{name}",) if f"_{name}" in sys.stdlib_module_names else ()
    return (*own, *_IN_C.get(name, ()))


def _is_within(path: str, names: list[str]) -> bool:
    return any(path == name or path.startswith(name + ".") for name in names)


def _violations(module: Module, wrong_one: Callable[[list[str]], str], origins: Origins) -> Iterator[RuleHit]:
    """Yield the forbidden imports of a module, by any means."""
    nodes = [*every_node(module), *every_annotation(module)]
    followed = {id(part) for node, _ in nodes for part in _followed(node)}
    for node, scope in nodes:
        if id(node) not in followed:
            for name in _handed_on(node, scope, origins):
                yield RuleHit(
                    module.name, line_of(node), f"hands on `{name}`, by which any module is reached"
                )
        for paths, by in _imported(node, scope, origins):
            wrong = wrong_one(paths)
            if COMPUTED in paths:
                yield RuleHit(module.name, line_of(node), f"imports a module whose name is computed{by}")
            elif wrong:
                yield RuleHit(module.name, line_of(node), f"imports `{wrong}`{by}")


def _followed(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts whose value the rule follows: what is called, and what gets a name."""
    match node:
        case ast.Call(func=func):
            yield func
        case ast.Assign(targets=targets, value=value) if all(isinstance(each, ast.Name) for each in targets):
            yield value
        case ast.AnnAssign(target=ast.Name(), value=value) | ast.NamedExpr(value=value):
            if value is not None:
                yield value
        case ast.Subscript(value=value) | ast.Expr(value=value):
            yield value
        case ast.Compare(comparators=others):
            yield from others


def _handed_on(node: ast.AST, scope: Scope, origins: Origins) -> Iterator[str]:
    """Yield what finds modules by their names, if a node reads it: nothing follows where that goes."""
    if isinstance(node, ast.Name | ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Load):
        found = origins.real(node, scope) & (IMPORTERS | {_MODULE_TABLE})
        yield from (each.removeprefix(BUILTINS) for each in sorted(found)[:1])


def _imported(node: ast.AST, scope: Scope, origins: Origins) -> Iterator[tuple[list[str], str]]:
    """Yield each import of a node: the paths that may name the module, and words for an indirect import."""
    if isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        for origin in sorted(origins.of(node, scope)):
            yield from _by_another_name(origin)
    match node:
        case ast.Import(names=names):
            yield from (([alias.name], "") for alias in names)
        case ast.ImportFrom(module=str(base), names=names, level=0):
            for alias in names:
                path = f"{base}.{alias.name}"
                yield [base, path], ""
                yield from _by_another_name(path)
        case ast.ImportFrom(module=base, names=names):
            # A submission has no packages: such an import fails, or is one of its own modules.
            yield from (([base or alias.name], "") for alias in names)
        case ast.Call(func=func, args=[name, *_]):
            importers = sorted(origins.real(func, scope) & IMPORTERS)
            if importers:
                yield [folded(name) or COMPUTED], f", by `{importers[0].removeprefix(BUILTINS)}`"
        case ast.Subscript(value=value, slice=key) if _MODULE_TABLE in origins.real(value, scope):
            if not _is_of_own_module(key):
                yield [folded(key) or COMPUTED], f", by `{_MODULE_TABLE}`"


def _is_of_own_module(key: ast.expr) -> bool:
    """Tell whether a key of `sys.modules` names a module that is there by an import that is seen."""
    match key:
        case ast.Name(id="__name__") | ast.Attribute(attr="__module__"):
            return True
    return False


def _by_another_name(path: str) -> Iterator[tuple[list[str], str]]:
    """Yield the module, or its part, that a name of the library leads to, as `random._os` to `os`."""
    real = real_name(path)
    if real != path and not real.startswith(BUILTINS):
        # A module is another import; a function of another module may be meant for users of this one.
        yield [real] if is_module(path) else [path, real], f", as `{path}`"
