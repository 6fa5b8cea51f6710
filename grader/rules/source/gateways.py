"""Finds attributes and names from which any code can be reached, out of sight of every rule.

Code that holds a function's globals, a frame or a loader can reach every loaded module and every built-in
without naming it.  So the effect of such an attribute is not decidable here, and a rule that forbids names or
imports counts as broken.
"""

import ast
from collections.abc import Iterator

from grader.rules.source.annotations import are_read, every_annotation
from grader.rules.source.library import real_name
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
_LISTING = _HARMLESS | {"len", "list", "sorted", "set", "tuple", "iter", "any", "all"}
"""Functions that see the names in a namespace alone."""
_LOOKING_UP = frozenset({"get", "__getitem__"})
_OF_NAMES = frozenset({"keys", "__contains__", "__len__"})
_GIVING_ALL = frozenset({"items", "values", "copy", "popitem", "__or__", "__ror__", "__ior__"})
_NAMESPACE = ".__dict__"
_GLOBALS = "globals()"
_COPYING = ("builtins.dict.", "builtins.map.", "builtins.filter.", "collections.", "operator.", "types.")
"""Functions that hand on all of a mapping that they are given."""


def gateways(module: Module) -> Iterator[tuple[ast.AST, str]]:
    """Yield the nodes that open a gateway, each with its name."""
    nodes = [*every_node(module), *every_annotation(module)]
    followed = {id(part) for node, scope in nodes for part in _followed(node, scope)}
    followed |= {id(part) for node, _ in nodes for part in _names_in(node)}
    for node, scope in nodes:
        if _is_name_of_builtins(node) and id(node) not in followed:
            yield node, _BUILTINS
        for name in _opened(node, scope):
            yield node, name
        if _is_builtins(node) and id(node) not in followed:
            yield node, _BUILTINS


