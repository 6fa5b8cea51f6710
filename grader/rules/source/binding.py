"""Finds the scopes of a module and the names that each binds, in one walk over its tree."""

import ast
from collections.abc import Iterable, Iterator

from grader.rules.source.scopes import (
    RUNNERS,
    Binding,
    Bound,
    FunctionNode,
    Parameters,
    Scope,
    all_parameters,
    folded,
)

_NAMES_TYPES = (
    ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.Tuple, ast.List, ast.Starred,
    ast.BinOp, ast.BitOr, ast.expr_context,
)  # fmt: skip
"""The parts of an annotation that only names types: none of them runs code of the submission's."""
_MAX_EMBEDDED = 3
"""The most levels of text run as code within other text run as code."""


def build(tree: ast.Module) -> Scope:
    """Return the scopes of a module.  Raises `RecursionError` for a tree that is too deep."""
    module = Scope(tree, None)
    builder = _Builder()
    builder.statements(tree.body, module)
    return module


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
                self._type_parameters(node, scope)
                self._function(node, scope, node.name)
            case ast.Lambda():
                scope.nodes.append(node)
                self._function(node, scope, f"lambda on line {node.lineno}")
            case ast.ClassDef():
                self._class(node, scope)
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                scope.nodes.append(node)
                self._comprehension(node, scope)
            case _ if type(node).__name__ == "TypeAlias":  # since Python 3.12
                scope.nodes.append(node)
                self._type_parameters(node, scope)
                self._annotation(getattr(node, "value", None), scope)
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
        self._type_parameters(node, scope)
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
        """Visit an annotation that can do more than name types, and note the parts of any other."""
        if node is None:
            return
        parts = list(ast.walk(node))
        scope.quoted += [inner for part in parts for inner in _quoted(part)]
        if all(isinstance(part, _NAMES_TYPES) for part in parts):
            scope.annotated += parts
        else:
            self.visit(node, scope)

    def _type_parameters(self, node: ast.AST, scope: Scope) -> None:
        """Read the bounds and defaults of `def f[T: bound = default]`, which Python 3.12 and 3.13 brought."""
        for parameter in getattr(node, "type_params", ()):
            for part in ast.iter_child_nodes(parameter):
                self._annotation(part if isinstance(part, ast.expr) else None, scope)

    # -- bindings ----------------------------------------------------------------------------------

    def _bind(self, name: str, binding: Binding, scope: Scope) -> None:
        owner = scope.outer_names.get(name, scope)
        owner.bindings.setdefault(name, []).append(binding)
        if self._embedded:
            owner.embedded[name] = owner.embedded.get(name, 0) + 1

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
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                self._bind(name, Binding(Bound.OTHER, scope, node.lineno), scope)
            case ast.ExceptHandler(name=str(name)):
                self._bind(name, Binding(Bound.OTHER, scope, node.lineno, node), scope)
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
                        scope.star_imports[base] = node.lineno
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


def _quoted(part: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a text in an annotation, which a program may have evaluated, at the text's line."""
    if not isinstance(part, ast.Constant) or type(part.value) is not str:
        return
    try:
        tree = ast.parse(part.value.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for inner in ast.walk(tree.body):
        if hasattr(inner, "lineno"):
            inner.lineno = part.lineno
        yield inner


def _around(scope: Scope) -> Scope:
    while scope.is_comprehension and scope.parent is not None:
        scope = scope.parent
    return scope


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
