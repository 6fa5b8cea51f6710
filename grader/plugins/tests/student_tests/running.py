"""Tries a student's own tests on programs of the instructor's, right ones and wrong ones.

The tests run in a box with pytest, and a program in another box.  A process of the tests' serves one program
and starts as all others do; the order of the programs cannot be foretold.  So the tests can tell a
right program from a wrong one by what it does alone, and to tell them apart is what they get marks for.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import SystemRandom

from grader.lab.tools import MarkingTools
from grader.model.case import Case, FileOfTests, StudentTests
from grader.model.limits import Limits, allowed
from grader.model.outcome import Ending, Outcome, TestEnd, TestOutcome
from grader.model.submission import NOTEBOOK, Submission
from grader.plugins.tests.boxes import TestCells
from grader.plugins.tests.test_file.running import TestOrder, run_tests
from grader.sandbox.box import Box, Program, loaded
from grader.sandbox.budget import Budget
from grader.wire.source_text import AS_BYTES, REFUSED

_LOAD_LIMITS = Limits(time_s=5.0, wall_s=20.0)
_PASSED = (TestEnd.PASSED, TestEnd.SKIPPED)
_LEFT_OUT = "left out: "
"""What `grader.plugins.tests.cell.main` says of a test that asks for what cannot cross.

Such a test counts neither for nor against a program: what can be asked is ours to say, and no fault.
"""


def try_tests(
    case: Case, tried: StudentTests, submission: Submission, tools: MarkingTools, budget: Budget, seed: int
) -> Outcome:
    """Return, for each program, whether the tests say of it what they should.  Raises `SandboxFailure`."""
    texts = {
        name: file.text.removeprefix(NOTEBOOK)
        for name, file in submission.files.items()
        if name != tried.program
    }
    unread = next((name for name, text in texts.items() if REFUSED in text), "")
    if unread:
        return Outcome(ending=Ending.LOAD_FAILED, detail=f"{unread}.py is not Python")
    undecoded = next((name for name, text in texts.items() if text.startswith(AS_BYTES)), "")
    if undecoded:
        return Outcome(ending=Ending.LOAD_FAILED, detail=f"{undecoded}.py is not text in UTF-8")
    file = FileOfTests(module=tried.module, texts=tuple(texts.items()))
    order = TestOrder(file, "", (tried.program,), guarded=True)
    programs = [*_programs(tried)]
    turns = [*range(len(programs))]
    SystemRandom().shuffle(turns)
    limits = allowed(case.limits)
    found: dict[int, TestOutcome] = {}
    costs: list[Outcome] = []
    for turn in turns:
        is_right, name, text = programs[turn]
        program = Program(tried.program, {tried.program: text}, captures=True)
        # Tests that have seen one program could leave a word for those of the next.
        with tools.own(TestCells).open(texts, limits.time_s, case.limits.memory_b) as cell:
            outcome = _against(program, order, cell, limits, tools, budget, seed)
        if outcome.ending is not Ending.ANSWERED:
            return outcome
        found[turn] = _said(outcome, name, is_right=is_right)
        costs.append(outcome)
    return replace(
        costs[0],
        tests=tuple(found[number] for number in range(len(programs))),
        cpu_s=max(cost.cpu_s for cost in costs),
        wall_s=max(cost.wall_s for cost in costs),
        peak_rss_b=max(cost.peak_rss_b for cost in costs),
        stdout="",
        stderr="",
    )


def _programs(tried: StudentTests) -> Iterator[tuple[bool, str, str]]:
    """Yield for each program whether it is right, its name for people, and its text."""
    for number, text in enumerate(tried.right, 1):
        yield True, f"right program {number}", text
    for number, text in enumerate(tried.wrong, 1):
        yield False, f"wrong program {number}", text


def _against(
    program: Program,
    order: TestOrder,
    cell: Box,
    limits: Limits,
    tools: MarkingTools,
    budget: Budget,
    seed: int,
) -> Outcome:
    """Run the tests on one program.  Raises `SandboxFailure`."""
    with Box(tools.zygote, program, limits.memory_b, _LOAD_LIMITS, limits.time_s, seed, purse=budget) as box:
        outcome, _ = box.load()
        if outcome.ending is Ending.BUDGET:
            return outcome
        if not loaded(outcome):
            raised = f"{outcome.raised.type_name}: {outcome.raised.message}" if outcome.raised else ""
            detail = f"a program of the spec's cannot be imported: {raised or outcome.detail}"
            return Outcome(ending=Ending.INTERNAL, detail=detail)
        return run_tests(order, cell, box, limits, limits, budget)[0]


def _left_out(tests: Sequence[TestOutcome]) -> str:
    """Return which tests were left out, and why the first was; "" for none."""
    found = [test for test in tests if test.end is TestEnd.SKIPPED and test.message.startswith(_LEFT_OUT)]
    if not found:
        return ""
    first = found[0]
    count = "1 test is" if len(found) == 1 else f"{len(found)} tests are"
    return f"{count} left out: {first.name}: {first.message.removeprefix(_LEFT_OUT)}"


def _nothing_tried(tests: Sequence[TestOutcome], left_out: str) -> str:
    """Return why no test has passed, although none has failed."""
    if left_out:
        return f"no test can be tried here: {left_out}; tests that call it with values can be tried"
    return "all tests are skipped or expected to fail" if tests else "there is no test to try"


def _said(outcome: Outcome, name: str, *, is_right: bool) -> TestOutcome:
    """Return whether the tests accept a right program, or refuse a wrong one."""
    failed = [test for test in outcome.tests if test.end not in _PASSED]
    left_out = _left_out(outcome.tests)
    has_passed = any(test.end is TestEnd.PASSED for test in outcome.tests)
    if not is_right:
        end = TestEnd.PASSED if failed else TestEnd.FAILED
        message = "all tests pass on it" if has_passed and not left_out else "no test fails on it"
        return TestOutcome(name=name, end=end, message="" if failed else message)
    if not failed and has_passed:
        return TestOutcome(name=name, end=TestEnd.PASSED, message=left_out)
    if not failed:
        return TestOutcome(name=name, end=TestEnd.SKIPPED, message=_nothing_tried(outcome.tests, left_out))
    first = failed[0]
    words = first.message
    if first.raised is not None:
        words = f"it raised {first.raised.type_name}: {first.raised.message}"
    elif first.end is TestEnd.MISSING:
        words = f"it has no {first.message.partition('.')[2]}"
    elif first.ending is not None:
        words = f"it ended: {first.ending.ending}"
    return TestOutcome(name=name, end=TestEnd.FAILED, message=f"{first.name or 'the file'}: {words}")
