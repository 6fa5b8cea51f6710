"""The names that a module binds, with places and values: the base of all rules on names.

A scope knows the names bound in it and the nodes of the tree that belong to it.  Nothing is evaluated: a name
that is bound twice has two bindings, and every caller must allow for both.
"""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Parameters = ast.arguments

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
RUNNERS = ("eval", "exec", "compile")
"""Built-in functions that run a text as code."""
_MAX_EMBEDDED = 3
"""The most levels of text run as code within other text run as code."""


class Bound(Enum):
    FUNCTION = "a function of the module"
    CLASS = "a class of the module"
    IMPORT = "something imported"
    VALUE = "the value of an expression"
    ITEM = "a part of the value of an expression"
    PARAMETER = "an argument of a call"
    OTHER = "something else"


@dataclass(frozen=True, slots=True)
class Binding:
    """One place where a name is bound.

    node: the definition, the expression or the parameter.
    origin: for an import, its dotted name; with two dots in front of a relative one.
    annotation: the type of a value in the source.
    """

    kind: Bound
    scope: "Scope"
    line: int
    node: ast.AST | None = None
    origin: str = ""
    annotation: ast.expr | None = None


@dataclass(slots=True, eq=False)
class Scope:
    """A module, class, function or comprehension.

    name: qualified within the module; empty for the module itself.
    nodes: those that belong to the scope and to no scope within it.
    """

    node: ast.AST
    parent: "Scope | None"
    name: str = ""
    bindings: dict[str, list[Binding]] = field(default_factory=dict)
    nodes: list[ast.AST] = field(default_factory=list)
    children: "list[Scope]" = field(default_factory=list)
    outer_names: dict[str, "Scope"] = field(default_factory=dict)
    star_imports: list[str] = field(default_factory=list)

    @property
    def is_class(self) -> bool:
        """Tell whether it is the body of a class, whose names are not visible in its functions."""
        return isinstance(self.node, ast.ClassDef)

    @property
    def is_comprehension(self) -> bool:
        """Tell whether it runs as a part of the scope around it."""
        return isinstance(self.node, _COMPREHENSIONS)

    @property
    def module(self) -> "Scope":
        scope = self
        while scope.parent is not None:
            scope = scope.parent
        return scope

    def find(self, name: str) -> list[Binding]:
        """Return the bindings that a use of `name` in this scope may mean; none for a built-in."""
        scope: Scope | None = self.outer_names.get(name, self)
        first = scope
        while scope is not None:
            if name in scope.bindings and (scope is first or not scope.is_class):
                return scope.bindings[name]
            scope = scope.parent
        return []

    def walk(self) -> "Iterator[Scope]":
        """Yield this scope and all within it."""
        waiting = [self]
        while waiting:
            scope = waiting.pop()
            yield scope
            waiting.extend(reversed(scope.children))

    def body(self) -> Iterator[tuple[ast.AST, "Scope"]]:
        """Yield the nodes that run when this scope runs, each with its own scope."""
        waiting = [self]
        while waiting:
            scope = waiting.pop()
            for node in scope.nodes:
                yield node, scope
            waiting.extend(child for child in scope.children if child.is_comprehension)


def build(tree: ast.Module) -> Scope:
    """Return the scopes of a module.  Raises `RecursionError` for a tree that is too deep."""
    module = Scope(tree, None)
    builder = _Builder()
    builder.statements(tree.body, module)
    return module