def undecidable(
    modules: list[Module],
    origins: Origins,
    holders: frozenset[str] = frozenset(),
    tables: frozenset[str] = frozenset(),
) -> list[RuleHit]:
    """Find the gateways, for a rule that cannot follow them.

    holders: modules of the library that have what is forbidden, besides `builtins`.
    tables: modules that have it only for who gets all of their names.
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
    namespaces = [
        RuleHit(module.name, line_of(node), f"hands on all names of `{name}`, of which any can be reached")
        for module in modules
        for node, name in _namespaces(module, origins, holders | tables | {"builtins"})
    ]
    doubts = [
        RuleHit(
            module.name,
            line_of(node),
            "hands on `globals()`, or looks up a computed name in it",
            decided=False,
        )
        for module in modules
        for node in _own_namespace(module, origins)
    ]
    return [*opened, *handed_on, *namespaces, *doubts]


def _namespaces(module: Module, origins: Origins, holders: frozenset[str]) -> Iterator[tuple[ast.AST, str]]:
    """Yield the uses of a module's namespace that are not followed, each with the module's name.

    `vars(m)["name"]` is followed; whoever gets all of `vars(m)` can take any name out of it.
    """
    nodes = [*every_node(module)]
    followed = {id(part) for node, scope in nodes for part in _looked_up(node, scope)}
    for node, scope in nodes:
        if id(node) in followed or not _is_read(node):
            continue
        for origin in sorted(origins.of(node, scope)):
            base = real_name(origin.partition(_NAMESPACE)[0])
            inner = origin.partition(_NAMESPACE)[2].removeprefix(".")
            if _NAMESPACE in origin and base in holders and (not inner or inner in _LOOKING_UP | _GIVING_ALL):
                yield node, base


def _looked_up(node: ast.AST, scope: Scope) -> Iterator[ast.AST]:
    """Yield the namespaces of which a name is taken that is followed, or that show their names alone."""
    match node:
        case ast.Subscript(value=value):
            yield value
        case ast.Call(func=ast.Attribute(value=value, attr=attr) as got, args=[_, *_]) if attr in _LOOKING_UP:
            yield from (value, got)
        case ast.Attribute(value=value, attr=attr) if attr in _OF_NAMES:
            yield value
        case ast.Attribute(value=value, attr=attr) if attr in _LOOKING_UP | _GIVING_ALL:
            # The attribute itself is looked at.
            yield value
        case ast.Call(func=ast.Name(id=name), args=[first, *_]) if name in _LISTING and not scope.find(name):
            yield first
        case ast.For(iter=value) | ast.comprehension(iter=value):
            yield value
        case _:
            yield from _harmless(node, scope)


def _own_namespace(module: Module, origins: Origins) -> Iterator[ast.AST]:
    """Yield the places where all of `globals()` is handed on, `__builtins__` with it."""
    for node, scope in every_node(module):
        given: list[ast.expr | None] = []
        match node:
            case ast.Attribute(value=value, attr=attr) if attr in _GIVING_ALL:
                given = [value]
            case ast.Dict(keys=keys, values=values):
                given = [value for key, value in zip(keys, values, strict=True) if key is None]
            case ast.BinOp(op=ast.BitOr(), left=left, right=right):
                given = [left, right]
            case ast.Call(func=func, args=args, keywords=keywords):
                given = [keyword.value for keyword in keywords if keyword.arg is None]
                if any(f"{origin}.".startswith(_COPYING) for origin in origins.real(func, scope)):
                    given += args
            case ast.Subscript(value=value, slice=key) if folded(key) is None:
                given = [value]
        if any(_GLOBALS in origins.of(each, scope) for each in given):
            yield node


def _handed_on(
    module: Module, origins: Origins, holders: frozenset[str], *, is_read: bool
) -> Iterator[tuple[ast.AST, str]]:
    """Yield the uses of modules as values that are not followed, each with the module's name.

    A module gives any of its names to `operator.attrgetter`, to a pattern of `match`, and to a function.
    is_read: the program may read its annotations.
    """
    nodes = [*every_node(module), *(every_annotation(module, are_read=True) if is_read else ())]
    followed = {
        id(part) for node, scope in nodes for part in (*_followed(node, scope), *_harmless(node, scope))
    }
    for node, scope in nodes:
        if _is_read(node) and id(node) not in followed:
            yield from ((node, name) for name in sorted(origins.real(node, scope) & holders))
        if isinstance(node, ast.Import) and isinstance(scope.node, ast.ClassDef):
            yield from ((node, alias.name) for alias in node.names if real_name(alias.name) in holders)


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
            yield from (f".{name}" for name in _names_of(node) if name in GATEWAYS)


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
        # What a class binds is found by way of its objects, which names do not show.
        case ast.Assign(targets=targets, value=value) if all(isinstance(each, ast.Name) for each in targets):
            if not isinstance(scope.node, ast.ClassDef):
                yield value
        case ast.AnnAssign(target=ast.Name(), value=value) if value is not None:
            if not isinstance(scope.node, ast.ClassDef):
                yield value
        case ast.NamedExpr(value=value) | ast.Expr(value=value):
            yield value
        case ast.Compare(left=left, comparators=others):
            yield from (left, *others)


def _names_in(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the texts that are looked at where they stand, or that nothing is looked up by."""
    match node:
        case ast.Subscript(slice=key):
            yield key
        case ast.Call(func=ast.Name(id="getattr" | "hasattr"), args=[_, name, *_]):
            yield name
        case ast.Compare(left=left, comparators=others):
            yield from (left, *others)
        case ast.Expr(value=value):
            yield value
        case ast.BinOp(left=left, right=right):
            yield from (left, right)
        case ast.JoinedStr(values=values):
            yield from values


def _is_name_of_builtins(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant | ast.BinOp | ast.JoinedStr) and _BUILTINS in _names_of(node)


def _names_of(node: ast.AST) -> list[str]:
    """Return the names that a text gives to `getattr`, or with dots to `attrgetter`; none for a sentence."""
    text = folded(node) or ""
    return text.split(".") if text.split() == [text] else []


def _is_builtins(node: ast.AST) -> bool:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name == _BUILTINS
        case ast.Subscript(slice=key):
            return folded(key) == _BUILTINS
    return False
