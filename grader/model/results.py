"""The results of a run: the data behind `results.json` (schema `grader-results/1`).

`grader.store.results_json` writes these types as JSON and reads them back, and the reports read them.
Marks are exact fractions here and decimal strings there.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, fields
from enum import StrEnum
from fractions import Fraction
from operator import attrgetter
from typing import Any

from grader.model.case import Visibility
from grader.model.drawing import Picture
from grader.model.person import Person
from grader.model.submission import Instead, MarkAside, MarkGiven, Remark
from grader.model.task import PageLanguage, Task
from grader.model.verdict import Verdict


class Status(StrEnum):
    """Whether a submission has its mark."""

    MARKED = "marked"
    PENDING = "pending"
    """An internal error stands in the way of a right mark, or a person has yet to give theirs."""
    NO_SUBMISSION = "no-submission"


@dataclass(frozen=True, slots=True)
class Frame:
    """One line of a student's own traceback.

    column, end_column: of a syntax error, the columns of `source` from and up to which it is marked, counted
        from 1; 0 if they are not known.
    """

    file: str
    line: int
    function: str
    source: str = ""
    column: int = 0
    end_column: int = 0


@dataclass(frozen=True, slots=True)
class Raised:
    """An exception that the student's code raised: all of it is the student's text.

    suggestion: how to mend it, Python's words or ours; never in a file, since the case's message has it.
    """

    type_name: str
    message: str
    frames: tuple[Frame, ...] = ()
    suggestion: str = ""

    @property
    def title(self) -> str:
        """The exception as Python shows it: `ValueError: no number`."""
        return f"{self.type_name}: {self.message}" if self.message else self.type_name


@dataclass(frozen=True, slots=True)
class Difference:
    """Where expected and actual first differ: `where` in words, and both parts as text.

    sentence: how they differ, where "expected this, got that" does not say it well.
    code: the place as Python code, `answer[2]["a"]`; while a value is compared, only what follows its name.
        Absent for the value as a whole, and for a place that no code names.
    """

    where: str
    expected: str
    actual: str
    sentence: str = ""
    code: str = ""

    @property
    def sides(self) -> str:
        """Both parts in a sentence."""
        return f"expected {self.expected}, got {self.actual}"


@dataclass(frozen=True, slots=True, kw_only=True)
class StepResult:
    """The result of one step of a scenario.

    text: the step as one would type it.
    message: the fault, or why the step was not judged; empty for a step that is right.
    expected, actual: as text.
    printed: where the step says what is printed, the printed text.
    expected_print: where that is wrong, the text that should have been printed.
    """

    text: str
    verdict: Verdict
    message: str = ""
    expected: str = ""
    actual: str = ""
    printed: str = ""
    expected_print: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """The time of a right answer beside the reference's, both measured under the same conditions.

    reference_s, submission_s: CPU seconds in the round whose ratio is in the middle of all.
    ratio: the submission's time as a multiple of the reference's.
    spread: by what fraction the ratio may be wrong, as far as the rounds can tell; 0 after a single one.
    rounds: how often both were run.
    full: the multiple up to which a time is worth all.
    none: the multiple from which on a time is worth nothing.
    """

    reference_s: float
    submission_s: float
    ratio: float
    spread: float
    rounds: int
    full: Fraction
    none: Fraction


@dataclass(frozen=True, slots=True)
class GrowthPoint:
    """The time of one size.

    cpu_s: CPU seconds of one call, without those of its process; the median of the rounds.
    """

    size: int
    cpu_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class GrowthResult:
    """The growth of the time of a right answer over the sizes of its input.

    name: the growth that counts, such as linear or n log n.  others: faster ones that fit the times as well.
    power: the power of the size by which the time grows.
    too_quick: the times were too short to tell a growth, which decides nothing.  Then it has no name.
    import_s: seconds of the import beyond the reference's, if they are so many that the calls tell nothing.
        Then it has no name.
    at_most: the fastest growth that is asked for.
    remark: it decides nothing; else a faster growth costs marks.
    rounds: how often each size was run.
    """

    name: str
    others: tuple[str, ...] = ()
    power: float = 0.0
    too_quick: bool = False
    import_s: float = 0.0
    at_most: str
    remark: bool = False
    points: tuple[GrowthPoint, ...]
    rounds: int


@dataclass(frozen=True, slots=True)
class GivenText:
    """An input or a file that a case was given; a long text is cut."""

    name: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnResult:
    """One turn of a program's dialogue.

    number: from 1; of a long dialogue some turns are left out.
    said: the text that it printed since its last input; a long one is cut.
    answered: the line it was then given; None for the end of its input.
    ended: it ended instead of asking for input.
    wrong: the text differs from the expected one.
    stopped: the case ends here, as the spec says.
    """

    number: int
    said: str
    answered: str | None = None
    ended: bool = False
    wrong: bool = False
    stopped: bool = False


@dataclass(frozen=True, slots=True)
class RuleFinding:
    """One place where a rule on source is broken.

    line: 0 for the file as a whole.  excerpt: the line, as the student wrote it.
    """

    file: str
    line: int
    message: str
    excerpt: str = ""


@dataclass(frozen=True, slots=True)
class SourceText:
    """A file of the student's as it was marked; lines end at newlines alone.

    module: its name where it is imported; a frame's file is `<module>.py`.
    file: its name as it was handed in.
    text: of a long file the beginning.  cut_b: bytes of UTF-8 that are left out at the end.
    """

    module: str
    file: str
    text: str
    cut_b: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseResult:
    """The result of one case; times and memory are measured from outside the process.

    call: the thing that was tried, as Python where it is a call.
    score: 0 to 1, the share of the case that was earned.
    cpu_s: processor time, in seconds as the kernel counts them.
    wall_s: seconds by the clock.  peak_rss_b: the largest memory in bytes.
    time_limit_s: of processor time; 0 where there is none.
    near_limit: it used more than half of its time limit, so that a slower machine may say otherwise.
    title: the spec's words for it; absent where `call` says it.
    message: one sentence for the student.
    printed: where the case says what is printed, the printed text.
    expected_print: where that is wrong, the text that should have been printed.
    steps: of a scenario, in order.
    pictures: the answer as a renderer of the spec drew it.
    picture_note: why it could not be drawn, for the staff.
    checker_note: what a checker raised on the answer, which counts as wrong; for the staff.
    given: the files that it found; of a program also its input, named stdin.  Long texts are cut.
    dialogue: of a program that is answered line by line, the turns; some of a long one are left out.
    timing: where the time was compared with the reference's.
    growth: where the time was measured over growing inputs.
    findings: for a rule on source, where it is broken.
    stopped_at: the line at which a limit ended it, as the student's process said.
    withheld: the student may not see the case; set in the student's view alone, never in a file.
    """

    id: str
    call: str
    verdict: Verdict
    visibility: Visibility = Visibility.PUBLIC
    score: Fraction = Fraction(0)
    weight: Fraction = Fraction(1)
    group: str = ""
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
    printed: str = ""
    expected_print: str = ""
    steps: tuple[StepResult, ...] = ()
    given: tuple[GivenText, ...] = ()
    dialogue: tuple[TurnResult, ...] = ()
    timing: Timing | None = None
    growth: GrowthResult | None = None
    pictures: tuple[Picture, ...] = ()
    findings: tuple[RuleFinding, ...] | None = None
    near_limit: bool = False
    picture_note: str = ""
    checker_note: str = ""
    stopped_at: Frame | None = None
    title: str = ""
    withheld: bool = False

    def __reduce__(self) -> tuple[Callable[..., "CaseResult"], tuple[object, ...]]:
        """Pickle as the values in order, in half the time: worker processes send these by the thousand."""
        return _case_result, _values_of_case(self)


_CASE_FIELDS = tuple(field.name for field in fields(CaseResult))


_values_of_case: Callable[[CaseResult], tuple[object, ...]] = attrgetter(*_CASE_FIELDS)


def _case_result(*values: Any) -> CaseResult:
    return CaseResult(**dict(zip(_CASE_FIELDS, values, strict=True)))


@dataclass(frozen=True, slots=True, kw_only=True)
class CriterionResult:
    """A person's mark for one criterion.  mark: None until a person has given it.  work: see `Override`.

    given: where the work is marked by two people, what each of them gave.
    """

    id: str
    title: str
    description: str = ""
    mark: Fraction | None = None
    max_mark: Fraction
    comment: str = ""
    by: str = ""
    date: str = ""
    work: str = field(default="", compare=False)
    given: tuple[MarkGiven, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupResult:
    """The result of a group of cases that has a rule of its own.

    award: how its cases become its mark: all, each, threshold, minimum.
    at_least: the least that it had to reach: a number of accepted cases (`3`), a share (`60%`), or empty.
    mark: not rounded.
    accepted: how many of its cases were accepted.  cases: how many it has.
    bonus: its marks come on top of the question's.
    """

    id: str
    award: str
    at_least: str = ""
    mark: Fraction
    max_mark: Fraction
    accepted: int
    cases: int
    bonus: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionResult:
    """The result of one question.

    mark: not rounded.
    award: how the cases become the mark: all, each, groups, by-time.
    criteria: where people mark it, and it has no cases.
    groups: those with rules of their own; their marks add up to the question's.
    bonus: its marks come on top of the task's.
    """

    id: str
    title: str
    mark: Fraction
    max_mark: Fraction
    verdict: Verdict
    award: str
    cases: tuple[CaseResult, ...]
    criteria: tuple[CriterionResult, ...] = ()
    groups: tuple[GroupResult, ...] = ()
    bonus: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Cap:
    """Marks beyond the most that some questions, or all of them, can earn.

    title: of the section; empty for all questions.
    most: the most that they can earn.  amount: the marks above it, which do not count; more than 0, exact.
    """

    title: str
    most: Fraction
    amount: Fraction


@dataclass(frozen=True, slots=True)
class Penalty:
    """Marks taken off what the caps have left, each a line of its own on the report.

    reason: why, for the student.  amount: marks, not negative; exact.
    """

    reason: str
    amount: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class Override:
    """A person's mark that replaces another, a line of its own on the report.

    question: whose mark; empty: that of the whole submission.
    before: the mark without the person, exact.  after: the mark that counts.
    date: as the person wrote it; may be empty.
    work: where it was made for another work than was marked, the beginning of that work's digest, or `none`.
    """

    question: str
    before: Fraction
    after: Fraction
    reason: str
    by: str
    date: str = ""
    work: str = field(default="", compare=False)


class RuleEffect(StrEnum):
    """The consequence of breaking a rule of the task."""

    TOLD = "told"
    PENALTY = "penalty"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleResult:
    """The result of one rule of the task.

    rule: the rule for people.  effect: the consequence of breaking it, whether it is broken or not.
    findings: none where it is kept.
    note: why it was not checked on some file; empty where it was.
    """

    rule: str
    effect: RuleEffect
    findings: tuple[RuleFinding, ...] = ()
    hint: str = ""
    note: str = ""

    @property
    def broken(self) -> bool:
        """Whether the rule is broken anywhere."""
        return bool(self.findings)


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptResult:
    """One of several attempts of a student.

    mark: its own, after its penalties, without a person's mark for the whole.
    status: `pending` where it could not be marked.
    submitted: ISO 8601 in UTC; empty where it is unknown.  late_s: seconds after this student's deadline.
    counts: this is the attempt that the rest of the result is about.
    """

    id: str
    mark: Fraction
    status: Status
    submitted: str = ""
    late_s: int = 0
    counts: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionResult:
    """The result of one submission; `mark` is rounded, its questions' marks are not.

    Without an override of the whole, `mark` is the sum over the questions less the caps and the penalties.
    id: unique in the file.  name: for people.
    mark: rounded once, by the rule of the task.
    status: `pending` where an internal error stands in the way, or a person has yet to give a mark.
    late_s: seconds after this student's deadline; 0 where it is in time, or where the time is unknown.
    penalties: taken off what the caps have left, in this order.
    overrides: marks that a person put over others.
    problems: faults of the submission as a whole.
    notes: for the student; they cost nothing.
    awaiting: criteria that a person has yet to mark; they count as nothing so far.
    deadline: this student's, ISO 8601 in UTC; only where the task has one.
    submitted: ISO 8601 in UTC; empty where it is unknown, absent where the task has no deadline.
    rules: the results of the task's rules on source, in its order.
    caps: those that took something off the sum of the questions, in the order in which they did.
    attempts: all attempts of the student, in their order, where the task says which counts, and there are
        several.  The rest is about the one that counts.
    counting: which attempt counts: latest, best, last-before-deadline; only with attempts.
    person: for the staff alone; absent where nothing is known of the student but the name.
    sources: the files that were marked, within bounds: the task's, and those of the student's that they name.
    content_sha256: of the contents of its files, whatever they came in.  sha256: see `Submission`.
    made: where this mark was made; absent where it is not known.
    instead: the file that was marked in place of what was handed in; absent where there is none.
    remarks: people's words on lines, on questions and on the whole.
    aside: marks by hand that only earlier runs had, for the alarm if they come back; absent without any.
    """

    id: str
    name: str
    mark: Fraction
    max_mark: Fraction
    status: Status
    sha256: str = ""
    content_sha256: str = ""
    late_s: int = 0
    penalties: tuple[Penalty, ...] = ()
    overrides: tuple[Override, ...] = ()
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    questions: tuple[QuestionResult, ...] = ()
    awaiting: tuple[str, ...] = ()
    deadline: str = ""
    submitted: str = ""
    rules: tuple[RuleResult, ...] = ()
    caps: tuple[Cap, ...] = ()
    attempts: tuple[AttemptResult, ...] = ()
    counting: str = ""
    person: Person | None = None
    sources: tuple[SourceText, ...] = ()
    made: "MarkOrigin | None" = None
    instead: Instead | None = None
    remarks: tuple[Remark, ...] = ()
    aside: tuple[MarkAside, ...] = ()

    @property
    def cases(self) -> Iterator[CaseResult]:
        """The cases of all questions, in their order."""
        return (case for question in self.questions for case in question.cases)


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkOrigin:
    """Where a mark was made.

    machine: the host's name and, behind a slash, what tells it from another of that name.
    driver: of the sandbox there.  python: the version that ran the submission.  grader: its version.
    worker: of a cluster, its address as the run saw it; the machine is what the worker says of itself.
    evidence: the machines whose evidence of earlier runs it may rest on.
    """

    machine: str
    driver: str
    python: str
    grader: str
    worker: str = ""
    evidence: tuple[str, ...] = ()

    @property
    def where(self) -> str:
        """The machine, and the worker's address."""
        return f"{self.machine} at {self.worker}" if self.worker else self.machine


