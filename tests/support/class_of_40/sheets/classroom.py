"""The notices that GitHub Classroom reads from the log of a workflow, which may hold no other command.

Sources: classroom-resources/autograding-grading-reporter, `src/notify-classroom.js` (1549b907200d), writes
two notices by `core.notice`: "Autograding complete" with `Points x/y`, and "Autograding report" with
`{"totalPoints":x,"maxPoints":y}`.  Teachers' programs read the second from the annotations.  From memory, of
docs.github.com, "Workflow commands for GitHub Actions": a command is a line that begins with `::`; its data
has %25, %0D and %0A, its properties %3A and %2C besides; `::stop-commands::token` ends the reading of
commands until `::token::`.
"""

import json
import re
from dataclasses import dataclass
from fractions import Fraction

from support.class_of_40.sheets.refused import Refused

_COMMAND = re.compile(r"\s*::(?P<name>[^\s:]+)(?: (?P<properties>.*?))?::(?P<data>.*)")
COMPLETE, REPORT = "Autograding complete", "Autograding report"
_HARMLESS = ("notice", "warning", "error", "group", "endgroup", "stop-commands")


@dataclass(frozen=True)
class Command:
    """One workflow command, unescaped."""

    name: str
    properties: dict[str, str]
    data: str


def commands(log: str) -> list[Command]:
    """Return the commands that a runner would carry out."""
    found: list[Command] = []
    token = None
    for line in re.split(r"\r\n|\r|\n", log):
        if token is not None:
            token = None if line.strip() == f"::{token}::" else token
            continue
        match = _COMMAND.fullmatch(line)
        if match is None:
            continue
        pairs = [pair.partition("=") for pair in (match["properties"] or "").split(",") if pair]
        properties = {key.strip(): _plain(value, colon=True) for key, _, value in pairs}
        command = Command(match["name"], properties, _plain(match["data"]))
        found.append(command)
        if command.name == "stop-commands":
            token = command.data
    if token is not None:
        raise Refused("commands were stopped and never taken up again")
    return found


def read(log: str) -> tuple[Fraction, Fraction]:
    """Return the points and the most points that Classroom takes from a log."""
    found = commands(log)
    for command in found:
        if command.name not in _HARMLESS:
            raise Refused(f"the log holds the command {command.name!r}: {command.data!r}")
    complete, report = (
        [c.data for c in found if c.name == "notice" and c.properties.get("title") == title]
        for title in (COMPLETE, REPORT)
    )
    if len(complete) != 1 or len(report) != 1:
        raise Refused(f"there are {len(complete)} notices {COMPLETE!r} and {len(report)} {REPORT!r}")
    said = re.fullmatch(r"Points (\d+(?:\.\d+)?)/(\d+(?:\.\d+)?)", complete[0])
    try:
        points = json.loads(report[0])
    except ValueError:
        raise Refused(f"the report is not JSON: {report[0]!r}") from None
    if said is None or not isinstance(points, dict) or points.keys() != {"totalPoints", "maxPoints"}:
        raise Refused(f"the notices say {complete[0]!r} and {report[0]!r}")
    total, most = (Fraction(str(points[key])) for key in ("totalPoints", "maxPoints"))
    if (Fraction(said[1]), Fraction(said[2])) != (total, most):
        raise Refused(f"the notices differ: {complete[0]!r}, {report[0]!r}")
    if not 0 <= total <= most:
        raise Refused(f"{total} of {most} points")
    return total, most


def _plain(text: str, *, colon: bool = False) -> str:
    """Undo the escapes, the percent sign last."""
    for escaped, sign in (("%3A", ":"), ("%2C", ",")) if colon else ():
        text = text.replace(escaped, sign)
    return text.replace("%0D", "\r").replace("%0A", "\n").replace("%25", "%")
