"""Brightspace: a folder `<user id>-<assignment id> - <name> - <time>` for each submission.

In a flat download that stands before the name of each file.  Beside them lies an `index.html`.  All
submissions of a student are in the download.  Their times are in the course's zone, which is not said.
"""

import re
from contextlib import suppress
from datetime import datetime

from grader.api.layouts import Layout, Person, Piece

_HEAD = r"(?P<user>[0-9]{1,20})-(?P<assignment>[0-9]{1,20}) - (?P<name>.*?) - "
_DAY = r"(?P<month>[^\W\d]{3,10})\.? (?P<day>[0-9]{1,2}), (?P<year>[0-9]{4})"
_TIME = rf"(?P<time>{_DAY} (?P<hour>[0-9]{{1,2}})[:_]?(?P<minute>[0-9]{{2}}) (?P<half>[AP]M))"
_NAME = re.compile(f"{_HEAD}{_TIME}(?: - (?P<file>.+))?", re.DOTALL)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def _piece(name: str, is_folder: bool) -> Piece | None:
    match = _NAME.fullmatch(name)
    if match is None or is_folder is bool(match["file"]):
        return None
    time = _time(match)
    return Piece(
        entry=name,
        owner=f"brightspace-{match['user']}",
        people=(Person(name=match["name"], ids={"brightspace": match["user"]}),),
        name=match["file"] or "",
        attempt=time.isoformat() if time is not None else match["time"],
        time=time,
    )


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
)
