"""Reads the exception that ended a program in Java or JavaScript from its error output.

Such a program ends with exit code 1.  All of it is the student's text, as the exceptions of Python are: it
makes a failure more readable, and never earns anything.
"""

from collections.abc import Sequence

from grader.model.limits import KIB
from grader.model.outcome import RaisedAnswer
from grader.model.results import Frame, Raised

STATUS = 1
"""The exit code of a program that an exception ended."""
_LOOKED_AT = 256 * KIB
_JAVA, _NODE = 'Exception in thread "', "Node.js v"
_AT_JAVA, _AT_NODE = "\tat ", "    at "
_FOLDER = "/box/work/"
"""As in `grader.worker.walls.jail`."""
_TEXT_MOST = 300
_LINE_DIGITS = 7
_LIKE_PYTHON = {"OutOfMemoryError": "MemoryError", "StackOverflowError": "RecursionError"}


_TRACEBACK = "Traceback (most recent call last):\n"


def exception_in(errors: str) -> RaisedAnswer | None:
    """Return the exception whose trace ends an error output; None if there is none."""
    lines = errors[-_LOOKED_AT:].rstrip().split("\n")
    found = _of_node(lines[:-1]) if lines[-1].startswith(_NODE) else _of_java(lines)
    if found is None:
        return None
    name = found.type_name
    return RaisedAnswer(found, (name, _LIKE_PYTHON.get(name, "Exception")))


def _of_java(lines: Sequence[str]) -> Raised | None:
    start = next((n for n in reversed(range(len(lines))) if lines[n].startswith(_JAVA)), None)
    if start is None:
        return None
    name, _, message = lines[start].removeprefix(_JAVA).partition('" ')[2].partition(": ")
    # Frames of Java's own classes begin with a module.
    places = (
        line.rpartition("(")[2].removesuffix(")")
        for line in lines[start + 1 :]
        if line.startswith(_AT_JAVA) and "/" not in line.partition("(")[0]
    )
    return _raised(name.rpartition(".")[2].strip(), message, next(filter(None, map(_frame, places)), None))


def _of_node(lines: Sequence[str]) -> Raised | None:
    end = next((n for n, line in enumerate(lines) if line.startswith(_AT_NODE)), None)
    if end is None:
        return None
    # Above are the place, the student's line with a mark below it, and an empty line; the message can have
    # several lines.
    blank = next((n for n, line in enumerate(lines[:end]) if not line), 0)
    name, _, message = lines[blank + 1].partition(":") if blank else ("", "", "")
    places = [lines[0], *(line.rpartition("(")[2].removeprefix(_AT_NODE) for line in lines[end:])]
    inside = (place.removesuffix(")") for place in places if place.startswith(_FOLDER))
    return _raised(name, message.strip(), next(filter(None, map(_frame, inside)), None))


def _raised(name: str, message: str, frame: Frame | None) -> Raised | None:
    if not name.isidentifier() or len(name) > _TEXT_MOST:
        return None
    return Raised(name, message[:_TEXT_MOST], (frame,) if frame is not None else ())


def _frame(place: str) -> Frame | None:
    """Return the frame of `Work.java:4` or `/box/work/work.js:4:18`."""
    file, _, rest = place.removeprefix(_FOLDER).partition(":")
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
