"""Rules on what a submission must use: a construct, or recursion, where it can run.

With named functions, it must stand in each of them, or in a function that it calls by its name, however
indirectly.  Code that can never run does not count, and neither does a function within a function that is
never called.  Where a name may stand for several functions, none of them counts as called.  What is there by
a method of an object of unknown class alone is left to a person.
"""

import ast
from collections.abc import Collection, Iterator

from grader.rules.calls.circles import ways
from grader.rules.calls.graph import SureCalls
from grader.rules.calls.symbols import Class, Function, members_of
from grader.rules.kinds.constructs import is_instance
from grader.rules.source.live import live_nodes
from grader.rules.source.modules import Module, RuleHit, line_of, lines_of_program
from grader.rules.source.scopes import Binding, Bound

_MAX_NAMES = 4
"""The most functions that a message lists."""


def required_constructs(
    modules: list[Module], constructs: list[str], functions: list[str], around: list[Module] | None = None
) -> list[RuleHit]:
    """Find modules, or functions of them, without one of the constructs.  around: modules they import."""
    calls = SureCalls([*modules, *(around or ())])
    found = []
    for module in modules:
        if not functions:
            found += [
                RuleHit(module.name, 0, f"`{word}` is missing{_unreached(module.tree, word)}")
                for word in constructs
                if not any(is_instance(node, word) for node in _of_module(module, calls, word))
            ]
        for name in functions:
            roots = _roots(module, name, calls)
            found += [] if roots else _replaced(module, name, constructs, calls) or [_absent(module, name)]
            for root in roots:
                found += _missing(module, name, root, constructs, calls)
    return found


def required_recursion(
    modules: list[Module], functions: list[str], around: list[Module] | None = None
) -> list[RuleHit]:
    """Find functions that do not call themselves; modules in which no function does if none is named."""
    calls = SureCalls([*modules, *(around or ())])
    circle = {function for function in calls.certain if function in ways(function, calls.certain)}
    found = []
    for module in modules:
        own = [function for function in calls.certain if function.module is module]
        if not functions and circle.isdisjoint(own):
            found += _undecided(own, calls) or [RuleHit(module.name, 0, "no function calls itself")]
        for name in functions:
            again = _bound_again(module, name, calls)
            roots = _roots(module, name, calls) or [root for root, _ in again]
            found += [] if roots else [_absent(module, name)]
            for root in roots:
                reached = _reached(root, calls)
                if again and not circle.isdisjoint(reached):
                    found += [_doubt(root, name, line) for _, line in again[:1]]
                elif circle.isdisjoint(reached):
                    text = f"`{name}` does not call itself{_nor(reached, name)}{_dead_call(root, calls)}"
                    broken = RuleHit(root.module.name, root.line, text)
                    doubts = _undecided([root, *ways(root, calls.every)], calls)
                    found += doubts or _dispatched(root, name, calls) or [broken]
    return found


def _dispatched(root: Function, name: str, calls: SureCalls) -> list[RuleHit]:
    """Return the calls of a function by those that are registered for it, with `functools.singledispatch`."""
    return [
        RuleHit(
            each.module.name,
            edge.line,
            f"`{each.name}`, which is registered with `{name}`, calls it",
            decided=False,
        )
        for each, edges in calls.every.items()
        if any(_registers(decorator, name) for decorator in each.decorators)
        for edge in edges
        if edge.target is root
    ]


def _registers(decorator: ast.expr, name: str) -> bool:
    func = decorator.func if isinstance(decorator, ast.Call) else decorator
    match func:
        case ast.Attribute(value=ast.Name(id=owner), attr="register"):
            return owner == name
    return False


def _undecided(functions: Collection[Function], calls: SureCalls) -> list[RuleHit]:
    """Return the calls by which one of the functions may come to call itself."""
    reached = {each: {each, *ways(each, calls.every)} for each in functions}
    return [
        RuleHit(
            each.module.name,
            edge.line,
            f"`{each.name}` calls `{edge.how}`, by which it may come to call itself",
            decided=False,
        )
        for each in functions
        for edge in calls.every[each]
        if each in reached.get(edge.target, ())
    ]


def _missing(
    module: Module, name: str, root: Function, constructs: list[str], calls: SureCalls
) -> Iterator[RuleHit]:
    reached = _reached(root, calls)
    for word in constructs:
        if not _holds(reached, calls, word):
            maybe = [each for each in ways(root, calls.every) if _holds([each], calls, word)]
            if maybe:
                text = f"`{word}` stands in `{maybe[0].name}`, which `{name}` may come to call"
                yield RuleHit(root.module.name, root.line, text, decided=False)
                continue
            others = _names(reached, name)
            where = f"`{name}`{f', and in what it calls: {others}' if others else ''}"
            text = f"`{word}` is missing in {where}{_unreached(root.node, word)}"
            yield RuleHit(root.module.name, root.line, text)


