"""What a run found out: the data behind `results.json` (schema `grader-results/1`).

`to_json` of `RunResults` is the one place where these become JSON.  Every output is
rendered from that JSON alone.  Marks are exact fractions here and decimal strings there.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from grader.model.task import Visibility
from grader.model.verdict import Verdict


class Status(StrEnum):
    """What became of a submission's mark."""

    MARKED = "marked"
    PENDING = "pending"
    """An internal error stands in the way of a right mark."""
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
    """Where two values first differ: `where` in words, and both parts as text."""

    where: str
    expected: str
    actual: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseResult:
    """What became of one case.

    score: 0 to 1, the share of the case that was earned.
    cpu_s, wall_s, peak_rss_b: measured from outside the process.
    message: one sentence on what happened, for the student.
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
    message: str = ""
    expected: str = ""
    actual: str = ""
    difference: Difference | None = None
    stdout: str = ""
    stderr: str = ""
    raised: Raised | None = None
    hint: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionResult:
    """What became of one question."""

    id: str
    title: str
    mark: Fraction
    max_mark: Fraction
    verdict: Verdict
    award: str
    cases: tuple[CaseResult, ...]


@dataclass(frozen=True, slots=True)
class Penalty:
    """Marks taken off the sum of the questions, each a line of its own on the report.

    amount: marks, not negative; exact.
    """

    reason: str
    amount: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionResult:
    """What became of one submission; `mark` is rounded, its questions' marks are not."""

    id: str
    name: str
    mark: Fraction
    max_mark: Fraction
    status: Status
    sha256: str = ""
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    questions: tuple[QuestionResult, ...] = ()
    penalties: tuple[Penalty, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RunInfo:
    """Under what conditions a run took place.

    guarantees: name of each guarantee of the sandbox, and whether it held on this host.
    """

    id: str
    grader: str
    spec_sha256: str
    seed: int
    python: str
    driver: str
    guarantees: dict[str, bool] = field(default_factory=dict)
    started: str = ""
    finished: str = ""
