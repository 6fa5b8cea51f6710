"""Says what became of a test that did not pass, as plain data for the grader.

A student's program can raise anything, also while its own exception is told.  So nothing here raises.
"""

import unittest
from collections.abc import Iterator
from typing import Any

import pytest

from grader.plugins.tests.cell.clock import TimedOut
from grader.plugins.tests.cell.control import UnfitTest
from grader.plugins.tests.cell.conversation import ProgramEnded
from grader.plugins.tests.cell.crossing import CannotCross
from grader.plugins.tests.cell.link import ProgramConnection

_MESSAGE = 600
_DEEPEST = 50


class Stopped(Exception):
    """Stands for an exception that would end pytest itself, which is its cause."""


def told(
    error: BaseException | None,
    link: ProgramConnection,
    compared: tuple[str, str] | None,
    texts: dict[str, str],
) -> dict[str, Any]:
    """Return what became of a test.

    compared: expected and actual value of the latest comparison that failed.  texts: of the test files.
    """
    try:
        return _told(_cause(error, link), link, compared, texts)
    except BaseException as failure:
        # The test has failed; a text or a class of the program's gave way while it was told.
        number = link.number_of(failure)
        return {"end": "raised", "raised": number} if number >= 0 else {"end": "stopped", "message": ""}


def _told(
    error: BaseException | None,
    link: ProgramConnection,
    compared: tuple[str, str] | None,
    texts: dict[str, str],
) -> dict[str, Any]:
    raised = link.number_of(error)
    if link.problem or isinstance(error, CannotCross):
        return {"end": "stopped" if link.is_answer_at_fault else "broken", "message": link.problem}
    if isinstance(error, ProgramEnded):
        return {"end": "over"}
    if isinstance(error, TimedOut):
        return {"end": "broken", "message": str(error), "waited": error.waited}
    if absent := link.absent_in(error):
        return {"end": "missing", "message": absent}
    if error is not None and (unseen := link.unseen_in(error)):
        return {"end": "broken", "message": f"{_at(error, texts)}{unseen}"}
    if raised >= 0:
        return {"end": "raised", "raised": raised}
    if isinstance(error, pytest.skip.Exception | unittest.SkipTest):
        return {"end": "skipped", "message": _cut(safely(error))}
    if error is None:
        return {"end": "broken", "message": "the test did not pass"}
    if isinstance(error, AssertionError | pytest.fail.Exception | UnfitTest):
        expected, actual = compared or ("", "")
        message = sentence(safely(error)) or _at(error, texts) or "an assertion failed"
        return {"end": "failed", "message": message, "expected": expected, "actual": actual}
    text = f"{type(error).__name__}: {sentence(safely(error))}"
    return {"end": "stopped", "message": f"{_at(error, texts)}{text}"}


def _cause(error: BaseException | None, link: ProgramConnection) -> BaseException | None:
    """Return the exception that ended a test: of several the program's, then a failed assertion."""
    found = [*_parts(error, 0)]
    for each in found:
        if link.number_of(each) >= 0:
            return each
    failed = (each for each in found if isinstance(each, AssertionError | pytest.fail.Exception | UnfitTest))
    return next(failed, found[0] if found else None)


def _parts(error: BaseException | None, depth: int) -> Iterator[BaseException]:
    """Yield the exceptions that one stands for."""
    if error is None or depth > _DEEPEST:
        return
    if isinstance(error, Stopped):
        yield from _parts(error.__cause__, depth + 1)
    elif isinstance(error, BaseExceptionGroup):
        for each in error.exceptions:
            yield from _parts(each, depth + 1)
    elif isinstance(error, RuntimeError) and isinstance(error.__cause__, StopIteration | StopAsyncIteration):
        # Python says so of a fixture in which the program raised this.
        yield from (error.__cause__, error)
    else:
        yield error


def _at(error: BaseException, texts: dict[str, str]) -> str:
    """Return the innermost line of a test file in an exception's traceback, as the start of a sentence."""
    place, trace = "", error.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if file.removesuffix(".py") in texts:
            place = f"line {trace.tb_lineno} of {file}: "
        trace = trace.tb_next
    return place


def safely(error: BaseException) -> str:
    """Return the text of an exception; an object of the program's may be in it."""
    try:
        return str(error)
    except BaseException:
        return ""


def writable(part: Any) -> Any:
    """Return a text without lone surrogates, which a stream does not take; anything else as it is."""
    return part.encode("utf-8", "backslashreplace").decode() if isinstance(part, str) else part


def sentence(text: str) -> str:
    """Return pytest's explanation as one line."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    parts = [line.lstrip("+ ").strip() for line in lines]
    return _cut("; ".join(parts))


def _cut(text: str) -> str:
    return text if len(text) <= _MESSAGE else text[: _MESSAGE - 1] + "…"
