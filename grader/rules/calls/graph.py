"""The graph of calls between the functions of a submission, drawn from names (see `resolver`)."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from grader.rules.calls.circles import Edge
from grader.rules.calls.implied import Operation, implied_calls, of_builtin, operations
from grader.rules.calls.resolver import Resolver
from grader.rules.calls.symbols import Class, Function, Instance, Symbol, Unknown
from grader.rules.source.annotations import LAZY, are_read, every_annotation
from grader.rules.source.live import live_nodes
from grader.rules.source.modules import Module, every_node, line_of
from grader.rules.source.origins import ATTRIBUTE_GETTERS, BUILTINS, IMPORTERS, Origins
from grader.rules.source.scopes import Scope, folded

Node: TypeAlias = Function | str
"""A function; or the name of an unknown attribute, for all that it may be; or `_ANY`."""

_ANY = ""
"""Any function that is used as a value."""
_CALL_THE_FIRST = frozenset({"builtins.map", "builtins.filter", "builtins.iter", "functools.reduce"})
_CALL_THE_KEY = frozenset({"builtins.sorted", "builtins.min", "builtins.max"})
_CALLED_LATER = frozenset({"target", "func", "function", "callback", "initializer"})
"""Keywords under which the library is handed what a thread or a timer calls."""
_DISPATCHES = "functools.singledispatch"
_KEEP = frozenset(name for kind in (list, dict, set, str) for name in dir(kind)) | {"appendleft", "put"}
"""Methods of containers: they call nothing that they are handed, except `sort`, which is looked at before."""
_TABLES = frozenset({"builtins.globals", "builtins.locals", "builtins.vars", "sys.modules"})
_LOOK_UP = _TABLES | IMPORTERS | ATTRIBUTE_GETTERS
"""What finds functions, or modules, by names that may be computed."""
_PATH = r"[\w.]*"
"""Texts that are names, maybe with dots."""
_CONSTRUCTION = ("__init__", "__post_init__", "__new__")


@dataclass(frozen=True, slots=True)
class _Use:
    """A use of an expression that calls what it stands for.

    how: words for the call.
    methods: names of methods, the first of which is called; empty for the value itself.
    is_sure: False if what gets the value may leave it alone.
    """

    symbols: tuple[Symbol, ...]
    how: str
    methods: str = ""
    is_sure: bool = True


class _Graph:
    """The functions of a submission, and the calls between them whose targets names show."""

    def __init__(self, modules: list[Module]) -> None:
        self.symbols = Resolver(modules)
        functions = sorted(self.symbols.functions.values(), key=lambda each: (each.module.name, each.line))
        self.certain: dict[Function, list[Edge[Function]]] = {each: [] for each in functions}

    def _uses(self, node: ast.AST, scope: Scope) -> Iterator[_Use]:
        of = self.symbols.of
        match node:
            case ast.Call(func=func):
                yield _Use(of(func, scope), "calls {}")
                for argument, is_sure in self._handed(node, scope):
                    yield _Use(of(argument, scope), f"hands {{}} to `{short(func)}`", "", is_sure)
            case ast.Attribute(value=value, attr=attr, ctx=ctx):
                yield _Use(of(value, scope), "reads {}" if isinstance(ctx, ast.Load) else "sets {}", attr)
            case ast.AugAssign(target=ast.Attribute(value=value, attr=attr)):
                yield _Use(of(value, scope), "reads {}", attr)
            case ast.Match(subject=subject, cases=cases):
                for pattern in (part for case in cases for part in ast.walk(case.pattern)):
                    for attr in pattern.kwd_attrs if isinstance(pattern, ast.MatchClass) else ():
                        yield _Use(of(subject, scope), "reads {}", attr)
            case ast.Raise(exc=raised, cause=cause):
                for made in (of(each, scope) for each in (raised, cause) if each is not None):
                    yield _Use(tuple(each for each in made if isinstance(each, Class)), "makes {}")
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                for decorator in node.decorator_list:
                    func = decorator.func if isinstance(decorator, ast.Call) else decorator
                    if not self.symbols.origins(func, scope):
                        yield _Use(of(decorator, scope), "decorates by {}")
            case ast.Subscript(value=value, ctx=ast.Load()):
                found = of(value, scope)
                is_dict = any(self.symbols.methods(each, "__missing__") for each in found)
                if is_dict and not _is_set_above(node, scope):
                    yield _Use(found, "uses {}", "__missing__", False)
        for value, methods in implied_calls(node):
            yield _Use(of(value, scope), "uses {}", methods)
        for operation in operations(node):
            yield _Use(of(operation.left, scope), "uses {}", operation.forward)
            yield from self._reflected(operation, scope)

    def _reflected(self, operation: Operation, scope: Scope) -> Iterator[_Use]:
        """Yield what an operator calls of its right operand.

        A class that defines both directions of a comparison compares with objects of its own: there
        `other < self` calls `other.__lt__`, and `self.__gt__` at most where that has no answer.
        """
        lefts, rights = (self.symbols.of(each, scope) for each in (operation.left, operation.right))
        forward = [each for left in lefts for each in self.symbols.methods(left, operation.forward)]
        is_one_class = not {*rights} - {*lefts}
        if any(isinstance(left, Unknown) for left in lefts) and operation.is_comparison and not forward:
            forward = [each for right in rights for each in self.symbols.methods(right, operation.forward)]
            is_one_class = True
            yield _Use(rights, "uses {}", operation.forward)
        may_not_answer = any(each.may_not_answer for each in forward)
        if (
            not forward
            or (may_not_answer and not is_one_class)
            or self._comes_first(lefts, rights, operation)
        ):
            yield _Use(rights, "uses {}", operation.reflected)
        elif may_not_answer and operation.is_comparison:
            yield _Use(rights, "uses {}", operation.reflected, False)

    def _comes_first(
        self, lefts: tuple[Symbol, ...], rights: tuple[Symbol, ...], operation: Operation
    ) -> bool:
        """Tell whether the right operand is asked first: its class is derived from that of the left one."""
        below = [left.of for left in lefts if isinstance(left, Instance)]
        own = {id(made) for made in below}
        for made in below:
            below += [each for each in made.subclasses if each not in below]
        found = [each for right in rights for each in self.symbols.methods(right, operation.reflected)]
        return any(each.owner in below and id(each.owner) not in own for each in found)

    def _body(self, function: Function) -> Iterator[tuple[ast.AST, Scope]]:
        """Yield the nodes that run when a function runs, and the definitions among them."""
        yield from function.scope.body()
        for scope in function.scope.parts():
            for child in scope.children:
                if isinstance(child.node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                    yield child.node, scope

    def _handed(self, call: ast.Call, scope: Scope) -> Iterator[tuple[ast.expr, bool]]:
        """Yield the arguments that what is called may call, and whether everybody knows that it does."""
        origins = self.symbols.origins(call.func, scope)
        callees = self.symbols.of(call.func, scope)
        is_unknown = any(isinstance(each, Unknown) and each.attr not in _KEEP for each in callees)
        if origins & _CALL_THE_FIRST:
            yield from ((argument, True) for argument in call.args[:1])
        elif origins & _CALL_THE_KEY or (isinstance(call.func, ast.Attribute) and call.func.attr == "sort"):
            yield from ((each.value, True) for each in call.keywords if each.arg == "key")
        elif is_unknown or not all(origin.startswith(BUILTINS) for origin in origins):
            yield from ((each, False) for each in [*call.args, *(each.value for each in call.keywords)])

    def _targets(self, use: _Use, symbol: Symbol) -> list[Function]:
        """Return the functions that a use runs if it is a use of that symbol."""
        if use.methods:
            found = self.symbols.methods(symbol, use.methods)
            if use.how == "reads {}":
                return [each for each in found if each.is_property]
            return [each for each in found if each.is_setter or use.how != "sets {}"]
        return self._run(symbol)

    def _run(self, symbol: Symbol) -> list[Function]:
        """Return the functions that a call of a symbol runs."""
        match symbol:
            case Function():
                return [symbol]
            case Class():
                made = Instance(symbol)
                return [method for name in _CONSTRUCTION for method in self.symbols.methods(made, name)]
        return self.symbols.methods(symbol, "__call__")


class SureCalls(_Graph):
    """The calls that stand in code that can run, of functions that names tell without doubt.

    live: for each function, the nodes that can run when it runs.
    made: for each function, the classes of which it makes objects.
    every: the calls with those of methods of objects whose class names leave open, and of names that may
        mean several functions.
    """

    def __init__(self, modules: list[Module]) -> None:
        super().__init__(modules)
        own = {id(node) for module in modules for node in ast.walk(module.tree)}
        self.certain = {each: [] for each in self.certain if id(each.node) in own}
        self.every: dict[Function, list[Edge[Function]]] = {each: [] for each in self.certain}
        self.live: dict[Function, list[ast.AST]] = {}
        self.made: dict[Function, list[Class]] = {each: [] for each in self.certain}
        for function in self.certain:
            self.live[function] = list(live_nodes(function.node, function.scope))
            alive = set(map(id, self.live[function]))
            for node, scope in self._body(function):
                if id(node) in alive:
                    for use in [*self._uses(node, scope), *self._returned(function, node, scope)]:
                        self._add(function, use, node)

    def _returned(self, function: Function, node: ast.AST, scope: Scope) -> Iterator[_Use]:
        """Yield the function within this one that is returned: who asked for it calls it."""
        if isinstance(node, ast.Return) and node.value is not None:
            symbols = self.symbols.of(node.value, scope)
            if any(isinstance(each, Function) and each.scope.parent is function.scope for each in symbols):
                yield _Use(symbols, "returns {}")

    def _add(self, function: Function, use: _Use, node: ast.AST) -> None:
        line, callee = line_of(node), getattr(node, "func", node)
        use = replace(use, symbols=_as_left(use.symbols))
        if use.is_sure and (len(use.symbols) == 1 or isinstance(callee, ast.Attribute | ast.Name)):
            found = [each for symbol in use.symbols for each in self._may_run(use, symbol)]
            self.every[function] += [
                Edge(each, line, short(callee)) for each in found if each in self.certain
            ]
        # A name that may mean several things shows nothing.
        if use.is_sure and len(use.symbols) == 1:
            (symbol,) = use.symbols
            if isinstance(symbol, Class) and not use.methods:
                self.made[function].append(symbol)
            targets = [each for each in self._targets(use, symbol) if each in self.certain]
            self.certain[function] += [Edge(target, line) for target in targets]

    def _may_run(self, use: _Use, symbol: Symbol) -> list[Function]:
        """Return the functions that a use may run; of an unknown object, the methods of that name."""
        if isinstance(symbol, Unknown) and not use.methods:
            return [
                method
                for made in self.symbols.classes.values()
                for method in self.symbols.methods(Instance(made), symbol.attr)
            ]
        return self._targets(use, symbol)


class Calls(_Graph):
    """The graph of all calls.

    possible: calls whose targets names do not show.  reached: the functions that a possible call may reach.

    A call of an unknown value may reach every function that is used as a value, and a call of an attribute of
    an unknown object every method of that name.  If the program looks up anything by its name, every function
    is used as a value.
    """

    def __init__(self, modules: list[Module]) -> None:
        super().__init__(modules)
        self.possible: dict[Function, list[Edge[Node]]] = {each: [] for each in self.certain}
        for function in self.certain:
            for node, scope in self._body(function):
                if isinstance(node, ast.Attribute) and node.attr in LAZY:
                    self.possible[function].append(Edge(_ANY, line_of(node), node.attr))
                for use in [*self._uses(node, scope), *self._implied_by_call(node, scope)]:
                    self._add(function, use, line_of(node), short(getattr(node, "func", node)))
            if any(origin.startswith(_DISPATCHES) for origin in self._decorators(function)):
                self.possible[function].append(Edge(_ANY, function.line, "singledispatch"))
        nodes = [each for module in modules for each in every_node(module)]
        if are_read(modules, Origins(modules)):
            nodes += [each for module in modules for each in every_annotation(module)]
        stored = set(_stored_names([node for node, _ in nodes]))
        is_looked_up = any(self._looks_up(node, scope) for node, scope in nodes)
        values = [*self.certain] if is_looked_up else self._used_as_values(nodes, stored)
        names = {edge.target for edges in self.possible.values() for edge in edges}
        self.reached: dict[Node, list[Edge[Node]]] = {
            name: self._reached(name, name in stored, is_looked_up) for name in names if isinstance(name, str)
        }
        self.reached[_ANY] = [Edge(each, 0) for each in values]

    def _add(self, function: Function, use: _Use, line: int, callee: str) -> None:
        for symbol in use.symbols:
            if use.is_sure:
                self.certain[function] += [Edge(each, line, use.how) for each in self._targets(use, symbol)]
            elif use.methods:
                name = use.methods.split()[0]
                self.possible[function] += [Edge(each, line, name) for each in self._targets(use, symbol)]
            elif isinstance(symbol, Function):
                self.possible[function].append(Edge(symbol, line, callee))
            if isinstance(symbol, Unknown) and use.is_sure and not use.methods:
                self.possible[function].append(Edge(symbol.attr, line, callee))

    def _implied_by_call(self, node: ast.AST, scope: Scope) -> Iterator[_Use]:
        """Yield lambdas that are handed over, and arguments whose methods a built-in function calls."""
        if isinstance(node, ast.Call):
            origins = self.symbols.origins(node.func, scope)
            later = [each.value for each in node.keywords if origins and each.arg in _CALLED_LATER]
            lambdas = [*node.args, *(keyword.value for keyword in node.keywords)]
            for argument in [*(each for each in lambdas if isinstance(each, ast.Lambda)), *later]:
                yield _Use(self.symbols.of(argument, scope), f"hands {{}} to `{short(node.func)}`")
            for name in origins:
                for methods in of_builtin(name.removeprefix(BUILTINS)):
                    yield from (_Use(self.symbols.of(e, scope), "uses {}", methods) for e in node.args)

    def _decorators(self, function: Function) -> Iterator[str]:
        """Yield the names of decorators from outside; an empty text for one that may be own."""
        scope = function.scope.parent or function.scope
        for decorator in function.decorators:
            name, handed = decorator, list[ast.expr]()
            if isinstance(decorator, ast.Call):
                name, handed = decorator.func, decorator.args
            is_own = any(self.symbols.of(argument, scope) for argument in handed)
            yield from ("",) if is_own else self.symbols.origins(name, scope) or ("",)

    def _used_as_values(self, nodes: list[tuple[ast.AST, Scope]], stored: set[str]) -> list[Function]:
        """Return the functions that are used in any way besides a call of their names."""
        found = [
            each
            for each in self.certain
            if "" in self._decorators(each) or each.name.rpartition(".")[2] in {"__call__", *stored}
        ]
        called = {id(node.func) for node, _ in nodes if isinstance(node, ast.Call)}
        for node, scope in nodes:
            if isinstance(node, ast.Name | ast.Attribute | ast.Lambda) and id(node) not in called:
                symbols = self.symbols.of(node, scope)
                found += [each for s in symbols if isinstance(s, Function | Class) for each in self._run(s)]
        return list(dict.fromkeys(found))

    def _looks_up(self, node: ast.AST, scope: Scope) -> bool:
        """Tell whether a node finds a function, or a module, by a name that may be computed."""
        return isinstance(node, ast.Name | ast.Attribute) and (
            not _LOOK_UP.isdisjoint(self.symbols.origins(node, scope))
            or (isinstance(node, ast.Attribute) and (node.attr == "__dict__" or node.attr in LAZY))
        )

    def _reached(self, name: str, is_stored: bool, is_looked_up: bool) -> list[Edge[Node]]:
        """Return edges to all that an attribute of this name may be."""
        bindings = [each for made in self.symbols.classes.values() for each in made.members.get(name, ())]
        symbols = [symbol for binding in bindings for symbol in self.symbols.of_binding(binding)]
        targets: list[Node] = [target for symbol in symbols for target in self._run(symbol)]
        if is_looked_up:
            targets += [each for each in self.certain if each.name == name]
        if is_stored or any(isinstance(symbol, Unknown) for symbol in symbols):
            targets.append(_ANY)
        return [Edge(target, 0) for target in dict.fromkeys(targets)]


def _as_left(symbols: tuple[Symbol, ...]) -> tuple[Symbol, ...]:
    """Return the last of several definitions of one name that stand one after the other in a module or class.

    A function that is called later finds that one; stubs of `overload`, or a first try, stand before it.
    """
    functions = [each for each in symbols if isinstance(each, Function)]
    parents = [each.scope.parent for each in functions]
    if len(functions) < 2 or len(functions) < len(symbols) or len({each.name for each in functions}) > 1:
        return symbols
    bodies = [getattr(parent.node, "body", []) if parent is not None else [] for parent in parents]
    if any(not any(each.node is one for one in body) for each, body in zip(functions, bodies, strict=True)):
        return symbols
    return (max(functions, key=lambda each: each.line),)


def _stored_names(nodes: list[ast.AST]) -> Iterator[str]:
    """Yield the names under which attributes are set: by assignment, as keywords, or by texts."""
    docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        match node:
            case ast.Attribute(attr=name, ctx=ast.Store()) | ast.keyword(arg=str(name)):
                yield name
            case ast.Constant() | ast.BinOp() | ast.JoinedStr() if id(node) not in docstrings:
                text = folded(node) or ""
                yield from re.findall(r"\w+", text) if re.fullmatch(_PATH, text) else ()


def _is_set_above(item: ast.Subscript, scope: Scope) -> bool:
    """Tell whether the lines above an item set it, so that it can't be missing."""
    wanted = ast.dump(item.value), ast.dump(item.slice)
    above = [
        node
        for node in scope.nodes
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) and node.lineno < item.lineno
    ]
    return any((ast.dump(node.value), ast.dump(node.slice)) == wanted for node in above)


def short(node: ast.AST) -> str:
    """Return a callee as a message names it."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Subscript(value=value):
            return f"{short(value)}[…]"
        case ast.Call(func=func):
            return f"{short(func)}(…)"
    return "…"
