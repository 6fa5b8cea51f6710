"""The rule against recursion: a function that may call itself, directly or through others.

A graph of calls is drawn from names, imports, one alias and `self` (see `resolver`).  Each circle in it is a
finding.  A call whose target names do not show may reach every function of the submission that is used as a
value.  A circle that closes only by such a call is *not decidable here*: a person decides.
"""

import ast
from collections.abc import Iterator

from grader.rules.calls.circles import Edge, circles, ways
from grader.rules.calls.graph import Calls, short
from grader.rules.calls.resolver import Resolver
from grader.rules.calls.symbols import Function
from grader.rules.source.annotations import every_annotation
from grader.rules.source.gateways import gateways
from grader.rules.source.modules import Module, RuleHit, every_node, line_of
from grader.rules.source.origins import BUILTINS
from grader.rules.source.scopes import RUNNERS, folded

_RUNNERS = frozenset(BUILTINS + name for name in RUNNERS)


def no_recursion(modules: list[Module]) -> list[RuleHit]:
    """Find circles of calls, one for each group of functions that reach one another."""
    calls = Calls(modules)
    told = [_told(chain) for chain in circles(calls.certain)]
    return [*told, *_undecided(calls), *_opaque(modules, calls.symbols)]


def _undecided(calls: Calls) -> Iterator[RuleHit]:
    """Yield the calls that would close a circle if they reached all that they may reach."""
    every = dict(calls.reached)
    for function, certain in calls.certain.items():
        every[function] = [*certain, *calls.possible[function]]
    targets = {edge.target for edges in calls.possible.values() for edge in edges}
    reached = {target: {target, *ways(target, every)} for target in targets}
    for function, edges in calls.possible.items():
        for edge in edges:
            if function in reached[edge.target]:
                text = f"`{function.name}` calls `{edge.how}`, by which it may come to call itself"
                yield RuleHit(function.module.name, edge.line, text, decided=False)


def _opaque(modules: list[Module], symbols: Resolver) -> Iterator[RuleHit]:
    """Yield uses by which any function can be called: gateways, and text that is run as code."""
    for module in modules:
        for node, name in [*gateways(module), *_runners(module, symbols)]:
            text = f"uses `{name}`, by which anything can be called"
            yield RuleHit(module.name, line_of(node), text, decided=False)


def _runners(module: Module, symbols: Resolver) -> Iterator[tuple[ast.AST, str]]:
    """Yield uses of `exec` and the like, except calls with a literal text, whose code is in the scope."""
    literal: set[int] = set()
    for node, scope in (*every_node(module), *every_annotation(module)):
        match node:
            case ast.Call(func=func, args=[text, *_]) if short(func) in RUNNERS and folded(text) is not None:
                literal.add(id(func))
            case ast.Name() | ast.Attribute() | ast.Subscript() | ast.Call() if id(node) not in literal:
                for name in sorted(_RUNNERS & symbols.origins(node, scope)):
                    yield node, name.removeprefix(BUILTINS)


def _told(chain: list[tuple[Function, Edge[Function]]]) -> RuleHit:
    start, first = chain[0]
    if len(chain) == 1:
        message = f"`{start.name}` {first.how.replace('{}', 'itself')}"
    else:
        steps = " -> ".join([start.name, *(edge.target.name for _, edge in chain)])
        message = f"{steps}: {', '.join(_step(start, *link) for link in chain)}"
    return RuleHit(start.module.name, first.line, message)


def _step(start: Function, function: Function, edge: Edge[Function]) -> str:
    file = "" if function.module is start.module else f"{function.module.file} "
    what = edge.how.replace("{}", f"`{edge.target.name}`")
    return f"`{function.name}` {what} on {file}line {edge.line}"
