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
    withheld: NotRequired[bool]
    """Never in the file: set where a view for students left the details out."""


class QuestionDocument(TypedDict):
    """What became of one question; `mark` is not rounded."""

    id: str
    title: str
    mark: str
    max_mark: str
    verdict: str
    award: str
    cases: list[CaseDocument]


class SubmissionDocument(TypedDict):
    """What became of one submission; `mark` is rounded."""

    id: str
    name: str
    mark: str
    max_mark: str
    status: str
    sha256: str
    late_s: int
    penalties: list[dict[str, Any]]
    overrides: list[dict[str, Any]]
    problems: list[str]
    notes: list[str]
    questions: list[QuestionDocument]


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
