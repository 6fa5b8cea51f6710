"""The figures of each case over a whole cohort.

They are gathered from one student at a time, and their size does not grow with the class: answers are cut,
and a case keeps only so many different ones, students of each, and slowest students.  A student is known by
the position in the cohort.
"""

from dataclasses import dataclass, field
from heapq import heappush, heappushpop
from math import exp, floor, log, sqrt

from grader.model.case import Visibility
from grader.model.results import CaseResult, QuestionResult, SubmissionResult
from grader.model.verdict import WITH_AN_ANSWER, Verdict

MOST_NAMED = 12
"""Students named of those who share something."""
HIGH = 0.8
"""Students who used more than this share of a time limit are named."""

_NOT_REACHED = frozenset({Verdict.SKIPPED, Verdict.INTERNAL_ERROR, Verdict.LOAD_ERROR})
"""Verdicts of a case that did not run, or could not be judged."""
_STOPPED = frozenset({Verdict.TIME_LIMIT, Verdict.WALL_LIMIT})
_SHOWN_WITH_MESSAGE = WITH_AN_ANSWER | {Verdict.RULE_BROKEN, Verdict.MISSING}
_ANSWER_LENGTH = 200
_CALL_LENGTH = 160
_MOST_DIFFERENT = 40
_MOST_CASES = 4_000
BINS_PER_OCTAVE = 4
SHORTEST_S = 0.001

LEAST_STUDENTS, LEAST_ON_A_SIDE = 30, 5
"""Below these a class is too small for discrimination.  Where there is no connection, the standard deviation
of a correlation is 1/sqrt(n - 1): with 30 students 0.19, about the step from poor (0.1) to good (0.3)."""


@dataclass(frozen=True, slots=True)
class Failure:
    """The end of a case that was not accepted; answer: the wrong one, or more about the verdict."""

    verdict: Verdict
    answer: str


@dataclass(slots=True)
class Tally:
    """Students who share something: how many, and the first of them."""

    count: int = 0
    students: list[int] = field(default_factory=list)

    def add(self, student: int) -> None:
        self.count += 1
        if len(self.students) < MOST_NAMED:
            self.students.append(student)


@dataclass(slots=True)
class Failures:
    """The different ways in which a case was not accepted.

    others: students whose failure is not kept apart.  With any, the counts are lower bounds: one that
    became common after it was dropped lacks its first students.
    """

    kinds: dict[Failure, Tally] = field(default_factory=dict)
    others: int = 0

    def add(self, failure: Failure, student: int) -> None:
        self.kinds.setdefault(failure, Tally()).add(student)
        if len(self.kinds) > 2 * _MOST_DIFFERENT:
            kept = dict(self.commonest(_MOST_DIFFERENT))
            self.others += sum(tally.count for kind, tally in self.kinds.items() if kind not in kept)
            self.kinds = kept

    def commonest(self, number: int) -> list[tuple[Failure, Tally]]:
        """Return the failures of most students, the commonest first."""
        return sorted(self.kinds.items(), key=lambda item: -item[1].count)[:number]

    @property
    def the_only(self) -> Failure | None:
        """The failure of all who did not pass; None if there are several."""
        return next(iter(self.kinds)) if len(self.kinds) == 1 and not self.others else None


@dataclass(slots=True)
class Slowest:
    """The slowest of some students: how many these are, and the first times of them in a heap."""

    count: int = 0
    heap: list[tuple[float, int]] = field(default_factory=list)

    def add(self, time_s: float, student: int) -> None:
        self.count += 1
        (heappush if len(self.heap) < MOST_NAMED else heappushpop)(self.heap, (time_s, -student))

    def named(self, above_s: float = 0.0) -> list[tuple[float, int]]:
        """Return times and students above a time, the slowest first."""
        return [(time_s, -student) for time_s, student in sorted(self.heap, reverse=True) if time_s > above_s]


@dataclass(slots=True)
class Times:
    """CPU times: a number of students for each stretch of time, and the slowest of them by name.

    bins: stretches of equal ratio, four to a factor of two, from a millisecond on.
    near: those near the limit.  high: those who ended by themselves, above `HIGH` of the limit.
    """

    bins: dict[int, int] = field(default_factory=dict)
    limit_s: float = 0.0
    slowest: Slowest = field(default_factory=Slowest)
    near: Slowest = field(default_factory=Slowest)
    high: Slowest = field(default_factory=Slowest)

    def add(self, case: CaseResult, student: int) -> None:
        if not case.cpu_s:
            return
        at = bin_of(case.cpu_s)
        self.bins[at] = self.bins.get(at, 0) + 1
        self.limit_s = max(self.limit_s, case.time_limit_s)
        self.slowest.add(case.cpu_s, student)
        if case.near_limit and case.time_limit_s:
            self.near.add(case.cpu_s, student)
        if case.verdict not in _STOPPED and case.cpu_s > HIGH * case.time_limit_s > 0:
            self.high.add(case.cpu_s, student)

    def quantile(self, share: float) -> float:
        """Return the time that this share of students stays below, as exact as the stretches are."""
        left = share * sum(self.bins.values())
        for at in sorted(self.bins):
            left -= self.bins[at]
            if left <= 0:
                return middle_of(at)
        return 0.0

    @property
    def fence_s(self) -> float:
        """The time above which a student is an outlier.

        Tukey's outer fence on the logarithms: three interquartile ranges above the upper quartile;
        twice the median at least, since times of a few milliseconds vary that much by themselves.
        """
        low, high = self.quantile(0.25), self.quantile(0.75)
        return max(exp(log(high) + 3 * log(high / low)), 2 * self.quantile(0.5)) if low else 0.0


