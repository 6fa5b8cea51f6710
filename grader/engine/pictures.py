"""Draws the answers of cases as the spec asks for it: evidence for people, without a say in any mark.

Whatever goes wrong here costs the picture alone, and leaves a note for the staff.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from grader.judge.answers import NotCombinable, combined, returned_calls
from grader.judge.atoms import visible
from grader.judge.finding import CheckFailed, Expected
from grader.judge.pictures import BUILT_IN, NotAPicture, read_pictures
from grader.model.drawing import MAX_PICTURES, MAX_TITLE, Drawn, Picture, Rendering
from grader.model.outcome import Answer, Ending, Outcome, Returned
from grader.model.results import CaseResult
from grader.model.task import Case, Expectation, Returns, SameAsReference
from grader.model.values import Value
from grader.model.verdict import Verdict

_LONGEST_NOTE = 400


class Renderers(Protocol):
    """The spec's own renderers, which run in a sandbox of their own."""

    def draw(
        self, renderer: str, actual: Value, expected: Value, arguments: tuple[tuple[str, Value], ...]
    ) -> Value:
        """Return what the renderer of that name returns.  Raises `CheckFailed` where it returns nothing."""
        ...


@dataclass(frozen=True, slots=True)
class _Subject:
    """One answer to draw; `title` leads the titles of its pictures."""

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
    """Have one answer drawn.  Total: a renderer that fails gives a note."""
    name = rendering.renderer
    try:
        if rendering.own:
            return Drawn(read_pictures(renderers.draw(name, actual, expected, rendering.arguments)))
        return Drawn(tuple(BUILT_IN[name](actual, expected, **dict(rendering.arguments))))
    except NotAPicture as problem:
        reason = f"its drawing is not valid: {problem}" if rendering.own else str(problem)
    except CheckFailed as failure:
        reason = str(failure)
    except Exception as error:  # a fault of ours, or arguments that make no sense; never the student's
        reason = f"{type(error).__name__}: {error}"
    return Drawn(note=visible(f"{name} could not draw this ({reason})", _LONGEST_NOTE))


def _titled(picture: Picture, lead: str) -> Picture:
    return replace(picture, title=f"{lead}{picture.title}"[:MAX_TITLE]) if lead else picture


def _subjects(
    case: Case, outcome: Outcome, expected: Expected | None, result: CaseResult
) -> Iterator[_Subject]:
    """Yield what is to be drawn: the case's answer, or those of a scenario's steps."""
    reference = expected.answers if expected is not None else ()
    for number, (step, answer) in enumerate(zip(case.steps, outcome.answers, strict=False)):
        done = result.steps[number] if number < len(result.steps) else None
        if step.picture is None or done is None or not isinstance(answer, Returned):
            continue
        if _is_due(step.picture, done.verdict):
            model = reference[number] if number < len(reference) else None
            said = model.value if isinstance(model, Returned) else None
            wanted = _expected_value(step.expect, said)
            yield _Subject(step.picture, answer.value, wanted, f"Step {number + 1}: ")
    if (
        case.picture is None
        or outcome.ending is not Ending.ANSWERED
        or not _is_due(case.picture, result.verdict)
    ):
        return
    answered, actual = _combined(case, outcome.answers)
    if answered:
        yield _Subject(case.picture, actual, _expected_value(case.expect, _combined(case, reference)[1]))


def _combined(case: Case, answers: Sequence[Answer]) -> tuple[bool, Value]:
    """Return whether every call returned, and the one value that is made of what they returned."""
    if not answers or len(answers) != len(case.calls):
        return False, None
    if not all(isinstance(answer, Returned) for answer in answers):
        return False, None
    try:
        return True, combined(case.combine, returned_calls(case, answers))
    except NotCombinable:
        return False, None


def _is_due(rendering: Rendering, verdict: Verdict) -> bool:
    return rendering.always or verdict in (Verdict.WRONG_ANSWER, Verdict.PARTIAL)


def _expected_value(expect: Expectation | None, of_reference: Value) -> Value:
    """Return the value that was expected; None where many are right."""
    if isinstance(expect, Returns):
        return expect.value
    return of_reference if isinstance(expect, SameAsReference) else None
