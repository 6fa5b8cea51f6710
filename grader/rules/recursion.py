"""The rule against recursion: a function that may call itself, directly or through others.

A graph of calls is drawn from names, imports, aliases and `self` (see `resolver`).  Each circle in it is a
finding.  A call whose target names do not show may reach every function of the submission that is used as a
value.  A circle that closes only by such a call is *not decidable here*.
"""

import ast
from collections.abc import Iterator
from typing import TypeAlias

from grader.rules.circles import Edge, circles, components
from grader.rules.gateways import gateways
from grader.rules.implied_calls import BY_BUILTIN, implied_calls
from grader.rules.modules import Found, Module, every_node, line_of
from grader.rules.resolver import Resolver
from grader.rules.scopes import RUNNERS, Bound, Scope, folded
from grader.rules.symbols import Class, Function, Instance, Parent, Symbol, Unknown

Node: TypeAlias = Function | str
"""A function; or the name of an unknown attribute, for all that it may be; or `_ANY`."""

_ANY = ""
"""Any function that is used as a value."""

_CALL_THE_FIRST = frozenset({"builtins.map", "builtins.filter", "builtins.iter", "functools.reduce"})
_DO_NOT_CALL = frozenset(
    f"functools.{name}"
    for name in ("wraps", "update_wrapper", "partial", "lru_cache", "cache", "cached_property")
)
_CONSTRUCTION = ("__init__", "__post_init__", "__new__")


def no_recursion(modules: list[Module]) -> list[Found]:
    """Find circles of calls, one for each group of functions that reach one another."""
    calls = _Calls(modules)
    told = [_told(chain) for chain in circles(calls.certain, lambda each: (each.module.name, each.line))]
    return [*told, *_self_applications(modules), *_undecided(calls), *_opaque(modules, calls.symbols)]


def _self_applications(modules: list[Module]) -> Iterator[Found]:
    """Yield calls of a parameter with itself: a function without a name calls itself by `f(f)`."""
    for module in modules:
        for node, scope in every_node(module):
            match node:
                case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords):
                    handed = [*args, *(keyword.value for keyword in keywords)]
                    has_itself = any(isinstance(each, ast.Name) and each.id == name for each in handed)
                    if has_itself and any(each.kind is Bound.PARAMETER for each in scope.find(name)):
                        text = f"`{name}` is called with itself as an argument, which makes it recursive"
                        yield Found(module.name, node.lineno, text)


def _undecided(calls: "_Calls") -> Iterator[Found]:
    """Yield the calls that would close a circle if they reached all that they may reach."""
    every = dict(calls.reached)
    for function, certain in calls.certain.items():
        every[function] = [*certain, *calls.possible[function]]
    group = {node: number for number, each in enumerate(components(every)) for node in each}
    for function, edges in calls.possible.items():
        for edge in edges:
            if group[edge.target] == group[function]:
                text = f"`{function.name}` calls `{edge.how}`, by which it may come to call itself"
                yield Found(function.module.name, edge.line, text, decided=False)


def _opaque(modules: list[Module], symbols: Resolver) -> Iterator[Found]:
    """Yield uses by which any function can be called: gateways, and text that is run as code."""
    for module in modules:
        used = [*gateways(module), *_runners(module, symbols)]
        for node, name in used:
            text = f"uses `{name}`, by which anything can be called"
            yield Found(module.name, line_of(node), text, decided=False)


def _runners(module: Module, symbols: Resolver) -> Iterator[tuple[ast.AST, str]]:
    """Yield uses of `exec` and the like, except calls with a literal text, whose code is in the scope."""
    literal: set[int] = set()
    for node, scope in every_node(module):
        match node:
            case ast.Call(func=func, args=[text, *_]) if _short(func) in RUNNERS and folded(text) is not None:
                literal.add(id(func))
            case ast.Name() | ast.Attribute() | ast.Subscript() | ast.Call() if id(node) not in literal:
                for name in RUNNERS:
                    if f"builtins.{name}" in symbols.origins(node, scope):
                        yield node, name


class _Calls:
    """The graph of calls.

    certain: calls whose targets names show.  possible: calls whose targets they do not show.
    reached: the functions that a possible call may reach.
    """

    def __init__(self, modules: list[Module]) -> None:
        self.symbols = Resolver(modules)
        functions = list(self.symbols.functions.values())
        self.certain: dict[Function, list[Edge[Function]]] = {each: [] for each in functions}
        self.possible: dict[Function, list[Edge[Node]]] = {each: [] for each in functions}
        for function in functions:
            nodes = list(function.scope.body())
            kept = {id(part) for node, _ in nodes for part in _kept_lambdas(node)}
            for node, scope in nodes:
                if id(node) not in kept:
                    self._add_edges(function, node, scope)
        values = self._used_as_values(modules)
        names = {str(edge.target) for edges in self.possible.values() for edge in edges}
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

    def _run(self, symbol: Symbol) -> list[Function]:
        match symbol:
            case Function():
                return [symbol]
            case Class():
                return [m for name in _CONSTRUCTION for m in self.symbols.methods(Instance(symbol), name)]
            case Instance():
                return self.symbols.methods(symbol, "__call__")
        return []

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
        line, callee = call.lineno, _short(call.func)
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

    def _add(self, function: Function, targets: list[Function], line: int, how: str = "calls {}") -> None:
        self.certain[function] += [Edge(target, line, how) for target in targets]

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


def _short(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(attr=attr):
            return attr
        case ast.Subscript(value=value):
            return f"{_short(value)}[…]"
        case ast.Call(func=func):
            return f"{_short(func)}(…)"
    return "…"


def _told(chain: list[tuple[Function, Edge[Function]]]) -> Found:
    start, first = chain[0]
    if len(chain) == 1:
        message = f"`{start.name}` {first.how.replace('{}', 'itself')}"
    else:
        steps = " -> ".join([start.name, *(edge.target.name for _, edge in chain)])
        message = f"{steps}: {', '.join(_step(start, *link) for link in chain)}"
    return Found(start.module.name, first.line, message)


def _step(start: Function, function: Function, edge: Edge[Function]) -> str:
    file = "" if function.module is start.module else f"{function.module.file} "
    what = edge.how.replace("{}", f"`{edge.target.name}`")
    return f"`{function.name}` {what} on {file}line {edge.line}"