def folded(node: ast.AST | None) -> str | None:
    """Return the text of an expression of constant strings, None for any other expression."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            texts = [folded(part) for part in parts]
        case ast.FormattedValue(value=value, conversion=-1, format_spec=None):
            return folded(value)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            texts = [folded(left), folded(right)]
        case _:
            return None
    known = [text for text in texts if text is not None]
    return "".join(known) if len(known) == len(texts) else None


class _Builder:
    """Walks a tree once and builds its scopes."""

    def __init__(self) -> None:
        self._embedded = 0

    def statements(self, body: Iterable[ast.AST], scope: Scope) -> None:
        for node in body:
            self.visit(node, scope)

    def visit(self, node: ast.AST, scope: Scope) -> None:
        """Note the bindings and uses of `node` in `scope`, then visit its parts."""
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._bind(node.name, Binding(Bound.FUNCTION, scope, node.lineno, node), scope)
                self.statements(node.decorator_list, scope)
                self._annotation(node.returns, scope)
                self._function(node, scope, node.name)
            case ast.Lambda():
                scope.nodes.append(node)
                self._function(node, scope, f"lambda on line {node.lineno}")
            case ast.ClassDef():
                self._class(node, scope)
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                scope.nodes.append(node)
                self._comprehension(node, scope)
            case _:
                scope.nodes.append(node)
                self._binders(node, scope)
                for child in _evaluated(node):
                    self.visit(child, scope)
                if isinstance(node, ast.Call):
                    self._embedded_code(node, scope)

    # -- scopes within -----------------------------------------------------------------------------

    def _child(self, node: ast.AST, scope: Scope, name: str) -> Scope:
        prefix = f"{scope.name}." if scope.name else ""
        child = Scope(node, scope, prefix + name if name else scope.name)
        scope.children.append(child)
        return child

    def _function(self, node: FunctionNode, scope: Scope, name: str) -> None:
        arguments = node.args
        self.statements([*arguments.defaults, *filter(None, arguments.kw_defaults)], scope)
        child = self._child(node, scope, name)
        body = [node.body] if isinstance(node, ast.Lambda) else node.body
        _declare_outer_names(body, child)
        for argument in all_parameters(arguments):
            self._annotation(argument.annotation, scope)
            binding = Binding(Bound.PARAMETER, child, node.lineno, argument)
            child.bindings.setdefault(argument.arg, []).append(binding)
        for argument, default in _defaults(arguments):
            child.bindings[argument.arg].append(Binding(Bound.VALUE, scope, node.lineno, default))
        self.statements(body, child)

    def _class(self, node: ast.ClassDef, scope: Scope) -> None:
        self._bind(node.name, Binding(Bound.CLASS, scope, node.lineno, node), scope)
        self.statements([*node.decorator_list, *node.bases, *(k.value for k in node.keywords)], scope)
        child = self._child(node, scope, node.name)
        _declare_outer_names(node.body, child)
        self.statements(node.body, child)

    def _comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp, scope: Scope
    ) -> None:
        child = self._child(node, scope, "")
        for generator in node.generators:
            self.visit(generator.iter, child)
            self._targets(generator.target, Bound.ITEM, generator.iter, child)
            self.visit(generator.target, child)
            self.statements(generator.ifs, child)
        parts = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        self.statements(parts, child)

    def _annotation(self, node: ast.expr | None, scope: Scope) -> None:
        """Visit an annotation if it makes a call; else it only names types, which counts as no use."""
        if node is not None and any(isinstance(part, ast.Call) for part in ast.walk(node)):
            self.visit(node, scope)

    # -- bindings ----------------------------------------------------------------------------------

    def _bind(self, name: str, binding: Binding, scope: Scope) -> None:
        owner = scope.outer_names.get(name, scope)
        owner.bindings.setdefault(name, []).append(binding)

    def _binders(self, node: ast.AST, scope: Scope) -> None:
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self._targets(target, Bound.VALUE, value, scope)
            case ast.AnnAssign(target=target, annotation=annotation, value=value):
                self._annotation(annotation, scope)
                self._targets(target, Bound.VALUE, value, scope, annotation)
            case ast.AugAssign(target=target):
                self._targets(target, Bound.OTHER, None, scope)
            case ast.NamedExpr(target=target, value=value):
                self._bind(target.id, Binding(Bound.VALUE, scope, node.lineno, value), _around(scope))
            case ast.For(target=target, iter=iterated) | ast.AsyncFor(target=target, iter=iterated):
                self._targets(target, Bound.ITEM, iterated, scope)
            case ast.With(items=items) | ast.AsyncWith(items=items):
                for item in items:
                    if item.optional_vars is not None:
                        self._targets(item.optional_vars, Bound.VALUE, item.context_expr, scope)
            case (
                ast.ExceptHandler(name=str(name))
                | ast.MatchAs(name=str(name))
                | ast.MatchStar(name=str(name))
            ):
                self._bind(name, Binding(Bound.OTHER, scope, node.lineno), scope)
            case ast.MatchMapping(rest=str(name)):
                self._bind(name, Binding(Bound.OTHER, scope, node.lineno), scope)
            case ast.Import(names=names):
                for alias in names:
                    name, origin = alias.asname or alias.name.partition(".")[0], alias.name
                    origin = origin if alias.asname else name
                    self._bind(name, Binding(Bound.IMPORT, scope, node.lineno, origin=origin), scope)
            case ast.ImportFrom(names=names):
                base = "." * node.level + (node.module or "")
                for alias in names:
                    if alias.name == "*":
                        scope.star_imports.append(base)
                        continue
                    origin = f"{base}.{alias.name}"
                    binding = Binding(Bound.IMPORT, scope, node.lineno, origin=origin)
                    self._bind(alias.asname or alias.name, binding, scope)

    def _targets(
        self,
        target: ast.expr,
        kind: Bound,
        value: ast.expr | None,
        scope: Scope,
        annotation: ast.expr | None = None,
    ) -> None:
        """Bind the names of an assignment's left side, pairwise if both sides are written out."""
        match target, value:
            case ast.Name(id=name), _:
                binding = Binding(kind, scope, target.lineno, value, annotation=annotation)
                self._bind(name, binding, scope)
            case ast.Starred(value=inner), _:
                self._targets(inner, Bound.OTHER, None, scope)
            case (
                (ast.Tuple(elts=targets) | ast.List(elts=targets)),
                (ast.Tuple(elts=values) | ast.List(elts=values)),
            ) if kind is Bound.VALUE and len(targets) == len(values):
                for part, item in zip(targets, values, strict=True):
                    self._targets(part, kind, item, scope)
            case ((ast.Tuple(elts=targets) | ast.List(elts=targets)), _):
                for part in targets:
                    self._targets(part, Bound.ITEM, value, scope)

    # -- text that is run as code ------------------------------------------------------------------

    def _embedded_code(self, node: ast.Call, scope: Scope) -> None:
        """Visit the text of `exec("…")` as if it stood there."""
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        text = folded(node.args[0]) if node.args else None
        if name not in RUNNERS or text is None or self._embedded >= _MAX_EMBEDDED:
            return
        try:
            tree = ast.parse(text.strip())
        except (SyntaxError, ValueError):
            return
        for part in ast.walk(tree):
            if hasattr(part, "lineno"):
                part.lineno = node.lineno
        self._embedded += 1
        self.statements(tree.body, scope)
        self._embedded -= 1


