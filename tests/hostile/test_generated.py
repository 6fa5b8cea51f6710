"""Attacks from within generated cases, whose inputs share a process, and whose failing input is run again."""

from pathlib import Path

import pytest
from support.marking import cases as cases_of
from support.marking import mark, question
from support.rows import first_of

from grader.kinds.calls.shrinking import SHRINK_S, budget_beside
from grader.model.results import CaseResult
from grader.sandbox.budget import Budget

REFERENCE = "def total(xs):\n    return sum(xs)\n"
CASE = '{call: total(xs), given: {xs: "lists(integers(0, 9), max_size=6)"}, returns: same as reference}'
LATER = "{call: 'total([1, 2])', returns: 3, visibility: hidden}"
LIMITS = "limits: {time: 200ms, memory: 96MiB}\n"


def marked(folder: Path, work: str) -> tuple[CaseResult, CaseResult]:
    """Return the results of the generated case and of one that runs after it was shrunk."""
    found = cases_of(mark(folder, LIMITS + question(CASE, LATER), work, reference=REFERENCE))
    return found["1.1"], found["1.2"]


def test_a_fault_that_does_not_come_again_is_told_as_such(tmp_path: Path) -> None:
    work = """
        calls = []

        def total(xs):
            calls.append(xs)
            return sum(xs) if len(calls) < 20 else -1
    """
    result, later = marked(tmp_path, work)
    assert str(result.verdict) == "wrong-answer"
    assert "; not seen again: called alone in a new process, the answer is right" in result.message
    assert str(later.verdict) == "accepted"


def test_chance_cannot_make_the_search_contradict_the_verdict(tmp_path: Path) -> None:
    work = "import os\n\ndef total(xs):\n    return sum(xs) + (os.urandom(1)[0] < 128)\n"
    result, _ = marked(tmp_path, work)
    assert str(result.verdict) == "wrong-answer"
    assert "got" in result.message


@pytest.mark.parametrize(
    "harm",
    first_of(
        [
            "while True: pass",
            "import os; os._exit(0)",
            "import time; time.sleep(99)",
            "return 'x' * 10**9",
            "return [0] * 10**9",
            "import os; os.kill(os.getppid(), 9)",
            "print('x' * 10**9)",
        ],
        2,
    ),
)
@pytest.mark.acceptance
def test_harm_while_it_is_shrunk_costs_the_rest_nothing(tmp_path: Path, harm: str) -> None:
    """Only inputs that are nearly the smallest do harm, and none of those was drawn."""
    work = f"""
        def total(xs):
            if sum(xs) in (25, 26, 28):
                {harm}
            return sum(xs) if sum(xs) < 25 else -1
    """
    result, later = marked(tmp_path, work)
    assert (str(result.verdict), str(later.verdict)) == ("wrong-answer", "accepted")
    assert "expected 27, got -1" in result.message
    assert result.time_limit_s < SHRINK_S


def test_memory_that_grows_is_bounded_by_the_case(tmp_path: Path) -> None:
    work = """
        kept = []

        def total(xs):
            kept.append(bytearray(40 << 20) if len(xs) > 2 else b"")
            return sum(xs) - len(kept) // 2
    """
    result, later = marked(tmp_path, work)
    assert str(result.verdict) in ("memory-limit", "wrong-answer")
    assert str(later.verdict) == "accepted"


def test_remembered_inputs_answer_nothing(tmp_path: Path) -> None:
    """The inputs of all students are the same, but a program sees no answer, and keeps nothing."""
    work = """
        import builtins

        def total(xs):
            seen = builtins.__dict__.setdefault("seen", {})
            return seen.setdefault(tuple(xs), 0)
    """
    result, _ = marked(tmp_path, work)
    assert str(result.verdict) == "wrong-answer"
    assert "; the smallest" in result.message


def test_answers_that_lie_are_judged_by_their_data(tmp_path: Path) -> None:
    work = """
        class Liar(int):
            def __eq__(self, other):
                return True

            def __hash__(self):
                return 0

        def total(xs):
            return Liar(-1)
    """
    result, _ = marked(tmp_path, work)
    assert str(result.verdict) == "wrong-answer"


def test_a_process_that_ends_early_is_no_pass(tmp_path: Path) -> None:
    work = "import os\n\ndef total(xs):\n    if len(xs) > 1:\n        os._exit(0)\n    return sum(xs)\n"
    result, later = marked(tmp_path, work)
    assert str(result.verdict) == "crashed"
    assert (
        "inputs were not tried after that" in result.message or "the smallest input found" in result.message
    )
    assert str(later.verdict) in ("accepted", "crashed")


def test_the_search_takes_no_more_than_the_submission_has_left() -> None:
    whole = Budget(10.0, 20.0)
    assert budget_beside(whole).cpu_s == SHRINK_S
    whole.spend(9.0)
    assert budget_beside(whole).cpu_s == 1.0
    whole.spend(2.0)
    assert budget_beside(whole).is_used_up
