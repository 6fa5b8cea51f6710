"""Draws the answers of cases as the spec asks: evidence for people, which no mark depends on.

A failure here costs the picture alone, and leaves a note for the staff.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from grader.judge.answers import NotCombinable, combined, returned_calls
from grader.judge.finding import CheckFailed, Expected
from grader.judge.program import program_answer
from grader.judge.values.show import safe_line
from grader.model.case import Case, Expectation, Produces, Rendering, Returns, SameAsReference, Step
from grader.model.drawing import MAX_PICTURES, MAX_TITLE, TABLE, Drawn, Picture
from grader.model.outcome import Answer, Ending, Outcome, Returned
from grader.model.results import CaseResult
from grader.model.values import Table, Value
from grader.model.verdict import Verdict
from grader.wire.byte_text import legible

_LONGEST_NOTE = 400


class Renderers(Protocol):
    """The spec's own renderers."""

    def draw(
        self, renderer: str, actual: Value, expected: Value, arguments: tuple[tuple[str, Value], ...]
    ) -> Value:
        """Return the result of the renderer of that name.  Raises `CheckFailed`."""


@dataclass(frozen=True, slots=True)
class _Subject:
    """One answer to draw; `title` begins the titles of its pictures."""

    rendering: Rendering
    actual: Value
    expected: Value
    title: str = ""


def with_pictures(
    case: Case, outcome: Outcome, expected: Expected | None, result: CaseResult, renderers: Renderers
) -> CaseResult:
    """Return the result with the pictures that the spec asks for, as far as they can be drawn."""
    pictures: tuple[Picture, ...] = ()
    notes = []
    for subject in _subjects(case, outcome, expected, result):
        drawn = draw(subject.rendering, subject.actual, subject.expected, renderers)
        pictures += tuple(_titled(picture, subject.title) for picture in drawn.pictures)
        notes += [f"{subject.title}{drawn.note}"] if drawn.note else []
    return replace(result, pictures=pictures[:MAX_PICTURES], picture_note="; ".join(notes)[:_LONGEST_NOTE])


def draw(rendering: Rendering, actual: Value, expected: Value, renderers: Renderers) -> Drawn:
    """Draw one answer; a renderer that fails gives a note, never an exception."""
    from grader.judge.pictures import BUILT_IN, NotAPicture, read_pictures, table

    name = rendering.renderer
    try:
        if rendering.own:
            return Drawn(read_pictures(renderers.draw(name, actual, expected, rendering.arguments)))
        draws: Callable[..., list[Picture]] = table if name == TABLE else BUILT_IN[name]
        return Drawn(tuple(draws(actual, expected, **dict(rendering.arguments))))
    except NotAPicture as problem:
        reason = f"its drawing is not valid: {problem}" if rendering.own else str(problem)
    except CheckFailed as failure:
        reason = str(failure)
    except Exception as error:  # a fault of ours, or of the spec's arguments; never the student's
        reason = f"{type(error).__name__}: {error}"
    return Drawn(note=safe_line(f"{name} could not draw this ({reason})", _LONGEST_NOTE))


def _titled(picture: Picture, lead: str) -> Picture:
    return replace(picture, title=f"{lead}{picture.title}"[:MAX_TITLE]) if lead else picture


def _subjects(
    case: Case, outcome: Outcome, expected: Expected | None, result: CaseResult
) -> Iterator[_Subject]:
    """Yield the answers to draw: that of the case, or those of a scenario's steps."""
    if case.steps:
        yield from _steps(case, outcome, expected, result)
    picture = case.picture or of_table(case.expect, outcome.answers)
    if picture is None or not _is_due(picture, result.verdict):
        return
    if case.program is not None:
        actual = program_answer(case.program, outcome)
        if actual is not None:
            yield _Subject(picture, actual, _expected_program(case, expected))
        return
    if outcome.ending is not Ending.ANSWERED or len(outcome.answers) != len(case.calls):
        return
    reference = expected.answers if expected is not None else ()
    if len(case.calls) == 1:
        wanted = reference[0] if reference else None
        yield from _answer(picture, case, outcome.answers[0], wanted)
        return
    found, wanted_value = _combined(case, outcome.answers), _combined(case, reference)
    if found is not None:
        yield _Subject(picture, found[0], _expected_value(case.expect, wanted_value))


def _steps(case: Case, outcome: Outcome, expected: Expected | None, result: CaseResult) -> Iterator[_Subject]:
    reference = expected.answers if expected is not None else ()
    for number, (step, answer, done) in enumerate(
        zip(case.steps, outcome.answers, result.steps, strict=False)
    ):
        picture = step.picture or of_table(step.expect, (answer,))
        if picture is not None and _is_due(picture, done.verdict):
            wanted = reference[number] if number < len(reference) else None
            yield from _answer(picture, step, answer, wanted, f"Step {number + 1}: ")


def of_table(expect: Expectation | None, answers: Sequence[Answer]) -> Rendering | None:
    """Return the renderer for an answer that is a DataFrame or a Series; None for any other."""
    match answers:
        case (Returned(value=Table()),) if isinstance(expect, Returns | SameAsReference):
            return Rendering(TABLE, (("comparison", expect.comparison),))
    return None


def _answer(
    rendering: Rendering, asked: Case | Step, answer: Answer, wanted: Answer | None, title: str = ""
) -> Iterator[_Subject]:
    """Yield one answer: the returned value, or the printed text if only that is judged."""
    if not isinstance(answer, Returned):
        return
    model = wanted if isinstance(wanted, Returned) else None
    if asked.prints is not None and (asked.expect is None or answer.value is None):
        text = asked.prints.value if asked.prints.value is not None else model and model.printed
        yield _Subject(rendering, legible(answer.printed or ""), text, title)
        return
    said = (model.value,) if model is not None else None
    yield _Subject(rendering, answer.value, _expected_value(asked.expect, said), title)


def _combined(case: Case, answers: Sequence[Answer]) -> tuple[Value] | None:
    """Return the combined value of all calls in a tuple, None if there is none."""
    if len(answers) != len(case.calls) or not all(isinstance(answer, Returned) for answer in answers):
        return None
    try:
        return (combined(case.combine, returned_calls(case, answers)),)
    except NotCombinable:
        return None


def _is_due(rendering: Rendering, verdict: Verdict) -> bool:
    return rendering.always or verdict in (Verdict.WRONG_ANSWER, Verdict.PARTIAL)


def _expected_value(expect: Expectation | None, of_reference: tuple[Value] | None) -> Value:
    """Return the expected value; None if many values are right."""
    if isinstance(expect, Returns):
        return expect.value
    return of_reference[0] if isinstance(expect, SameAsReference) and of_reference else None


def _expected_program(case: Case, expected: Expected | None) -> Value:
    """Return the expected stdout in the shape of a program's answer; None if it is not known."""
    text = case.expect.stdout if isinstance(case.expect, Produces) else None
    if (
        text is None
        or not text.is_whole
        or case.program is None
        or case.program.dialogue
        or case.program.player is not None
    ):
        return None
    reference = expected.outcome if expected is not None else None
    said = text.value if text.value is not None else reference and reference.stdout
    return None if said is None else {"stdout": said}