def _around(scope: Scope) -> Scope:
    while scope.is_comprehension and scope.parent is not None:
        scope = scope.parent
    return scope


def all_parameters(arguments: Parameters) -> list[ast.arg]:
    """Return the parameters of a function, positional ones first."""
    extra = [arguments.vararg, arguments.kwarg]
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *filter(None, extra)]


def _defaults(arguments: Parameters) -> Iterator[tuple[ast.arg, ast.expr]]:
    positional = [*arguments.posonlyargs, *arguments.args]
    yield from zip(reversed(positional), reversed(arguments.defaults), strict=False)
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        if default is not None:
            yield argument, default


def _evaluated(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts of a node that are evaluated where it stands."""
    if isinstance(node, ast.AnnAssign):
        yield node.target
        if node.value is not None:
            yield node.value
        return
    yield from ast.iter_child_nodes(node)


def _declare_outer_names(body: list[ast.stmt] | list[ast.expr], scope: Scope) -> None:
    """Note the names that `global` and `nonlocal` take out of the scope."""
    waiting: list[ast.AST] = list(body)
    while waiting:
        node = waiting.pop()
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() | ast.Lambda():
                continue
            case ast.Global(names=names):
                scope.outer_names.update(dict.fromkeys(names, scope.module))
            case ast.Nonlocal(names=names):
                for name in names:
                    scope.outer_names[name] = _owner(name, scope)
        waiting.extend(ast.iter_child_nodes(node))


def _owner(name: str, scope: Scope) -> Scope:
    outer = scope.parent
    while outer is not None and (name not in outer.bindings or outer.is_class):
        outer = outer.parent
    return outer or scope.module
