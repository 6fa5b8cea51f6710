"""The figures of a whole cohort, gathered from submissions that come one at a time.

A row is kept of each submission: id, name, marks and verdicts.  Pending marks and missing submissions are
counted, but stay out of the averages.
"""

from collections import Counter
from dataclasses import dataclass, field, replace
from fractions import Fraction
from statistics import median

from grader.judge.messages import STOPPED
from grader.marking.totals import equal_by, failed_internally
from grader.model.results import RunResults, Status, SubmissionResult
from grader.model.verdict import Verdict
from grader.reports.views.cohort.case_figures import AllCases, CaseFigures, Tally
from grader.reports.views.cohort.load_causes import LoadCauses
from grader.reports.views.mark.by_hand import lowered, outdated, still_skipped
from grader.reports.views.mark.instead import for_other_work, other_file, told_instead
from grader.reports.views.mark.mark_breakdown import capped, deducted, time_unknown

_REASON_LENGTH = 300
_ANSWER_LENGTH = 60
_MOST_CAUSES = 50
_MOST_CASES_OF_A_CAUSE = 12
_DIGEST_DIGITS = 16


@dataclass(frozen=True, slots=True)
class MarkCell:
    """One question of one student.

    awaiting: a person has yet to mark some of it.  by_hand: a person set its mark, whatever came before.
    """

    mark: Fraction
    max_mark: Fraction
    verdict: Verdict
    awaiting: bool = False
    by_hand: bool = False

    @property
    def failed(self) -> bool:
        """Whether an error of ours leaves its mark open."""
        return self.verdict == Verdict.INTERNAL_ERROR and not self.by_hand

    @property
    def is_known(self) -> bool:
        return not (self.awaiting or self.failed)


@dataclass(frozen=True, slots=True)
class Row:
    """One student.  The keys of `cells` are the ids of questions.

    deducted: marks that the penalties took.  capped: marks that caps took.
    attempt: the attempt that counts, and how many there are; empty where there is one alone.
    overridden: a person set the mark or a question's mark.
    awaiting: the criteria that a person has yet to mark.
    failed: the mark is pending because of an internal error.
    time_unknown: the task has a deadline, and the time of handing in is unknown.
    near_limit: a case was near its time limit.
    verdicts: those of the cases, see `AllCases.add`.
    work: where a person has yet to mark, the beginning of the work's digest.
    outdated, lowered, still_skipped: marks by hand to look at again; see `by_hand`.
    instead: the file that was marked in place of the work, in words.
    for_other_work, other_file: where a person should look at that again; see `mark.instead`.
    in_part: a module raised while it was imported, and what it defined before was marked.
    called: the name; with the id where another has the same name.
    """

    id: str
    name: str
    mark: Fraction
    max_mark: Fraction
    status: Status
    problems: int
    cells: dict[str, MarkCell]
    deducted: Fraction = Fraction(0)
    capped: Fraction = Fraction(0)
    attempt: str = ""
    overridden: bool = False
    awaiting: tuple[str, ...] = ()
    failed: bool = False
    late_s: int = 0
    time_unknown: bool = False
    near_limit: bool = False
    verdicts: str = ""
    work: str = ""
    outdated: tuple[str, ...] = ()
    lowered: tuple[str, ...] = ()
    still_skipped: tuple[str, ...] = ()
    called: str = ""
    instead: str = ""
    for_other_work: str = ""
    other_file: str = ""
    in_part: bool = False


@dataclass(slots=True)
class QuestionFigures:
    """One question over all students: the number of cells of each kind.

    Most cells are alike, so there is little to add up in the end.
    """

    id: str
    title: str
    max_mark: Fraction
    bonus: bool = False
    seen: Counter[MarkCell] = field(default_factory=Counter)

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
        return [(cell.mark, count) for cell, count in self.seen.items() if cell.is_known]

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
    def lost(self) -> Fraction:
        """Marks that the students together did not get here; none for a bonus, which nobody can lose."""
        return Fraction(0) if self.bonus else self.max_mark * self.marked - self.total

    @property
    def common_fault(self) -> tuple[Verdict, int] | None:
        """The most frequent verdict other than accepted, and its number; None if there is none."""
        faults = [(count, verdict) for verdict, count in self.verdicts.items() if verdict != Verdict.ACCEPTED]
        if not faults:
            return None
        count, verdict = max(faults, key=lambda fault: fault[0])
        return verdict, count


@dataclass(slots=True)
class Cause:
    """An internal error: the cases with it and the students.  more_cases: there are further cases."""

    cases: dict[str, None] = field(default_factory=dict)
    more_cases: bool = False
    students: Tally = field(default_factory=Tally)


def _note_cause(causes: dict[str, Cause], message: str, cases: dict[str, None], student: int) -> None:
    known = message in causes or len(causes) < _MOST_CAUSES
    cause = causes.setdefault(message if known else "", Cause())
    cause.cases |= cases
    while len(cause.cases) > _MOST_CASES_OF_A_CAUSE:
        cause.cases.popitem()
        cause.more_cases = True
    cause.students.add(student)


