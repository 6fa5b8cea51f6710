"""Reads a course file: tasks and people, what was granted, and the gradebook."""

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from fractions import Fraction
from pathlib import Path
from zoneinfo import ZoneInfo, available_timezones

from grader.course.course import (
    Course,
    CourseTask,
    DatedDays,
    ElsewhereTask,
    Excuse,
    Grant,
    Requests,
    SlipDays,
)
from grader.course.own_reviews import shared_reviews
from grader.course.reading.dates import Calendar, NoMoment, day_or_time
from grader.course.reading.gradebook import GradebookReader
from grader.course.reading.keys import COURSE
from grader.course.reading.names import TaskNames
from grader.course.reading.requests_file import requests_in
from grader.model.errors import Fault, UsageError
from grader.records.file_text import read_bytes, text_of
from grader.yamlfile import nodes
from grader.yamlfile.nodes import Scalar, compose
from grader.yamlfile.reporter import Reporter
from grader.yamlfile.source import Source, Span, shown
from grader.yamlfile.table import Fields, open_fields

FILE_NAME = "course.yaml"
_WHAT = "the course"
_LONGEST_NAME = 60
_MOST_SLIP_S = 366 * 86400


def read_course(path: Path) -> Course:
    """Return the course in a file.  Raises `UsageError` with every mistake in it."""
    return course_in(path, read_bytes(path, _WHAT))


def course_in(path: Path, content: bytes) -> Course:
    """Return the course in a file's content; its paths start in the file's folder.

    Raises `UsageError` with every mistake in it.
    """
    reporter = Reporter(Source(str(path), text_of(content, str(path), _WHAT)))
    root = compose(reporter)
    fields = open_fields(root, COURSE, reporter) if root is not None else None
    reader = _Reader(path, fields) if fields is not None else None
    course = reader.course() if reader is not None else None
    reporter.raise_if_any(UsageError)
    assert reader is not None
    assert course is not None
    faults = [*reader.faults_elsewhere, *shared_reviews(course.tasks, str(path))]
    if faults:
        raise UsageError(*faults)
    return course


