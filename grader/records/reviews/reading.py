"""Reads the file in which people mark criteria and override marks, and checks it like a spec.

It is a list of blocks, each about one student, or a comment that several marks share.  A student can have
several blocks, so new ones are added at the end and a person's text is never rewritten (see
`grader.records.reviews.template`).  Several files add up.
"""

from collections.abc import Callable, Container, Iterable, Iterator
from datetime import date
from fractions import Fraction
from pathlib import Path

from grader.intake.names import listed
from grader.model.errors import Fault, UsageError
from grader.model.submission import CriterionMark, MarkRole, OverridingMark, Remark, Review
from grader.model.task import Criterion, Level, Task
from grader.records.file_text import read_bytes, text_of
from grader.records.reviews.content import Reviews, SharedComment, listed_as, name_of
from grader.records.reviews.keys import BLOCK, DATE, DIGEST, MARKED, OVERRIDE, REMARK, SHARED
from grader.records.whose import composed
from grader.store.record_parts import KeptFile
from grader.yamlfile.kinds import marks as shown_marks
from grader.yamlfile.nodes import Broken, Mapping, Node, Scalar, Sequence, compose
from grader.yamlfile.reporter import Reporter
from grader.yamlfile.source import Source, shown
from grader.yamlfile.table import CUT, Fields, KeyTable, open_fields

MOST_VALUES = 2_000_000
"""The most values of a file: ten criteria of a thousand students with words and days have 200,000."""

_WHAT = "the reviews"
_GONE = "write the id that the report has now; if nothing of theirs is marked any more, take this block out"


def read_reviews(path: Path, task: Task, students: Container[str], *, whole_batch: bool) -> Reviews:
    """Return the marks and overrides of people.

    students: the ids of the batch.  whole_batch: a student who is not in the batch is a mistake; False
    where single submissions are marked and the file may hold other students.
    Raises `UsageError` with every mistake, each with its place.
    """
    file = KeptFile("reviews", path, read_bytes(path, _WHAT))
    return reviews_in([file], task, students, whole_batch=whole_batch)


def reviews_in(
    files: Iterable[KeptFile],
    task: Task,
    students: Container[str],
    *,
    whole_batch: bool,
    id_of: Callable[[str], str] = str,
) -> Reviews:
    """Return the same from the content of several files, which add up, each mark with its whole comment.

    id_of: returns the id of the student whom a name means, or the name.
    Raises `UsageError` with every mistake, also where two files contradict each other.
    """
    faults: list[Fault] = []
    whole = Reviews()
    files = [*files]
    hint = _how_to_agree(files)
    for file in files:
        try:
            text = text_of(file.content, str(file.path), _WHAT)
            found = parse_reviews(text, str(file.path), task, students, whole_batch=whole_batch, id_of=id_of)
        except UsageError as error:
            faults += error.faults
        else:
            faults += whole.add(found, hint)
    faults += whole.unknown_comments()
    if faults:
        raise UsageError(*faults)
    return whole.with_comments()


def _how_to_agree(files: Iterable[KeptFile]) -> str:
    """Return the hint for files that contradict each other; one that is gone cannot be mended."""
    gone = [file.path.name for file in files if file.content and not file.path.is_file()]
    if not gone:
        return "let one of the two files say it"
    are = (
        "is gone, so what the last run read of it" if len(gone) == 1 else "are gone, so what it read of them"
    )
    return f"{listed(gone)} {are} counts; grader mark … --reviews FILE names those that count now"


def parse_reviews(
    text: str,
    where: str,
    task: Task,
    students: Container[str],
    *,
    whole_batch: bool,
    id_of: Callable[[str], str] = str,
) -> Reviews:
    """Return the same from the text of a file, each mark with its own comment alone.

    where: its name in messages.  id_of: see `reviews_in`.
    """
    reporter = Reporter(Source(where, text.removeprefix("\ufeff")))
    reader = _Reader(task, students, whole_batch, reporter, id_of)
    root = compose(reporter, most=MOST_VALUES) if _holds_something(reporter.source.text) else None
    if isinstance(root, Sequence):
        for node in root.items:
            reader.block(node)
    elif isinstance(root, Mapping | Scalar):
        reporter.report(root.span, "reviews must be a list, each starting with `- student: `")
    reporter.raise_if_any(UsageError)
    return reader.reviews


def _holds_something(text: str) -> bool:
    return any(line.strip() and not line.lstrip().startswith("#") for line in text.splitlines())


