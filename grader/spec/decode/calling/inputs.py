"""The inputs of generated cases: how they are drawn, what is made of each, and how they are recorded.

An `Inputs` has the parsed texts of a case.  The decoder makes it from the spec; `inputs_of` makes it again
from a task, so that inputs smaller than those that were drawn can be drawn where a case failed.
"""

import ast
import json
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from time import thread_time
from typing import TYPE_CHECKING

from grader.model.case import Case, Check, Expectation, Generated, Returns, Step, Text
from grader.model.digest import digest
from grader.model.errors import Fault, UsageError
from grader.model.kinds import calls_of, kind_of
from grader.model.task import Task
from grader.spec.decode.calling.arguments import longest_text, prepare
from grader.spec.decode.calling.written import WrittenCall, read_expression, with_given
from grader.spec.expressions.context import Context, Generators
from grader.spec.expressions.evaluate import FUNCTIONS, Evaluator, Names, Sized, sized
from grader.spec.expressions.library import CONSTRUCTORS
from grader.spec.expressions.of_yaml import evaluate
from grader.spec.expressions.parse import Expression, parse
from grader.spec.expressions.scope import Scope
from grader.spec.expressions.tables import TABLES
from grader.spec.given.drawing import Row
from grader.spec.given.strategies import DRAW_S, STRATEGIES, Drawing
from grader.values.python_text import literal
from grader.yamlfile.nodes import Scalar
from grader.yamlfile.reporter import Reporter
from grader.yamlfile.source import Source, Span
from grader.yamlfile.unusable import Unusable

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

DRAWN = ".drawn"
"""End of the name of a run record's file with the inputs that were drawn; on disk there is none."""


@dataclass(frozen=True, slots=True)
class Inputs:
    """The parsed texts of a generated case.

    given: the names with their expressions; none where the inputs are listed.
    expect, prints: the expectation of some input; `expected` has the parts of it that depend on the input.
    """

    context: Context
    names: tuple[str, ...]
    given: tuple[Expression, ...]
    call: WrittenCall
    expect: Expectation | None
    prints: Text | None
    answer: Expression | None
    expected: tuple[ast.expr, ...]

    def strategy(self, generators: Generators | None) -> "SearchStrategy[Row]":
        """Return the strategy that draws inputs."""
        from hypothesis import strategies

        drawings = [self._drawing(expression, generators) for expression in self.given]

        @strategies.composite
        def rows(draw: "DrawFn") -> Row:
            names: dict[str, Sized] = dict(self.context.names)
            for name, drawing in zip(self.names, drawings, strict=True):
                value, size = drawing.value(draw, drawing.expression.tree, names)
                names[name] = value, size
            return tuple(names[name][0] for name in self.names)

        return rows()

    def _drawing(self, expression: Expression, generators: Generators | None) -> Drawing:
        return Drawing(
            expression,
            self.context.reporter,
            self.context.types,
            generators,
            own_functions(self.context),
            thread_time() + DRAW_S,
        )

    def of_row(self, row: Row) -> Step:
        """Return the call of an input, and what is expected of it.  Raises Unusable."""
        names: Names = {**self.context.names, **dict(zip(self.names, map(sized, row), strict=True))}
        call = self.call
        ready = [prepare(self.context, call.expression, each, names, {}) for each in call.arguments]
        return Step(call.made(self.context, ready), self._expect(names), self.prints)

    def _expect(self, names: Names) -> Expectation | None:
        if self.answer is None:
            return self.expect
        values = []
        for node in self.expected:
            value, _ = evaluate(self.context, self.answer, node, names)
            values.append(value)
        expect = self.expect
        if isinstance(expect, Returns):
            expect = replace(expect, value=values[0])
        elif isinstance(expect, Check):
            keys = [key for key, _ in expect.arguments]
            pairs = tuple(zip(keys, values, strict=True))
            text = f"{expect.checker}({', '.join(f'{key}={literal(value)}' for key, value in pairs)})"
            short = len(text) <= longest_text(self.context)
            expect = replace(expect, arguments=pairs, text=text if short else expect.text)
        return expect


