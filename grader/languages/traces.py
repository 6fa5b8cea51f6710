"""Parts of a trace, which is a student's text, as the model has them: bounded, and as plain as Python's."""

from grader.model.results import Frame, Raised

FOLDER = "/box/work/"
"""As in `grader.worker.walls.jail`."""
_TEXT_MOST = 300
_LINE_DIGITS = 7


def raised(name: str, message: str, place: Frame | None) -> Raised | None:
    """Return an exception with the place that it came from; None if its name cannot be one."""
    if not name.isidentifier() or len(name) > _TEXT_MOST:
        return None
    return Raised(name, message[:_TEXT_MOST], (place,) if place is not None else ())


def frame(place: str) -> Frame | None:
    """Return the frame of `Work.java:4` or `/box/work/work.js:4:18`; None if it is no such place."""
    file, _, rest = place.removeprefix(FOLDER).partition(":")
    number = rest.partition(":")[0]
    known = file and number.isascii() and number.isdecimal() and len(number) <= _LINE_DIGITS
    return Frame(file[:_TEXT_MOST], int(number), "") if known else None