def bin_of(time_s: float) -> int:
    return floor(BINS_PER_OCTAVE * log(max(time_s, SHORTEST_S) / SHORTEST_S, 2) + 1e-9)


def middle_of(at: int) -> float:
    """Return the time in the middle of a stretch."""
    return float(SHORTEST_S * 2 ** ((at + 0.5) / BINS_PER_OCTAVE))


@dataclass(slots=True)
class Relation:
    """The relation of passing a case with the marks elsewhere, as sums over the students."""

    passed: int = 0
    failed: int = 0
    sum_passed: float = 0.0
    sum_failed: float = 0.0
    squares: float = 0.0

    def add(self, passed: bool, elsewhere: float) -> None:
        self.squares += elsewhere * elsewhere
        if passed:
            self.passed += 1
            self.sum_passed += elsewhere
        else:
            self.failed += 1
            self.sum_failed += elsewhere

    @property
    def is_too_small(self) -> bool:
        number = self.passed + self.failed
        return number < LEAST_STUDENTS or min(self.passed, self.failed) < LEAST_ON_A_SIDE

    @property
    def point_biserial(self) -> float | None:
        """The correlation of passing (1, 0) with the marks elsewhere, -1 to 1; None for too few students."""
        number = self.passed + self.failed
        if self.is_too_small:
            return None
        mean = (self.sum_passed + self.sum_failed) / number
        variance = self.squares / number - mean * mean
        if variance <= 1e-12:
            return None
        apart = self.sum_passed / self.passed - self.sum_failed / self.failed
        return apart * sqrt(self.passed * self.failed / variance) / number


@dataclass(slots=True)
class CaseFigures:
    """One case over all students.

    number: its position among all cases.  reached: students of whom it ran and could be judged.
    missed: all others of whom there is a result.
    """

    id: str
    question: str
    number: int
    call: str = ""
    visibility: Visibility = Visibility.PUBLIC
    reached: int = 0
    passed: int = 0
    missed: int = 0
    failures: Failures = field(default_factory=Failures)
    times: Times = field(default_factory=Times)
    relation: Relation = field(default_factory=Relation)

    @property
    def pass_rate(self) -> float:
        return self.passed / self.reached if self.reached else 0.0

    def add(self, case: CaseResult, student: int, elsewhere: float | None) -> None:
        """elsewhere: the student's marks in other questions; None while they are not final."""
        if case.verdict in _NOT_REACHED:
            self.missed += 1
            return
        self.reached += 1
        passed = case.verdict == Verdict.ACCEPTED
        self.passed += passed
        self.times.add(case, student)
        if elsewhere is not None:
            self.relation.add(passed, elsewhere)
        if not passed:
            self.failures.add(Failure(case.verdict, _told(case)), student)


def _told(case: CaseResult) -> str:
    if case.raised is not None:
        return case.raised.title[:_ANSWER_LENGTH]
    told = case.actual or (case.message if case.verdict in _SHOWN_WITH_MESSAGE else "")
    return told[:_ANSWER_LENGTH]


class AllCases:
    """The figures of all cases, by their ids, in the order in which they were met."""

    def __init__(self) -> None:
        self.figures: dict[str, CaseFigures] = {}
        self._verdicts: dict[str, str] = {}

    def add(self, submission: SubmissionResult, student: int, *, is_final: bool) -> str:
        """Add a student's cases and return their verdicts: a letter for each case, a space for none.

        student: the position in the cohort.  Equal verdicts of several students are one text.
        """
        letters: list[str] = []
        total = float(sum(question.mark for question in submission.questions))
        alone = len(submission.questions) == 1
        for question in submission.questions:
            rest = total - float(question.mark)
            accepted = sum(case.verdict == Verdict.ACCEPTED for case in question.cases) if alone else 0
            for case in question.cases:
                figures = self._of(question, case)
                if figures is None:
                    continue
                if alone:
                    rest = float(accepted - (case.verdict == Verdict.ACCEPTED))
                figures.add(case, student, rest if is_final else None)
                letters += " " * (figures.number + 1 - len(letters))
                letters[figures.number] = letter_of(case.verdict)
        found = "".join(letters)
        return self._verdicts.setdefault(found, found)

    def _of(self, question: QuestionResult, case: CaseResult) -> CaseFigures | None:
        figures = self.figures.get(case.id)
        if figures is None and len(self.figures) < _MOST_CASES:
            figures = CaseFigures(
                case.id, question.id, len(self.figures), case.call[:_CALL_LENGTH], case.visibility
            )
            self.figures[case.id] = figures
        return figures


_LETTERS = {verdict: chr(ord("a") + number) for number, verdict in enumerate(Verdict)}
VERDICT_OF = {letter: verdict for verdict, letter in _LETTERS.items()}


def letter_of(verdict: Verdict) -> str:
    return _LETTERS.get(verdict, " ")