def without_blanks(mapping: Mapping, table: KeyTable, reporter: Reporter) -> Mapping:
    """Return a mapping without those of its table's keys that have no value yet.

    Any other word stays, and is a mistake: in `{marks: 1,5}`, YAML reads a key `5` without a value.  So is a
    key without a colon: `{reason: no name, date}` has a comma in its text.
    """
    pairs = []
    for key, value in mapping.pairs:
        if key.text not in table.names or not isinstance(value, Scalar) or value.text.strip():
            pairs.append((key, value))
        elif mapping.flow and value.span.start == key.span.end:
            reporter.report(key.span, f"`{key.text}` stands without a colon", CUT)
    return Mapping(mapping.span, tuple(pairs), mapping.flow)


def _uses(fields: Fields) -> tuple[str, ...]:
    return tuple(dict.fromkeys(scalar.text for scalar in fields["uses"]))


class _Reader:
    """Reads the blocks of one file into `reviews`."""

    def __init__(
        self,
        task: Task,
        students: Container[str],
        whole_batch: bool,
        reporter: Reporter,
        id_of: Callable[[str], str],
    ) -> None:
        self._id_of = id_of
        self._listed: set[tuple[str, str]] = set()
        """The criteria by the name that stands there."""
        self.reviews = Reviews()
        self._task = task
        self._students = students
        self._whole_batch = whole_batch
        self._reporter = reporter
        self._criteria = {c.id: c for question in task.questions for c in question.criteria}
        self._most = {question.id: question.most for question in task.questions}

    def block(self, node: Node) -> None:
        """Read one block."""
        if isinstance(node, Mapping) and node.pairs and node.pairs[0][0].text == "comment":
            self._shared(node)
            return
        fields = self._open(node, BLOCK)
        student: str | None = fields["student"] if fields is not None else None
        if fields is None or student is None:
            return
        written, student = student, self._id_of(student)
        given = tuple(self._marks(student, fields, written))
        put_in = tuple(self._overrides(student, fields))
        remarks = tuple(self._remarks(fields))
        # A block that still waits for a person may be about a student who has left.
        is_there = student in self._students or composed(student) in self._students
        if not is_there and (given or put_in or remarks or not self._whole_batch):
            self._stranger(student, fields)
        review = self.reviews.by_student.get(student, Review())
        overrides = (*review.overrides, *put_in)
        self._check_once(fields, [o.question for o in overrides])
        self.reviews.by_student[student] = Review(
            (*review.marks, *given), overrides, (*review.remarks, *remarks)
        )
        if fields["again"]:
            self.reviews.again[student] = fields["again"]

    def _shared(self, node: Mapping) -> None:
        """Read a comment that several marks share."""
        fields = self._open(node, SHARED)
        if fields is None or fields["comment"] is None or fields["text"] is None:
            return
        name, criterion = fields["comment"], fields["for"]
        if criterion and criterion not in self._criteria:
            hint = self._reporter.nearest_or_all(criterion, self._criteria)
            fields.report("for", f"there is no criterion `{shown(criterion)}`", hint)
        elif name in self.reviews.shared:
            fields.report("comment", f"two comments are called `{name}`")
        else:
            place = self._place(fields, "comment")
            self.reviews.shared[name] = SharedComment(fields["text"], criterion, fields["by"], place)

    def _place(self, fields: Fields, name: str) -> str:
        source = self._reporter.source
        line, column = source.position(fields.span(name).start)
        return f"{source.name}:{line}:{column}"

    def _open(self, node: Node, table: KeyTable) -> Fields | None:
        kept = without_blanks(node, table, self._reporter) if isinstance(node, Mapping) else node
        return open_fields(kept, table, self._reporter)

    def _stranger(self, student: str, fields: Fields) -> None:
        if self._whole_batch:
            # An id that looks alike is somebody else's.
            fields.report("student", f"there is no submission `{shown(student)}`", _GONE)
        elif student not in self.reviews.strangers:
            self.reviews.strangers.append(student)

    def _marks(self, student: str, block: Fields, written: str) -> Iterator[CriterionMark]:
        listed = self.reviews.listed.setdefault(student, set())
        role = MarkRole(block["as"] or MarkRole.FIRST)
        node: Mapping | None = block["criteria"]
        for key, value in node.pairs if node is not None else ():
            criterion = self._criteria.get(key.text)
            if criterion is None:
                hint = self._reporter.nearest_or_all(key.text, self._criteria)
                self._reporter.report(key.span, f"there is no criterion `{shown(key.text)}`", hint)
                continue
            name = listed_as(key.text, role)
            is_again = (written, name) in self._listed
            if is_again:
                message = f"`{key.text}` of {shown(student)} stands in an earlier review already"
                self._reporter.report(key.span, message)
            listed.add(name)
            self._listed.add((written, name))
            if isinstance(value, Broken) or (isinstance(value, Scalar) and value.empty):
                continue
            own = self._open(value, MARKED)
            mark = self._mark(criterion, own, block)
            if own is not None and mark is None and (own["comment"] or own["uses"]):
                self.reviews.waiting[student, name] = own["comment"], _uses(own)
            if own is not None and mark is not None:
                before = self.reviews.places.get((student, name_of(mark)))
                if before is not None and not is_again:
                    message = f"`{key.text}` is given to {shown(student)} under another name in {before}"
                    self._reporter.report(key.span, message, "keep one of the two")
                self._note_place(student, mark, own)
                yield mark

    def _mark(self, criterion: Criterion, fields: Fields | None, block: Fields) -> CriterionMark | None:
        if fields is None:
            return None
        level = self._level(criterion, fields)
        marks: Fraction | None = level.marks if level is not None else fields["marks"]
        if marks is None:
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
            uses=_uses(fields),
            level=level.id if level is not None else "",
            role=MarkRole(block["as"] or MarkRole.FIRST),
            by=self._author(fields, block),
            date=self._date(fields, block),
            work=self._work(fields, block),
        )

    def _level(self, criterion: Criterion, fields: Fields) -> Level | None:
        """Return the level that is named; None where none is, or where it does not fit."""
        name: str | None = fields["level"]
        if name is None:
            return None
        if fields.has("marks"):
            hint = "keep `level`: it gives the marks of the spec, also after they changed there"
            fields.report_key("marks", "`marks` and `level` cannot stand together", hint)
        known = {level.id: level for level in criterion.levels if level.id}
        if name not in known:
            hint = (
                self._reporter.nearest_or_all(name, known) if known else "its levels have no ids in the spec"
            )
            fields.report("level", f"`{criterion.id}` has no level `{shown(name)}`", hint)
        return known.get(name)

    def _note_place(self, student: str, given: CriterionMark | OverridingMark, fields: Fields) -> None:
        name = "level" if fields.has("level") else "marks"
        self.reviews.places[student, name_of(given)] = self._place(fields, name)

    def _remarks(self, block: Fields) -> Iterator[Remark]:
        for node in block["remarks"] or ():
            fields = self._open(node, REMARK)
            if fields is None:
                continue
            question, file, line = fields["question"], fields["file"], fields["line"]
            if question and question not in self._most:
                hint = self._reporter.nearest_or_all(question, self._most)
                fields.report("question", f"there is no question `{shown(question)}`", hint)
            if file and question:
                fields.report_key("question", "a remark is on a line of a file or on a question, not on both")
            if fields.has("line") != fields.has("file"):
                fields.report("comment", "a remark on a line needs `file` and `line`")
            by = self._author(fields, block)
            if fields["comment"] is not None:
                yield Remark(
                    comment=fields["comment"],
                    by=by,
                    date=self._date(fields, block),
                    question=question,
                    file=file,
                    line=line or 0,
                    text=fields["text"],
                )

    def _overrides(self, student: str, block: Fields) -> Iterator[OverridingMark]:
        for node in block["overrides"] or ():
            fields = self._open(node, OVERRIDE)
            if fields is None:
                continue
            self._refuse_blank_question(node)
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

    def _refuse_blank_question(self, override: Node) -> None:
        """Refuse an override of which a person forgot the question: it would change the whole mark."""
        for key, value in override.pairs if isinstance(override, Mapping) else ():
            if key.text == "question" and isinstance(value, Scalar) and value.empty:
                hint = "for the whole mark, take the line `question:` out"
                self._reporter.report(key.span, "which question is overridden?", hint)

    def _check_once(self, fields: Fields, questions: list[str]) -> None:
        for question in sorted({q for q in questions if questions.count(q) > 1}):
            what = f"question `{shown(question)}`" if question else "the whole mark"
            fields.report("overrides", f"{what} is overridden twice")

    def _author(self, fields: Fields, block: Fields) -> str:
        by: str | None = fields["by"] or block["by"]
        if by is None and not (fields.has("by") or block.has("by")):
            place = "marks" if "marks" in fields.table.names else "comment"
            what = "who gave these marks?" if place == "marks" else "who wrote this?"
            fields.report(place, f"`by` is missing: {what}", "write it here, or for the review")
        return by or ""

    def _work(self, fields: Fields, block: Fields) -> str:
        """Return the digest of the work that a mark was made for; empty where nobody wrote it."""
        place = fields if fields.has("work") else block
        text: str = place["work"] or ""
        if text and not DIGEST.fullmatch(text):
            hint = "it is on the student's page for the staff; it may be cut after eight characters"
            place.report("work", f"`{shown(text)}` is not the digest of a work", hint)
        return text

    def _date(self, fields: Fields, block: Fields) -> str:
        place = fields if fields.has("date") else block
        text: str | None = place["date"]
        if text is None:
            return ""
        try:
            if DATE.fullmatch(text):
                return date.fromisoformat(text).isoformat()
        except ValueError:
            pass
        place.report("date", f"`{shown(text)}` is not a date such as 2026-11-21")
        return ""
