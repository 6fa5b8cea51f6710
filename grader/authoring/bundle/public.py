"""Chooses the cases that students get, and writes the reference's answers into them."""

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from grader.engine.cache.requests import needs_reference
from grader.engine.self_check import with_cases
from grader.judge.answers import NotCombinable, combined, returned_calls
from grader.judge.expected_text import literal_text
from grader.judge.finding import Expected, OwnFault, answers_of
from grader.judge.plots import wanted_axes
from grader.judge.program import as_literals
from grader.model import case as model
from grader.model.outcome import Answer, RaisedAnswer, Returned
from grader.model.task import Award, Question, Task
from grader.model.values import DeclaredType, first_non_data
from grader.wire.byte_text import text_of

_BESIDE = "modules of the reference stand beside the submission"
_CHECKED = "a checker decides about it, and could give an answer away (see --with-checkers)"
_TIMED = "its time is compared with the reference's"
_GROWING = "its time is measured over growing inputs"
_TEST = "it is a test of a test file, which stays with you"
_TRIED = "programs that stay with you are what the student's tests are tried on"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A public case that the handout lacks, and the reason."""

    case: str
    reason: str


class Unfit(Exception):
    """A case cannot be in a handout; the text says why."""


def public_cases(task: Task, with_checkers: bool) -> tuple[Task, list[LeftOut]]:
    """Return the task with the public cases that students can run, and the other public ones."""
    left_out: list[LeftOut] = []
    kept: set[str] = set()
    for question in task.questions:
        for case in question.cases:
            if case.visibility is not model.Visibility.PUBLIC:
                continue
            reason = _reason(question, case, with_checkers) or _unmet_need(case, left_out)
            if reason:
                left_out.append(LeftOut(case.id, reason))
            else:
                kept.add(case.id)
    return with_cases(task, lambda case: case.id in kept), left_out


def _reason(question: Question, case: model.Case, with_checkers: bool) -> str:
    if case.test is not None:
        return _TEST
    if case.tried is not None:
        return _TRIED
    if question.beside:
        return _BESIDE
    if case.pace is not None:
        return _TIMED
    if case.growth is not None:
        return _GROWING
    return _CHECKED if uses_checkers(case) and not with_checkers else ""


def _unmet_need(case: model.Case, left_out: list[LeftOut]) -> str:
    missing = {one.case for one in left_out}
    return next((f"it needs case {need}, which is left out" for need in case.needs if need in missing), "")


def uses_checkers(case: model.Case) -> bool:
    return any(checker_functions(case))


def checker_functions(case: model.Case) -> Iterator[str]:
    """Yield the functions of the checkers file that decide about a case, or that play a part in it."""
    for expect in (case.expect, case.check, *(step.expect for step in case.steps)):
        if isinstance(expect, model.Check):
            yield expect.checker
    if case.program is not None and case.program.player is not None:
        yield case.program.player.function


def stripped(task: Task, case: model.Case, expected: Expected | None) -> model.Case:
    """Return a case as students get it: answers written out, nothing that is for the staff.

    expected: the reference's answers, if the case asks for them.  Raises `Unfit`.
    """
    calls = tuple(map(_without_comments, case.calls))
    case = replace(case, calls=calls, group="", pace=None, picture=None)
    case = replace(case, steps=tuple(replace(step, picture=None) for step in case.steps))
    if not needs_reference(case):
        return case
    try:
        return _with_files(_answered(case, expected, task.types), expected)
    except (OwnFault, NotCombinable) as reason:
        raise Unfit(f"the reference gives no answer to it ({reason})") from None


def _without_comments(call: model.Call) -> model.Call:
    """Return a call whose functions are written as Python would write them."""

    def written(value: model.Argument) -> model.Argument:
        if isinstance(value, model.Shipped | model.Watched):
            return replace(value, source=ast.unparse(ast.parse(value.source.strip(), mode="eval")))
        return value

    args = tuple(map(written, call.args))
    return replace(call, args=args, kwargs=tuple((name, written(value)) for name, value in call.kwargs))


def _with_files(case: model.Case, expected: Expected | None) -> model.Case:
    """Return a case that makes calls with the texts of the files that they must leave."""
    if case.folder is None:
        return case
    left = (expected.files if expected is not None else None) or {}
    texts = tuple(
        (name, literal_text(text, text_of(left[name]) if name in left else None))
        for name, text in case.folder.texts
    )
    return replace(case, folder=replace(case.folder, texts=texts))


def _answered(case: model.Case, expected: Expected | None, types: tuple[DeclaredType, ...]) -> model.Case:
    if case.program is not None:
        if expected is None or expected.failure or expected.outcome is None:
            raise OwnFault((expected and expected.failure) or "it was not run")
        assert isinstance(case.expect, model.Produces)
        run, wanted = as_literals(case.program, case.expect, expected.outcome)
        return replace(case, program=run, expect=wanted)
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


def _step_answered(step: model.Step, answer: Answer, types: tuple[DeclaredType, ...]) -> model.Step:
    def value() -> object:
        assert isinstance(answer, Returned)
        return answer.value

    expect = _literal(step.expect, answer, value, types)
    return replace(step, expect=expect, prints=_printed(step.prints, answer))


def _literal(
    expect: model.Expectation | None,
    answer: Answer,
    value: Callable[[], object],
    types: tuple[DeclaredType, ...],
) -> model.Expectation | None:
    if not isinstance(expect, model.SameAsReference):
        return expect
    if isinstance(answer, RaisedAnswer):
        return model.Raises(answer.raised.type_name)
    found = value()
    problem = first_non_data(found, types)
    if problem:
        raise OwnFault(f"it holds {problem}")
    return model.Returns(found, expect.comparison)


def _printed(text: model.Text | None, answer: Answer) -> model.Text | None:
    return None if text is None else literal_text(text, answer.printed)


def award_for_students(question: Question) -> Award:
    """Return how a question is marked, as far as it changes which of its cases run."""
    return Award.ALL if question.award is Award.ALL else Award.EACH
