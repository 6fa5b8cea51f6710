"""Wherever something of a submission computes or waits, its budget pays for it, and ends it.

Each place in which a submission's code runs, or the spec's code on its answers, is a row of the table.
What is compared is what the budget says, never the clock.
"""

import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest
from support.marking import mark, question
from support.rows import first_of

from grader.engine.submission import marker
from grader.kinds.calls import shrinking
from grader.model.results import Status, SubmissionResult
from grader.model.task import Task
from grader.sandbox.budget import Budget
from grader.sandbox.tools import tool_cell
from grader.sandbox.tools.tool import USUAL, ToolLimits, ToolRun, path_of, run_tool

BURN_S, WAIT_S = 0.2, 0.8
"""The wait is longer than half a second, after which a keeper first looks at a run queue.  If a process has
ended by then and is gone, its wait is not known."""
HELP = f"""
import os, time

def burn():
    end = sum(os.times()[:2]) + {BURN_S}
    while sum(os.times()[:2]) < end:
        pass

def wait():
    time.sleep({WAIT_S})

def both():
    burn()
    wait()

def spin():
    while True:
        pass

def doze():
    time.sleep(1000)
"""


class Place(NamedTuple):
    """A place where work is done.

    case: of the spec.  work: its module.  files: beside the spec.  In these and in checkers, ACT is the call
    that does the work; HELP at the beginning defines it, as in each work.
    """

    case: str
    work: str
    checkers: str = ""
    reference: str = ""
    files: Mapping[str, str] = {}


RIGHT = "def f(x=0):\n    return 1\n"
CALLED = "def f(x=0):\n    ACT\n    return 1\n"
TESTS = "import work\n\ndef test_it():\n    assert work.f() == 1\n"
CALLS_BACK = "import work\n\ndef test_it():\n    assert work.f(act) == 1\n\ndef act():\n    ACT\n"
OWN_TESTS = "import leap\n\ndef test_it():\n    ACT\n    assert leap.f() == 1\n"
PROGRAMS = {"right.py": RIGHT, "wrong.py": "def f():\n    return 2\n"}
PLACES = {
    "import": Place("{call: f(), returns: 1}", "ACT\n" + RIGHT),
    "call": Place("{call: f(), returns: 1}", CALLED),
    "scenario": Place("{scenario: [{call: f(), returns: 1}, {call: f(), returns: 1}]}", CALLED),
    "several calls": Place("{sum: f(x), over: {x: [1]}, returns: 1}", CALLED),
    "program": Place('{program: work, stdout: ""}', "ACT\n"),
    "dialogue": Place('{program: work, dialogue: [{says: "a", answer: "b"}]}', "input('a')\nACT\n"),
    "harness": Place("{call: g(), returns: 1, harness: harness.py}", CALLED,
                     files={"harness.py": "import work\n\ndef g():\n    return work.f()\n"}),
    "test file": Place("{pytest: tests.py}", CALLED, files={"tests.py": TESTS}),
    "files": Place("{call: f(), returns: 1, files: {a.txt: a}}", CALLED),
    "the answer's text": Place("{call: f(), returns: 1}",
                               "class A:\n    def __repr__(self):\n        ACT\n        return 'a'\n"
                               "def f():\n    return A()\n"),
    "checker": Place("{call: f(), check: right()}", RIGHT,
                     "HELPdef right(answer):\n    ACT\n    return True\n"),
    "growing": Place("{call: f(x), grow: {x: [1, 2, 3]}, growth: linear, returns: 1}", CALLED),
    "compared": Place("{call: f(), returns: 1, pace: {full: 2, none: 4}}", CALLED, reference=RIGHT),
    "watched": Place('{call: f(g), watch: {g: {answer: "lambda n: n"}}, returns: 1}',
                     "def f(g):\n    g(1)\n    ACT\n    g(1)\n    return 1\n"),
    "callback": Place("{pytest: tests.py}", "def f(g):\n    g()\n    return 1\n",
                      files={"tests.py": "HELP" + CALLS_BACK}),
    "students' tests": Place(
        "{student tests: work, against: {module: leap, right: [right.py], wrong: [wrong.py]}}",
        OWN_TESTS, files=PROGRAMS),
    "renderer": Place("{call: f(), returns: 2, picture: draws()}", RIGHT,
                      "HELPdef draws(answer, expected):\n    ACT\n"),
    "drawn": Place('{call: f(x), given: {x: "integers(0, 9)"}, examples: 1, returns: 1}', CALLED),
}  # fmt: skip


def with_budget(monkeypatch: pytest.MonkeyPatch, budget: Budget) -> Budget:
    def budget_of(_: Task) -> Budget:
        return budget

    monkeypatch.setattr(marker, "budget_of", budget_of)
    return budget


def marked(
    folder: Path,
    name: str,
    act: str,
    budget: Budget,
    monkeypatch: pytest.MonkeyPatch,
    limits: str,
    count: int,
) -> SubmissionResult:
    with_budget(monkeypatch, budget)
    place = PLACES[name]

    def with_act(text: str) -> str:
        helped = HELP + text.removeprefix("HELP") if text.startswith("HELP") else text
        return helped.replace("ACT", act)

    for file, text in place.files.items():
        (folder / file).write_text(with_act(text))
    spec = f"limits: {limits}\n" + question(*[place.case] * count)
    return mark(
        folder,
        spec,
        with_act("HELP" + place.work),
        checkers=with_act(place.checkers),
        reference=textwrap.dedent(place.reference),
    )