class Cohort:
    """Rows and figures of the submissions that were added so far."""

    def __init__(self, max_mark: Fraction) -> None:
        self.max_mark = max_mark
        self.rows: list[Row] = []
        self.questions: dict[str, QuestionFigures] = {}
        self.causes: dict[str, Cause] = {}
        """The internal errors by their messages; those beyond a number under the empty text."""
        self.unchecked: dict[str, Cause] = {}
        """What checkers raised on answers, likewise."""
        self.unloaded = LoadCauses()
        self._all_cases = AllCases()
        self._named: dict[str, int] = {}
        self._works: dict[str, tuple[int, str]] = {}
        self._equal: dict[str, Tally] = {}
        # Most cells are alike over a cohort; each kind is held once.
        self._known: dict[MarkCell, MarkCell] = {}

    def add(self, submission: SubmissionResult) -> None:
        cells = {}
        by_hand = {override.question for override in submission.overrides}
        for question in submission.questions:
            is_set = question.id in by_hand
            waits = not is_set and any(criterion.mark is None for criterion in question.criteria)
            cell = MarkCell(question.mark, question.max_mark, question.verdict, waits, is_set)
            cell = self._known.setdefault(cell, cell)
            figures = self.questions.get(question.id)
            if figures is None:
                figures = QuestionFigures(question.id, question.title, cell.max_mark, question.bonus)
                self.questions[question.id] = figures
            cells[figures.id] = cell
            if submission.status != Status.NO_SUBMISSION:
                figures.seen[cell] += 1
        verdicts = self._all_cases.add(
            submission, len(self.rows), is_final=submission.status == Status.MARKED
        )
        self._note_unchecked(submission)
        self.unloaded.add(submission, len(self.rows))
        failed = failed_internally(submission)
        if failed:
            self._note_causes(submission)
        self._note_work(submission)
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
                failed=failed,
                late_s=submission.late_s,
                time_unknown=time_unknown(submission) and submission.status != Status.NO_SUBMISSION,
                near_limit=any(case.near_limit for case in submission.cases),
                verdicts=verdicts,
                work=submission.content_sha256[:_DIGEST_DIGITS] if submission.awaiting else "",
                outdated=tuple(outdated(submission)),
                lowered=tuple(lowered(submission)),
                still_skipped=tuple(still_skipped(submission)),
                instead=told_instead(submission),
                for_other_work=for_other_work(submission),
                other_file=other_file(submission),
                in_part=any(note.endswith(STOPPED) for note in submission.notes),
                called=self._called(submission.name or submission.id, submission.id),
            )
        )

    def _called(self, name: str, student_id: str) -> str:
        """Return what tells a student from others; who was added before under this name is renamed, too."""
        first = self._named.setdefault(name, len(self.rows))
        if first == len(self.rows):
            return name
        other = self.rows[first]
        self.rows[first] = replace(other, called=f"{name} ({other.id})")
        return f"{name} ({student_id})"

    @property
    def cases(self) -> dict[str, CaseFigures]:
        """The figures of each case, by its id."""
        return self._all_cases.figures

    @property
    def case_at(self) -> list[CaseFigures]:
        """The figures of the cases by their positions in the verdicts of a row."""
        return list(self.cases.values())

    @property
    def absent(self) -> int:
        """Number of students who handed in nothing."""
        return self.count(Status.NO_SUBMISSION)

    @property
    def equal_works(self) -> list[Tally]:
        """The groups of submissions of different students that are equal, byte for byte."""
        return list(self._equal.values())

    def _note_causes(self, submission: SubmissionResult) -> None:
        student = len(self.rows)
        found: dict[str, dict[str, None]] = {}
        for case in submission.cases:
            if case.verdict == Verdict.INTERNAL_ERROR:
                found.setdefault(case.message[:_REASON_LENGTH], {})[case.id] = None
        for message in found or {"": {}}:
            _note_cause(self.causes, message, found.get(message, {}), student)

    def _note_unchecked(self, submission: SubmissionResult) -> None:
        found: dict[str, dict[str, None]] = {}
        for case in submission.cases:
            if case.checker_note:
                answer = f": {case.actual[:_ANSWER_LENGTH]}" if case.actual else ""
                found.setdefault(f"{case.checker_note[:_REASON_LENGTH]}{answer}", {})[case.id] = None
        for message, cases in found.items():
            _note_cause(self.unchecked, message, cases, len(self.rows))

    def _note_work(self, submission: SubmissionResult) -> None:
        if not equal_by(submission) or submission.status == Status.NO_SUBMISSION:
            return
        student, work = len(self.rows), equal_by(submission)[:_DIGEST_DIGITS]
        team = submission.person.group if submission.person else ""
        first, their_team = self._works.setdefault(work, (student, team))
        if first == student or (team and team == their_team):
            return
        if work not in self._equal:
            self._equal[work] = Tally(1, [first])
        self._equal[work].add(student)

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


def _attempt(submission: SubmissionResult) -> str:
    counting = [attempt.id for attempt in submission.attempts if attempt.counts]
    return f"{counting[0]} of {len(submission.attempts)}" if counting else ""


def cohort_of(results: RunResults) -> Cohort:
    cohort = Cohort(results.task.max_mark)
    for submission in results.submissions:
        cohort.add(submission)
    return cohort
