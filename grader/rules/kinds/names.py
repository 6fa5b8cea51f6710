"""The rule on names that must not be used: built-ins, functions of modules, methods."""

import ast
from collections.abc import Iterator

from grader.rules.source.gateways import undecidable
from grader.rules.source.modules import Found, Module, every_node, line_of
from grader.rules.source.origins import ATTRIBUTE_GETTERS, BUILTINS, COMPUTED, Origins
from grader.rules.source.scopes import Scope, folded


def forbidden_names(modules: list[Module], names: list[str]) -> list[Found]:
    """Find uses of names.

    names: `eval` is the built-in, unless the module defines its own; `os.system` is that function
    under whatever name it was imported; `.sort` is an attribute of that name of anything.
    """
    attributes = {name[1:] for name in names if name.startswith(".")}
    full = {name if "." in name else BUILTINS + name for name in names if not name.startswith(".")}
    origins = Origins(modules)
    found = [found for module in modules for found in _uses(module, full, attributes, origins)]
    return [*found, *undecidable(modules)]


def _uses(module: Module, full: set[str], attributes: set[str], origins: Origins) -> Iterator[Found]:
    told: set[tuple[int, str]] = set()
    for node, scope in every_node(module):
        for message in (*_named(node, scope, origins, full), *_attributes(node, scope, origins, attributes)):
            place = (line_of(node), message)
            if place not in told:
                told.add(place)
                yield Found(module.name, *place)


def _named(node: ast.AST, scope: Scope, origins: Origins, full: set[str]) -> Iterator[str]:
    match node:
        case ast.ImportFrom(module=str(base), names=aliases):
            for alias in aliases:
                if alias.name == "*":
                    yield from (
                        f"imports everything from `{base}`, `{name.rpartition('.')[2]}` too"
                        for name in sorted(full)
                        if name.rpartition(".")[0] == base
                    )
                elif f"{base}.{alias.name}" in full:
                    yield _message(f"{base}.{alias.name}")
        case (
            ast.Name(ctx=ast.Load())
            | ast.Attribute(ctx=ast.Load())
            | ast.Subscript(ctx=ast.Load())
            | ast.Call()
        ):
            for origin in sorted(origins.of(node, scope)):
                if origin in full:
                    yield _message(origin)
                elif origin.endswith(f".{COMPUTED}") and any(
                    name.startswith(origin.removesuffix(COMPUTED)) for name in full
                ):
                    yield f"looks up a name of `{origin.removesuffix(f'.{COMPUTED}')}` that is computed"


def _message(origin: str) -> str:
    return f"uses `{origin.removeprefix(BUILTINS)}`"


def _attributes(node: ast.AST, scope: Scope, origins: Origins, attributes: set[str]) -> Iterator[str]:
    match node:
        case ast.Attribute(attr=attr) if attr in attributes:
            yield f"uses `.{attr}`"
        case ast.Call(func=func, args=args) if origins.of(func, scope) & ATTRIBUTE_GETTERS:
            yield from (f"uses `.{name}`" for arg in args if (name := folded(arg)) in attributes)
