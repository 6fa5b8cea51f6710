"""Finds attributes and names from which any code can be reached, out of sight of every rule.

Code that holds a function's globals, a frame or a loader can reach every loaded module and every built-in
without naming it.  So the effect of such an attribute is not decidable here, and a rule that forbids names or
imports counts as broken.
"""

import ast
from collections.abc import Iterator

from grader.rules.source.modules import Module, RuleHit, every_node, line_of, words
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


def gateways(module: Module) -> Iterator[tuple[ast.AST, str]]:
    """Yield the nodes that open a gateway, each with its name."""
    nodes = list(every_node(module))
    followed = {id(part) for node, _ in nodes for part in _followed(node)}
    for node, scope in nodes:
        for name in _opened(node, scope):
            yield node, name
        if _is_builtins(node) and id(node) not in followed:
            yield node, _BUILTINS


def undecidable(modules: list[Module]) -> list[RuleHit]:
    """Find the gateways, for a rule that cannot follow them."""
    return [
        RuleHit(module.name, line_of(node), f"uses `{name}`, by which anything can be reached")
        for module in modules
        for node, name in gateways(module)
    ]


def _opened(node: ast.AST, scope: Scope) -> Iterator[str]:
    match node:
        case ast.Attribute(attr=attr) if attr in GATEWAYS:
            yield f".{attr}"
        case ast.Name(id=name) if name in GATEWAYS:
            if isinstance(node.ctx, ast.Store) or not scope.find(name):
                yield name
        case ast.MatchClass(kwd_attrs=attrs):
            yield from (f".{attr}" for attr in attrs if attr in GATEWAYS)
        case ast.Constant() | ast.BinOp() | ast.JoinedStr():
            text = folded(node)
            if text in GATEWAYS:
                yield f".{text}"


def _followed(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts that the rules follow: in front of a name or a key, and in `getattr`."""
    match node:
        case ast.Attribute(value=value) | ast.Subscript(value=value):
            yield value
        case ast.Call(func=ast.Name(id=name), args=[first, *_]) if name in _FOLLOWERS:
            yield first


def _is_builtins(node: ast.AST) -> bool:
    match node:
        case ast.Name(id=name):
            return name == _BUILTINS
        case ast.Subscript(slice=key):
            return folded(key) == _BUILTINS
    return False
