"""Finds the uses of a name that may still mean Python's own, although the module binds the name too.

Python looks for a name in `builtins` where the module does not have it: before its definition, where the
definition stands under a condition that is not met, and after `del`.  Only what surely runs counts as a
definition.  In a function there is nothing to find: a local name that is not bound is an error.
"""

import ast
from collections.abc import Iterable, Iterator

from grader.rules.source.live import truth
from grader.rules.source.scopes import Bound, Scope

_CHANGERS = frozenset({"globals", "locals", "vars", "delattr"})
"""Functions by which a module can lose a name without naming it."""
_DEFERRED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_SOMETIMES = (ast.BoolOp, ast.IfExp, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def open_uses(scope: Scope, name: str) -> frozenset[int]:
    """Return the nodes, by identity, where a name of a module or a class may not be bound when they run."""
    return frozenset(_Reader(scope, name).read())


class _Reader:
    """Follows the statements of a module or the body of a class, and knows whether a name is surely bound."""

    def __init__(self, scope: Scope, name: str) -> None:
        self._scope = scope
        self._name = name
        self._open: set[int] = set()
        self._functions: list[tuple[ast.AST, bool, int]] = []
        """Each with whether the name was bound at its definition, and how many calls came before."""
        self._calls = 0
        """Calls of the module's own functions while the name was not bound."""
        self._is_lost = _is_lost(scope, name)

    def read(self) -> set[int]:
        body: list[ast.stmt] = getattr(self._scope.node, "body", [])
        is_bound = self._after(body, is_bound=False)
        for function, was_bound, calls in self._functions:
            if self._is_lost or is_bound is False or (not was_bound and self._calls > calls):
                self._open.update(map(id, ast.walk(function)))
        if self._is_lost:
            for statement in body:
                self._open.update(map(id, ast.walk(statement)))
        return self._open

    def _after(self, body: Iterable[ast.stmt], *, is_bound: bool) -> bool | None:
        """Return whether the name is bound after statements; None if nothing comes after them."""
        for node in body:
            found = self._statement(node, is_bound)
            if found is None:
                return None
            is_bound = found
        return is_bound

    def _statement(self, node: ast.stmt, is_bound: bool) -> bool | None:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._see([*node.decorator_list, *_defaults(node.args)], is_bound)
                self._functions.append((node, is_bound, self._calls))
                self._calls += bool(node.decorator_list) and not is_bound
                return is_bound or node.name == self._name
            case ast.ClassDef():
                self._see([*node.decorator_list, *node.bases, *node.keywords, *node.body], is_bound)
                return is_bound or node.name == self._name
            case ast.If(test=test, body=body, orelse=orelse):
                is_bound = self._see([test], is_bound)
                taken = truth(test, self._scope)
                ways = [body] if taken is True else [orelse] if taken is False else [body, orelse]
                return _joined([self._after(way, is_bound=is_bound) for way in ways])
            case ast.For() | ast.AsyncFor():
                self._see([node.iter], is_bound)
                self._after(node.body, is_bound=is_bound or self._is_in(node.target))
                return self._after(node.orelse, is_bound=is_bound)
            case ast.While():
                is_bound = self._see([node.test], is_bound)
                self._after(node.body, is_bound=is_bound)
                return self._after(node.orelse, is_bound=is_bound)
            case ast.With() | ast.AsyncWith():
                return self._with(node, is_bound)
            case ast.Try() | ast.TryStar():
                return self._try(node, is_bound)
            case ast.Match():
                return self._match(node, is_bound)
            case ast.Return() | ast.Raise() | ast.Break() | ast.Continue():
                self._see([node], is_bound)
                return None
        is_bound = self._see([node], is_bound)
        return is_bound or self._is_bound_by(node)

    def _is_bound_by(self, node: ast.stmt) -> bool:
        match node:
            case ast.Assign(targets=targets):
                return any(map(self._is_in, targets))
            case ast.AnnAssign(target=target, value=value):
                return value is not None and self._is_in(target)
            case ast.AugAssign(target=target):
                return self._is_in(target)
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                return any((each.asname or each.name.partition(".")[0]) == self._name for each in names)
        return False

    def _with(self, node: ast.With | ast.AsyncWith, is_bound: bool) -> bool | None:
        self._see([item.context_expr for item in node.items], is_bound)
        is_bound = is_bound or any(
            item.optional_vars is not None and self._is_in(item.optional_vars) for item in node.items
        )
        after = self._after(node.body, is_bound=is_bound)
        # A file lets all exceptions through; another manager may take one away, so the body may end early.
        files = [item for item in node.items if _is_file(item.context_expr)]
        return after if len(files) == len(node.items) else is_bound

    def _try(self, node: ast.Try | ast.TryStar, is_bound: bool) -> bool | None:
        whole = self._after([*node.body, *node.orelse], is_bound=is_bound)
        ways = [whole, *(self._after(handler.body, is_bound=is_bound) for handler in node.handlers)]
        for handler in node.handlers:
            self._see([handler.type] if handler.type is not None else [], is_bound)
        found = _joined(ways)
        final = self._after(node.finalbody, is_bound=is_bound)
        return None if final is None or found is None else found or final

    def _match(self, node: ast.Match, is_bound: bool) -> bool | None:
        self._see([node.subject], is_bound)
        ways: list[bool | None] = []
        is_whole = False
        for case in node.cases:
            by_pattern = any(getattr(part, "name", None) == self._name for part in ast.walk(case.pattern))
            self._see([case.guard] if case.guard is not None else [], is_bound or by_pattern)
            ways.append(self._after(case.body, is_bound=is_bound or by_pattern))
            is_whole = is_whole or (
                case.guard is None and isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None
            )
        return _joined(ways if is_whole else [*ways, is_bound])

    def _see(self, nodes: Iterable[ast.AST], is_bound: bool) -> bool:
        """Note the uses in what runs here; return whether the name is bound after it."""
        for node in nodes:
            for part in _running(node):
                if isinstance(part, _DEFERRED):
                    self._functions.append((part, is_bound, self._calls))
                elif not is_bound:
                    self._open.add(id(part))
                    self._calls += isinstance(part, ast.Call) and self._is_own(part.func)
            is_bound = is_bound or self._by_walrus(node)
        return is_bound

    def _by_walrus(self, node: ast.AST) -> bool:
        if isinstance(node, ast.NamedExpr) and node.target.id == self._name:
            return True
        if isinstance(node, (*_SOMETIMES, *_DEFERRED)):
            return False
        return any(map(self._by_walrus, ast.iter_child_nodes(node)))

    def _is_own(self, function: ast.expr) -> bool:
        """Tell whether a call can run functions of the module."""
        while isinstance(function, ast.Attribute | ast.Call | ast.Subscript):
            function = function.func if isinstance(function, ast.Call) else function.value
        if not isinstance(function, ast.Name):
            return True
        bindings = self._scope.find(function.id)
        return any(binding.kind is not Bound.IMPORT for binding in bindings)

    def _is_in(self, target: ast.expr) -> bool:
        return any(
            isinstance(part, ast.Name) and part.id == self._name and isinstance(part.ctx, ast.Store)
            for part in ast.walk(target)
        )


def _is_lost(scope: Scope, name: str) -> bool:
    """Tell whether a name may be unbound again, or is bound by a text that is run as code."""
    if name in scope.embedded:
        return True
    for inner in scope.module.walk():
        is_owner = inner is scope or inner.outer_names.get(name) is scope
        for node in inner.nodes:
            match node:
                case ast.Name(id=found, ctx=ast.Del()) | ast.ExceptHandler(name=found) if is_owner:
                    if found == name:
                        return True
                case ast.Attribute(attr=found, ctx=ast.Del()) if found == name:
                    return True
                case ast.Name(id=found, ctx=ast.Load()) if found in _CHANGERS:
                    return True
    return False


def _running(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts of a node that run where it stands, and the functions in it as they are."""
    waiting = [node]
    while waiting:
        part = waiting.pop()
        yield part
        if isinstance(part, _DEFERRED):
            waiting += [*getattr(part, "decorator_list", ()), *_defaults(part.args)]
        else:
            waiting += ast.iter_child_nodes(part)


def _defaults(arguments: ast.arguments) -> list[ast.expr]:
    return [*arguments.defaults, *filter(None, arguments.kw_defaults)]


def _is_file(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "open"


def _joined(ways: list[bool | None]) -> bool | None:
    """Return whether a name is bound after one of several ways; None if nothing comes after any."""
    going_on = [way for way in ways if way is not None]
    return all(going_on) if going_on else None
