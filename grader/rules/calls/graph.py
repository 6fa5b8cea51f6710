"""The graph of calls between the functions of a submission, drawn from names (see `resolver`)."""

import ast
from collections.abc import Iterator
from typing import TypeAlias

from grader.rules.calls.circles import Edge
from grader.rules.calls.implied import BY_BUILTIN, implied_calls
from grader.rules.calls.resolver import Resolver
from grader.rules.calls.symbols import Class, Function, Instance, Parent, Symbol, Unknown
from grader.rules.source.live import live_nodes
from grader.rules.source.modules import Module, every_node, line_of
from grader.rules.source.scopes import Scope

Node: TypeAlias = Function | str
"""A function; or the name of an unknown attribute, for all that it may be; or `_ANY`."""

_ANY = ""
"""Any function that is used as a value."""

_CALL_THE_FIRST = frozenset({"builtins.map", "builtins.filter", "builtins.iter", "functools.reduce"})
_CALL_THE_KEY = frozenset({"builtins.sorted", "builtins.min", "builtins.max"})
_DO_NOT_CALL = frozenset(
    f"functools.{name}"
    for name in ("wraps", "update_wrapper", "partial", "lru_cache", "cache", "cached_property")
)
_REGISTERS = "register"
_CONSTRUCTION = ("__init__", "__post_init__", "__new__")


class _Graph:
    """The functions of a submission, and the calls between them whose targets names show."""

    def __init__(self, modules: list[Module]) -> None:
        self.symbols = Resolver(modules)
        self.certain: dict[Function, list[Edge[Function]]] = {
            each: [] for each in self.symbols.functions.values()
        }

    def _add(self, function: Function, targets: list[Function], line: int, how: str = "calls {}") -> None:
        self.certain[function] += [Edge(target, line, how) for target in targets]

    def _run(self, symbol: Symbol) -> list[Function]:
        """Return the functions that a call of a symbol runs."""
        match symbol:
            case Function():
                return [symbol]
            case Class():
                return [m for name in _CONSTRUCTION for m in self.symbols.methods(Instance(symbol), name)]
            case Instance():
                return self.symbols.methods(symbol, "__call__")
        return []


class SureCalls(_Graph):
    """The calls that stand in code that can run, of functions that names tell without doubt.

    live: for each function, the nodes that can run when it runs.
    made: for each function, the classes of which it makes objects.
    """

    def __init__(self, modules: list[Module]) -> None:
        super().__init__(modules)
        own = {id(node) for module in modules for node in ast.walk(module.tree)}
        self.certain = {each: [] for each in self.certain if id(each.node) in own}
        self.live: dict[Function, list[ast.AST]] = {}
        self.made: dict[Function, list[Class]] = {each: [] for each in self.certain}
        for function in self.certain:
            self.live[function] = list(live_nodes(function.node, function.scope))
            alive = set(map(id, self.live[function]))
            for node, scope in function.scope.body():
                if id(node) in alive:
                    self._add_edges(function, node, scope)

    def only(self, node: ast.AST, scope: Scope) -> Symbol | None:
        """Return the symbol that an expression stands for; None if it may be another one."""
        found = self.symbols.of(node, scope)
        return found[0] if len(found) == 1 else None

    def _add_edges(self, function: Function, node: ast.AST, scope: Scope) -> None:
        match node:
            case ast.Call(func=func):
                symbol = self.only(func, scope)
                if isinstance(symbol, Class):
                    self.made[function].append(symbol)
                self._follow(function, symbol, node.lineno)
                for argument in _run_by_built_in(node, self.symbols.origins(func, scope)):
                    self._follow(function, self.only(argument, scope), node.lineno)
            case ast.Return(value=ast.expr() as value):
                symbol = self.only(value, scope)
                if isinstance(symbol, Function) and symbol.scope.parent is function.scope:
                    self._follow(function, symbol, node.lineno)
            case ast.Attribute(value=value, attr=attr, ctx=ast.Load()):
                owner = self.only(value, scope)
                if isinstance(owner, Instance | Parent):
                    read = self.symbols.methods(owner, attr)
                    self._add(function, [each for each in read if each.is_property], node.lineno)
        for value, method in implied_calls(node):
            owner = self.only(value, scope)
            if isinstance(owner, Instance):
                self._add(function, self.symbols.methods(owner, method), line_of(node))

    def _follow(self, function: Function, symbol: Symbol | None, line: int) -> None:
        if symbol is not None:
            self._add(function, [each for each in self._run(symbol) if each in self.certain], line)


