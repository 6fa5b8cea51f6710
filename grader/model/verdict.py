"""The verdicts, and which one is shown when several hold.

A verdict is the result of a case, a question or a submission in one word.  It is a value, never
an exception, and it carries no marks: `grader.marking` turns verdicts into marks.
"""

from collections.abc import Iterable
from enum import StrEnum


class Verdict(StrEnum):
    """The result of a case.  The texts are part of `grader-results/1`."""

    ACCEPTED = "accepted"
    """The evidence shows the expected answer."""
    PARTIAL = "partial"
    """A checker gave some, not all, of the case."""
    WRONG_ANSWER = "wrong-answer"
    """An answer came, and it differs from the expected one."""
    EXCEPTION = "exception"
    """The student's code raised where no exception, or another one, was expected."""
    RUNTIME_ERROR = "runtime-error"
    """The program ended by itself with an exit code that says it failed, where the case asks for another."""
    CRASHED = "crashed"
    """The process ended without an answer: exit, signal, or noise on the answer channel."""
    TIME_LIMIT = "time-limit"
    """The CPU time ran out."""
    WALL_LIMIT = "wall-limit"
    """The wall time ran out, with CPU time left: asleep, or waiting for something."""
    MEMORY_LIMIT = "memory-limit"
    """The memory limit was hit."""
    OUTPUT_LIMIT = "output-limit"
    """It printed or returned more than the limit."""
    FORBIDDEN = "forbidden"
    """The sandbox refused something that the code asked for."""
    LOAD_ERROR = "load-error"
    """The module is absent or failed at import."""
    MISSING = "missing"
    """The module was loaded but lacks the name that the case calls."""
    RULE_BROKEN = "rule-broken"
    """A static rule on the source was broken."""
    SKIPPED = "skipped"
    """The case did not run; the message says why.  Never a pass."""
    INTERNAL_ERROR = "internal-error"
    """Our own fault.  The mark is pending, never zero."""


PRECEDENCE: tuple[Verdict, ...] = (
    Verdict.INTERNAL_ERROR,
    Verdict.LOAD_ERROR,
    Verdict.RULE_BROKEN,
    Verdict.MISSING,
    Verdict.FORBIDDEN,
    Verdict.CRASHED,
    Verdict.MEMORY_LIMIT,
    Verdict.OUTPUT_LIMIT,
    Verdict.TIME_LIMIT,
    Verdict.WALL_LIMIT,
    Verdict.EXCEPTION,
    Verdict.RUNTIME_ERROR,
    Verdict.WRONG_ANSWER,
    Verdict.PARTIAL,
    Verdict.SKIPPED,
    Verdict.ACCEPTED,
)
"""The first of these that occurs names a group of cases."""


WITH_AN_ANSWER = frozenset({Verdict.WRONG_ANSWER, Verdict.RUNTIME_ERROR, Verdict.PARTIAL})
"""An answer came, or at least an output, and the finding says how it differs from the expected one."""


def summary(verdicts: Iterable[Verdict]) -> Verdict:
    """Return the verdict that names the whole group; an empty group is `SKIPPED`."""
    return min(verdicts, key=PRECEDENCE.index, default=Verdict.SKIPPED)
