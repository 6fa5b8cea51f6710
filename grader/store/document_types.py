"""The shape of `results.json`, schema `grader-results/1`, as types for our own code.

The same shape for other tools is `grader-results-1.schema.json` beside this file; a test
holds the two together.  Marks, scores and weights are exact: a decimal ("9.5") where one
exists, else a fraction ("1/3").  Times are in seconds (`_s`), sizes in bytes (`_b`).
"""

from collections.abc import Iterable
from typing import Any, NotRequired, TypedDict

SCHEMA = "grader-results/1"


class DifferenceDocument(TypedDict):
    """Where two values first differ, and both parts as text."""

    where: str
    expected: str
    actual: str


class FrameDocument(TypedDict):
    """One line of a student's own traceback."""

    file: str
    line: int
    function: str
    source: str


class RaisedDocument(TypedDict):
    """An exception of the student's code."""

    type: str
    message: str
    frames: list[FrameDocument]


class TimingDocument(TypedDict):
    """The time of a right answer beside the reference's; see `grader.model.results.Timing`."""

    reference_s: float
    submission_s: float
    ratio: float
    spread: float
    rounds: int
    full: str
    none: str


class RasterDocument(TypedDict):
    """An image of at most 256 colours.

    palette: colours such as "#ffaa00".
    pixels: a byte for each pixel, its place in the palette, row by row; zlib, then base64.
    """

    width: int
    height: int
    palette: list[str]
    pixels: str


class PictureDocument(TypedDict):
    """A picture of an answer: a grid, in the words of docs/cases/pictures.md, or an image."""

    title: str
    text: str
    grid: dict[str, Any] | None
    image: RasterDocument | None


class StepDocument(TypedDict):
    """What became of one step of a scenario; `message` says what is wrong, or why it was not judged."""

    text: str
    verdict: str
    message: str
    expected: str
    actual: str
    printed: NotRequired[str]
    expected_print: NotRequired[str]


class GivenDocument(TypedDict):
    """What a program was given: "stdin" or a file's name, and the text; a long one is cut."""

    name: str
    text: str


class TurnDocument(TypedDict):
    """One turn of a program's dialogue; see `grader.model.results.TurnResult`."""

    number: int
    said: str
    answered: str | None
    ended: bool
    wrong: bool


class FindingDocument(TypedDict):
    """One place where a rule on source is broken; `line` is 0 for the file as a whole."""

    file: str
    line: int
    message: str
    excerpt: str


class RuleDocument(TypedDict):
    """What became of one rule of the task; `effect`: "told", "penalty" or "rejected"."""

    rule: str
    broken: bool
    effect: str
    findings: list[FindingDocument]
    hint: str
    note: str


class CaseDocument(TypedDict):
    """What became of one case."""

    id: str
    call: str
    verdict: str
    visibility: str
    score: str
    weight: str
    group: str
    cpu_s: float
    wall_s: float
    peak_rss_b: int
    time_limit_s: float
    message: str
    expected: str
    actual: str
    difference: DifferenceDocument | None
    stdout: str
    stderr: str
    raised: RaisedDocument | None
    hint: str
    printed: NotRequired[str]
    """What was printed, where the case says what should be."""
    expected_print: NotRequired[str]
    """What should have been printed, where something else was."""
    steps: NotRequired[list[StepDocument]]
    """For a scenario."""
    given: NotRequired[list[GivenDocument]]
    """For a program: its input and its files."""
    dialogue: NotRequired[list[TurnDocument]]
    """For a program that is answered line by line."""
    timing: NotRequired[TimingDocument]
    """Where the case's time was compared with the reference's."""
    pictures: NotRequired[list[PictureDocument]]
    """The answer as the spec wants it drawn, where it was."""
    picture_note: NotRequired[str]
    """Why it was not, for the staff."""
    findings: NotRequired[list[FindingDocument]]
    """For a rule on source: where it is broken."""
    near_limit: NotRequired[bool]
    """It used more than half of its time limit; for the staff."""
    withheld: NotRequired[bool]
    """Never in the file: set where a view for students left the details out."""


class CriterionDocument(TypedDict):
    """What a person made of one criterion; `mark` is null until then."""

    id: str
    title: str
    description: str
    mark: str | None
    max_mark: str
    comment: str
    by: str
    date: str


class PenaltyDocument(TypedDict):
    """Marks that were taken off, and why."""

    reason: str
    amount: str


class OverrideDocument(TypedDict):
    """A person's mark in the place of another; `question` is empty for the whole mark."""

    question: str
    before: str
    after: str
    reason: str
    by: str
    date: str


class QuestionDocument(TypedDict):
    """What became of one question; `mark` is not rounded."""

    id: str
    title: str
    mark: str
    max_mark: str
    verdict: str
    award: str
    cases: list[CaseDocument]
    criteria: NotRequired[list[CriterionDocument]]
    """Where people mark the question."""


class SubmissionDocument(TypedDict):
    """What became of one submission; `mark` is rounded."""

    id: str
    name: str
    mark: str
    max_mark: str
    status: str
    sha256: str
    late_s: int
    penalties: list[PenaltyDocument]
    overrides: list[OverrideDocument]
    problems: list[str]
    notes: list[str]
    questions: list[QuestionDocument]
    awaiting: NotRequired[list[str]]
    """Criteria that a person has yet to mark, where there are any."""
    deadline: NotRequired[str]
    """This student's, where the task has one; ISO 8601 in UTC."""
    submitted: NotRequired[str]
    """When it was handed in, likewise; empty: not known."""
    rules: NotRequired[list[RuleDocument]]
    """Where the task has rules on source."""


class SandboxDocument(TypedDict):
    """The driver that held student code, and which guarantees held on this host."""

    driver: str
    guarantees: dict[str, bool]


class RunDocument(TypedDict):
    """Under what conditions a run took place."""

    id: str
    grader: str
    spec_sha256: str
    seed: int
    python: str
    started: str
    finished: str
    sandbox: SandboxDocument
    tools: NotRequired[dict[str, str]]
    """Programs that looked at source, with their versions, where there were any."""


class TaskDocument(TypedDict):
    """The task that was marked."""

    id: str
    title: str
    max_mark: str


class ResultsDocument(TypedDict):
    """The whole file.  `submissions` can be iterated any number of times."""

    schema: str
    run: RunDocument
    task: TaskDocument
    submissions: Iterable[SubmissionDocument]