class Calls(_Graph):
    """The graph of all calls.

    possible: calls whose targets names do not show.  reached: the functions that a possible call may reach.
    """

    def __init__(self, modules: list[Module]) -> None:
        super().__init__(modules)
        self.possible: dict[Function, list[Edge[Node]]] = {each: [] for each in self.certain}
        for function in self.certain:
            nodes = list(function.scope.body())
            kept = {id(part) for node, _ in nodes for part in _kept_lambdas(node)}
            for node, scope in nodes:
                if id(node) not in kept:
                    self._add_edges(function, node, scope)
        values = self._used_as_values(modules)
        names = {str(edge.target) for edges in self.possible.values() for edge in edges}
        for function in self.certain:
            self._add_registered(function)
        self.reached: dict[Node, list[Edge[Node]]] = {
            name: self._reached(name, values) for name in sorted({_ANY, *names})
        }

    def _used_as_values(self, modules: list[Module]) -> list[Symbol]:
        """Return the functions and classes that are used in any way besides a call of their names."""
        found: list[Symbol] = [
            each for each in self.certain if each.decorators or each.name.endswith(".__call__")
        ]
        for module in modules:
            nodes = list(every_node(module))
            named = {id(part) for node, _ in nodes for part in _named(node)}
            for node, scope in nodes:
                if isinstance(node, ast.Name | ast.Attribute | ast.Lambda) and id(node) not in named:
                    found += self.symbols.of(node, scope)
        return found

    def _reached(self, name: str, values: list[Symbol]) -> list[Edge[Node]]:
        """Return edges to all that an attribute of this name may be; to all `values` for `_ANY`."""
        symbols = self.symbols.named(name) if name else values
        targets: list[Node] = [target for symbol in symbols for target in self._run(symbol)]
        if name and any(isinstance(symbol, Unknown) for symbol in symbols):
            targets.append(_ANY)
        return [Edge(target, 0) for target in dict.fromkeys(targets)]

    def _add_registered(self, function: Function) -> None:
        """Note that `f` may call what `@f.register` is written above: `functools.singledispatch`."""
        for decorator in function.decorators:
            name = decorator.func if isinstance(decorator, ast.Call) else decorator
            if isinstance(name, ast.Attribute) and name.attr == _REGISTERS:
                for symbol in self.symbols.of(name.value, function.scope.parent or function.scope):
                    if isinstance(symbol, Function):
                        self._add(symbol, [function], function.line, "dispatches to {}")

    # -- edges -------------------------------------------------------------------------------------

    def _add_edges(self, function: Function, node: ast.AST, scope: Scope) -> None:
        line = line_of(node)
        match node:
            case ast.Call():
                self._add_call(function, node, scope)
            case ast.Lambda():
                self._add(function, [self.symbols.functions[id(node)]], line, "makes {}")
            case ast.Attribute(value=value, attr=attr, ctx=ast.Load()):
                for owner in self.symbols.of(value, scope):
                    if isinstance(owner, Instance | Parent):
                        methods = self.symbols.methods(owner, attr)
                        self._add(function, [each for each in methods if each.is_property], line, "reads {}")
        for value, method in implied_calls(node):
            self._add_implied(function, value, method, scope, line)

    def _add_call(self, function: Function, call: ast.Call, scope: Scope) -> None:
        line, callee = call.lineno, short(call.func)
        for symbol in self.symbols.of(call.func, scope):
            self._add(function, self._run(symbol), line)
            self._add_unknown(function, symbol, line, callee)
        origins = self.symbols.origins(call.func, scope)
        for argument, is_called in _called_arguments(call, origins):
            for symbol in self.symbols.of(argument, scope):
                if isinstance(symbol, Function) and not isinstance(argument, ast.Lambda):
                    self._add(function, [symbol], line, f"hands {{}} to `{callee}`")
                elif is_called:
                    self._add_unknown(function, symbol, line, callee)
        for method in dict.fromkeys(method for origin in origins for method in BY_BUILTIN.get(origin, ())):
            for argument in call.args:
                self._add_implied(function, argument, method, scope, line)

    def _add_implied(self, function: Function, value: ast.expr, method: str, scope: Scope, line: int) -> None:
        for symbol in self.symbols.of(value, scope):
            if isinstance(symbol, Instance):
                self._add(function, self.symbols.methods(symbol, method), line, "uses {}")

    def _add_unknown(self, function: Function, symbol: Symbol, line: int, callee: str) -> None:
        if isinstance(symbol, Unknown):
            self.possible[function].append(Edge(symbol.attr, line, callee))


def _called_arguments(call: ast.Call, origins: frozenset[str]) -> Iterator[tuple[ast.expr, bool]]:
    """Yield arguments that a function from outside may call, and whether it is known to call them."""
    # A sort calls its key function, and the sorted object can be a list.
    if origins or (isinstance(call.func, ast.Attribute) and call.func.attr == "sort"):
        yield from ((keyword.value, True) for keyword in call.keywords)
    if origins & _CALL_THE_FIRST:
        yield from ((argument, True) for argument in call.args[:1])
    elif any(not origin.startswith("builtins.") and origin not in _DO_NOT_CALL for origin in origins):
        yield from ((argument, False) for argument in call.args)


def _run_by_built_in(call: ast.Call, origins: frozenset[str]) -> Iterator[ast.expr]:
    """Yield the arguments that a function from outside calls, as everybody knows it: `map`, a sort's key."""
    if origins & _CALL_THE_FIRST:
        yield from call.args[:1]
    if origins & _CALL_THE_KEY or (isinstance(call.func, ast.Attribute) and call.func.attr == "sort"):
        yield from (keyword.value for keyword in call.keywords if keyword.arg == "key")


def _named(node: ast.AST) -> Iterator[ast.expr]:
    """Yield the parts of a node that are called or whose attribute is read, and a lambda that gets a name."""
    match node:
        case ast.Call(func=part) | ast.Attribute(value=part):
            yield part
        case ast.Assign(targets=[ast.Name()], value=ast.Lambda() as part):
            yield part


def _kept_lambdas(statement: ast.AST) -> Iterator[ast.Lambda]:
    """Yield the lambdas that a statement binds to a name or puts into a table: they do not run there."""
    waiting: list[ast.expr | None] = []
    if isinstance(statement, ast.Assign | ast.AnnAssign | ast.NamedExpr):
        waiting.append(statement.value)
    while waiting:
        match waiting.pop():
            case ast.Lambda() as part:
                yield part
            case ast.Dict(values=items) | ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
                waiting.extend(items)
            case ast.IfExp(body=body, orelse=orelse):
                waiting += [body, orelse]


def short(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(attr=attr):
            return attr
        case ast.Subscript(value=value):
            return f"{short(value)}[…]"
        case ast.Call(func=func):
            return f"{short(func)}(…)"
    return "…"
