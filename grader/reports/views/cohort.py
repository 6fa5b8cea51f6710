"""The figures of a whole cohort, gathered from submissions that come one at a time.

A row is kept of each submission: id, name, marks and verdicts.  Pending marks and missing submissions are
counted, but stay out of the averages.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil
from statistics import median

from grader.model.results import CaseResult, RunResults, Status, SubmissionResult
from grader.model.verdict import Verdict
from grader.reports.views.case import near_limit
from grader.reports.views.mark_breakdown import capped, deducted, failed_internally, time_unknown

_NOT_REACHED = frozenset({Verdict.SKIPPED, Verdict.INTERNAL_ERROR, Verdict.LOAD_ERROR})
"""Verdicts of a case of which nothing ran, or which nobody could judge."""
_ANSWER_LENGTH = 200
_REASON_LENGTH = 300


@dataclass(frozen=True, slots=True)
class Cell:
    """One question of one student.  awaiting: a person has yet to mark some of it."""

    mark: Fraction
    max_mark: Fraction
    verdict: Verdict
    awaiting: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """One student.  The keys of `cells` are the ids of questions.

    deducted: marks that the penalties took.  capped: marks that caps took.
    attempt: the attempt that counts, and how many there are; empty where there is one alone.
    overridden: a person set the mark or a question's mark.
    awaiting: the criteria that a person has yet to mark.
    failed: the mark is pending because of an internal error.  failure: the first case with one, and why.
    time_unknown: the task has a deadline, and the time of handing in is unknown.
    near_limit: the cases that were near their time limit, each with its times.
    """

    id: str
    name: str
    mark: Fraction
    max_mark: Fraction
    status: Status
    problems: int
    cells: dict[str, Cell]
    deducted: Fraction = Fraction(0)
    capped: Fraction = Fraction(0)
    attempt: str = ""
    overridden: bool = False
    awaiting: tuple[str, ...] = ()
    failed: bool = False
    failure: str = ""
    late_s: int = 0
    time_unknown: bool = False
    near_limit: tuple[str, ...] = ()


@dataclass(slots=True)
class QuestionFigures:
    """One question over all students: the number of cells of each kind.

    Most cells are alike, so there is little to add up in the end.
    """

    id: str
    title: str
    max_mark: Fraction
    bonus: bool = False
    seen: Counter[Cell] = field(default_factory=Counter)

    @property
    def verdicts(self) -> Counter[Verdict]:
        """Number of students by verdict, without those that a person has yet to mark."""
        verdicts: Counter[Verdict] = Counter()
        for cell, count in self.seen.items():
            if not cell.awaiting:
                verdicts[cell.verdict] += count
        return verdicts

    @property
    def _known(self) -> list[tuple[Fraction, int]]:
        """The known marks, each with its number of students."""
        return [
            (cell.mark, count)
            for cell, count in self.seen.items()
            if not cell.awaiting and cell.verdict != Verdict.INTERNAL_ERROR
        ]

    @property
    def marked(self) -> int:
        return sum(count for _, count in self._known)

    @property
    def full(self) -> int:
        """Number of students with full marks."""
        return sum(count for mark, count in self._known if mark >= self.max_mark)

    @property
    def total(self) -> Fraction:
        return sum((mark * count for mark, count in self._known), Fraction(0))

    @property
    def mean(self) -> Fraction:
        """Mean of the known marks; 0 where there are none."""
        return self.total / self.marked if self.marked else Fraction(0)

    @property
    def common_fault(self) -> tuple[Verdict, int] | None:
        """The most frequent verdict other than accepted, and its number; None if there is none."""
        faults = [(count, verdict) for verdict, count in self.verdicts.items() if verdict != Verdict.ACCEPTED]
        if not faults:
            return None
        count, verdict = max(faults, key=lambda fault: fault[0])
        return verdict, count


@dataclass(slots=True)
class CaseFigures:
    """One case over all students that reached it: their number, and that of those who passed.

    answer: the verdict and the answer of the first who did not pass.  same: all others gave the same one.
    """

    reached: int = 0
    passed: int = 0
    answer: tuple[Verdict, str] | None = None
    same: bool = True

    def add(self, case: CaseResult) -> None:
        self.reached += 1
        if case.verdict == Verdict.ACCEPTED:
            self.passed += 1
            return
        answer = case.verdict, (case.actual or case.message)[:_ANSWER_LENGTH]
        self.same = self.same and self.answer in (None, answer)
        self.answer = self.answer or answer


@dataclass(frozen=True, slots=True)
class Bin:
    """One bar of the distribution: marks from `low` up to `high`, which only the last includes."""

    low: Fraction
    high: Fraction
    count: int


class Cohort:
    """Rows and figures of the submissions that were added so far."""

    def __init__(self, max_mark: Fraction) -> None:
        self.max_mark = max_mark
        self.rows: list[Row] = []
        self.questions: dict[str, QuestionFigures] = {}
        self.cases: dict[str, CaseFigures] = {}
        """By the id of the case."""
        # Most cells are alike over a cohort; each kind is held once.
        self._known: dict[Cell, Cell] = {}

    def add(self, submission: SubmissionResult) -> None:
        cells = {}
        for question in submission.questions:
            waits = any(criterion.mark is None for criterion in question.criteria)
            cell = Cell(question.mark, question.max_mark, question.verdict, waits)
            cell = self._known.setdefault(cell, cell)
            figures = self.questions.get(question.id)
            if figures is None:
                figures = QuestionFigures(question.id, question.title, cell.max_mark, question.bonus)
                self.questions[question.id] = figures
            cells[figures.id] = cell
            for case in question.cases:
                if case.verdict not in _NOT_REACHED:
                    self.cases.setdefault(case.id, CaseFigures()).add(case)
            if submission.status != Status.NO_SUBMISSION:
                figures.seen[cell] += 1
        self.rows.append(
            Row(
                id=submission.id,
                name=submission.name or submission.id,
                mark=submission.mark,
                max_mark=submission.max_mark,
                status=submission.status,
                problems=len(submission.problems),
                cells=cells,
                deducted=deducted(submission),
                capped=capped(submission),
                attempt=_attempt(submission),
                overridden=bool(submission.overrides),
                awaiting=submission.awaiting,
                failed=failed_internally(submission),
                failure=_failure(submission),
                late_s=submission.late_s,
                time_unknown=time_unknown(submission) and submission.status != Status.NO_SUBMISSION,
                near_limit=tuple(_near_limit(submission)),
            )
        )

    def count(self, status: Status) -> int:
        return sum(row.status == status for row in self.rows)

    @property
    def marks(self) -> list[Fraction]:
        """The final marks, in the order of the rows."""
        return [row.mark for row in self.rows if row.status not in (Status.PENDING, Status.NO_SUBMISSION)]

    @property
    def mean(self) -> Fraction | None:
        """Mean of the final marks; None where there are none."""
        marks = self.marks
        return sum(marks, Fraction(0)) / len(marks) if marks else None

    @property
    def median(self) -> Fraction | None:
        """Median of the final marks; None where there are none."""
        marks = self.marks
        return Fraction(median(marks)) if marks else None

    @property
    def full(self) -> int:
        """Number of students with full marks."""
        return sum(mark >= self.max_mark for mark in self.marks)

    def distribution(self) -> list[Bin]:
        """Return the final marks in equal bins: one per mark if that makes 4 to 12, else ten.

        Where bonus lifts a mark above the maximum, the bins go up to the next whole mark.
        """
        marks = self.marks
        highest = max(marks, default=self.max_mark)
        top = Fraction(ceil(highest)) if highest > self.max_mark else self.max_mark
        whole = top.denominator == 1 and 4 <= top <= 12
        number = int(top) if whole else 10
        if top <= 0:
            return []
        counts = [0] * number
        for mark in marks:
            position = int(mark * number / top)
            counts[min(max(position, 0), number - 1)] += 1
        width = top / number
        return [Bin(width * index, width * (index + 1), count) for index, count in enumerate(counts)]


def _failure(submission: SubmissionResult) -> str:
    """Return the first case with an internal error, and why; empty if there is none."""
    failed = [
        case
        for question in submission.questions
        for case in question.cases
        if case.verdict == Verdict.INTERNAL_ERROR
    ]
    if not failed:
        return ""
    more = f"; and {len(failed) - 1} more" if len(failed) > 1 else ""
    return f"case {failed[0].id}: {failed[0].message[:_REASON_LENGTH]}{more}"


def _attempt(submission: SubmissionResult) -> str:
    counting = [attempt.id for attempt in submission.attempts if attempt.counts]
    return f"{counting[0]} of {len(submission.attempts)}" if counting else ""


def _near_limit(submission: SubmissionResult) -> Iterator[str]:
    for question in submission.questions:
        for case in question.cases:
            near = near_limit(case)
            if near:
                yield f"{case.id} {near}"


def cohort_of(results: RunResults) -> Cohort:
    cohort = Cohort(results.task.max_mark)
    for submission in results.submissions:
        cohort.add(submission)
    return cohort
