"""Reads the requests to look again: a list, each with what a student asks and what a marker answered."""

from collections.abc import Collection, Iterator
from datetime import datetime
from pathlib import Path

from grader.course.course import Answer, Decided, Request
from grader.course.reading.dates import Calendar, NoMoment, is_day
from grader.course.reading.keys import REQUEST
from grader.model.errors import UsageError
from grader.records.file_text import read_text
from grader.records.reviews.reading import without_blanks
from grader.yamlfile.nodes import Broken, Mapping, Node, Sequence, compose
from grader.yamlfile.reporter import Reporter
from grader.yamlfile.source import Source, shown
from grader.yamlfile.table import Fields, open_fields

_WHAT = "the requests"


def requests_in(path: Path, calendar: Calendar, tasks: Collection[str]) -> tuple[Request, ...]:
    """Return the requests in a file, in its order.  tasks: those of the course.

    Raises `UsageError` with every mistake.
    """
    reporter = Reporter(Source(str(path), read_text(path, _WHAT)))
    root = compose(reporter) if reporter.source.text.strip() else None
    found = tuple(_Reader(reporter, calendar, tasks).requests(root)) if root is not None else ()
    reporter.raise_if_any(UsageError)
    return found


class _Reader:
    def __init__(self, reporter: Reporter, calendar: Calendar, tasks: Collection[str]) -> None:
        self._reporter, self._calendar, self._tasks = reporter, calendar, tasks

    def requests(self, root: Node) -> Iterator[Request]:
        """Yield the requests that have no mistake without which there is none."""
        if not isinstance(root, Sequence):
            if not isinstance(root, Broken):
                message = "requests must be a list, each starting with `- student: `"
                self._reporter.report(root.span, message)
            return
        for node in root.items:
            # A key without a value waits for a person.
            if isinstance(node, Mapping):
                node = without_blanks(node, REQUEST, self._reporter)
            fields = open_fields(node, REQUEST, self._reporter)
            request = self._request(fields) if fields is not None else None
            if request is not None:
                yield request

    def _request(self, fields: Fields) -> Request | None:
        student, task, text = fields["student"], fields["task"], fields["text"]
        asked = self._moment(fields)
        if task is not None and task not in self._tasks:
            hint = self._reporter.nearest_or_all(task, self._tasks)
            fields.report("task", f"there is no task `{shown(task)}`", hint)
        if student is None or task is None or asked is None or text is None:
            return None
        source = self._reporter.source
        line, column = source.position(fields.place.start)
        return Request(
            student=student,
            task=task,
            question=fields["question"],
            asked=asked,
            text=text,
            answer=self._answer(fields["answer"]),
            place=f"{source.name}:{line}:{column}",
        )

    def _moment(self, fields: Fields) -> datetime | None:
        text: str | None = fields["asked"]
        try:
            return self._calendar.moment(text) if text is not None else None
        except NoMoment as error:
            fields.report("asked", str(error), error.hint)
            return None

    def _answer(self, fields: Fields | None) -> Answer | None:
        if fields is None:
            return None
        decision: Decided | None = fields["decision"]
        if decision is Decided.CHANGED and not fields.has("marks"):
            self._reporter.report(fields.place, "`changed` needs `marks`: those that count from now on")
        if decision is not Decided.CHANGED and decision is not None and fields.has("marks"):
            fields.report("marks", f"`marks` is for `changed`, and this is `{decision}`")
        by, date = fields["by"], fields["date"]
        if date is not None and not is_day(date):
            fields.report("date", f"`{shown(date)}` is not a date such as 2026-11-21")
        if by is None or date is None or decision is None:
            return None
        return Answer(by=by, date=date, decision=decision, marks=fields["marks"], text=fields["text"])
