"""The rule against recursion: a function that may, by whatever detour, call itself.

A call graph is drawn from what can be seen in the source, and each circle in it is told as a chain.
Where it can't be seen what is called (an attribute of an unknown object, code that is computed as
text, operators), nothing is assumed.
"""

import ast
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from grader.rules.findings import Found, Module, line_of
from grader.rules.implied_calls import BY_BUILTIN, implied_calls
from grader.rules.scopes import Scope
from grader.rules.self_handing import handed_to_themselves
from grader.rules.symbols import Class, Function, Instance, Parameter, Parent
from grader.rules.values import Values, arguments_of

_DO_NOT_CALL = frozenset({
    "builtins.print", "builtins.callable", "builtins.isinstance", "builtins.issubclass", "builtins.id",
    "builtins.repr", "builtins.str", "builtins.type", "builtins.hasattr", "builtins.getattr", "builtins.hash",
    "builtins.len", "builtins.bool", "builtins.dir", "builtins.vars", "builtins.list", "builtins.tuple",
    "builtins.set", "builtins.dict", "builtins.enumerate", "builtins.zip", "builtins.property",
    "builtins.staticmethod", "builtins.classmethod", "functools.wraps", "functools.update_wrapper",
    "functools.partial", "functools.lru_cache", "functools.cache", "functools.cached_property",
})  # fmt: skip
"""Take a function without calling it; all else outside the submission is taken to call it."""


@dataclass(frozen=True, slots=True)
class _Edge:
    """One function may call another.  how: in words, with `{}` for the other."""

    target: Function
    line: int
    how: str = "calls {}"


def no_recursion(modules: list[Module]) -> list[Found]:
    """Find circles of calls, one for each group of functions that reach one another."""
    graph = _Graph(modules)
    found = [*graph.self_applications(), *handed_to_themselves(modules, graph.values, graph.calls)]
    for component in _components(graph.edges):
        chain = _shortest_circle(component, graph.edges)
        if chain:
            found.append(_told(chain))
    return sorted(set(found))


class _Graph:
    """Who may call whom.

    calls: for each function, which of its parameters it calls.
    """

    def __init__(self, modules: list[Module]) -> None:
        self.values = Values(modules)
        self._functions = list(self.values.functions.values())
        self.calls = self._called_parameters()
        self.edges = {function: list(self._edges(function)) for function in self._functions}

    def self_applications(self) -> Iterator[Found]:
        """Yield calls of a parameter with itself: `f(f)` is how a function without a name calls itself."""
        for function in self._functions:
            for node, scope in function.scope.body():
                if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                    continue
                name = node.func.id
                handed = any(isinstance(arg, ast.Name) and arg.id == name for arg in arguments_of(node))
                if handed and any(isinstance(v, Parameter) for v in self.values.of(node.func, scope)):
                    message = f"`{name}` is called with itself as an argument, which makes it recursive"
                    yield Found(function.module.name, line_of(node), message)

    # -- calls of what a function is handed --------------------------------------------------------

    def _called_parameters(self) -> dict[Function, set[str]]:
        """Return for each function which of its parameters it calls, or hands on to be called."""
        called: dict[Function, set[str]] = {function: set() for function in self._functions}
        grown = True
        while grown:
            grown = False
            for function in self._functions:
                for owner, name in list(self._parameters_called_in(function, called)):
                    if owner in called and name not in called[owner]:
                        called[owner].add(name)
                        grown = True
        return called

    def _parameters_called_in(
        self, function: Function, called: dict[Function, set[str]]
    ) -> Iterator[tuple[Function, str]]:
        for node, scope in function.scope.body():
            if not isinstance(node, ast.Call):
                continue
            reached = [*self.values.of(node.func, scope)]
            for argument in self._run_arguments(node, scope, called):
                reached += self.values.of(argument, scope)
            yield from ((value.function, value.name) for value in reached if isinstance(value, Parameter))

    def _run_arguments(
        self, call: ast.Call, scope: Scope, called: dict[Function, set[str]]
    ) -> Iterator[ast.expr]:
        """Yield the arguments of a call that whoever is called will call."""
        origins = self.values.origins(call.func, scope)
        callees = [v for v in self.values.of(call.func, scope) if isinstance(v, Function)]
        if origins and not callees and not all(origin in _DO_NOT_CALL for origin in origins):
            yield from arguments_of(call)
        for callee in callees:
            names = callee.parameters
            for position, argument in enumerate(call.args):
                if position < len(names) and names[position] in called[callee]:
                    yield argument
            yield from (k.value for k in call.keywords if k.arg in called[callee])
        # Whoever sorts by a key calls it, and an object can be a list.
        if isinstance(call.func, ast.Attribute) and call.func.attr == "sort":
            yield from (keyword.value for keyword in call.keywords)

    # -- edges -------------------------------------------------------------------------------------

    def _edges(self, function: Function) -> Iterator[_Edge]:
        for node, scope in function.scope.body():
            line = line_of(node)
            match node:
                case ast.Call():
                    yield from self._edges_of_call(node, scope, line)
                case ast.Lambda() if not self._is_named(node, scope):
                    yield _Edge(self.values.functions[id(node)], line, "makes {}")
                case ast.Attribute(value=value, attr=attr, ctx=ast.Load()):
                    for owner in self.values.of(value, scope):
                        if isinstance(owner, Instance | Parent):
                            yield from self._property(owner, attr, line)
            for value, method in implied_calls(node):
                yield from self._methods(value, scope, method, line)

    def _edges_of_call(self, call: ast.Call, scope: Scope, line: int) -> Iterator[_Edge]:
        for value in self.values.of(call.func, scope):
            match value:
                case Function():
                    yield _Edge(value, line)
                case Class():
                    for name in ("__init__", "__post_init__", "__new__"):
                        yield from self._member_edges(Instance(value), name, line)
                case Instance():
                    yield from self._member_edges(value, "__call__", line)
        for argument in self._run_arguments(call, scope, self.calls):
            for value in self.values.of(argument, scope):
                if isinstance(value, Function) and not isinstance(argument, ast.Lambda):
                    yield _Edge(value, line, f"hands {{}} to `{_short(call.func)}`")
        for origin in self.values.origins(call.func, scope):
            for name in BY_BUILTIN.get(origin, ()):
                for argument in call.args:
                    yield from self._methods(argument, scope, name, line)

    def _methods(self, node: ast.expr, scope: Scope, name: str, line: int) -> Iterator[_Edge]:
        for value in self.values.of(node, scope):
            if isinstance(value, Instance):
                yield from self._member_edges(value, name, line, "uses {}")

    def _member_edges(
        self, value: Instance | Parent, name: str, line: int, how: str = "calls {}"
    ) -> Iterator[_Edge]:
        for member in self.values.member(value, name):
            if isinstance(member, Function):
                yield _Edge(member, line, how)

    def _property(self, owner: Instance | Parent, attr: str, line: int) -> Iterator[_Edge]:
        for method in self.values.methods(owner, attr):
            if method.is_property:
                yield _Edge(method, line, "reads {}")

    def _is_named(self, node: ast.Lambda, scope: Scope) -> bool:
        """A lambda that is only bound to a name or put into a table runs when that is called."""
        return any(_is_stored(other, node) for other in scope.nodes)


