"""Finds attributes and names from which any code can be reached, out of sight of every rule.

Code that holds a function's globals, a frame or a loader can reach every loaded module and every built-in
without naming it.  So the effect of such an attribute is not decidable here, and a rule that forbids names or
imports counts as broken.
"""

import ast
from collections.abc import Iterator

from grader.rules.source.annotations import are_read, every_annotation
from grader.rules.source.modules import Module, RuleHit, every_node, line_of, words
from grader.rules.source.origins import Origins
from grader.rules.source.scopes import Scope, folded

GATEWAYS = words(
    "__self__ __globals__ __loader__ __spec__ __package__ __path__ __subclasses__ __code__ __closure__ "
    "__reduce__ __reduce_ex__ __getattribute__ __build_class__ "
    "f_globals f_builtins f_locals f_back f_code gi_frame gi_code cr_frame cr_code ag_frame ag_code tb_frame "
    "cell_contents"
)
_BUILTINS = "__builtins__"
"""The attribute that `origins` follows in front of a name or a key; elsewhere it is a gateway."""
_FOLLOWERS = frozenset({"getattr", "vars"})
_HARMLESS = frozenset({"dir", "hasattr", "help", "id", "print", "repr", "str", "type"})
"""Functions that tell of a module and give nothing of it away."""


def gateways(module: Module) -> Iterator[tuple[ast.AST, str]]:
    """Yield the nodes that open a gateway, each with its name."""
    nodes = [*every_node(module), *every_annotation(module)]
    followed = {id(part) for node, scope in nodes for part in _followed(node, scope)}
    for node, scope in nodes:
        for name in _opened(node, scope):
            yield node, name
        if _is_builtins(node) and id(node) not in followed:
            yield node, _BUILTINS


def undecidable(
    modules: list[Module], origins: Origins, holders: frozenset[str] = frozenset()
) -> list[RuleHit]:
    """Find the gateways, for a rule that cannot follow them.

    holders: modules of the library that have what is forbidden, besides `builtins`.
    """
    opened = [
        RuleHit(module.name, line_of(node), f"uses `{name}`, by which anything can be reached")
        for module in modules
        for node, name in gateways(module)
    ]
    is_read = are_read(modules, origins)
    handed_on = [
        RuleHit(module.name, line_of(node), f"hands on the module `{name}`, of which any part can be reached")
        for module in modules
        for node, name in _handed_on(module, origins, holders | {"builtins"}, is_read=is_read)
    ]
    return [*opened, *handed_on]


def _handed_on(
    module: Module, origins: Origins, holders: frozenset[str], *, is_read: bool
) -> Iterator[tuple[ast.AST, str]]:
    """Yield the uses of modules as values that are not followed, each with the module's name.

    A module gives any of its names to `operator.attrgetter`, to a pattern of `match`, and to a function.
    is_read: the program may read its annotations.
    """
    nodes = [*every_node(module), *(every_annotation(module) if is_read else ())]
    followed = {
        id(part) for node, scope in nodes for part in (*_followed(node, scope), *_harmless(node, scope))
    }
    for node, scope in nodes:
        if _is_read(node) and id(node) not in followed:
            yield from ((node, name) for name in sorted(origins.real(node, scope) & holders))


def _is_read(node: ast.AST) -> bool:
    """Tell whether a node has a value that can be a module; `__builtins__` is found as a gateway."""
    match node:
        case ast.Name(ctx=ast.Load(), id=name):
            return name != _BUILTINS
        case ast.Attribute(ctx=ast.Load()) | ast.Subscript(ctx=ast.Load()) | ast.Call():
            return True
    return False


def _opened(node: ast.AST, scope: Scope) -> Iterator[str]:
    match node:
        case ast.Attribute(attr=attr) if attr in GATEWAYS:
            yield f".{attr}"
        case ast.Name(id=name) if name in GATEWAYS:
            if isinstance(node.ctx, ast.Store) or not scope.find(name):
                yield name
        case ast.MatchClass(kwd_attrs=attrs):
            yield from (f".{attr}" for attr in attrs if attr in GATEWAYS or attr == _BUILTINS)
        case ast.Constant() | ast.BinOp() | ast.JoinedStr():
            text = folded(node)
            if text in GATEWAYS:
                yield f".{text}"


def _followed(node: ast.AST, scope: Scope) -> Iterator[ast.AST]:
    """Yield the parts that the rules follow: in front of a name or a key, and in `getattr`."""
    match node:
        case ast.Attribute(value=value) | ast.Subscript(value=value):
            yield value
        case ast.Call(func=ast.Name(id=name), args=[first, *_]) if name in _FOLLOWERS:
            # A function of the module's own may do anything.
            if not scope.find(name):
                yield first


def _harmless(node: ast.AST, scope: Scope) -> Iterator[ast.AST]:
    """Yield the parts that get a name, which is followed, and those by which nothing is reached."""
    match node:
        case ast.Call(func=ast.Name(id=name), args=[first, *_]) if name in _HARMLESS and not scope.find(name):
            yield first
        case ast.Assign(targets=targets, value=value) if all(isinstance(each, ast.Name) for each in targets):
            yield value
        case ast.AnnAssign(target=ast.Name(), value=value) if value is not None:
            yield value
        case ast.NamedExpr(value=value) | ast.Expr(value=value):
            yield value
        case ast.Compare(left=left, comparators=others):
            yield from (left, *others)


def _is_builtins(node: ast.AST) -> bool:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name == _BUILTINS
        case ast.Subscript(slice=key):
            return folded(key) == _BUILTINS
    return False
