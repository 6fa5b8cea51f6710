"""Starts a course file from the specs and downloads that lie in a folder."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from grader.course.downloads import Downloads, downloads_in
from grader.course.reading.course_file import FILE_NAME, course_in
from grader.intake.names import listed, safe_id
from grader.model.errors import Fault, UsageError
from grader.records.roster import read_roster
from grader.runtime.folders import walked
from grader.spec import load_task
from grader.store.whole_file import replace_text
from grader.yamlfile.quoting import scalar
from grader.yamlfile.top_keys import looks_like_spec

_MOST_FILES = 5000
_DOWNLOADS = ("in", "submissions", "downloads", "batches")


@dataclass(frozen=True, slots=True)
class Started:
    """A course file that was written.  notes: what a person has to add."""

    path: Path
    tasks: tuple[str, ...]
    notes: tuple[str, ...]


def start_course(folder: Path, zone: str) -> Started:
    """Write the course file of a folder, from what lies in it.  zone: empty if it is not known.

    Raises `UsageError`, before anything is written.
    """
    path = folder / FILE_NAME
    if path.exists():
        raise UsageError(Fault("this is there already, and nothing is overwritten", str(path)))
    if not folder.is_dir():
        raise UsageError(Fault("there is no such folder", str(folder)))
    notes: list[str] = []
    specs = list(_specs(folder, notes))
    if not specs:
        hint = notes[0] if notes else "a course needs at least one spec below its folder; see grader new"
        raise UsageError(Fault("there is no spec in this folder", str(folder), hint=hint))
    roster = _roster(folder)
    if roster is None:
        notes.append("no roster was found: name the list of the class as `roster`")
    lines = [
        "# A course: see docs/course.md.  Paths start in the folder of this file.",
        f"course: {scalar(safe_id(folder.resolve().name) or 'course')}",
        f"title: {scalar(folder.resolve().name or 'Course')}",
        f"zone: {scalar(zone)}" if zone else "# zone: Europe/Zurich",
        f"roster: {scalar(roster.relative_to(folder).as_posix())}"
        if roster
        else "# roster: people/roster.csv",
        "tasks:",
    ]
    names = []
    for spec in specs:
        task = load_task(spec)
        names.append(task.id)
        lines += [f"  {task.id}:", f"    spec: {_place(spec, folder)}"]
        place = _submissions(folder, task.id)
        if place is None:
            notes.append(f"{task.id}: no submissions were found; name their folder as `submissions`")
            lines.append(f"    submissions: in/{task.id}")
        else:
            found = downloads_in(place, task)
            lines += (f"    {line}" for line in _lines_of(found, place, folder))
            notes += _doubts(task.id, found)
        if task.late is None:
            lines.append("    # due: 2026-10-02 23:59")
    text = "\n".join(lines) + "\n"
    course_in(path, text.encode())
    try:
        replace_text(path, text)
    except OSError as error:
        raise UsageError(Fault(f"the course can't be written: {error.strerror}", str(path))) from error
    return Started(path, tuple(names), tuple(notes))


def _doubts(task: str, found: Downloads) -> Iterator[str]:
    """Yield what a person should look at, where more lies there than one task needs."""
    if len(found.submissions) > 1:
        names = listed(path.name for path in found.submissions)
        yield f"{task}: there are {len(found.submissions)} downloads, {names}; leave out what is older"
    for path in found.others:
        yield f"{task}: {path.name} was left out, since there is another sheet of that LMS"


def _lines_of(found: Downloads, place: Path, folder: Path) -> Iterator[str]:
    """Yield the lines of a task that say where its submissions, times and sheets are."""

    def several(paths: Sequence[Path]) -> str:
        places = [_place(path, folder) for path in paths]
        return places[0] if len(places) == 1 else f"[{', '.join(places)}]"

    yield f"submissions: {several(found.submissions or (place,))}"
    if found.times:
        yield f"times: {several(found.times)}"
    if found.sheets:
        yield f"sheets: {{{', '.join(f'{lms}: {_place(path, folder)}' for lms, path in found.sheets)}}}"


def _place(path: Path, folder: Path) -> str:
    """Return a path as a course file has it."""
    return scalar(path.relative_to(folder).as_posix())


def _files(folder: Path, pattern: str) -> Iterator[Path]:
    """Yield files below a folder, not those in hidden ones or among submissions and results.

    Raises `UsageError`.
    """
    found: list[Path] = []
    try:
        for parent, folders, names in walked(folder):
            left_out = (*_DOWNLOADS, "reports") if Path(parent) == folder else ()
            folders[:] = [name for name in folders if name[0] != "." and name not in left_out]
            found += (Path(parent, name) for name in names if name[0] != "." and name not in left_out)
    except OSError as error:
        raise UsageError(Fault(f"this can't be listed ({error.strerror})", str(error.filename))) from error
    for path in islice(sorted(each for each in found if each.match(pattern)), _MOST_FILES):
        if path.is_file():
            yield path


def _specs(folder: Path, notes: list[str]) -> Iterator[Path]:
    """Yield the specs below a folder; those that are none of the course have a note."""
    seen: dict[str, str] = {}
    for path in _files(folder, "*.y*ml"):
        if looks_like_spec(path):
            place = path.relative_to(folder).as_posix()
            try:
                task = load_task(path)
            except UsageError as error:
                notes.append(f"{place} is left out: {error.faults[0].message}")
                continue
            if task.id in seen:
                notes.append(f"{place} is left out: {seen[task.id]} is the task {task.id}, too")
                continue
            seen[task.id] = place
            yield path


def _roster(folder: Path) -> Path | None:
    """Return the first sheet that names people; one with ids alone may be a sheet of marks."""
    for path in _files(folder, "*.csv"):
        try:
            entries = read_roster(path).entries
        except UsageError:
            continue
        if all(entry.person.name or entry.person.mail for entry in entries):
            return path
    return None


def _submissions(folder: Path, task: str) -> Path | None:
    places = [folder / name / f"{task}{ending}" for name in _DOWNLOADS for ending in ("", ".zip")]
    return next((place for place in places if place.exists()), None)
