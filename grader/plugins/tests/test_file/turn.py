"""Runs one test function on a submission."""

from dataclasses import replace

from grader.lab.lab import Lab
from grader.lab.turn import CaseTurn
from grader.model.case import TestFunction
from grader.model.limits import allowed
from grader.model.outcome import Outcome
from grader.plugins.tests.boxes import TestCells
from grader.plugins.tests.test_file.learning import learned
from grader.plugins.tests.test_file.running import (
    TEST_LIMITS,
    TestOrder,
    known_outcome,
    programs_of,
    run_tests,
)


def run_test(turn: CaseTurn, test: TestFunction, lab: Lab) -> Outcome:
    """Return the outcome of a case with a test function.  Raises `SandboxFailure`."""
    task = lab.inputs.task
    order = TestOrder(test.file, test.name, programs_of(task.modules), reference=task.reference)
    blank = lab.cache.is_blank or not lab.boxes.need_not_open(turn)
    known = None if blank else lab.find(turn)
    if known is not None:
        return known_outcome(order, known, lab.budget)
    box = lab.boxes.box(turn)
    if isinstance(box, Outcome):
        return box
    order = replace(order, learned=learned(order, turn, lab.tools, task.seed_of(turn.case)))
    names = dict(test.file.texts)
    with lab.working(), lab.tools.own(TestCells).open(names, TEST_LIMITS.time_s) as cell:
        limits = allowed(turn.case.limits)
        outcome, evidence = run_tests(order, cell, box, limits, TEST_LIMITS, lab.budget)
    if evidence is not None and lab.inputs.conditions:
        lab.cache.add(lab.boxes.digest(turn), lab.inputs.digests[turn.case.id], evidence)
    return outcome
