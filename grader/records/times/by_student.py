"""The times of submissions by student: a YAML or CSV file, or a file of an LMS.

A student can have several times, one for each attempt.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, tzinfo
from pathlib import Path

from grader.intake.names import listed
from grader.model.errors import Fault, UsageError
from grader.records.file_text import read_bytes, text_of
from grader.records.sheet import heading, sheet_of
from grader.records.times.canvas import canvas_times
from grader.records.times.worksheet import worksheet_in, worksheet_times
from grader.registry.groups import Group
from grader.registry.registry import PluginFailed, registry
from grader.yamlfile.nodes import Broken, Mapping, Node, Scalar, Sequence, compose
from grader.yamlfile.quantities import moment
from grader.yamlfile.reporter import Reporter
from grader.yamlfile.source import Source, shown

Times = dict[str, tuple[datetime, ...]]
"""By student, earliest first: the id, or the original name of the folder or file.

A time is without its zone where its file has none.
"""

_HINT = "write date, time and zone, such as 2026-11-20T23:59:00+01:00"
_COLUMNS = ("student", "submitted")
_WHAT = "the times"
_MOST_FAULTS = 200


def read_times(path: Path) -> Times:
    """Return the times of a file.  Raises `UsageError` with every mistake in it."""
    return times_in(path, read_bytes(path, _WHAT))


def times_in(path: Path, content: bytes) -> Times:
    """Return the times in a file's content.  Raises `UsageError` with every mistake in it."""
    kind = path.suffix.casefold()
    sheet = worksheet_in(content, str(path)) if kind == ".csv" else None
    if sheet is not None:
        return by_student(worksheet_times(sheet))
    for layout in registry().all_of(Group.LAYOUTS).values():
        if layout.times is not None and path.name == layout.needs:
            found: object = layout.times(text_of(content, str(path), _WHAT), str(path))
            if not isinstance(found, dict) or not all(_is_time(*pair) for pair in found.items()):
                plugin = registry().plugin_of(Group.LAYOUTS, layout.name)
                raise PluginFailed(f"plugin {plugin}: its layout {layout.name} gave no times")
            return by_student(found.items())
    if kind == ".csv":
        return _from_csv(content, str(path))
    text = text_of(content, str(path), _WHAT)
    if kind == ".json":
        return by_student(canvas_times(text, str(path)))
    return _from_yaml(text, str(path))


def _is_time(student: object, time: object) -> bool:
    return isinstance(student, str) and isinstance(time, datetime)


def _from_yaml(text: str, where: str) -> Times:
    reporter = Reporter(Source(where, text))
    root = compose(reporter) if text.strip() else None
    found: list[tuple[str, datetime]] = []
    if isinstance(root, Mapping):
        for key, value in root.pairs:
            found += [(key.text, time) for time in _times(value, reporter)]
    elif root is not None and not isinstance(root, Broken):
        reporter.report(root.span, "times must be a mapping, lines of `student: time`")
    reporter.raise_if_any(UsageError)
    return by_student(found)


def _times(node: Node, reporter: Reporter) -> list[datetime]:
    found = []
    for item in node.items if isinstance(node, Sequence) else (node,):
        if isinstance(item, Broken):
            continue
        time = moment(item.text.strip()) if isinstance(item, Scalar) else None
        if time is None:
            what = f"`{shown(item.text)}`" if isinstance(item, Scalar) else "this"
            reporter.report(item.span, f"{what} is not a point in time with its zone", _HINT)
        else:
            found.append(time)
    return found


def _from_csv(content: bytes, where: str) -> Times:
    sheet = sheet_of(content, where, _WHAT)
    headings = [heading(text) for text in sheet.headings]
    missing = [name for name in _COLUMNS if name not in headings]
    if missing:
        message = f"there is no column `{missing[0]}`; expected the columns {' and '.join(_COLUMNS)}"
        raise UsageError(Fault(message, f"{where}:1"))
    columns = [headings.index(name) for name in _COLUMNS]
    for column in columns:
        sheet.needs_one(column, _WHAT)
    faults: list[Fault] = []
    found: list[tuple[str, datetime]] = []
    for row in range(1, len(sheet.rows)):
        student, written = (sheet.cell(row, column).strip() for column in columns)
        time = moment(written)
        if time is not None:
            found.append((student, time))
        elif written:
            message = f"`{shown(written)}` is not a point in time with its zone"
            faults.append(Fault(message, sheet.place(row), hint=_HINT))
    if faults:
        raise UsageError(*faults[:_MOST_FAULTS])
    return by_student(found)


def by_student(found: Iterable[tuple[str, datetime]]) -> Times:
    """Return the times of each student, earliest first."""
    times: Times = {}
    for student, time in found:
        times[student] = (*times.get(student, ()), time)
    return {student: tuple(sorted(every)) for student, every in times.items()}


def in_zone(times: Times, zone: tzinfo) -> Times:
    """Return the times; those without a zone are of this one.

    All are in UTC: Python compares two times of one zone by their clocks, although these change.
    """

    def in_utc(time: datetime) -> datetime:
        return (time if time.tzinfo is not None else time.replace(tzinfo=zone)).astimezone(UTC)

    return {student: tuple(map(in_utc, every)) for student, every in times.items()}


def together(files: Iterable[Times]) -> Times:
    """Return the times of several files; one that two of them have stands once.  All have their zone.

    One that a file has twice stands twice: two attempts can come in one minute, and an LMS may tell no more.
    """
    found: dict[str, Counter[datetime]] = {}
    for times in files:
        for student, every in times.items():
            found[student] = found.get(student, Counter()) | Counter(every)
    return {student: tuple(sorted(every.elements())) for student, every in found.items()}


def strangers(
    times: Times, is_meant: Callable[[str], object], on_note: Callable[[str], None], where: str
) -> None:
    """Note which students of a file are not in the batch; the file may hold a whole course.

    is_meant: tells whether a name may be somebody's of the batch.
    """
    others = sorted(name for name in times if not is_meant(name))
    if others:
        be = "student who is" if len(others) == 1 else "students who are"
        on_note(f"{where} has {len(others)} {be} not in this batch: {listed(others)}")