class _Reader:
    """Reads the keys of one course file."""

    def __init__(self, path: Path, fields: Fields) -> None:
        self._path, self._fields, self._reporter = path, fields, fields.reporter
        self._folder = path.parent
        self.faults_elsewhere: list[Fault] = []
        """Mistakes in a file that the course names."""
        self._calendar = Calendar(self._zone(), self._events())
        self._labels = {
            key.text: tuple(each.text for each in _scalars(node)) for key, node in self._pairs("labels")
        }

    def course(self) -> Course | None:
        """Return the course; None where a mistake was reported without which there is none."""
        fields = self._fields
        tasks: list[CourseTask | ElsewhereTask] = []
        for key, one in fields["tasks"] or ():
            if one is not None and self._is_name(key):
                found = self._task(key.text, one)
                tasks += [found] if found is not None else []
        if not tasks and not self._reporter.found_any:
            fields.report("tasks", "a course needs at least one task")
        # A task with a mistake has a name all the same, so that nobody is told that there is none.
        categories = {key.text: "" for key, _ in fields["tasks"] or ()}
        categories |= {task.name: task.category for task in tasks}
        names = TaskNames(categories, self._reporter)
        grants = tuple(filter(None, (self._grant(each, names) for each in fields["extensions"] if each)))
        excuses = tuple(one for each in fields["excused"] if each for one in self._excuses(each, names))
        gradebook = GradebookReader(fields, names).gradebook()
        name, title = fields["course"], fields["title"]
        if name is None or title is None:
            return None
        return Course(
            path=self._path,
            name=name,
            title=title,
            zone=self._calendar.zone,
            language=fields["language"],
            roster=self._file(fields, "roster"),
            labels=self._labels,
            lms=fields["lms"],
            tasks=tuple(task for task in tasks if isinstance(task, CourseTask)),
            elsewhere=tuple(task for task in tasks if isinstance(task, ElsewhereTask)),
            grants=grants,
            excuses=excuses,
            slip_days=self._slip_days(),
            requests=self._requests(names),
            gradebook=gradebook,
            names=tuple(task.name for task in tasks),
        )

    # -- time ------------------------------------------------------------------------------------------

    def _zone(self) -> ZoneInfo | None:
        text: str | None = self._fields["zone"]
        if text is None:
            return None
        known = available_timezones()
        if text not in known:
            hint = self._reporter.nearest(text, sorted(known)) or "such as Europe/Zurich"
            self._fields.report("zone", f"there is no time zone `{shown(text)}`", hint)
            return None
        return ZoneInfo(text)

    def _events(self) -> Mapping[str, date]:
        found = {}
        for key, node in self._pairs("events"):
            for each in _scalars(node):
                try:
                    found[key.text] = day_or_time(each.text.strip())
                except NoMoment as error:
                    self._reporter.report(each.span, str(error), error.hint)
        return found

    def _moment(self, fields: Fields, name: str) -> datetime | None:
        text: str | None = fields[name]
        if text is None:
            return None
        try:
            return self._calendar.moment(text)
        except NoMoment as error:
            fields.report(name, str(error), error.hint)
            return None

    # -- tasks -----------------------------------------------------------------------------------------

    def _is_name(self, key: Scalar) -> bool:
        """Report a name that no command could take."""
        text = key.text
        if text and len(text) <= _LONGEST_NAME and text.replace("-", "").replace("_", "").isalnum():
            return True
        hint = "letters, digits, - and _"
        self._reporter.report(key.span, f"`{shown(text)}` can't be the name of a task", hint)
        return False

    def _task(self, name: str, fields: Fields) -> CourseTask | ElsewhereTask | None:
        if fields.has("spec"):
            for key in fields.present("marks", "sheet", "column"):
                fields.report_key(
                    key, f"`{key}` is for a task that is marked elsewhere, and this one has a `spec`"
                )
            return self._own_task(name, fields)
        others = fields.present(
            "submissions", "times", "reviews", "reports", "layout", "slip", "columns", "sheets", "told"
        )
        for key in others:
            fields.report_key(key, f"`{key}` needs a `spec`", "a task without one is marked elsewhere")
        missing = [key for key in ("marks", "sheet", "column") if not fields.has(key)]
        if missing:
            hint = "name a `spec`, or `marks`, `sheet` and `column` of a task that is marked elsewhere"
            self._reporter.report(fields.place, f"`{missing[0]}` is missing in the task `{name}`", hint)
        marks, sheet, column = fields["marks"], self._file(fields, "sheet"), fields["column"]
        if marks is None or sheet is None or column is None:
            return None
        return ElsewhereTask(
            name=name,
            marks=marks,
            sheet=sheet,
            column=column,
            category=fields["category"],
            due=self._moment(fields, "due"),
            released=fields["released"],
        )

    def _own_task(self, name: str, fields: Fields) -> CourseTask | None:
        spec = self._file(fields, "spec")
        due = self._moment(fields, "due")
        source = self._reporter.source
        line, column = source.position(fields.span("due").start)
        if spec is None:
            return None
        return CourseTask(
            name=name,
            spec=spec,
            submissions=self._paths(fields, "submissions"),
            reports=self._folder / (fields["reports"] or f"reports/{name}"),
            category=fields["category"],
            due=due,
            due_place=f"{source.name}:{line}:{column}" if fields.has("due") else "",
            times=self._files(fields, "times"),
            reviews=self._reviews(fields),
            layout=fields["layout"],
            columns=self._texts(fields, "columns"),
            sheets={key: self._folder / text for key, text in self._texts(fields, "sheets").items()},
            slip=fields["slip"],
            released=fields["released"],
            told=self._moment(fields, "told"),
        )

    def _file(self, fields: Fields, name: str) -> Path | None:
        """Return the path of a file that must be there; None if it is absent or was reported."""
        text: str | None = fields[name]
        return self._existing(text, fields.span(name)) if text is not None else None

    def _files(self, fields: Fields, name: str) -> tuple[Path, ...]:
        """Return the paths of files that must be there, without those that were reported."""
        found = (self._existing(scalar.text, scalar.span) for scalar in fields[name])
        return tuple(path for path in found if path is not None)

    def _existing(self, text: str, span: Span) -> Path | None:
        path = self._folder / text
        if path.is_file():
            return path
        beside = [each.name for each in path.parent.iterdir()] if path.parent.is_dir() else []
        hint = (
            self._reporter.nearest(path.name, sorted(beside))
            or "paths start in the folder of the course file"
        )
        what = "is no file" if path.exists() else "does not exist"
        self._reporter.report(span, f"`{shown(text)}` {what}", hint)
        return None

    def _paths(self, fields: Fields, name: str) -> tuple[Path, ...]:
        return tuple(self._folder / scalar.text for scalar in fields[name])

    def _reviews(self, fields: Fields) -> tuple[Path, ...]:
        """Return the paths of files of reviews, which need not be there yet."""
        for scalar in fields["reviews"]:
            if (self._folder / scalar.text).is_dir():
                hint = "name the files in it"
                self._reporter.report(scalar.span, f"`{shown(scalar.text)}` is a folder", hint)
        return self._paths(fields, "reviews")

    def _texts(self, fields: Fields, name: str) -> dict[str, str]:
        node: nodes.Mapping | None = fields[name]
        pairs = node.pairs if node is not None else ()
        return {key.text: each.text for key, value in pairs for each in _scalars(value)}

    def _pairs(self, name: str) -> Iterable[tuple[Scalar, nodes.Node]]:
        node: nodes.Mapping | None = self._fields[name]
        return node.pairs if node is not None else ()

    # -- people ----------------------------------------------------------------------------------------

    def _grant(self, fields: Fields, names: TaskNames) -> Grant | None:
        student, label = fields["student"] or "", fields["label"] or ""
        if bool(student) == bool(label):
            self._reporter.report(fields.place, "an extension names a `student`, or a `label`")
        if label and label not in self._labels:
            hint = self._reporter.nearest_or_all(label, self._labels)
            fields.report("label", f"there is no label `{shown(label)}`", hint)
        until, add_s = self._moment(fields, "until"), fields["add"]
        if fields.has("until") == fields.has("add"):
            self._reporter.report(fields.place, "an extension has `until`, or `add`")
        if fields["reason"] is None:
            return None
        return Grant(
            student=student,
            label=label,
            tasks=names.of(fields, "task") if fields.has("task") else names.all,
            until=until,
            add_s=int(add_s or 0),
            reason=fields["reason"],
            by=fields["by"],
            date=fields["date"],
        )

    def _excuses(self, fields: Fields, names: TaskNames) -> tuple[Excuse, ...]:
        student, reason = fields["student"], fields["reason"]
        if student is None or reason is None:
            return ()
        by = fields["by"]
        return tuple(
            Excuse(student=student, task=task, reason=reason, by=by) for task in names.of(fields, "task")
        )

    def _requests(self, names: TaskNames) -> Requests | None:
        fields: Fields | None = self._fields["requests"]
        path = self._file(fields, "file") if fields is not None else None
        if fields is None or path is None:
            return None
        within_s: Fraction | None = fields["within"]
        try:
            found = requests_in(path, self._calendar, names.all)
        except UsageError as error:
            self.faults_elsewhere += error.faults
            found = ()
        return Requests(
            file=path,
            within_s=int(within_s) if within_s is not None else None,
            each=fields["each"],
            another=fields["another"],
            all=found,
        )

    def _slip_days(self) -> SlipDays | None:
        fields: Fields | None = self._fields["slip days"]
        if fields is None or fields["budget"] is None:
            return None
        unit_s = int(fields["unit"])
        if not 0 < unit_s <= _MOST_SLIP_S:
            fields.report("unit", "`unit` must be longer than nothing, and at most a year")
        budgets = {}
        for student, text in self._texts(fields, "budgets").items():
            if not text.isdecimal() or len(text) > len("1000"):
                fields.report("budgets", f"`{shown(text)}` is no number of days")
            else:
                budgets[student] = int(text)
        return SlipDays(
            budget=fields["budget"],
            unit_s=unit_s,
            grace_s=int(fields["grace"]),
            at_most=fields["at most"],
            short=fields["short"],
            budgets=budgets,
            added=tuple(filter(None, (self._added(each) for each in fields["added"] if each))),
        )

    def _added(self, fields: Fields) -> DatedDays | None:
        student, on, add = fields["student"], self._moment(fields, "on"), fields["add"]
        reason = fields["reason"]
        if student is None or on is None or add is None or reason is None:
            return None
        return DatedDays(student, on, add, reason)


def _scalars(node: nodes.Node) -> tuple[Scalar, ...]:
    parts = node.items if isinstance(node, nodes.Sequence) else (node,)
    return tuple(part for part in parts if isinstance(part, Scalar))