def _roots(module: Module, name: str, calls: SureCalls) -> list[Function]:
    """Return the function of a name, as the module leaves it; or all methods of that name."""
    owner, _, attr = name.rpartition(".")
    top = _last(module, owner or name, calls)
    if owner:
        made = (
            [symbol for symbol in calls.symbols.of_binding(top) if isinstance(symbol, Class)] if top else []
        )
        bindings = [members_of(each, attr)[-1:] for each in made]
    elif top is not None:
        bindings = [[top]]
    else:
        methods = [each.members.get(name, []) for each in calls.symbols.classes.values()]
        bindings = [each[-1:] for each in methods if each and each[0].scope.module is module.scope]
    symbols = {symbol for each in bindings for one in each for symbol in calls.symbols.of_binding(one)}
    found = [symbol for symbol in symbols if isinstance(symbol, Function) and symbol in calls.certain]
    return sorted(found, key=lambda function: function.line)


def _replaced(module: Module, name: str, constructs: list[str], calls: SureCalls) -> list[RuleHit]:
    """Return what is known of a function that is bound again, to what is made of it."""
    found: list[RuleHit] = []
    for root, line in _bound_again(module, name, calls):
        found += [*_missing(module, name, root, constructs, calls)] or [_doubt(root, name, line)]
    return found


def _bound_again(module: Module, name: str, calls: SureCalls) -> list[tuple[Function, int]]:
    """Return the function of a name that ends as something made of it, as in `f = memo(f)`, with the line.

    Whether what was made of it calls it, names do not show.
    """
    last = _last(module, name, calls)
    if "." in name or last is None or last.kind is not Bound.VALUE or last.node is None:
        return []
    if not any(isinstance(node, ast.Name) and node.id == name for node in ast.walk(last.node)):
        return []
    made = [each for each in module.scope.bindings[name] if each.kind is Bound.FUNCTION]
    symbols = [symbol for each in made[-1:] for symbol in calls.symbols.of_binding(each)]
    return [(each, last.line) for each in symbols if isinstance(each, Function) and each in calls.certain]


def _doubt(root: Function, name: str, line: int) -> RuleHit:
    text = f"`{name}` is bound again on line {line}, to something made of it, which may leave it alone"
    return RuleHit(root.module.name, line, text, decided=False)


def _last(module: Module, name: str, calls: SureCalls) -> Binding | None:
    """Return the binding of a name that holds when the module was run."""
    live = {id(node) for node in live_nodes(module.tree, module.scope)}
    # The part for `python module.py` does not run where the module is imported.
    program = lines_of_program(module.tree)
    bindings = [each for each in module.scope.bindings.get(name, []) if each.line not in program]
    kept = [b for b in bindings if b.kind not in (Bound.FUNCTION, Bound.CLASS) or id(b.node) in live]
    return kept[-1] if kept else None


def _reached(root: Function, calls: SureCalls) -> dict[Function, None]:
    """Return the function and all that it calls by name, in the order of calls."""
    return dict.fromkeys([root, *ways(root, calls.certain)])


def _holds(functions: Collection[Function], calls: SureCalls, word: str) -> bool:
    return any(is_instance(node, word) for node in _nodes(functions, calls, word))


def _nodes(reached: Collection[Function], calls: SureCalls, word: str) -> Iterator[ast.AST]:
    for function in reached:
        if word != "nested function":
            yield function.node
            yield from (made.scope.node for made in calls.made[function])
        yield from calls.live[function]


def _of_module(module: Module, calls: SureCalls, word: str) -> Iterator[ast.AST]:
    """Yield the nodes of a module that can run, in whatever function they stand."""
    functions = [function for function in calls.certain if function.module is module]
    if word != "nested function":
        yield from live_nodes(module.tree, module.scope)
    yield from _nodes(functions, calls, word)


def _unreached(root: ast.AST, word: str) -> str:
    """Return words for an instance that stands there and does not count."""
    lines = sorted(line_of(node) for node in ast.walk(root) if node is not root and is_instance(node, word))
    in_function = word != "nested function" or not isinstance(root, ast.Module)
    return f"; the one on line {lines[0]} is never reached" if lines and in_function else ""


def _dead_call(root: Function, calls: SureCalls) -> str:
    live = set(map(id, calls.live[root]))
    for node in _outside_functions(root.node):
        match node:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
                if name == root.name.rpartition(".")[2] and id(node) not in live:
                    return f"; the call on line {node.lineno} is never reached"
    return ""


def _outside_functions(root: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a function, but not those of functions in it, which can be called from elsewhere."""
    waiting = [*ast.iter_child_nodes(root)]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, ast.Lambda | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            waiting += ast.iter_child_nodes(node)


def _names(reached: Collection[Function], name: str) -> str:
    others = [f"`{each.name}`" for each in list(reached)[1:]]
    more = [f"{len(others) - _MAX_NAMES} more"] if len(others) > _MAX_NAMES else []
    return ", ".join([*others[:_MAX_NAMES], *more])


def _nor(reached: Collection[Function], name: str) -> str:
    others = _names(reached, name)
    return f", and neither does what it calls: {others}" if others else ""


def _absent(module: Module, name: str) -> RuleHit:
    return RuleHit(module.name, 0, f"there is no function `{name}`")
