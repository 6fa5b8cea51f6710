"""What a run found out: the data behind `results.json` (schema `grader-results/1`).

`to_json` of `RunResults` is the one place where these become JSON.  Every output is
rendered from that JSON alone.  Marks are exact fractions here and decimal strings there.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields
from enum import StrEnum
from fractions import Fraction
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from grader.model.case import Visibility
from grader.model.verdict import Verdict

if TYPE_CHECKING:  # few results have these, and each class made takes its time at the start
    from grader.model.details import Given, RuleFinding, RuleResult, StepResult, Timing, TurnResult
    from grader.model.drawing import Picture


class Status(StrEnum):
    """What became of a submission's mark."""

    MARKED = "marked"
    PENDING = "pending"
    """An internal error stands in the way of a right mark, or a person has yet to give theirs."""
    NO_SUBMISSION = "no-submission"


@dataclass(frozen=True, slots=True)
class Frame:
    """One line of a student's own traceback."""

    file: str
    line: int
    function: str
    source: str = ""


@dataclass(frozen=True, slots=True)
class Raised:
    """An exception that the student's code raised: all of it is the student's text."""

    type_name: str
    message: str
    frames: tuple[Frame, ...] = ()


@dataclass(frozen=True, slots=True)
class Difference:
    """Where two values first differ: `where` in words, and both parts as text.

    sentence: how they differ, where "expected this, got that" does not say it well.
    """

    where: str
    expected: str
    actual: str
    sentence: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseResult:
    """What became of one case.

    score: 0 to 1, the share of the case that was earned.
    cpu_s: processor time, in seconds as the kernel counts them.
    wall_s, peak_rss_b: measured from outside the process.
    near_limit: it used more than half of its time limit, so that a slower machine may say otherwise.
    message: one sentence on what happened, for the student.
    printed, expected_print: where the case says what is printed: what was, and, where that is
        wrong, what should have been.
    steps: for a scenario.
    pictures: the answer as a renderer of the spec drew it.
    picture_note: why it could not be drawn, for the staff.
    given, dialogue: for a program.
    findings: for a rule on source, else None.
    """

    id: str
    call: str
    verdict: Verdict
    score: Fraction = Fraction(0)
    weight: Fraction = Fraction(1)
    group: str = ""
    visibility: Visibility = Visibility.PUBLIC
    cpu_s: float = 0.0
    wall_s: float = 0.0
    peak_rss_b: int = 0
    time_limit_s: float = 0.0
    near_limit: bool = False
    message: str = ""
    expected: str = ""
    actual: str = ""
    difference: Difference | None = None
    stdout: str = ""
    stderr: str = ""
    raised: Raised | None = None
    hint: str = ""
    printed: str = ""
    expected_print: str = ""
    steps: "tuple[StepResult, ...]" = ()
    timing: "Timing | None" = None
    pictures: "tuple[Picture, ...]" = ()
    picture_note: str = ""
    given: "tuple[Given, ...]" = ()
    dialogue: "tuple[TurnResult, ...]" = ()
    findings: "tuple[RuleFinding, ...] | None" = None

    def __reduce__(self) -> tuple[Callable[..., "CaseResult"], tuple[object, ...]]:
        """Pickle as the values in order, in half the time: worker processes send these by the thousand."""
        return _case_result, _values_of_case(self)


_CASE_FIELDS = tuple(field.name for field in fields(CaseResult))
_values_of_case: Callable[[CaseResult], tuple[object, ...]] = attrgetter(*_CASE_FIELDS)


def _case_result(*values: Any) -> CaseResult:
    return CaseResult(**dict(zip(_CASE_FIELDS, values, strict=True)))


@dataclass(frozen=True, slots=True, kw_only=True)
class CriterionResult:
    """What a person made of one criterion; mark: None until then."""

    id: str
    title: str
    max_mark: Fraction
    description: str = ""
    mark: Fraction | None = None
    comment: str = ""
    by: str = ""
    date: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionResult:
    """What became of one question; criteria: where people mark it, and it has no cases."""

    id: str
    title: str
    mark: Fraction
    max_mark: Fraction
    verdict: Verdict
    award: str
    cases: tuple[CaseResult, ...]
    criteria: tuple[CriterionResult, ...] = ()


@dataclass(frozen=True, slots=True)
class Penalty:
    """Marks taken off the sum of the questions, each a line of its own on the report.

    amount: marks, not negative; exact.
    """

    reason: str
    amount: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class Override:
    """A person's mark in the place of another, a line of its own on the report.

    question: whose mark; empty: that of the whole submission.
    before: what it was without the person, exact; after: what counts.
    """

    question: str
    before: Fraction
    after: Fraction
    reason: str
    by: str
    date: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionResult:
    """What became of one submission; `mark` is rounded, its questions' marks are not.

    Without an override of the whole, `mark` is the sum over the questions less the penalties.
    awaiting: criteria that a person has yet to mark; they count as nothing so far.
    submitted, deadline: ISO 8601; empty where it is unknown, or where the task has none.
    late_s: seconds after this student's deadline.
    rules: of the task, in its order.
    sha256, content_sha256: see `grader.model.submission.Submission`.
    """

    id: str
    name: str
    mark: Fraction
    max_mark: Fraction
    status: Status
    sha256: str = ""
    content_sha256: str = ""
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    questions: tuple[QuestionResult, ...] = ()
    penalties: tuple[Penalty, ...] = ()
    overrides: tuple[Override, ...] = ()
    awaiting: tuple[str, ...] = ()
    submitted: str = ""
    deadline: str = ""
    late_s: int = 0
    rules: "tuple[RuleResult, ...]" = ()