@dataclass(frozen=True, slots=True)
class SandboxInfo:
    """The driver that held student code.  guarantees: each, and whether it held on this host."""

    driver: str
    guarantees: dict[str, bool] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RunFile:
    """A file that people keep beside the submissions, by which the run marked.

    kind: roster, times, reviews, course or instead.  name: without its folder.
    """

    kind: str
    name: str
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunInfo:
    """The conditions of a run.

    id: differs from run to run.  grader: its version.
    python: the version of the interpreter that ran the submissions.
    started, finished: ISO 8601 in UTC; empty where unknown.
    tools: the programs that looked at source, or drew inputs, with their versions.
    plugins: the installed plugins on which marks can depend, with version and digest; absent without any.
    spec_faults: the faults of the spec, each with its place, with which the run was marked anyway.
    lock_sha256: of the lock file with which the installed packages agreed; absent without one.
    files: the roster, times, reviews and other files by which the run marked; absent without any.
    commit: the one that the grader is, where that is known; `changed` follows where its files differ from it.
    code: the first digits of the digest of the grader's own modules; absent in results of earlier versions.
    """

    id: str
    grader: str
    spec_sha256: str
    seed: int
    python: str
    started: str = ""
    finished: str = ""
    sandbox: SandboxInfo
    tools: dict[str, str] = field(default_factory=dict)
    plugins: dict[str, str] = field(default_factory=dict)
    spec_faults: tuple[str, ...] = ()
    lock_sha256: str = ""
    files: tuple[RunFile, ...] = ()
    commit: str = ""
    code: str = ""


@dataclass(frozen=True, slots=True)
class TaskHead:
    """The part of a task that its results name.

    language: of the pages for students; absent for English.
    """

    id: str
    title: str
    max_mark: Fraction
    language: PageLanguage = PageLanguage.ENGLISH

    @classmethod
    def of(cls, task: Task) -> "TaskHead":
        """Return the head of a validated task."""
        return cls(id=task.id, title=task.title, max_mark=task.marks, language=task.language)


RESULTS_SCHEMA = "grader-results/1"


@dataclass(frozen=True, slots=True)
class RunResults:
    """All results of a run.

    submissions: in the order of their ids; can be iterated any number of times.
    """

    run: RunInfo
    task: TaskHead
    submissions: Iterable[SubmissionResult] = ()
    schema: str = RESULTS_SCHEMA
