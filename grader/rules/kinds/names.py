"""The rule on names that must not be used: built-ins, functions of modules, methods."""

import ast
from collections.abc import Iterator, Mapping, Sequence

from grader.rules.source.annotations import are_read, every_annotation, names_type
from grader.rules.source.gateways import undecidable
from grader.rules.source.library import is_module, real_name
from grader.rules.source.modules import Module, RuleHit, every_node, line_of
from grader.rules.source.origins import BUILTINS, COMPUTED, Origins
from grader.rules.source.run_texts import harmless_runs, in_front, may_run_text, unclear
from grader.rules.source.scopes import Scope, folded

_RUNNERS = frozenset({f"{BUILTINS}eval", f"{BUILTINS}exec", f"{BUILTINS}compile"})


def forbidden_names(modules: list[Module], names: list[str]) -> list[RuleHit]:
    """Find uses of names.

    names: `eval` is the built-in, unless the module defines its own; `os.system` is that function
    under whatever name it was imported; `.sort` is an attribute of that name of anything.
    """
    attributes = {name[1:] for name in names if name.startswith(".")}
    plain = [name if "." in name else BUILTINS + name for name in names if not name.startswith(".")]
    full = {real_name(name): name for name in plain} | {name: name for name in plain}
    origins = Origins(modules, doubts=True)
    words = attributes | {name.rpartition(".")[2] for name in full}
    is_read = are_read(modules, origins)
    in_annotations = full if is_read else {n: full[n] for n in full if not names_type(n)}
    found: list[RuleHit] = []
    for module in modules:
        settled = None if _RUNNERS.isdisjoint(full) else _settled(module, modules, words, origins)
        found += _uses(module, settled, full, attributes, origins)
        found += [
            RuleHit(module.name, line_of(node), message)
            for node, scope in every_annotation(module, are_read=is_read)
            for message in (
                *_named(node, scope, origins, in_annotations),
                *_attributes(node, scope, origins, attributes),
                *(_runs_texts(node, scope, origins) if settled is not None else ()),
            )
        ]
    holders = frozenset(base for name in full if is_module(base := name.rpartition(".")[0]))
    doubts = unclear(modules, origins, words, texts=_RUNNERS.isdisjoint(full))
    return [*found, *undecidable(modules, origins, holders), *doubts]


def _uses(
    module: Module,
    settled: frozenset[int] | None,
    full: Mapping[str, str],
    attributes: set[str],
    origins: Origins,
) -> Iterator[RuleHit]:
    """Yield the places that break the rule.

    settled: see `_settled`; None where texts may be run.
    """
    told: set[tuple[int, str]] = set()
    for node, scope in every_node(module):
        messages = [*_named(node, scope, origins, full), *_attributes(node, scope, origins, attributes)]
        if settled is not None and id(node) not in settled:
            messages += _runs_texts(node, scope, origins)
        for message in messages:
            place = (line_of(node), message)
            if place not in told:
                told.add(place)
                yield RuleHit(module.name, *place)


def _named(node: ast.AST, scope: Scope, origins: Origins, full: Mapping[str, str]) -> Iterator[str]:
    match node:
        case ast.ImportFrom(module=str(base), names=aliases):
            for alias in aliases:
                if alias.name == "*":
                    yield from (
                        f"imports everything from `{base}`, `{name.rpartition('.')[2]}` too"
                        for name in sorted(full)
                        if name.rpartition(".")[0] == base
                    )
                else:
                    yield from _used(f"{base}.{alias.name}", full)
        case (
            ast.Name(ctx=ast.Load())
            | ast.Attribute(ctx=ast.Load())
            | ast.Subscript(ctx=ast.Load())
            | ast.Call()
        ):
            for origin in sorted(origins.of(node, scope)):
                yield from _used(origin, full)


def _used(origin: str, full: Mapping[str, str]) -> Iterator[str]:
    """Yield what a use of a dotted name breaks."""
    base, _, last = origin.rpartition(".")
    real = real_name(origin)
    if origin in full:
        yield f"uses `{origin.removeprefix(BUILTINS)}`"
    elif real in full:
        yield f"uses `{full[real].removeprefix(BUILTINS)}`, as `{origin.removeprefix(BUILTINS)}`"
    elif last == COMPUTED and any(name.startswith((f"{base}.", f"{real_name(base)}.")) for name in full):
        yield f"looks up a name of `{base}` that is computed"


def _settled(
    module: Module, modules: Sequence[Module], forbidden: set[str], origins: Origins
) -> frozenset[int]:
    """Return the ids of nodes by which no text is run that may have a forbidden name.

    A module in front of an attribute is among them, since the attribute is judged itself.
    """
    return in_front(module) | harmless_runs(module, modules, origins, forbidden)


def _runs_texts(node: ast.AST, scope: Scope, origins: Origins) -> list[str]:
    if not isinstance(node, ast.Name | ast.Attribute | ast.Subscript | ast.Call):
        return []
    if isinstance(getattr(node, "ctx", None), ast.Store | ast.Del):
        return []
    found = filter(may_run_text, sorted(origins.of(node, scope)))
    return [f"uses `{origin}`, which can run a text as code" for origin in found]


def _attributes(node: ast.AST, scope: Scope, origins: Origins, attributes: set[str]) -> Iterator[str]:
    if isinstance(node, ast.Call):
        yield from (f"uses `.{name}`" for name in origins.attributes(node, scope) if name in attributes)
    match node:
        case ast.Attribute(attr=attr) if attr in attributes:
            yield f"uses `.{attr}`"
        case ast.MatchClass(kwd_attrs=attrs):
            yield from (f"uses `.{attr}`" for attr in attrs if attr in attributes)
        case ast.Call(func=ast.Attribute(value=value), args=args) if _is_table(value, scope, origins):
            yield from (f"uses `.{name}`" for arg in args if (name := folded(arg)) in attributes)
        case ast.Subscript(value=value, slice=key) if _is_table(value, scope, origins):
            name = folded(key)
            if name in attributes:
                yield f"uses `.{name}`"
            elif name is None and attributes and _is_of_built_in(value, scope, origins):
                yield "looks up a name of a built-in type that is computed"


def _is_table(node: ast.expr, scope: Scope, origins: Origins) -> bool:
    """Tell whether an expression is the table of an object's attributes."""
    match node:
        case ast.Attribute(attr="__dict__"):
            return True
        case ast.Call(func=func, args=[_]):
            return "builtins.vars" in origins.real(func, scope)
    return any(origin.endswith(".__dict__") for origin in origins.of(node, scope))


def _is_of_built_in(node: ast.expr, scope: Scope, origins: Origins) -> bool:
    tables = (origin for origin in origins.of(node, scope) if origin.endswith(".__dict__"))
    return any(real_name(origin.removesuffix(".__dict__")).startswith(BUILTINS) for origin in tables)
