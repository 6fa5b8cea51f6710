"""What happens during a run, as one stream of typed events.

The terminal's progress, the store and the outputs see a run through these alone.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from grader.model.results import SubmissionResult


@dataclass(frozen=True, slots=True, kw_only=True)
class RunInfo:
    """Under what conditions a run took place.

    guarantees: name of each guarantee of the sandbox, and whether it held on this host.
    tools: the programs that looked at source, with their versions.
    """

    id: str
    grader: str
    spec_sha256: str
    seed: int
    python: str
    driver: str
    guarantees: dict[str, bool] = field(default_factory=dict)
    tools: dict[str, str] = field(default_factory=dict)
    started: str = ""
    finished: str = ""


@dataclass(frozen=True, slots=True)
class RunStarted:
    """A run begins: under which conditions, and how many submissions there are."""

    run: RunInfo
    submissions: int


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
    """A case of a submission has been running for a second or longer; an empty one: none has any more.

    id: the submission's.  waits: it neither computes nor needs a core, so that another submission has it.
    """

    id: str
    case: str
    waits: bool = False


@dataclass(frozen=True, slots=True)
class SubmissionMarked:
    """A submission has its result.

    key: digest of all that it depends on; empty where it is not to be used again.
    evidence: what was found about its cases, for later runs to use; only the engine can read it.
    """

    result: SubmissionResult
    key: str = ""
    evidence: bytes = b""


@dataclass(frozen=True, slots=True)
class RunFinished:
    """Every submission has its result.  finished: the time, ISO 8601 in UTC."""

    finished: str


Event: TypeAlias = (
    RunStarted | SubmissionKept | SubmissionStarted | CaseUnderWay | SubmissionMarked | RunFinished
)


TellPhase: TypeAlias = Callable[[str], None]
"""Is called with the phase that begins, in a few words of ours such as `asking the reference`."""


def ignore_phase(phase: str) -> None:
    """Do nothing with a phase."""