def seed_of(generated: Generated, seed: int) -> int:
    """Return the seed of a case's inputs: the same strategies give the same inputs anywhere in the spec."""
    texts = (f"{name}: {text}" for name, text in generated.given)
    return int(digest(map(str.encode, (str(seed), *texts)))[:15], 16)


def inputs_of(task: Task, case: Case) -> Inputs:
    """Return the inputs of a case of a task that was loaded before.  Raises Unusable."""
    what = calls_of(case)
    generated = what.generated
    assert generated is not None
    reporter = Reporter(Source("given", ""))
    context = Context(
        reporter=reporter,
        names={name: sized(value) for name, value in generated.names},
        types={declared.name: declared for declared in task.types},
        seed=task.seed,
    )
    given = tuple(_parsed(text, reporter) for _, text in generated.given)
    # The spec is sound: what is called and no strategy of ours is the spec's own.
    called = {name for each in given for name in _called(each.tree)}
    known = {*STRATEGIES, *FUNCTIONS, *CONSTRUCTORS, *TABLES, *context.types}
    context = replace(context, own_functions=frozenset(called - known))
    call = _parsed(generated.call, reporter)
    answer = _parsed(generated.expects, reporter) if generated.expects else None
    step = what.steps[0]
    formula = step.call.formula
    looks = [_parsed(look.text, reporter) for look in formula.looks] if formula is not None else []
    scope = Scope(own=frozenset(generated.module_names), is_complete=True)
    names = tuple(name for name, _ in generated.given)
    written = read_expression(with_given(context, names), call, looks, scope)
    return Inputs(
        context,
        names,
        given,
        written,
        step.expect,
        step.prints,
        answer,
        parts_of(step.expect, answer),
    )


def _parsed(text: str, reporter: Reporter) -> Expression:
    return parse(Scalar(Span(0, 0), text), reporter)


def parts_of(expect: Expectation | None, answer: Expression | None) -> tuple[ast.expr, ...]:
    """Return the parts of an answer's text that are values."""
    if answer is None:
        return ()
    if isinstance(expect, Check):
        assert isinstance(answer.tree, ast.Call)
        return (*answer.tree.args, *(word.value for word in answer.tree.keywords))
    return (answer.tree,)


def own_functions(context: Context) -> frozenset[str]:
    if context.checkers is not None:
        return frozenset(context.checkers.functions)
    return context.own_functions


def _called(tree: ast.AST) -> set[str]:
    calls = (part.func for part in ast.walk(tree) if isinstance(part, ast.Call))
    return {function.id for function in calls if isinstance(function, ast.Name)}


def names_in(tree: ast.AST) -> set[str]:
    return {part.id for part in ast.walk(tree) if isinstance(part, ast.Name)}


def recorded_inputs(task: Task) -> bytes:
    """Return the inputs that were drawn, as a file of the run's record; empty where there are none."""
    rows = {
        case.id: [literal(row) for row in drawn.rows]
        for case in task.cases
        if (drawn := kind_of(case).drawn_inputs(case)) is not None
    }
    return json.dumps(rows, indent=1).encode() if rows else b""


def read_inputs(content: bytes, path: Path) -> dict[str, list[str]]:
    """Return what `recorded_inputs` wrote, as `Context.recorded` takes it.  Raises `UsageError`."""
    try:
        rows = json.loads(content) if content else {}
        return {str(case): [str(text) for text in texts] for case, texts in rows.items()}
    except (ValueError, TypeError, AttributeError) as error:
        raise UsageError(Fault("the recorded inputs can't be read", where=str(path))) from error


def recorded_rows(texts: Iterable[str], context: Context) -> list[Row]:
    """Return inputs that were recorded.  Raises `UsageError` if they are not readable."""
    rows = []
    for text in texts:
        reporter = Reporter(Source("the recorded inputs", text))
        with suppress(Unusable):
            expression = parse(Scalar(Span(0, len(text)), text), reporter)
            evaluator = Evaluator(expression, context.names, reporter, context.types)
            rows.append(evaluator.value(expression.tree)[0])
        reporter.raise_if_any(UsageError)
    return [row for row in rows if isinstance(row, tuple)]
