"""Brightspace: a folder `<user id>-<assignment id> - <name> - <time>` for each submission.

In a flat download that stands before the name of each file.  Beside them lies an `index.html`.  All
submissions of a student are in the download.  Their times are in the course's zone, which is not said.
What the second number is, Brightspace does not say: where each student has one of their own, it is none of an
assignment.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import datetime

from grader.api.layouts import Download, Expected, Layout, Person, Piece

_HEAD = re.compile(r"(?P<user>[0-9]{1,20})-(?P<assignment>[0-9]{1,20})(?= - )")
_DAY = r"(?P<month>[^\W\d]{3,10})\.? (?P<day>[0-9]{1,2}), (?P<year>[0-9]{4})"
_TIME = rf"(?P<time>{_DAY} (?P<hour>[0-9]{{1,2}})[:_]?(?P<minute>[0-9]{{2}}) (?P<half>[AP]M))"
_REST = re.compile(f" - {_TIME}(?: - (?P<file>.+))?", re.DOTALL)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_EARLIEST = datetime(1, 1, 1)


def _piece(name: str, is_folder: bool) -> Piece | None:
    head = _HEAD.match(name)
    if head is None:
        return None
    found = [rest for rest in _rests(name, head.end() + 1) if is_folder is not bool(rest["file"])]
    if not found:
        return None
    # A student may write a time into a name, the file's or their own.  Only an earlier one than that of the
    # submission would be of use, so the latest is that.
    rest = max(found, key=lambda one: _time(one) or _EARLIEST)
    time = _time(rest)
    called = name[head.end() + len(" - ") : rest.start()]
    return Piece(
        entry=name,
        owner=f"brightspace-{head['user']}",
        people=(Person(name=called, ids={"brightspace": head["user"]}),),
        assignment=head["assignment"],
        name=rest["file"] or "",
        attempt=time.isoformat() if time is not None else rest["time"],
        time=time,
    )


def _with_assignments(pieces: list[Piece], _download: Download, _expected: Expected) -> Iterable[Piece]:
    pairs = {(piece.owner, piece.assignment) for piece in pieces}
    owners, numbers = map(set, zip(*pairs, strict=True))
    if len(pairs) == len(owners) == len(numbers):
        return [replace(piece, assignment="") for piece in pieces]
    return pieces


def _rests(name: str, start: int) -> Iterator[re.Match[str]]:
    """Yield each time in a name behind which nothing or a file's name may stand, from a place on."""
    for gap in re.finditer(" - ", name[start:]):
        rest = _REST.fullmatch(name, start + gap.start())
        if rest is not None:
            yield rest


def _time(match: re.Match[str]) -> datetime | None:
    """Return the time, None where the month is in a language that is not read."""
    hour = int(match["hour"]) % 12 + (12 if match["half"] == "PM" else 0)
    with suppress(ValueError):
        month = _MONTHS.index(match["month"][:3].casefold()) + 1
        return datetime(int(match["year"]), month, int(match["day"]), hour, int(match["minute"]))
    return None


BRIGHTSPACE = Layout(
    name="brightspace",
    title="a Brightspace download",
    example="1234-5678 - Amy Adams - Nov 20, 2026 630 PM",
    piece=_piece,
    completed=_with_assignments,
)
