"""The file in which people mark criteria and override marks, read and checked like a spec.

It is a list of blocks, each about one student.  A student can have several, so new blocks are added at the
end and a person's text is never rewritten (see `grader.records.template`).  Several files add up.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from pathlib import Path

from grader.model.errors import Fault, UsageError
from grader.model.submission import CriterionMark, OverridingMark, Review
from grader.model.task import Criterion, Task
from grader.records.file_text import read_bytes, text_of
from grader.store.record_parts import KeptFile
from grader.yamlfile.kinds import LIST, MAPPING, NUMBER, TEXT
from grader.yamlfile.kinds import marks as shown_marks
from grader.yamlfile.nodes import Broken, Mapping, Node, Scalar, Sequence, compose
from grader.yamlfile.reporter import Reporter
from grader.yamlfile.source import Source, shown
from grader.yamlfile.table import Fields, Key, KeyTable, open_fields

_WHAT = "the reviews"
_BY = (Key("by", TEXT), Key("date", TEXT), Key("work", TEXT))
_BLOCK = KeyTable(
    "a review", (Key("student", TEXT, required=True), *_BY, Key("criteria", MAPPING), Key("overrides", LIST))
)
_MARKED = KeyTable("a criterion's review", (Key("marks", NUMBER), Key("comment", TEXT, default=""), *_BY))
_OVERRIDE = KeyTable(
    "an override",
    (
        Key("question", TEXT, default=""),
        Key("marks", NUMBER, required=True),
        Key("reason", TEXT, required=True),
        *_BY,
    ),
)
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_DIGEST = re.compile(r"[0-9a-f]{8,64}")


@dataclass(slots=True)
class Reviews:
    """The content of a file of reviews.

    listed: the criteria in it for each student, marked or not.
    strangers: students of it who are not in the batch.
    places: where each mark and override stands, by student and its name.
    """

    by_student: dict[str, Review] = field(default_factory=dict)
    listed: dict[str, set[str]] = field(default_factory=dict)
    strangers: list[str] = field(default_factory=list)
    places: dict[tuple[str, str], str] = field(default_factory=dict)

    def add(self, other: "Reviews") -> list[Fault]:
        """Take in what another file says; return where the two contradict each other."""
        faults = []
        for student, review in other.by_student.items():
            own = self.by_student.get(student, Review())
            before = dict(_by_name(own))
            for name, given in _by_name(review):
                if name in before and before[name] != given:
                    message = f"{name} of {shown(student)} is given otherwise in {self.places[student, name]}"
                    hint = "let one of the two files say it"
                    faults.append(Fault(message, other.places[student, name], hint=hint))
            marks = tuple(one for one in review.marks if _name_of(one) not in before)
            overrides = tuple(one for one in review.overrides if _name_of(one) not in before)
            self.by_student[student] = Review((*own.marks, *marks), (*own.overrides, *overrides))
        for student, names in other.listed.items():
            self.listed.setdefault(student, set()).update(names)
        self.strangers += [name for name in other.strangers if name not in self.strangers]
        self.places = other.places | self.places
        return faults


def _by_name(review: Review) -> Iterator[tuple[str, CriterionMark | OverridingMark]]:
    for mark in review.marks:
        yield _name_of(mark), mark
    for override in review.overrides:
        yield _name_of(override), override


def _name_of(given: CriterionMark | OverridingMark) -> str:
    """Return what is marked, for people; it is given once."""
    if isinstance(given, CriterionMark):
        return f"the mark of `{given.criterion}`"
    return (
        f"the override of question `{given.question}`" if given.question else "the override of the whole mark"
    )


def read_reviews(path: Path, task: Task, students: Collection[str], *, whole_batch: bool) -> Reviews:
    """Return the marks and overrides of people.

    students: the ids of the batch.  whole_batch: a student who is not in the batch is a mistake; False
    where single submissions are marked and the file may hold other students.
    Raises `UsageError` with every mistake, each with its place.
    """
    file = KeptFile("reviews", path, read_bytes(path, _WHAT))
    return reviews_in([file], task, students, whole_batch=whole_batch)


def reviews_in(
    files: Iterable[KeptFile], task: Task, students: Collection[str], *, whole_batch: bool
) -> Reviews:
    """Return the same from the content of several files, which add up.

    Raises `UsageError` with every mistake, also where two files contradict each other.
    """
    faults: list[Fault] = []
    whole = Reviews()
    for file in files:
        try:
            text = text_of(file.content, str(file.path), _WHAT)
            found = parse_reviews(text, str(file.path), task, students, whole_batch=whole_batch)
        except UsageError as error:
            faults += error.faults
        else:
            faults += whole.add(found)
    if faults:
        raise UsageError(*faults)
    return whole


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
    reporter.raise_if_any(UsageError)
    return reader.reviews


def _holds_something(text: str) -> bool:
    return any(line.strip() and not line.lstrip().startswith("#") for line in text.splitlines())


def without_blanks(mapping: Mapping) -> Mapping:
    """Return a mapping without the keys that have no value yet: they wait for a person."""
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
        self._most = {question.id: question.most for question in task.questions}

    def block(self, node: Node) -> None:
        """Read one block."""
        fields = self._open(node, _BLOCK)
        student: str | None = fields["student"] if fields is not None else None
        if fields is None or student is None:
            return
        given = tuple(self._marks(student, fields))
        put_in = tuple(self._overrides(student, fields))
        # A block that still waits for a person may be about a student who has left.
        if student not in self._students and (given or put_in or not self._whole_batch):
            self._stranger(student, fields)
        review = self.reviews.by_student.get(student, Review())
        overrides = (*review.overrides, *put_in)
        self._check_once(fields, [o.question for o in overrides])
        self.reviews.by_student[student] = Review((*review.marks, *given), overrides)

    def _open(self, node: Node, table: KeyTable) -> Fields | None:
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
        node: Mapping | None = block["criteria"]
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
            own = self._open(value, _MARKED)
            mark = self._mark(criterion, own, block)
            if own is not None and mark is not None:
                self._note_place(student, mark, own)
                yield mark

    def _mark(self, criterion: Criterion, fields: Fields | None, block: Fields) -> CriterionMark | None:
        marks: Fraction | None = fields["marks"] if fields is not None else None
        if fields is None or marks is None:
            return None
        levels = [level.marks for level in criterion.levels]
        if marks > criterion.marks:
            fields.report("marks", f"`{criterion.id}` is worth {shown_marks(criterion.marks)} at most")
        elif levels and marks not in levels:
            hint = "its levels are " + ", ".join(map(shown_marks, sorted(levels)))
            fields.report("marks", f"`{criterion.id}` has no level of {shown_marks(marks)}", hint)
        return CriterionMark(
            criterion=criterion.id,
            marks=marks,
            comment=fields["comment"],
            by=self._author(fields, block),
            date=self._date(fields, block),
            work=self._work(fields, block),
        )

    def _note_place(self, student: str, given: CriterionMark | OverridingMark, fields: Fields) -> None:
        source = self._reporter.source
        line, column = source.position(fields.span("marks").start)
        self.reviews.places[student, _name_of(given)] = f"{source.name}:{line}:{column}"

    def _overrides(self, student: str, block: Fields) -> Iterator[OverridingMark]:
        for node in block["overrides"] or ():
            fields = self._open(node, _OVERRIDE)
            if fields is None:
                continue
            question: str = fields["question"]
            most = self._most.get(question) if question else self._task.most
            marks, reason = fields["marks"], fields["reason"]
            by = self._author(fields, block)
            if most is None:
                hint = self._reporter.nearest_or_all(question, self._most)
                fields.report("question", f"there is no question `{shown(question)}`", hint)
            elif marks is not None and marks > most:
                what = f"question `{question}`" if question else "the task"
                fields.report("marks", f"{what} is worth {shown_marks(most)} at most")
            if marks is not None and reason is not None:
                put_in = OverridingMark(
                    question=question,
                    marks=marks,
                    reason=reason,
                    by=by,
                    date=self._date(fields, block),
                    work=self._work(fields, block),
                )
                self._note_place(student, put_in, fields)
                yield put_in

    def _check_once(self, fields: Fields, questions: list[str]) -> None:
        for question in sorted({q for q in questions if questions.count(q) > 1}):
            what = f"question `{shown(question)}`" if question else "the whole mark"
            fields.report("overrides", f"{what} is overridden twice")

    def _author(self, fields: Fields, block: Fields) -> str:
        by: str | None = fields["by"] or block["by"]
        if by is None and not (fields.has("by") or block.has("by")):
            fields.report(
                "marks", "`by` is missing: who gave these marks?", "write it here, or for the review"
            )
        return by or ""

    def _work(self, fields: Fields, block: Fields) -> str:
        """Return the digest of the work that a mark was made for; empty where nobody wrote it."""
        place = fields if fields.has("work") else block
        text: str = place["work"] or ""
        if text and not _DIGEST.fullmatch(text):
            hint = "it is on the student's page for the staff; it may be cut after eight characters"
            place.report("work", f"`{shown(text)}` is not the digest of a work", hint)
        return text

    def _date(self, fields: Fields, block: Fields) -> str:
        place = fields if fields.has("date") else block
        text: str | None = place["date"]
        if text is None:
            return ""
        try:
            if _DATE.fullmatch(text):
                return date.fromisoformat(text).isoformat()
        except ValueError:
            pass
        place.report("date", f"`{shown(text)}` is not a date such as 2026-11-21")
        return ""