@pytest.mark.parametrize(
    "name",
    first_of([each for each in PLACES if each != "growing"] + ["growing"], 5),
)
def test_computing_and_waiting_are_billed(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    budget = Budget(60.0, 60.0)
    result = marked(tmp_path, name, "both()", budget, monkeypatch, "{time: 10s, wall: 20s}", 1)
    assert result.status is Status.MARKED, result
    assert 60.0 - budget.cpu_left_s > 0.9 * BURN_S
    # On a busy machine not all of a wait can be told from starving.
    assert 60.0 - budget.wall_left_s > 0.3 * WAIT_S


@pytest.mark.parametrize("act", first_of(["spin()", "doze()"]))
@pytest.mark.parametrize("name", first_of(PLACES, 6))
def test_it_ends_with_the_budget(
    name: str, act: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The limits of a case are far away."""
    budget = Budget(0.5, 0.5)
    result = marked(tmp_path, name, act, budget, monkeypatch, "{time: 30s, wall: 60s}", 2)
    assert result.status is Status.MARKED, result
    assert budget.is_used_up
    assert budget.cpu_left_s > -1.5
    assert budget.wall_left_s > -1.5


# -- what has no line of its own in the table ----------------------------------------------------------------


@pytest.mark.parametrize("work", ["    g(10**7)\n    return 1", "    while True:\n        g(10**7)"])
def test_a_watched_callback_is_paid_by_who_calls_it(
    work: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    budget = with_budget(monkeypatch, Budget(2.0, 20.0))
    case = '{call: f(g), watch: {g: {answer: "lambda n: sum(range(n))"}}, returns: 1}'
    spec = "limits: {time: 30s, wall: 60s}\n" + question(case)
    result = mark(tmp_path, spec, f"def f(g):\n{work}\n")
    assert result.status is Status.MARKED, result
    if "while" in work:
        assert budget.is_used_up
        assert budget.cpu_left_s > -1.5
    else:
        # The submission itself hardly computes.
        (found,) = result.cases
        assert 2.0 - budget.cpu_left_s > 2 * found.cpu_s + 0.02


@pytest.mark.parametrize("most_s", [60.0, 0.3])
def test_shrinking_has_a_purse_of_its_own(
    most_s: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It comes after all cases and changes no mark, so it takes nothing from them."""
    budget = with_budget(monkeypatch, Budget(60.0, 60.0))
    purses = []

    def beside(whole: Budget) -> Budget:
        purses.append(shrinking.budget_beside(whole))
        return purses[-1]

    monkeypatch.setattr(shrinking, "SHRINK_S", most_s)
    monkeypatch.setattr(marker, "budget_beside", beside)
    work = HELP + "def f(x):\n    if x > 3:\n        burn()\n    return x if x < 4 else -1\n"
    case = '{call: f(x), given: {x: "integers(50, 99)"}, examples: 2, returns: same as reference}'
    spec = "limits: {time: 400ms}\n" + question(case)
    result = mark(tmp_path, spec, work, reference="def f(x):\n    return x\n")
    assert result.status is Status.MARKED, result
    (purse,) = purses
    assert purse.cpu_s <= most_s
    assert purse.cpu_s - purse.cpu_left_s > 0.9 * BURN_S
    assert 60.0 - budget.cpu_left_s < 4 * BURN_S
    if most_s < 1:
        assert purse.cpu_left_s > -1.5


LINTER = "{rule: {linter: {select: [F]}}}"
PATTERN = '{rule: {forbidden constructs: {patterns: ["print($X)"]}}}'


@pytest.mark.parametrize("left_s", [60.0, 0.01])
@pytest.mark.parametrize(("tool_name", "case"), [("ruff", LINTER), ("ast-grep", PATTERN)])
def test_a_tool_is_paid_by_the_work_that_it_reads(
    tool_name: str, case: str, left_s: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`hostile/test_tool_costs.py` shows that the purse pays for all processes of a tool."""
    if path_of(tool_name) is None:
        pytest.skip(f"{tool_name} is not installed")
    budget = with_budget(monkeypatch, Budget(60.0, 60.0))
    paid: list[float] = []

    def watching(command: list[str], text: str, limits: ToolLimits = USUAL, *, purse: Budget) -> ToolRun:
        # The purse is a share of the budget, and draws on it.
        budget.spend(max(0.0, budget.cpu_left_s - left_s))
        before_s = budget.cpu_left_s
        run = run_tool(command, text, limits, purse=purse)
        paid.append(before_s - budget.cpu_left_s - run.cpu_s)
        assert run.cpu_s > 0
        return run

    monkeypatch.setattr(tool_cell, "run_tool", watching)
    result = mark(tmp_path, question(case), "x = [1, 2, 3]\n" * 3_000)
    assert result.status is Status.MARKED, result
    assert paid
    assert max(map(abs, paid)) < 1e-6
    if left_s < 1:
        assert budget.is_used_up
        assert budget.cpu_left_s > -1.5
