"""What a case asks for: of a box, beside answers, and of the reference."""

from grader.model.case import Case, SameAsReference, Watched
from grader.model.task import Task
from grader.sandbox.request import encode_request


def asks_what_is_printed(case: Case) -> bool:
    """Tell whether a case says what its calls print."""
    return case.prints is not None or any(step.prints is not None for step in case.steps)


def needs_reference(case: Case) -> bool:
    """Tell whether something that a case expects is what the reference answers or prints."""
    if case.program is not None:
        from grader.judge.program import asks_reference
        from grader.model.case import Produces

        if isinstance(case.expect, Produces):
            return asks_reference(case.program, case.expect)
    expectations = (case.expect, *(step.expect for step in case.steps))
    texts = (case.prints, *(step.prints for step in case.steps))
    return any(isinstance(expect, SameAsReference) for expect in expectations) or any(
        text is not None and text.value is None for text in texts
    )


def captured_modules(task: Task) -> frozenset[str]:
    """Return the modules of which some case says what is printed."""
    return frozenset(
        question.module
        for question in task.questions
        if any(asks_what_is_printed(case) for case in question.cases)
    )


def watched_in(case: Case) -> list[Watched]:
    """Return the callbacks of a case that are answered on the trusted side."""
    arguments = [argument for call in case.calls for argument in call.args]
    arguments += [argument for call in case.calls for _, argument in call.kwargs]
    return [argument for argument in arguments if isinstance(argument, Watched)]


def request_of(task: Task, case: Case) -> bytes:
    """Encode the calls of a case for a box with a submission, or with the reference."""
    return encode_request(
        case.calls,
        case.limits,
        unchanged=case.unchanged,
        types=task.types,
        prints=asks_what_is_printed(case),
        stepwise=bool(case.steps),
    )