def _is_stored(statement: ast.AST, node: ast.Lambda) -> bool:
    match statement:
        case ast.Assign(value=value) | ast.AnnAssign(value=value) | ast.NamedExpr(value=value):
            pass
        case _:
            return False
    waiting: list[ast.AST | None] = [value]
    while waiting:
        part = waiting.pop()
        if part is node:
            return True
        match part:
            case ast.Dict(values=items) | ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
                waiting.extend(items)
            case ast.IfExp(body=body, orelse=orelse):
                waiting.extend((body, orelse))
    return False


def _short(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(attr=attr):
            return attr
    return "another function"


def _components(edges: dict[Function, list[_Edge]]) -> Iterator[list[Function]]:
    """Yield groups of functions that reach one another (Tarjan's algorithm, without recursion)."""
    number: dict[Function, int] = {}
    lowest: dict[Function, int] = {}
    on_path: dict[Function, None] = {}
    for root in edges:
        if root in number:
            continue
        number[root] = lowest[root] = len(number)
        on_path[root] = None
        work = [(root, iter(edges[root]))]
        while work:
            function, further = work[-1]
            edge = next(further, None)
            if edge is None:
                work.pop()
                if work:
                    lowest[work[-1][0]] = min(lowest[work[-1][0]], lowest[function])
                if lowest[function] == number[function]:
                    component = []
                    while function in on_path:
                        component.append(on_path.popitem()[0])
                    yield component
            elif edge.target not in number:
                number[edge.target] = lowest[edge.target] = len(number)
                on_path[edge.target] = None
                work.append((edge.target, iter(edges[edge.target])))
            elif edge.target in on_path:
                lowest[function] = min(lowest[function], number[edge.target])


def _shortest_circle(
    component: list[Function], edges: dict[Function, list[_Edge]]
) -> list[tuple[Function, _Edge]]:
    """Return the shortest way from a function of the group back to it; empty where there is none."""
    members = set(component)
    best: list[tuple[Function, _Edge]] = []
    for start in sorted(component, key=lambda function: (function.module.name, function.line)):
        came: dict[Function, tuple[Function, _Edge]] = {}
        queue = deque([start])
        while queue and start not in came:
            here = queue.popleft()
            for edge in edges[here]:
                if edge.target in members and edge.target not in came:
                    came[edge.target] = (here, edge)
                    queue.append(edge.target)
        if start not in came:
            continue
        chain = [came[start]]
        while chain[0][0] is not start:
            chain.insert(0, came[chain[0][0]])
        if not best or len(chain) < len(best):
            best = chain
        if len(best) == 1:
            break
    return best


def _told(chain: list[tuple[Function, _Edge]]) -> Found:
    start, first = chain[0]
    if len(chain) == 1:
        message = f"`{start.name}` {first.how.replace('{}', 'itself')}"
    else:
        steps = " -> ".join([start.name, *(edge.target.name for _, edge in chain)])
        message = f"{steps}: {', '.join(_step(start, *link) for link in chain)}"
    return Found(start.module.name, first.line, message)


def _step(start: Function, function: Function, edge: _Edge) -> str:
    file = "" if function.module is start.module else f"{function.module.file} "
    what = edge.how.replace("{}", f"`{edge.target.name}`")
    return f"`{function.name}` {what} on {file}line {edge.line}"
