"""Reads the exception that ended a program in another language from its error output.

Such a program ends with exit code 1.  The trace that stands last tells its language, since a command of the
spec's own may run any.  All of it is the student's text, as the exceptions of Python are: it makes a failure
more readable, and never earns anything.
"""

from operator import itemgetter

from grader.languages.toolchain import WORK, every_language
from grader.model.limits import KIB
from grader.model.outcome import RaisedAnswer
from grader.model.results import Frame, Raised

STATUS = 1
"""The exit code of a program that an exception ended."""
_LOOKED_AT = 256 * KIB
_TEXT_MOST = 300
_LINE_DIGITS = 7
_TRACEBACK = "Traceback (most recent call last):\n"


def exception_in(errors: str) -> RaisedAnswer | None:
    """Return the exception whose trace ends an error output; None if there is none."""
    lines = errors[-_LOOKED_AT:].rstrip().split("\n")
    languages = every_language()
    shown = [(line, each) for each in languages if (line := each.trace_at(lines)) is not None]
    if not shown:
        return None
    line, language = max(shown, key=itemgetter(0))
    trace = language.trace(lines, line)
    if trace is None or not trace.name.isidentifier() or len(trace.name) > _TEXT_MOST:
        return None
    place = next(filter(None, map(_frame, trace.places)), None)
    alike = (each.like_python.get(trace.name) for each in languages)
    raised = Raised(trace.name, trace.message[:_TEXT_MOST], (place,) if place is not None else ())
    return RaisedAnswer(raised, (trace.name, next(filter(None, alike), "Exception")))


def _frame(place: str) -> Frame | None:
    """Return the frame of `Work.java:4` or `/box/work/work.js:4:18`; None if it is no such place."""
    file, _, rest = place.removeprefix(WORK).partition(":")
    number = rest.partition(":")[0]
    known = file and number.isascii() and number.isdecimal() and len(number) <= _LINE_DIGITS
    return Frame(file[:_TEXT_MOST], int(number), "") if known else None


def without_traceback(stderr: str, exception: str) -> str:
    """Return what stands before the traceback of an exception at the end of a program's error output."""
    before, found, trace = stderr.rpartition(_TRACEBACK)
    last = trace.rstrip("\n").rpartition("\n")[2]
    # A program that cannot be read has no traceback but its place.
    is_whole = bool(found) or trace.startswith('  File "')
    return before if is_whole and last.partition(":")[0] == exception else stderr
