"""The verdict on a case whose process ended before the case was answered."""

from grader.judge.finding import Finding
from grader.judge.messages import ending_message, without_place
from grader.model.case import Case
from grader.model.outcome import Ending, Outcome
from grader.model.verdict import Verdict

ENDINGS: dict[Ending, Verdict] = {
    Ending.EXITED: Verdict.CRASHED,
    Ending.KILLED: Verdict.CRASHED,
    Ending.PROTOCOL: Verdict.CRASHED,
    Ending.TIME: Verdict.TIME_LIMIT,
    Ending.WALL: Verdict.WALL_LIMIT,
    Ending.MEMORY: Verdict.MEMORY_LIMIT,
    Ending.OUTPUT: Verdict.OUTPUT_LIMIT,
    Ending.ANSWER_SIZE: Verdict.OUTPUT_LIMIT,
    Ending.FORBIDDEN: Verdict.FORBIDDEN,
    Ending.LOAD_FAILED: Verdict.LOAD_ERROR,
    Ending.MISSING: Verdict.MISSING,
    Ending.STOPPED: Verdict.CRASHED,
    Ending.BUDGET: Verdict.SKIPPED,
    Ending.INTERNAL: Verdict.INTERNAL_ERROR,
}

BROKEN_OFF = frozenset(ENDINGS) - {Ending.LOAD_FAILED, Ending.MISSING, Ending.BUDGET, Ending.INTERNAL}
"""Endings before which code of the submission ran."""


def judge_ending(case: Case, outcome: Outcome) -> Finding:
    """Return the finding on a case that was not answered."""
    raised = without_place(outcome.raised) if outcome.raised is not None else None
    message = ending_message(case, outcome)
    return Finding(verdict=ENDINGS[outcome.ending], message=message, raised=raised)
