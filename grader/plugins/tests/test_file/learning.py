"""Has the reference run each test once, so that the tests know which of its answers are objects, and of what.

That is what the tests then believe of a submission; see `grader.plugins.tests.cell.book`.
"""

from dataclasses import replace

from grader.lab.tools import MarkingTools
from grader.lab.turn import CaseTurn
from grader.model.limits import Limits, allowed
from grader.model.outcome import Ending
from grader.model.values import Value
from grader.plugins.tests.boxes import TestCells
from grader.plugins.tests.test_file.running import TEST_LIMITS, TestOrder, run_tests
from grader.sandbox.box import Box, Program, loaded
from grader.sandbox.budget import UNBILLED
from grader.sandbox.zygote import SandboxFailure

_LOAD_LIMITS = Limits(time_s=20.0, wall_s=80.0)


def learned(order: TestOrder, turn: CaseTurn, tools: MarkingTools, seed: int) -> Value:
    """Return what the reference does in a test; None if it has no end there.

    It is kept for the next submission, unless the reference was stopped where another time it may not be.
    Raises `SandboxFailure`.
    """
    if order.reference is None:
        return None
    module = turn.question.module
    key = order.file, order.name, module, turn.case.limits, seed
    if key in tools.lessons:
        return tools.lessons[key]
    lesson, is_sure = _asked(order, turn, tools, seed)
    if is_sure:
        tools.lessons[key] = lesson
    return lesson


def _asked(order: TestOrder, turn: CaseTurn, tools: MarkingTools, seed: int) -> tuple[Value, bool]:
    """Return what the reference does in a test, and whether it would do the same at any other time."""
    assert order.reference is not None, "it is asked"
    program = Program(turn.question.module, dict(order.reference.texts), captures=True)
    limits = allowed(turn.case.limits)
    longest_s = limits.time_s
    box = Box(tools.zygote, program, limits.memory_b, _LOAD_LIMITS, longest_s, seed, purse=UNBILLED)
    # No submission pays for it.
    with box, tools.unbilled():
        outcome, _ = box.load()
        if not loaded(outcome):
            return None, outcome.ending not in (Ending.WALL, Ending.INTERNAL)
        with tools.own(TestCells).open(dict(order.file.texts), TEST_LIMITS.time_s) as cell:
            learner = replace(order, learns=True)
            found, evidence = run_tests(learner, cell, box, limits, TEST_LIMITS, UNBILLED)
    if found.ending is Ending.INTERNAL:
        # What is not known would be kept, and believed, for all submissions that follow.
        raise SandboxFailure(f"the reference: {found.detail}")
    return found.learned, evidence is not None
