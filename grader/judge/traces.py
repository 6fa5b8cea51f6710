"""Reads the exception that ended a program in another language from its error output.

Such a program ends with exit code 1.  The trace that stands last tells its language, since a command of the
spec's own may run any.  All of it is the student's text, as the exceptions of Python are: it makes a failure
more readable, and never earns anything.
"""

from operator import itemgetter

from grader.model.languages import every_language
from grader.model.limits import KIB
from grader.model.outcome import RaisedAnswer

STATUS = 1
"""The exit code of a program that an exception ended."""
_LOOKED_AT = 256 * KIB
_TRACEBACK = "Traceback (most recent call last):\n"


def exception_in(errors: str) -> RaisedAnswer | None:
    """Return the exception whose trace ends an error output; None if there is none."""
    lines = errors[-_LOOKED_AT:].rstrip().split("\n")
    languages = every_language()
    shown = [(line, each) for each in languages if (line := each.trace_in(lines)) is not None]
    if not shown:
        return None
    line, language = max(shown, key=itemgetter(0))
    found = language.exception_in(lines, line)
    if found is None:
        return None
    alike = (each.like_python.get(found.type_name) for each in languages)
    return RaisedAnswer(found, (found.type_name, next(filter(None, alike), "Exception")))


def without_traceback(stderr: str, exception: str) -> str:
    """Return what stands before the traceback of an exception at the end of a program's error output."""
    before, found, trace = stderr.rpartition(_TRACEBACK)
    last = trace.rstrip("\n").rpartition("\n")[2]
    # A program that cannot be read has no traceback but its place.
    is_whole = bool(found) or trace.startswith('  File "')
    return before if is_whole and last.partition(":")[0] == exception else stderr
