"""The rule against recursion: a function that may call itself, directly or through others.

A graph of calls is drawn from names, imports, aliases and `self` (see `resolver`).  Each circle in it is a
finding.  A call whose target names do not show may reach every function of the submission that is used as a
value.  A circle that closes only by such a call is *not decidable here*.
"""

import ast
from collections.abc import Iterator

from grader.rules.calls.circles import Edge, circles, components
from grader.rules.calls.graph import Calls, short
from grader.rules.calls.resolver import Resolver
from grader.rules.calls.symbols import Function
from grader.rules.source.gateways import gateways
from grader.rules.source.modules import Found, Module, every_node, line_of
from grader.rules.source.scopes import RUNNERS, Bound, folded


def no_recursion(modules: list[Module]) -> list[Found]:
    """Find circles of calls, one for each group of functions that reach one another."""
    calls = Calls(modules)
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


def _undecided(calls: "Calls") -> Iterator[Found]:
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
            case ast.Call(func=func, args=[text, *_]) if short(func) in RUNNERS and folded(text) is not None:
                literal.add(id(func))
            case ast.Name() | ast.Attribute() | ast.Subscript() | ast.Call() if id(node) not in literal:
                for name in RUNNERS:
                    if f"builtins.{name}" in symbols.origins(node, scope):
                        yield node, name


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
