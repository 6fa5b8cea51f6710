"""One budget for a submission: whatever it makes us do, it costs no more, and its mark is never pending
for it.
"""

import textwrap
from pathlib import Path

import pytest
from support.marking import cases, mark, question, verdicts

from grader.lab import oracle
from grader.model.limits import Limits
from grader.model.results import Status
from grader.sandbox.budget import Budget

MANY = 12


def test_a_budget_lowers_limits_and_says_what_is_used_up() -> None:
    budget = Budget(10.0, 5.0)
    limits = Limits(time_s=4.0, wall_s=13.0)
    assert (budget.within(limits).time_s, budget.within(limits).wall_s) == (4.0, 5.0)
    budget.spend(8.0, 1.0)
    assert (budget.within(limits).time_s, budget.within(limits).wall_s) == (2.0, 4.0)
    assert not budget.is_used_up
    budget.spend(0.0, 4.0)
    assert budget.is_used_up
    assert budget.reason() == "the time for a whole submission (5 s of waiting) is used up"
    budget.spend(2.0)
    assert budget.reason() == "the time for a whole submission (10 s of computing) is used up"
    assert budget.within(limits).time_s > 0


@pytest.mark.parametrize(
    ("ending", "ran_under", "cut"),
    [
        ("time", Limits(time_s=4.0, wall_s=13.0), False),
        ("time", Limits(time_s=2.0, wall_s=13.0), True),
        ("time", Limits(time_s=4.0, wall_s=5.0), False),
        ("wall", Limits(time_s=4.0, wall_s=5.0), True),
        ("wall", Limits(time_s=2.0, wall_s=13.0), False),
        ("answered", Limits(time_s=2.0, wall_s=5.0), False),
    ],
)
def test_only_a_lowered_limit_cuts_work_short(ending: str, ran_under: Limits, cut: bool) -> None:
    assert Budget.cut_short(ending, ran_under, Limits(time_s=4.0, wall_s=13.0)) is cut


def test_what_is_used_while_a_context_is_open_is_drawn() -> None:
    budget = Budget(10.0, 5.0)
    with budget.spending():
        sum(range(300_000))
    assert budget.cpu_left_s < 10.0


def test_a_loop_ends_with_the_budget_and_nothing_is_pending(tmp_path: Path) -> None:
    spec = "budget: 1s\nlimits: {time: 500ms}\n" + question(*["{call: f(), returns: 1}"] * MANY)
    result = mark(tmp_path, spec, "def f():\n    while True:\n        pass\n")
    found = list(verdicts(result).values())
    assert found[0] == "time-limit"
    # The second could not have all of its time, so it has no verdict of its own.
    assert set(found[2:]) == {"skipped"}
    assert result.status is Status.MARKED
    last = cases(result)[f"1.{MANY}"].message
    assert last == "skipped: the time for a whole submission (1 s of computing) is used up"


def test_waiting_ends_with_the_budget_as_well(tmp_path: Path) -> None:
    spec = "budget: {wall: 1500ms}\nlimits: {time: 200ms, wall: 1s}\n"
    work = "import time\ndef f():\n    time.sleep(99)\n"
    result = mark(tmp_path, spec + question(*["{call: f(), returns: 1}"] * MANY), work)
    found = list(verdicts(result).values())
    assert found[0] == "wall-limit"
    assert set(found[2:]) == {"skipped"}
    assert "1.5 s of waiting" in cases(result)[f"1.{MANY}"].message


def test_an_import_that_loops_is_not_tried_for_each_visibility(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grader.lab.boxes.IMPORT_LIMITS", Limits(time_s=0.5, wall_s=20.0))
    hidden = "{call: f(), returns: 1, visibility: hidden}"
    later = "{call: f(), returns: 1, visibility: after-due}"
    result = mark(tmp_path, question("{call: f(), returns: 1}", hidden, later), "while True:\n    pass\n")
    assert set(verdicts(result).values()) == {"load-error"}
    assert len({case.message for case in cases(result).values()}) == 1


@pytest.fixture
def short_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Checkers have half a second."""
    monkeypatch.setattr(oracle, "CHECK_LIMITS", Limits(time_s=0.5, wall_s=1.0))


HANGS = """
    def holds(answer):
        while answer == 1:
            pass

    def sleeps(answer):
        import time
        time.sleep(99)

    def raises(answer):
        return answer["no such key"]
"""


@pytest.mark.usefixtures("short_checks")
def test_a_checker_that_hangs_is_named_and_not_asked_again(tmp_path: Path) -> None:
    spec = question(*["{call: f(), check: holds()}"] * 4)
    result = mark(tmp_path, spec, "def f():\n    return 1\n", checkers=HANGS)
    assert set(verdicts(result).values()) == {"internal-error"}
    assert result.status is Status.PENDING
    messages = [case.message for case in cases(result).values()]
    assert "checker holds" in messages[0]
    assert "not asked again" not in messages[0]
    assert all("checker holds did not end before, and is not asked again" in text for text in messages[1:])


@pytest.mark.usefixtures("short_checks")
def test_a_checker_that_hangs_for_one_student_is_asked_for_the_next(tmp_path: Path) -> None:
    spec = question("{call: f(1), check: holds()}", "{call: f(2), check: holds()}")
    for number, work in enumerate(["def f(x):\n    return x\n", "def f(x):\n    return 3\n"]):
        (tmp_path / str(number)).mkdir()
        result = mark(tmp_path / str(number), spec, work, checkers=HANGS)
        assert list(verdicts(result).values()) == (["accepted"] * 2 if number else ["internal-error"] * 2)


def test_a_checker_that_raises_is_named_with_its_line(tmp_path: Path) -> None:
    line = textwrap.dedent(HANGS).split("\n").index('    return answer["no such key"]') + 1
    spec = question("{call: f(), check: raises()}")
    result = mark(tmp_path, spec, "def f():\n    return {}\n", checkers=HANGS)
    assert f"checker raises raised KeyError: 'no such key' (line {line} of checkers.py)" in (
        cases(result)["1.1"].message
    )


def test_a_checker_for_which_nothing_is_left_leaves_no_mark_pending(tmp_path: Path) -> None:
    spec = "budget: 1s\nlimits: {time: 500ms}\n" + question("{call: f(), check: holds()}")
    result = mark(tmp_path, spec, "def f():\n    return 1\n", checkers=HANGS)
    assert verdicts(result) == {"1.1": "skipped"}
    assert result.status is Status.MARKED


@pytest.mark.usefixtures("short_checks")
def test_a_checker_that_used_its_full_cpu_limit_is_not_skipped(tmp_path: Path) -> None:
    spec = "budget: {time: 20s, wall: 900ms}\n" + question("{call: f(), check: holds()}")
    result = mark(tmp_path, spec, "def f():\n    return 1\n", checkers=HANGS)
    assert verdicts(result) == {"1.1": "internal-error"}
    assert result.status is Status.PENDING


def test_callbacks_draw_from_the_budget(tmp_path: Path) -> None:
    watch = '{call: "first(f)", watch: {f: {answer: "lambda n: sum(range(n))"}}, returns: 1}'
    spec = "budget: 1s\nlimits: {time: 500ms, wall: 20s}\n" + question(watch, watch)
    work = "def first(f):\n    for _ in range(1000):\n        f(3_000_000)\n    return 1\n"
    result = mark(tmp_path, spec, work)
    assert verdicts(result) == {"1.1": "skipped", "1.2": "skipped"}
    assert result.status is Status.MARKED
