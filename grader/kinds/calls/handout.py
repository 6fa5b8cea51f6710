"""Writes the reference's answers into a case, for students."""

from collections.abc import Callable
from dataclasses import replace

from grader.judge.answers import combined, returned_calls
from grader.judge.expected_text import literal_text
from grader.judge.finding import Expected, OwnFault, answers_of
from grader.judge.plots import wanted_axes
from grader.model.case import Case, Expectation, Raises, Returns, SameAsReference, Step, Text
from grader.model.outcome import Answer, RaisedAnswer, Returned
from grader.model.values import DeclaredType
from grader.values.walk import first_non_data
from grader.wire.byte_text import text_of


def answered(case: Case, expected: Expected | None, types: tuple[DeclaredType, ...]) -> Case:
    """Return a case with the answers of the reference, and the files that it left.

    Raises `OwnFault` and `NotCombinable`.
    """
    return _with_files(_answered(case, expected, types), expected)


def _with_files(case: Case, expected: Expected | None) -> Case:
    """Return a case that makes calls with the texts of the files that they must leave."""
    if case.folder is None:
        return case
    left = (expected.files if expected is not None else None) or {}
    texts = tuple(
        (name, literal_text(text, text_of(left[name]) if name in left else None))
        for name, text in case.folder.texts
    )
    return replace(case, folder=replace(case.folder, texts=texts))


def _answered(case: Case, expected: Expected | None, types: tuple[DeclaredType, ...]) -> Case:
    answers = answers_of(expected)
    if len(answers) != len(case.calls):
        raise OwnFault(f"{len(answers)} of {len(case.calls)} calls are answered")
    if case.plot is not None:
        axes = tuple(
            tuple((str(part), value) for part, value in one.items())
            for one in wanted_axes(case.plot, answers)
        )
        return replace(case, plot=replace(case.plot, axes=axes), prints=_printed(case.prints, answers[0]))
    if case.steps:
        return replace(case, steps=tuple(map(_step_answered, case.steps, answers, [types] * len(answers))))

    def value() -> object:
        return combined(case.combine, returned_calls(case, answers))

    expect = _literal(case.expect, answers[0], value, types)
    return replace(case, expect=expect, prints=_printed(case.prints, answers[0]))


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
