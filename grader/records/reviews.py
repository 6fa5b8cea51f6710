"""The file in which people mark criteria and override marks, read and checked like a spec.

A list of blocks, each about one student; a student can have several, so that new ones can be
added at the end and nothing that a person wrote is ever rewritten (see `grader.records.template`).
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from pathlib import Path

from grader.model.errors import SpecError, UsageError
from grader.model.submission import CriterionMark, OverridingMark, Review
from grader.model.task import Criterion, Task
from grader.records.file_text import read_text
from grader.yamlfile.field import Field, Kind, Table
from grader.yamlfile.nodes import Broken, Mapping, Node, Scalar, Sequence, compose
from grader.yamlfile.quantities import decimal
from grader.yamlfile.reporter import Reporter
from grader.yamlfile.source import Source, shown
from grader.yamlfile.table import Fields, open_fields

_BLOCK = Table(
    "a review",
    (
        Field("student", Kind.TEXT, required=True),
        Field("by", Kind.TEXT),
        Field("date", Kind.TEXT),
        Field("criteria", Kind.MAPPING),
        Field("overrides", Kind.LIST),
    ),
)
_MARKED = Table(
    "a criterion's review",
    (
        Field("marks", Kind.DECIMAL),
        Field("comment", Kind.TEXT),
        Field("by", Kind.TEXT),
        Field("date", Kind.TEXT),
    ),
)
_OVERRIDE = Table(
    "an override",
    (
        Field("question", Kind.TEXT),
        Field("marks", Kind.DECIMAL, required=True),
        Field("reason", Kind.TEXT, required=True),
        Field("by", Kind.TEXT),
        Field("date", Kind.TEXT),
    ),
)
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


@dataclass(slots=True)
class Reviews:
    """What a file of reviews holds.

    listed: the criteria that stand in it for each student, marked or not.
    strangers: students of it who are not in the batch.
    """

    by_student: dict[str, Review] = field(default_factory=dict)
    listed: dict[str, set[str]] = field(default_factory=dict)
    strangers: list[str] = field(default_factory=list)


def read_reviews(path: Path, task: Task, students: Collection[str], *, whole_batch: bool) -> Reviews:
    """Return what people decided.

    students: the ids of the batch.  whole_batch: a student who is not among them is a mistake;
    else, where single submissions are marked, the file may well hold others.
    Raises `UsageError` with every mistake, each with its place.
    """
    return parse_reviews(read_text(path, "the reviews"), str(path), task, students, whole_batch=whole_batch)


def parse_reviews(
    text: str, where: str, task: Task, students: Collection[str], *, whole_batch: bool
) -> Reviews:
    """Return the same from the text of a file; where: its name in messages."""
    reporter = Reporter(Source(where, text.removeprefix("\ufeff")))
    reader = _Reader(task, students, whole_batch, reporter)
    root = compose(reporter) if _holds_something(reporter.source.text) else None
    if isinstance(root, Sequence):
        for node in root.items:
            reader.block(node)
    elif isinstance(root, Mapping | Scalar):
        reporter.report(root.span, "reviews must be a list, each starting with `- student: `")
    try:
        reporter.raise_if_any()
    except SpecError as error:
        raise UsageError(*error.faults) from None
    return reader.reviews


def _holds_something(text: str) -> bool:
    return any(line.strip() and not line.lstrip().startswith("#") for line in text.splitlines())


def without_blanks(mapping: Mapping) -> Mapping:
    """Return a mapping without the keys that nothing was written after: they wait for a person."""
    pairs = tuple(
        (key, value)
        for key, value in mapping.pairs
        if not (isinstance(value, Scalar) and (value.empty or not value.text.strip()))
    )
    return Mapping(mapping.span, pairs, mapping.flow)


class _Reader:
    """Reads the blocks of one file into `reviews`."""

    def __init__(self, task: Task, students: Collection[str], whole_batch: bool, reporter: Reporter) -> None:
        self.reviews = Reviews()
        self._task = task
        self._students = students
        self._whole_batch = whole_batch
        self._reporter = reporter
        self._criteria = {c.id: c for question in task.questions for c in question.criteria}
        self._most = {question.id: question.marks for question in task.questions}

    def block(self, node: Node) -> None:
        """Read what stands about one student."""
        fields = self._open(node, _BLOCK)
        student = fields.text("student") if fields is not None else None
        if fields is None or student is None:
            return
        given, put_in = tuple(self._marks(student, fields)), tuple(self._overrides(fields))
        # What still waits for a person (see `grader.records.template`) may be about one who has left.
        if student not in self._students and (given or put_in or not self._whole_batch):
            self._stranger(student, fields)
        review = self.reviews.by_student.get(student, Review())
        overrides = (*review.overrides, *put_in)
        self._check_once(fields, [o.question for o in overrides])
        self.reviews.by_student[student] = Review((*review.marks, *given), overrides)

    def _open(self, node: Node, table: Table) -> Fields | None:
        kept = without_blanks(node) if isinstance(node, Mapping) else node
        return open_fields(kept, table, self._reporter)

    def _stranger(self, student: str, fields: Fields) -> None:
        if self._whole_batch:
            hint = self._reporter.nearest_or_all(student, sorted(self._students))
            fields.report("student", f"there is no submission `{shown(student)}`", hint)
        elif student not in self.reviews.strangers:
            self.reviews.strangers.append(student)

    def _marks(self, student: str, block: Fields) -> Iterator[CriterionMark]:
        listed = self.reviews.listed.setdefault(student, set())
        node = block.mapping("criteria")
        for key, value in node.pairs if node is not None else ():
            criterion = self._criteria.get(key.text)
            if criterion is None:
                hint = self._reporter.nearest_or_all(key.text, self._criteria)
                self._reporter.report(key.span, f"there is no criterion `{shown(key.text)}`", hint)
                continue
            if key.text in listed:
                message = f"`{key.text}` of {shown(student)} stands in an earlier review already"
                self._reporter.report(key.span, message)
            listed.add(key.text)
            if isinstance(value, Broken) or (isinstance(value, Scalar) and value.empty):
                continue
            mark = self._mark(criterion, self._open(value, _MARKED), block)
            if mark is not None:
                yield mark

    def _mark(self, criterion: Criterion, fields: Fields | None, block: Fields) -> CriterionMark | None:
        marks = fields.quantity("marks", decimal) if fields is not None else None
        if fields is None or marks is None:
            return None
        levels = [level.marks for level in criterion.levels]
        if marks > criterion.marks:
            fields.report("marks", f"`{criterion.id}` is worth {_shown(criterion.marks)} at most")
        elif levels and marks not in levels:
            hint = "its levels are " + ", ".join(map(_shown, sorted(levels)))
            fields.report("marks", f"`{criterion.id}` has no level of {_shown(marks)}", hint)
        return CriterionMark(
            criterion=criterion.id,
            marks=marks,
            comment=fields.text("comment") or "",
            by=self._author(fields, block),
            date=self._date(fields, block),
        )

    def _overrides(self, block: Fields) -> Iterator[OverridingMark]:
        for node in block.items("overrides") or ():
            fields = self._open(node, _OVERRIDE)
            if fields is None:
                continue
            question = fields.text("question") or ""
            most = self._most.get(question) if question else self._task.marks
            marks, reason = fields.quantity("marks", decimal), fields.text("reason")
            by = self._author(fields, block)
            if most is None:
                hint = self._reporter.nearest_or_all(question, self._most)
                fields.report("question", f"there is no question `{shown(question)}`", hint)
            elif marks is not None and marks > most:
                what = f"question `{question}`" if question else "the task"
                fields.report("marks", f"{what} is worth {_shown(most)} at most")
            if marks is not None and reason is not None:
                yield OverridingMark(
                    question=question, marks=marks, reason=reason, by=by, date=self._date(fields, block)
                )

    def _check_once(self, fields: Fields, questions: list[str]) -> None:
        for question in sorted({q for q in questions if questions.count(q) > 1}):
            what = f"question `{shown(question)}`" if question else "the whole mark"
            fields.report("overrides", f"{what} is overridden twice")

    def _author(self, fields: Fields, block: Fields) -> str:
        by = fields.text("by") or block.text("by")
        if by is None and not (fields.has("by") or block.has("by")):
            fields.report(
                "marks", "`by` is missing: who gave these marks?", "write it here, or for the review"
            )
        return by or ""

    def _date(self, fields: Fields, block: Fields) -> str:
        place = fields if fields.has("date") else block
        text = place.text("date")
        if text is None:
            return ""
        try:
            if _DATE.fullmatch(text):
                return date.fromisoformat(text).isoformat()
        except ValueError:
            pass
        place.report("date", f"`{shown(text)}` is not a date such as 2026-11-21")
        return ""


def _shown(marks: Fraction) -> str:
    return f"{float(marks):.12g}"
