"""Follows a test method statement by statement, and writes down the steps that it asks of the program."""

import ast
from collections.abc import Iterator
from typing import Any

from benchmarks.exercism import assertions
from benchmarks.exercism.expressions import Expressions
from benchmarks.exercism.things import (
    Assertion,
    Callback,
    Caught,
    Data,
    Expecting,
    Function,
    Kind,
    Mixed,
    Remote,
    Scope,
    Step,
    TestCase,
    Thing,
    Unknown,
    Unsaid,
)
from benchmarks.exercism.track import Exercise, TestMethod

MOST_STEPS = 900


def _mentions(node: ast.stmt, name: ast.expr | None) -> bool:
    """Tell whether a statement speaks of an exception that is not there before the block ends."""
    return isinstance(name, ast.Name) and any(
        isinstance(n, ast.Name) and n.id == name.id for n in ast.walk(node)
    )


class _Return(Exception):
    def __init__(self, thing: Thing) -> None:
        self.thing = thing


class Reader(Expressions):
    """Reads one test method.  Its `steps` are what the test asks, in order."""

    def __init__(self, exercise: Exercise, method: TestMethod) -> None:
        super().__init__(exercise.module, exercise.classes)
        self._exercise = exercise
        self.unchanged = False
        """The test looks at its own data after a call: the call must not change it."""
        self._file = Scope()
        self._methods = {node.name: node for node in method.owner.body if isinstance(node, ast.FunctionDef)}
        self._attributes: dict[str, Thing] = {}
        for node in exercise.tree.body:
            self._statement_of_file(node)
        self.files = self._files(method)
        for node in method.owner.body:
            if isinstance(node, ast.Assign) and isinstance(target := node.targets[0], ast.Name):
                self._attributes[target.id] = self.value(node.value, self._file)
        for name in ("setUp", method.node.name):
            if name in self._methods:
                self.call_function(Function(self._methods[name], self._file, bound=True), [], {})
        if not self.steps:
            raise Unsaid("nothing is asked of the program")

    def _files(self, method: TestMethod) -> dict[str, str]:
        """Return the files of a test whose decorators replace `open` by texts: `io.StringIO(TEXTS[name])`."""
        found: dict[str, str] = {}
        for decorator in (*method.owner.decorator_list, *method.node.decorator_list):
            match decorator:
                case ast.Call(args=[ast.Constant(value="io.StringIO")]):
                    continue
                case ast.Call(func=marker) if ast.unparse(marker).startswith("pytest.mark."):
                    continue
                case ast.Call(args=[ast.Constant(value=str(place))], keywords=keywords) if (
                    place == f"{self.module}.open"
                ):
                    opens = [each.value.id for each in keywords if isinstance(each.value, ast.Name)]
                case _:
                    raise Unsaid("a decorator")
            for name in opens:
                function = self._file.find(name)
                for node in ast.walk(function.node) if isinstance(function, Function) else ():
                    match node:
                        case ast.Call(args=[ast.Subscript(value=ast.Name(id=texts))]):
                            found |= self.data_of(ast.Name(texts, ast.Load()), self._file)
            if not found:
                raise Unsaid("a decorator")
        return found

    # -- statements --------------------------------------------------------------------------------

    def _statement_of_file(self, node: ast.stmt) -> None:
        match node:
            case ast.FunctionDef():
                self._file.names[node.name] = Function(node, self._file)
            case ast.ImportFrom(module=str(name)) if name in self._exercise.beside:
                for statement in ast.parse(self._exercise.beside[name]).body:
                    self._statement_of_file(statement)
            case ast.Import() | ast.ImportFrom():
                self.imports(node, self._file)
            case ast.Assign() | ast.AnnAssign():
                try:
                    self._statement(node, self._file)
                except Unsaid as unsaid:
                    for each in ast.walk(node):
                        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
                            self._file.names[each.id] = Unknown(str(unsaid))
            case ast.Try(body=body):
                for each in body:
                    self._statement_of_file(each)

    def _block(self, body: list[ast.stmt], scope: Scope) -> None:
        for node in body:
            self._statement(node, scope)
            if len(self.steps) > MOST_STEPS:
                raise Unsaid("too many steps")

    def _statement(self, node: ast.stmt, scope: Scope) -> None:
        match node:
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                pass
            case ast.Expr(value=value):
                thing = self.value(value, scope)
                if isinstance(thing, Remote) and thing.kind in (
                    Kind.CALL,
                    Kind.NEW,
                    Kind.READ,
                    Kind.OPERATION,
                ):
                    self.ask(thing)
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                try:
                    scope.names[name] = self._kept(self.value(value, scope), name)
                except Unsaid as unsaid:
                    scope.names[name] = Unknown(str(unsaid))
            case ast.Assign(targets=targets, value=value):
                thing = self.value(value, scope)
                for target in targets:
                    self._assign(target, thing, scope)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self._assign(target, self.value(value, scope), scope)
            case ast.AugAssign(target=ast.Name(id=name) as target, op=op, value=value):
                node_value = ast.BinOp(ast.Name(name, ast.Load()), op, value)
                self._assign(target, self.value(ast.fix_missing_locations(node_value), scope), scope)
            case ast.For(target=target, iter=iterated, body=body, orelse=[]):
                for thing in self.items(self.value(iterated, scope)):
                    self._assign(target, thing, scope)
                    self._block(body, scope)
            case ast.If(test=test, body=body, orelse=orelse):
                self._block(body if self._decided(test, scope) else orelse, scope)
            case ast.With(items=items, body=body):
                self._with(items, body, scope)
            case ast.Return(value=value):
                raise _Return(self.value(value, scope) if value is not None else Data(None))
            case ast.FunctionDef(decorator_list=[]):
                scope.names[node.name] = Function(node, scope)
            case ast.Import() | ast.ImportFrom():
                self.imports(node, scope)
            case ast.Try(
                body=body, handlers=[ast.ExceptHandler(type=ast.Name(id="AssertionError"))], finalbody=[]
            ):
                self._block(body, scope)
            case ast.Delete(targets=[ast.Name()]):
                pass
            case _:
                raise Unsaid(f"a statement: {type(node).__name__.lower()}")

    def _decided(self, test: ast.expr, scope: Scope) -> bool:
        thing = self.value(test, scope)
        if not isinstance(thing, Data):
            raise Unsaid("a branch that an answer decides")
        return bool(thing.value)

    def _assign(self, target: ast.expr, thing: Thing, scope: Scope) -> None:
        match target:
            case ast.Name(id=name):
                scope.names[name] = self._kept(thing, name)
            case ast.Attribute(value=ast.Name(id="self"), attr=name):
                self._attributes[name] = self._kept(thing, name)
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                if isinstance(thing, Remote):
                    thing = self._kept(thing, "answer")
                    parts: list[Thing] = [self.part(thing, number) for number in range(len(targets))]
                else:
                    parts = [*self.items(thing)]
                if len(parts) != len(targets):
                    raise Unsaid("parts are counted while the test runs")
                for each, part in zip(targets, parts, strict=True):
                    self._assign(each, part, scope)
            case ast.Attribute(value=owner, attr=name):
                made = self.said(self.value(owner, scope))
                self.steps.append(Step({"call": f"{made}.{name} = {self.said(thing)}"}))
            case ast.Subscript(value=owner, slice=index) if isinstance(
                at := self.value(owner, scope), Data
            ) and isinstance(thing, Data):
                at.value[self.data_of(index, scope)] = thing.value
            case _:
                raise Unsaid("an assignment to a part of an answer")

    def _kept(self, thing: Thing, name: str) -> Thing:
        """Return what a name stands for: the answer of a step that keeps it."""
        if isinstance(thing, Remote) and thing.kind not in (Kind.NAME, Kind.MODULE):
            return self.keep(thing, name)
        if isinstance(thing, Callback):
            return self.keep(Remote(thing.source, Kind.CALL), name)
        return thing

    def _with(self, items: list[ast.withitem], body: list[ast.stmt], scope: Scope) -> None:
        for item in items:
            context = self.value(item.context_expr, scope)
            if isinstance(context, Assertion) and context.name == "subTest":
                continue
            if not isinstance(context, Expecting) or len(items) > 1:
                raise Unsaid("a context manager")
            before = len(self.steps)
            self._block([each for each in body if not _mentions(each, item.optional_vars)], scope)
            if len(body) == 1:
                # What comes after the first step takes its answer apart, and there is none.
                del self.steps[before + 1 :]
            step = self._last_of(before)
            raises: dict[str, Any] = {"type": context.error}
            step.keys.pop("as", None)
            step.keys["raises"] = raises | (
                {"message": context.pattern} if context.pattern is not None else {}
            )
            if item.optional_vars is not None:
                self._assign(item.optional_vars, Caught(step), scope)
            return
        self._block(body, scope)

    def _last_of(self, before: int) -> Step:
        """Return the step of a block that must raise; what comes before it makes its objects."""
        if len(self.steps) == before:
            raise Unsaid("nothing is asked of the program where something must raise")
        step = self.steps[-1]
        if step.expects:
            raise Unsaid("an assertion where something must raise")
        return step

    # -- functions of the test file ----------------------------------------------------------------

    def call_function(self, function: Function, args: list[Thing], kwargs: dict[str, Thing]) -> Thing:
        node = function.node
        is_test = node.name.startswith("test")  # its decorators were looked at
        if (node.decorator_list and not is_test) or node.args.vararg or node.args.kwarg:
            raise Unsaid("a function with a decorator or any number of arguments")
        names = [each.arg for each in (*node.args.posonlyargs, *node.args.args)]
        given: list[Thing] = [TestCase(), *args] if function.bound else args
        scope = Scope(dict(zip(names, given, strict=False)), function.scope)
        defaults = node.args.defaults
        for name, default in zip(names[len(names) - len(defaults) :], defaults, strict=True):
            if name not in scope.names:
                scope.names[name] = self.value(default, function.scope)
        for each, keyword_default in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True):
            if keyword_default is not None:
                scope.names[each.arg] = self.value(keyword_default, function.scope)
        scope.names |= kwargs
        self.scopes.append(scope)
        if any(isinstance(each, ast.Yield | ast.YieldFrom) for each in ast.walk(node)):
            raise Unsaid("a generator of the test file")
        try:
            self._block(node.body, scope)
        except _Return as returned:
            return returned.thing
        return Data(None)

    def attribute_of_self(self, name: str) -> Thing:
        if name in self._attributes:
            return self._attributes[name]
        if name in self._methods:
            return Function(self._methods[name], self._file, bound=True)
        if name.startswith("assert") or name in ("fail", "subTest"):
            return Assertion(name)
        raise Unsaid(f"self.{name}")

    def call_assertion(self, name: str, args: list[Thing], kwargs: dict[str, Thing]) -> Thing:
        return assertions.call(self, name, args, kwargs)

    def items(self, thing: Thing) -> Iterator[Thing]:
        if isinstance(thing, Data):
            yield from map(Data, thing.value)
        elif isinstance(thing, Mixed) and not thing.keys:
            yield from thing.items
        else:
            raise Unsaid("a loop over an answer")
