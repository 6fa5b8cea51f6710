"""Encodes the requests of a case: to a box, and to the reference."""

from grader.judge.program import asks_reference
from grader.model.case import Case, Produces, SameAsReference, Watched
from grader.model.task import Task
from grader.sandbox.request import encode_request
from grader.wire.library_values import NAMES


def asks_what_is_printed(case: Case) -> bool:
    """Tell whether a case judges the text that its calls print, or can do so."""
    return (
        case.prints is not None
        or case.test is not None
        or any(step.prints is not None for step in case.steps)
    )


def needs_reference(case: Case) -> bool:
    """Tell whether a case expects an answer or output of the reference."""
    if case.program is not None and isinstance(case.expect, Produces):
        return asks_reference(case.program, case.expect)
    if case.plot is not None and case.plot.asks_reference:
        return True
    expectations = (case.expect, *(step.expect for step in case.steps))
    texts = [case.prints, *(step.prints for step in case.steps)]
    texts += [text for _, text in case.folder.texts] if case.folder is not None else []
    return any(isinstance(expect, SameAsReference) for expect in expectations) or any(
        text is not None and text.asks_reference for text in texts
    )


def captured_modules(task: Task) -> frozenset[str]:
    """Return the modules whose printed text some case judges."""
    return frozenset(
        question.module
        for question in task.questions
        if any(asks_what_is_printed(case) for case in question.cases)
    )


def watched_in(case: Case) -> list[Watched]:
    """Return the callbacks of a case that the trusted side answers."""
    arguments = [argument for call in case.calls for argument in call.args]
    arguments += [argument for call in case.calls for _, argument in call.kwargs]
    return [argument for argument in arguments if isinstance(argument, Watched)]


def callbacks_of(task: Task) -> tuple[dict[str, str], str]:
    """Return the name of each callback of a task in the module of callbacks, by its source; and its text."""
    sources = dict.fromkeys(watched.source for case in task.cases for watched in watched_in(case))
    names = {source: f"callback_{number}" for number, source in enumerate(sources)}
    # The values of the standard library that the callbacks use.
    used = [name for name in NAMES if any(name in source for source in names)]
    imports = [f"from {NAMES[name]} import {name}" for name in used]
    return names, "\n".join([*imports, *(f"{name} = {source}" for source, name in names.items())])


def request_of(task: Task, case: Case) -> bytes:
    """Return the calls of a case, encoded for a box."""
    return encode_request(
        case.calls,
        case.limits,
        unchanged=case.unchanged,
        types=task.types,
        prints=asks_what_is_printed(case),
        stepwise=bool(case.steps),
        drawn=case.plot.parts if case.plot is not None else (),
        folder=case.folder,
    )
