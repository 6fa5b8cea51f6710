"""What lies in the folder of a task's submissions: downloads of a whole class, sheets, files with times."""

from dataclasses import dataclass
from pathlib import Path

from grader.intake import discover
from grader.intake.discovery import ignore
from grader.model.errors import UsageError
from grader.model.task import Task
from grader.records.roster import read_roster
from grader.records.times.by_student import read_times
from grader.records.times.worksheet import has_times

_SHEETS = {
    "Moodle's worksheet": "moodle",
    "Canvas's gradebook": "canvas",
    "Blackboard's grade centre": "blackboard",
    "Brightspace's class list": "brightspace",
}
"""The format that fills in a sheet of each layout."""


@dataclass(frozen=True, slots=True)
class Downloads:
    """What was found.

    submissions: downloads of the whole class; none where the folder itself holds the submissions.
    times: files that name times, where a sheet alone does not.  sheets: by the format that fills them in.
    others: further sheets of these LMSs.
    """

    submissions: tuple[Path, ...] = ()
    times: tuple[Path, ...] = ()
    sheets: tuple[tuple[str, Path], ...] = ()
    others: tuple[Path, ...] = ()


def downloads_in(place: Path, task: Task) -> Downloads:
    """Return what lies in a folder beside or instead of submissions; nothing for a file."""
    files = sorted(path for path in place.iterdir() if path.is_file()) if place.is_dir() else []
    zips = tuple(path for path in files if path.suffix.casefold() == ".zip" and _is_of_class(path, task))
    if not zips:
        return Downloads()
    sheets: dict[str, Path] = {}
    others = []
    for path in files:
        lms = _lms_of(path) if path.suffix.casefold() in (".csv", ".xls") else ""
        if lms and sheets.setdefault(lms, path) is not path:
            others.append(path)
    answers = tuple(path for path in files if path.suffix.casefold() == ".json" and _holds_times(path))
    # Without a file that is named, the sheets tell the times.
    worksheets = tuple(path for path in sheets.values() if answers and has_times(path))
    return Downloads(zips, (*worksheets, *answers), tuple(sheets.items()), tuple(others))


def _is_of_class(path: Path, task: Task) -> bool:
    try:
        return len(discover([path], task.asked, ignore)) > 1
    except UsageError:
        return False


def _lms_of(path: Path) -> str:
    try:
        return _SHEETS.get(read_roster(path).layout, "")
    except UsageError:
        return ""


def _holds_times(path: Path) -> bool:
    try:
        return bool(read_times(path))
    except UsageError:
        return False
