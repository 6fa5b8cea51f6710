"""The answers of calls that are drawn."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from grader.judge.answers import NotCombinable, combined, returned_calls
from grader.judge.finding import Expected
from grader.lab.pictures import Subject, is_due, of_table
from grader.model.case import Calls, Expectation, Rendering, Returns, SameAsReference, Step
from grader.model.outcome import Answer, Ending, Outcome, Returned
from grader.model.results import CaseResult
from grader.model.values import Value
from grader.wire.byte_text import legible


def subjects(
    what: Calls, outcome: Outcome, expected: Expected | None, result: CaseResult
) -> Iterator[Subject]:
    """Yield the answers to draw: that of the case, or those of a scenario's steps."""
    if what.apart:
        yield from _steps(what, outcome, expected, result)
        return
    picture = what.picture or what.steps[0].picture or of_table(what.decides, outcome.answers)
    if picture is None or not is_due(picture, result.verdict):
        return
    if outcome.ending is not Ending.ANSWERED or len(outcome.answers) != len(what.steps):
        return
    reference = expected.answers if expected is not None else ()
    if len(what.steps) == 1:
        asked = replace(what.steps[0], expect=what.decides)
        wanted = reference[0] if reference else None
        yield from _answer(picture, asked, outcome.answers[0], wanted)
        return
    found, wanted_value = _combined(what, outcome.answers), _combined(what, reference)
    if found is not None:
        yield Subject(picture, found[0], _expected_value(what.expect, wanted_value))


def _steps(what: Calls, outcome: Outcome, expected: Expected | None, result: CaseResult) -> Iterator[Subject]:
    reference = expected.answers if expected is not None else ()
    for number, (step, answer, done) in enumerate(
        zip(what.steps, outcome.answers, result.steps, strict=False)
    ):
        picture = step.picture or of_table(step.expect, (answer,))
        if picture is not None and is_due(picture, done.verdict):
            wanted = reference[number] if number < len(reference) else None
            yield from _answer(picture, step, answer, wanted, f"Step {number + 1}: ")


def _answer(
    rendering: Rendering, asked: Step, answer: Answer, wanted: Answer | None, title: str = ""
) -> Iterator[Subject]:
    """Yield one answer: the returned value, or the printed text if only that is judged."""
    if not isinstance(answer, Returned):
        return
    model = wanted if isinstance(wanted, Returned) else None
    if asked.prints is not None and (asked.expect is None or answer.value is None):
        text = asked.prints.value if asked.prints.value is not None else model and model.printed
        yield Subject(rendering, legible(answer.printed or ""), text, title)
        return
    said = (model.value,) if model is not None else None
    yield Subject(rendering, answer.value, _expected_value(asked.expect, said), title)


def _combined(what: Calls, answers: Sequence[Answer]) -> tuple[Value] | None:
    """Return the combined value of all calls in a tuple, None if there is none."""
    if len(answers) != len(what.steps) or not all(isinstance(answer, Returned) for answer in answers):
        return None
    try:
        return (combined(what.combine, returned_calls(what.calls, answers)),)
    except NotCombinable:
        return None


def _expected_value(expect: Expectation | None, of_reference: tuple[Value] | None) -> Value:
    """Return the expected value; None if many values are right."""
    if isinstance(expect, Returns):
        return expect.value
    return of_reference[0] if isinstance(expect, SameAsReference) and of_reference else None
