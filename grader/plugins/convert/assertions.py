"""Turns the statements of one Python test into cases.

A statement that is neither an assertion nor a name for a literal or a call may change something that later
statements rely on.  So all that follows it in the same test is left out.
"""

import ast
from dataclasses import dataclass, field

from grader.authoring.written import Keys, WrittenCase
from grader.plugins.convert.changes import changed
from grader.plugins.convert.draft import Draft, Meaning, Unconvertible
from grader.plugins.convert.forms import (
    RAISES,
    ConvertedCall,
    assertion_name,
    check_known,
    expected_in,
    message_of,
    method,
    raises_in,
    truth,
)
from grader.plugins.convert.python.imports import imported_by
from grader.plugins.convert.python.names import bound_by, simply_bound
from grader.plugins.convert.python.scope import ConvertedScope
from grader.plugins.convert.python.uses import handled, may_do_more
from grader.plugins.convert.values import read_call, read_value, shares


def count_assertions(nodes: list[ast.stmt]) -> int:
    """Return how many assertions stand in some statements, at any depth."""
    return sum(
        isinstance(part, ast.Assert)
        or (isinstance(part, ast.Expr) and assertion_name(part.value) != "")
        or (
            isinstance(part, ast.Try)
            and expected_in(part) is not None
            and isinstance(part.orelse[0], ast.Raise)
        )
        or (isinstance(part, ast.With) and any(assertion_name(item.context_expr) for item in part.items))
        for node in nodes
        for part in ast.walk(node)
    )


@dataclass(slots=True)
class BodyReader:
    """Reads the statements of a test, one after the other."""

    draft: Draft
    file: str
    scope: ConvertedScope
    cases: list[WrittenCase] = field(default_factory=list)
    first_line: int = 1
    broken_at: int = 0
    theirs: frozenset[str] = frozenset()
    """The names that functions of the student's may read, and that the test gives something else."""
    _named: dict[str, int] = field(default_factory=dict)
    """By name, the line of a call of which nothing was asserted so far."""
    _unheard: list[int] = field(default_factory=list)

    def read(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            line = self.first_line + statement.lineno - 1
            if count_assertions([statement]):
                self.hear(statement)
            try:
                if self.broken_at:
                    if count_assertions([statement]):
                        raise Unconvertible(f"it relies on line {self.broken_at}, which was left out")
                    continue
                if taken := sorted(self.theirs & {*bound_by([statement])}):
                    self.broken_at = line
                    raise Unconvertible(
                        f"`{taken[0]}` is a name of the notebook, which its functions may read"
                    )
                self._statement(statement, line)
            except Unconvertible as error:
                self.draft.remark(self.file, line, Meaning.LEFT_OUT, str(error))
                if not _is_assertion(statement):
                    self.broken_at = self.broken_at or line
                # It runs in the test all the same.
                may_change = changed([statement], self.scope.values, own=self.scope.bound)
                self.scope.spent |= may_change
                if may_change or handled(statement, self.scope):
                    # The answers may be one with what it changes.
                    self.scope.spent |= {*self.scope.calls}
            if may_do_more(statement, self.scope):
                self.broken_at = self.broken_at or line
            # What it names anew is not what it had.
            self.scope.spent |= handled(statement, self.scope) - {*simply_bound(statement)}

    def hear(self, statement: ast.stmt) -> None:
        """Note that something is asserted of the calls that a statement names."""
        for part in ast.walk(statement):
            if isinstance(part, ast.Name):
                self._named.pop(part.id, None)

    def end(self) -> None:
        """Leave out what follows a call whose answer nothing asserts: it may be made for what it changes."""
        first = min([*self._unheard, *self._named.values()], default=None)
        if first is None:
            return
        for case in [case for case in self.cases if case.line > first]:
            self.cases.remove(case)
            reason = f"it may rely on line {first}, a call whose answer nothing asserts"
            self.draft.remark(self.file, case.line, Meaning.LEFT_OUT, reason)

    def _statement(self, statement: ast.stmt, line: int) -> None:
        match statement:
            case ast.Pass() | ast.Expr(value=ast.Constant(value=str())):
                return
            case ast.Import() | ast.ImportFrom():
                for each in imported_by(statement):
                    if each.name not in self.scope.odd:
                        self.scope.learn(each)
            case ast.Assert(test=test, msg=message):
                self._case(line, truth(test, self.scope), message)
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self._name(name, value, line)
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                self._name(name, value, line)
            case ast.With(items=[ast.withitem(context_expr=ast.Call() as manager)]) if (
                assertion_name(manager) in RAISES
            ):
                check_known(manager, self.scope)
                self._case(line, raises_in(manager, statement.body, self.scope), None)
            case ast.Try(body=body) if (kind := expected_in(statement)) is not None:
                manager = ast.Call(ast.Name("raises", ast.Load()), [kind], [])
                self._case(line, raises_in(manager, body, self.scope), None)
            case ast.Expr(value=ast.Call() as call) if assertion_name(call):
                check_known(call, self.scope)
                self._case(line, method(call, self.scope), message_of(call))
            case ast.Expr(value=ast.Call()):
                raise Unconvertible("a call without an assertion; later ones may rely on it")
            case _:
                raise Unconvertible(f"{_kind(statement)} stands in the test")

    def _name(self, name: str, value: ast.expr, line: int) -> None:
        """Give a name to a literal or to a call."""
        self._unheard += [self._named.pop(name)] if name in self._named else []
        if name in self.scope.odd:
            raise Unconvertible(f"`{name}` is bound in other ways too")
        try:
            literal = read_value(value, self.scope)
            if shares(value, self.scope.values):
                raise Unconvertible("two names may stand for one list, which a call may change")
        except Unconvertible as error:
            try:
                call = read_call(value, self.scope) if isinstance(value, ast.Call) else None
            except Unconvertible as other:
                self.scope.bind(name)
                raise other from error
            self.scope.bind(name)
            if call is None:
                raise
            self.scope.calls[name] = call
            self._named[name] = line
            return
        self.scope.bind(name)
        self.scope.values[name] = literal

    def _case(self, line: int, found: ConvertedCall, message: ast.expr | None) -> None:
        keys: Keys = {"call": found.call.text, **found.keys}
        if isinstance(message, ast.Constant) and isinstance(message.value, str) and message.value.strip():
            keys = {**keys, "hint": message.value}
        self.cases.append(WrittenCase(keys, found.call.module, self.file, line))


def _is_assertion(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Assert | ast.Expr) and count_assertions([statement]) > 0


def _kind(statement: ast.stmt) -> str:
    words = {ast.For: "a loop", ast.While: "a loop", ast.If: "a condition", ast.With: "a `with` block"}
    return words.get(type(statement), f"`{ast.unparse(statement).splitlines()[0][:50]}`")
