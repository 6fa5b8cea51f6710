"""Reads the exception that ended a program in another language from its error output.

Such a program ends with exit code 1.  The trace that stands last tells its language, since a command of the
spec's own may run any.  All of it is the student's text, as the exceptions of Python are: it makes a failure
more readable, and never earns anything.
"""

from collections.abc import Iterable, Sequence
from functools import partial
from operator import itemgetter
from typing import TYPE_CHECKING

from grader.languages.toolchain import WORK, asked, tellers
from grader.model.limits import KIB
from grader.model.outcome import RaisedAnswer
from grader.model.results import Frame, Raised

if TYPE_CHECKING:
    from grader.languages.language import Language

STATUS = 1
"""The exit code of a program that an exception ended."""
_LOOKED_AT = 256 * KIB
_TEXT_MOST = 300
_LINE_DIGITS = 7
_TRACEBACK = "Traceback (most recent call last):\n"


def exception_in(errors: str) -> RaisedAnswer | None:
    """Return the exception whose trace ends an error output; None if there is none."""
    lines = errors[-_LOOKED_AT:].rstrip().split("\n")
    from grader.languages.language import Trace  # a task of Python alone needs none

    ours, foreign = tellers()
    shown = _shown(ours, lines) or _shown(foreign, lines)
    if not shown:
        return None
    line, language = max(shown, key=itemgetter(0))
    trace = asked(language, partial(language.trace, lines, line), Trace)
    if trace is None or not all(isinstance(text, str) for text in (trace.name, trace.message, *trace.places)):
        return None
    if not trace.name.isidentifier() or len(trace.name) > _TEXT_MOST:
        return None
    place = next(filter(None, map(_frame, trace.places)), None)
    alike = (each.like_python.get(trace.name) for each in (*ours, *foreign))
    raised = Raised(trace.name, trace.message[:_TEXT_MOST], (place,) if place is not None else ())
    return RaisedAnswer(raised, (trace.name, next(filter(None, alike), "Exception")))


def _shown(languages: "Iterable[Language]", lines: Sequence[str]) -> "list[tuple[int, Language]]":
    """Return the languages that see a trace, each after the line of it."""
    asks = [(each, asked(each, partial(each.trace_at, lines), int)) for each in languages]
    return [(line, each) for each, line in asks if line is not None]


def _frame(place: str) -> Frame | None:
    """Return the frame of `Work.java:4` or `/box/work/work.js:4:18`; None if it is no such place."""
    file, _, rest = place.removeprefix(WORK).partition(":")
    number = rest.partition(":")[0]
    known = file and number.isascii() and number.isdecimal() and len(number) <= _LINE_DIGITS
    return Frame(file[:_TEXT_MOST], int(number), "") if known else None


def without_places(stderr: str) -> str:
    """Return an error output without the places in its tracebacks of Python: each has its own lines.

    The exception stays, with its message, and so do the headings.
    """
    kept, is_inside = [], False
    for line in stderr.splitlines(keepends=True):
        is_inside = line == _TRACEBACK or (is_inside and line.startswith("  "))
        if not is_inside or line == _TRACEBACK:
            kept.append(line)
    return "".join(kept)


def without_traceback(stderr: str, exception: str) -> str:
    """Return what stands before the traceback of an exception at the end of a program's error output."""
    before, found, trace = stderr.rpartition(_TRACEBACK)
    last = trace.rstrip("\n").rpartition("\n")[2]
    # A program that cannot be read has no traceback but its place.
    is_whole = bool(found) or trace.startswith('  File "')
    return before if is_whole and last.partition(":")[0] == exception else stderr
