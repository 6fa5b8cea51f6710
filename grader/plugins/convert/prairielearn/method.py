"""Follows the statements of one test: which answers it looks at, and which score each gives.

Nothing is run.  Where a test branches on an answer both branches are followed, and the score becomes a sum
over the conditions.  Loops over values that the test itself makes are unrolled.
"""

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from grader.plugins.convert.draft import Unconvertible
from grader.plugins.convert.prairielearn.conditions import Condition
from grader.plugins.convert.prairielearn.data import Assumed, as_share
from grader.plugins.convert.prairielearn.expressions import Expressions
from grader.plugins.convert.prairielearn.shares import NONE, ONE, Share

_MOST_STEPS = 20_000
_MOST_OUTCOMES = 64
_LEFT_OPEN = object()
"""The value of a name that is another one in each branch, and no number."""


@dataclass(slots=True)
class State:
    """The names of a test and its score, at one place of it."""

    names: dict[str, Any]
    score: Share = NONE

    def copy(self) -> "State":
        return State(dict(self.names), self.score)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How some statements end.

    guard: 1 where this is how, else 0.  flow: empty, or `continue`, `break` or `end` of the test.
    """

    guard: Share
    state: State
    flow: str = ""


@dataclass(slots=True)
class Method:
    """Follows the statements of one test."""

    expressions: Expressions
    steps: int = 0

    def score(self, body: list[ast.stmt], names: Mapping[str, Any]) -> Share:
        """Return the score of a test.  Raises `Unconvertible`."""
        total = NONE
        for outcome in self._block(body, State(dict(names)), sure=True):
            total = total + outcome.guard * outcome.state.score
        return total

    @property
    def conditions(self) -> list[Condition]:
        return self.expressions.conditions

    def _block(self, body: list[ast.stmt], state: State, *, sure: bool) -> list[Outcome]:
        """Return how statements can end.  sure: they run whatever is answered."""
        outcomes = [Outcome(ONE, state)]
        for statement in body:
            found: list[Outcome] = []
            for each in outcomes:
                if each.flow:
                    found.append(each)
                    continue
                certain = sure and len(outcomes) == 1
                for later in self._statement(statement, each.state, sure=certain):
                    found.append(Outcome(each.guard * later.guard, later.state, later.flow))
            outcomes = _merged([each for each in found if each.guard.terms])
            if len(outcomes) > _MOST_OUTCOMES:
                raise Unconvertible("it has too many ways to end")
        return outcomes

    def _statement(self, statement: ast.stmt, state: State, *, sure: bool) -> list[Outcome]:
        self.steps += 1
        if self.steps > _MOST_STEPS:
            raise Unconvertible("its loops are too long to be unrolled")
        self.expressions.begin(state.names, sure=sure)
        match statement:
            case ast.Pass():
                return [Outcome(ONE, state)]
            case ast.Continue():
                return [Outcome(ONE, state, "continue")]
            case ast.Break():
                return [Outcome(ONE, state, "break")]
            case ast.Return():
                return [Outcome(ONE, state, "end")]
            case ast.Expr(value=ast.Constant()):
                return [Outcome(ONE, state)]
            case ast.Expr(value=ast.Call() as call):
                return self._call(call, state)
            case ast.Assert(test=test):
                return self._demand(self.expressions.value(test), state)
            case ast.Assign(targets=[target], value=value):
                return self._assign(target, self.expressions.value(value), state)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                return self._assign(target, self.expressions.value(value), state)
            case ast.AugAssign(target=ast.Name(id=name), op=ast.Add(), value=value) if isinstance(
                state.names.get(name), list
            ):
                extend = ast.Attribute(ast.Name(name, ast.Load()), "extend", ast.Load())
                self.expressions.change(ast.Call(extend, [value], []))
                return self._after(state)
            case ast.AugAssign(target=ast.Name(id=name), op=operator, value=value):
                both = ast.BinOp(ast.Name(name, ast.Load()), operator, value)
                return self._assign(statement.target, self.expressions.value(both), state)
            case ast.If(test=test, body=body, orelse=orelse):
                return self._if(test, body, orelse, state, sure=sure)
            case ast.For(target=target, iter=items, body=body, orelse=[]):
                return self._for(target, items, body, state, sure=sure)
        raise Unconvertible(f"`{ast.unparse(statement).splitlines()[0][:50]}` stands in the test")

    def _after(self, state: State) -> list[Outcome]:
        """Return how a statement ends whose expressions are read: some checks end the test if they fail."""
        outcomes, guard = [], ONE
        for critical in self.expressions.critical:
            outcomes.append(Outcome(guard * (ONE - critical), state.copy(), "end"))
            guard = guard * critical
        return [*outcomes, Outcome(guard, state)]

    def _assign(self, target: ast.expr, value: Any, state: State) -> list[Outcome]:
        changed = state.copy()
        _bind(target, value, changed.names)
        return self._after(changed)

    def _call(self, call: ast.Call, state: State) -> list[Outcome]:
        match call.func:
            case ast.Name(id="print") | ast.Attribute(value=ast.Name(id="Feedback"), attr="add_feedback"):
                return [Outcome(ONE, state)]
            case ast.Attribute(value=ast.Name(id="Feedback"), attr="set_score") if len(call.args) == 1:
                changed = state.copy()
                changed.score = as_share(self.expressions.value(call.args[0]))
                return self._after(changed)
            case (
                ast.Attribute(value=ast.Name(id="Feedback"), attr="finish" | "finish_test")
                | ast.Attribute(value=ast.Name(id="self"), attr="fail")
            ):
                return [Outcome(ONE, state, "end")]
            case ast.Attribute(value=ast.Name(id="self"), attr="assertTrue") if call.args:
                return self._demand(self.expressions.value(call.args[0]), state)
            case ast.Attribute(value=ast.Name(id="self"), attr="assertEqual") if len(call.args) >= 2:
                same = ast.Compare(call.args[0], [ast.Eq()], [call.args[1]])
                return self._demand(self.expressions.value(same), state)
            case ast.Attribute(value=ast.Name(id="Feedback"), attr=name) if name.startswith("check_"):
                self.expressions.value(call)
                return self._after(state)
        self.expressions.change(call)
        return self._after(state)

    def _demand(self, value: Any, state: State) -> list[Outcome]:
        """Return how an assertion ends: where it does not hold the test does, with its score so far."""
        held = as_share(value.value if isinstance(value, Assumed) else value)
        outcomes = self._after(state)
        last = outcomes.pop()
        outcomes.append(Outcome(last.guard * (ONE - held), state.copy(), "end"))
        return [*outcomes, Outcome(last.guard * held, state)]

    def _if(
        self, test: ast.expr, body: list[ast.stmt], orelse: list[ast.stmt], state: State, *, sure: bool
    ) -> list[Outcome]:
        found = self.expressions.value(test)
        if isinstance(found, Assumed):
            kept, other = (body, orelse) if found.value else (orelse, body)
            if not all(map(_earns_nothing, other)):
                raise Unconvertible(f"`{ast.unparse(test)[:50]}` decides about points")
            return self._block(kept, state, sure=sure)
        held = as_share(found)
        outcomes = self._after(state)
        last = outcomes.pop()
        sure = sure and held.is_number
        for guard, branch in ((held, body), (ONE - held, orelse)):
            if (last.guard * guard).terms:
                for each in self._block(branch, last.state.copy(), sure=sure):
                    outcomes.append(Outcome(last.guard * guard * each.guard, each.state, each.flow))
        return outcomes

    def _for(
        self, target: ast.expr, items: ast.expr, body: list[ast.stmt], state: State, *, sure: bool
    ) -> list[Outcome]:
        done: list[Outcome] = []
        running = [Outcome(ONE, state)]
        for item in self.expressions.items(items):
            found: list[Outcome] = []
            for each in running:
                _bind(target, item, each.state.names)
                for later in self._block(body, each.state, sure=sure and len(running) == 1):
                    guard = each.guard * later.guard
                    if later.flow == "end":
                        done.append(Outcome(guard, later.state, "end"))
                    elif later.flow == "break":
                        done.append(Outcome(guard, later.state))
                    else:
                        found.append(Outcome(guard, later.state))
            running = _merged(found)
            if len(running) + len(done) > _MOST_OUTCOMES:
                raise Unconvertible("its loop has too many ways to end")
        return [*done, *running]


def _bind(target: ast.expr, value: Any, names: dict[str, Any]) -> None:
    match target:
        case ast.Name(id=name):
            names[name] = value
            return
        case ast.Tuple(elts=parts) | ast.List(elts=parts) if isinstance(value, list | tuple):
            if len(parts) == len(value) and not any(isinstance(part, ast.Starred) for part in parts):
                for part, each in zip(parts, value, strict=True):
                    _bind(part, each, names)
                return
    raise Unconvertible(f"`{ast.unparse(target)[:40]}` is given a value in a way that is not known here")


def _merged(outcomes: list[Outcome]) -> list[Outcome]:
    """Return outcomes with those in one that go on, where one of them is how it goes on in any case."""
    going = [each for each in outcomes if not each.flow]
    total = NONE
    for each in going:
        total = total + each.guard
    if len(going) < 2 or total != ONE:
        return outcomes
    names = {
        name: _mixed([(each.guard, each.state.names.get(name, _LEFT_OPEN)) for each in going])
        for name in {name for each in going for name in each.state.names}
    }
    score = NONE
    for each in going:
        score = score + each.guard * each.state.score
    names = {name: value for name, value in names.items() if value is not _LEFT_OPEN}
    return [*(each for each in outcomes if each.flow), Outcome(ONE, State(names, score))]


def _mixed(values: list[tuple[Share, Any]]) -> Any:
    first = values[0][1]
    if all(value is first or (type(value) is type(first) and value == first) for _, value in values):
        return first
    try:
        shares = [guard * as_share(value) for guard, value in values]
    except Unconvertible:
        return _LEFT_OPEN
    total = NONE
    for share in shares:
        total = total + share
    return total


def _earns_nothing(statement: ast.stmt) -> bool:
    """Tell whether a statement gives no points: it only says something, or ends the test."""
    match statement:
        case ast.Return() | ast.Pass() | ast.Continue():
            return True
        case ast.Expr(value=ast.Call(func=function, args=arguments)):
            name = ast.unparse(function)
            if name == "Feedback.set_score":
                return isinstance(arguments[0], ast.Constant) and not arguments[0].value
            return name in ("print", "self.fail", "Feedback.add_feedback") or name.startswith(
                "Feedback.finish"
            )
    return False
