"""The evidence about one case from the sandbox: measured or decoded, not yet judged.

The times, the memory and the way it ended come from the kernel.  The answers, the output
and everything in `Raised` are the student's own text and values.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import TypeAlias

from grader.model.results import Raised
from grader.model.values import Value

_EXIT_STATUS = re.compile(r"exit status (\d+)")


class Ending(StrEnum):
    """The end of a process that ran a case."""

    ANSWERED = "answered"
    """It answered every call of the case, well-formed and within its limits."""
    EXITED = "exited"
    """It ended by itself without an answer; `detail` tells the exit status."""
    KILLED = "killed"
    """A signal ended it, not sent by us; `detail` names the signal."""
    TIME = "time"
    WALL = "wall"
    MEMORY = "memory"
    OUTPUT = "output"
    """Too much on stdout and stderr."""
    ANSWER_SIZE = "answer-size"
    """The answer had more bytes, items or levels than allowed."""
    PROTOCOL = "protocol"
    """It wrote to the answer channel itself."""
    FORBIDDEN = "forbidden"
    """It ended because the sandbox refused something."""
    LOAD_FAILED = "load-failed"
    """The module could not be imported; `detail` says why, `Outcome.raised` how."""
    MISSING = "missing"
    """The module has no callable of that name; `detail` is the name."""
    STOPPED = "stopped"
    """We ended it when it asked for input, where its dialogue says so."""
    BUDGET = "budget"
    """Not run: the submission's budget was used up."""
    INTERNAL = "internal"
    """The sandbox itself failed; `detail` says how."""


@dataclass(frozen=True, slots=True)
class Returned:
    """A call returned.

    value: what it returned.
    args_after: the arguments as they were after the call, where the case asked for them.
    printed: what was printed during the call, where the case asked for it.
    """

    value: Value
    args_after: tuple[Value, ...] | None = None
    printed: str | None = None


@dataclass(frozen=True, slots=True)
class RaisedAnswer:
    """A call raised; `bases` names the exception's class and its bases, outermost last.

    namesakes: those of its classes that only have the name of a built-in one; they are not among `bases`.
    args_after, printed: as for `Returned`.
    """

    raised: Raised
    bases: tuple[str, ...]
    args_after: tuple[Value, ...] | None = None
    printed: str | None = None
    namesakes: tuple[str, ...] = ()


Answer: TypeAlias = Returned | RaisedAnswer


@dataclass(frozen=True, slots=True)
class WatchedCall:
    """One call of a watched callback, recorded on the trusted side."""

    name: str
    args: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a program's dialogue, recorded on the trusted side.

    said: what it printed since its last input.
    answered: the line it was then given, without its line end; None: the end of the input.
    """

    said: str
    answered: str | None


class TestEnd(StrEnum):
    """The end of a test of a test file, as pytest and the process that ran it say."""

    __test__ = False

    PASSED = "passed"
    FAILED = "failed"
    """An assertion of the test failed."""
    RAISED = "raised"
    """The program raised, and the test did not expect it."""
    MISSING = "missing"
    """A module of the program lacks a name; `message` is the name."""
    STOPPED = "stopped"
    """The test raised something else, which its own code or the program's answers can have caused."""
    BROKEN = "broken"
    """The test asks for something that is not possible here."""
    SKIPPED = "skipped"
    OVER = "over"
    """The program's process ended badly; `TestOutcome.ending` says how."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TestOutcome:
    """The end of one test.

    name: as pytest writes it, with its parameters.  expected, actual: the two sides of a failed comparison.
    answered: the program had answered something in this test.
    ending: of the program's process; None if the test was done with it before it ended.
    """

    __test__ = False

    name: str
    end: TestEnd
    message: str = ""
    expected: str = ""
    actual: str = ""
    raised: Raised | None = None
    answered: bool = False
    ending: "Outcome | None" = None


@dataclass(frozen=True, slots=True)
class PartnerVerdict:
    """The verdict of the interactor with which a program talked.

    message: its words, or why it gave no verdict.  is_first: it ended the talk, not the program.
    is_stuck: each of the two waited for the other.
    next_input: what the program gets when it is run once more; None if it is not.  left: the files that the
    interactor left, for its next run.
    """

    score: Fraction
    message: str = ""
    is_first: bool = False
    is_stuck: bool = False
    next_input: str | None = None
    left: tuple[tuple[str, bytes], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The evidence about one case.

    answers: one for each call of the case, in order; fewer where it ended early.
    cpu_s, wall_s, peak_rss_b: measured from outside.
    stdout, stderr: as `grader.wire.byte_text` has it, cut at the output limit.
    detail: a few trusted words on the ending ("exit status 3", "SIGSEGV").
    raised: for LOAD_FAILED, the exception at import.
    waited_s: seconds in which it neither computed nor stood in the machine's queue; measured from outside.
    place: file and line at which it was stopped; the student's process said so, and no verdict depends on it.
    present: for MISSING, what the module has: functions, classes, `Class.method`, or the wanted name with its
        type; the module's own name and a colon for an empty file.  The student's process said so, and no
        verdict depends on it.
    files: those that calls left, of the names that the case asks for; None if it is not known.
    dialogue: for a program that asks for its input line by line.  partner: if it talked with an interactor.
    tests: for tests of a test file.  learned: what the program did in them, if it is the reference.
    """

    ending: Ending
    answers: tuple[Answer, ...] = ()
    watched: tuple[WatchedCall, ...] = ()
    cpu_s: float = 0.0
    wall_s: float = 0.0
    peak_rss_b: int = 0
    stdout: str = ""
    stderr: str = ""
    detail: str = ""
    raised: Raised | None = None
    present: tuple[str, ...] = ()
    files: dict[str, bytes] | None = None
    dialogue: tuple[Turn, ...] = ()
    partner: PartnerVerdict | None = None
    tests: tuple[TestOutcome, ...] = ()
    learned: Value = None
    waited_s: float = 0.0
    place: tuple[str, int] | None = None

    @property
    def exit_status(self) -> int | None:
        """For EXITED, the status with which the process ended; None if it is not known."""
        found = _EXIT_STATUS.fullmatch(self.detail) if self.ending is Ending.EXITED else None
        return int(found[1]) if found is not None else None
