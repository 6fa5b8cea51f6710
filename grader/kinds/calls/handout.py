"""Writes the reference's answers into a case, for students."""

import ast
from collections.abc import Callable
from dataclasses import replace

from grader.judge.answers import combined, returned_calls
from grader.judge.expected_text import literal_text
from grader.judge.finding import Expected, OwnFault, answers_of
from grader.judge.plots import wanted_axes
from grader.model.case import (
    Argument,
    Call,
    Calls,
    Expectation,
    Raises,
    Returns,
    SameAsReference,
    Shipped,
    Step,
    Text,
    Watched,
)
from grader.model.outcome import Answer, RaisedAnswer, Returned
from grader.model.values import DeclaredType
from grader.values.walk import first_non_data
from grader.wire.byte_text import text_of


def public(what: Calls) -> Calls:
    """Return calls without what is for the staff."""
    steps = tuple(replace(step, call=_without_comments(step.call), picture=None) for step in what.steps)
    return replace(what, steps=steps, pace=None, picture=None)


def _without_comments(call: Call) -> Call:
    """Return a call whose functions are written as Python would write them."""

    def written(value: Argument) -> Argument:
        if isinstance(value, Shipped | Watched):
            return replace(value, source=ast.unparse(ast.parse(value.source.strip(), mode="eval")))
        return value

    args = tuple(map(written, call.args))
    return replace(call, args=args, kwargs=tuple((name, written(value)) for name, value in call.kwargs))


def answered(what: Calls, expected: Expected | None, types: tuple[DeclaredType, ...]) -> Calls:
    """Return a case with the answers of the reference, and the files that it left.

    Raises `OwnFault` and `NotCombinable`.
    """
    return _with_files(_answered(what, expected, types), expected)


def _with_files(what: Calls, expected: Expected | None) -> Calls:
    """Return a case that makes calls with the texts of the files that they must leave."""
    if what.folder is None:
        return what
    left = (expected.files if expected is not None else None) or {}
    texts = tuple(
        (name, literal_text(text, text_of(left[name]) if name in left else None))
        for name, text in what.folder.texts
    )
    return replace(what, folder=replace(what.folder, texts=texts))


def _answered(what: Calls, expected: Expected | None, types: tuple[DeclaredType, ...]) -> Calls:
    answers = answers_of(expected)
    if len(answers) != len(what.steps):
        raise OwnFault(f"{len(answers)} of {len(what.steps)} calls are answered")
    if what.plot is not None:
        axes = tuple(
            tuple((str(part), value) for part, value in one.items())
            for one in wanted_axes(what.plot, answers)
        )
        what = replace(what, plot=replace(what.plot, axes=axes))
    if what.combine is None:
        return replace(what, steps=tuple(map(_step_answered, what.steps, answers, [types] * len(answers))))

    def value() -> object:
        return combined(what.combine, returned_calls(what.calls, answers))

    return replace(what, expect=_literal(what.expect, answers[0], value, types))


def _step_answered(step: Step, answer: Answer, types: tuple[DeclaredType, ...]) -> Step:
    def value() -> object:
        assert isinstance(answer, Returned)
        return answer.value

    expect = _literal(step.expect, answer, value, types)
    return replace(step, expect=expect, prints=_printed(step.prints, answer))


def _literal(
    expect: Expectation | None,
    answer: Answer,
    value: Callable[[], object],
    types: tuple[DeclaredType, ...],
) -> Expectation | None:
    if isinstance(answer, RaisedAnswer) and answer.raised.type_name in answer.namesakes:
        # Nothing in a handout tells that another class than Python's is meant.
        raise OwnFault(f"the reference has a {answer.raised.type_name} of its own")
    if not isinstance(expect, SameAsReference):
        return expect
    if isinstance(answer, RaisedAnswer):
        return Raises(answer.raised.type_name)
    found = value()
    problem = first_non_data(found, types)
    if problem:
        raise OwnFault(f"it holds {problem}")
    return Returns(found, expect.comparison)


def _printed(text: Text | None, answer: Answer) -> Text | None:
    return None if text is None else literal_text(text, answer.printed)
