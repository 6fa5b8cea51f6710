"""Encodes the requests of a case: to a box, and to the reference."""

from grader.model.case import Case, Watched
from grader.model.kinds import calls_of, kind_of
from grader.model.task import Task
from grader.sandbox.request import encode_request
from grader.wire.library_values import NAMES


def needs_reference(case: Case) -> bool:
    """Tell whether a case expects an answer or output of the reference."""
    return kind_of(case).asks_reference(case)


def captured_modules(task: Task) -> frozenset[str]:
    """Return the modules whose printed text some case judges."""
    return frozenset(
        question.module
        for question in task.questions
        if any(kind_of(case).captures(case) for case in question.cases)
    )


def watched_in(case: Case) -> list[Watched]:
    """Return the callbacks of a case that the trusted side answers."""
    calls = calls_of(case).calls
    arguments = [argument for call in calls for argument in call.args]
    arguments += [argument for call in calls for _, argument in call.kwargs]
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
    what = calls_of(case)
    return encode_request(
        what.calls,
        case.limits,
        unchanged=what.unchanged,
        types=task.types,
        prints=kind_of(case).captures(case),
        stepwise=what.apart,
        drawn=what.plot.parts if what.plot is not None else (),
        folder=what.folder,
    )
