"""The events of a run, as one typed stream.

The terminal's progress, the store and the outputs see a run through these alone.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from grader.model.results import RunInfo, SubmissionResult

TellPhase: TypeAlias = Callable[[str], None]
"""Is called with the phase that begins, in a few words of ours such as `asking the reference`."""


def ignore_phase(phase: str) -> None:
    """Do nothing with a phase."""


@dataclass(frozen=True, slots=True)
class RunStarted:
    """A run begins: under which conditions, and how many submissions there are."""

    run: RunInfo
    submissions: int


@dataclass(frozen=True, slots=True)
class SpecProven:
    """The reference was marked by every case.

    key: digest of all that this depends on.  proof: the faults, for later runs; only the engine can read it.
    """

    key: str
    proof: str


@dataclass(frozen=True, slots=True)
class SubmissionKept:
    """A submission's result of an earlier run still holds."""

    id: str


@dataclass(frozen=True, slots=True)
class SubmissionStarted:
    """A process begins to mark a submission; again, where the process before was lost."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class CaseUnderWay:
    """A case of a submission has been running for a second or longer; an empty `case`: none is any more.

    id: the submission's.  waits: it neither computes nor needs a core, so that another submission has it.
    """

    id: str
    case: str
    waits: bool = False


@dataclass(frozen=True, slots=True)
class SubmissionMarked:
    """A submission has its result.

    key: digest of all that it depends on; empty where it is not to be used again.
    evidence: about its cases, for later runs; only the engine can read it.
    work: the submission as it was marked; see `grader.store.record_parts`.
    """

    result: SubmissionResult
    key: str = ""
    evidence: bytes = b""
    work: bytes = b""


@dataclass(frozen=True, slots=True)
class RunFinished:
    """Every submission has its result.  finished: the time, ISO 8601 in UTC."""

    finished: str


Event: TypeAlias = (
    RunStarted
    | SpecProven
    | SubmissionKept
    | SubmissionStarted
    | CaseUnderWay
    | SubmissionMarked
    | RunFinished
)
