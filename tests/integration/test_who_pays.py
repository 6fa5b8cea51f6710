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

from grader.engine.submission import marker
from grader.model.results import Status, SubmissionResult
from grader.model.task import Task
from grader.sandbox.budget import Budget

BURN_S, WAIT_S = 0.2, 0.4
HELP = f"""
import time

def burn():
    end = time.process_time() + {BURN_S}
    while time.process_time() < end:
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

    case: of the spec.  work: its module; ACT is the call that does the work.  files: beside the spec.
    """

    case: str
    work: str
    checkers: str = ""
    reference: str = ""
    files: Mapping[str, str] = {}


RIGHT = "def f(x=0):\n    return 1\n"
CALLED = "def f(x=0):\n    ACT\n    return 1\n"
TESTS = "import work\n\ndef test_it():\n    assert work.f() == 1\n"
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
    "drawn": Place('{call: f(x), given: {x: "integers(0, 9)"}, examples: 1, returns: 1}', CALLED),
}  # fmt: skip


def marked(
    folder: Path,
    name: str,
    act: str,
    budget: Budget,
    monkeypatch: pytest.MonkeyPatch,
    limits: str,
    count: int,
) -> SubmissionResult:
    def budget_of(_: Task) -> Budget:
        return budget

    monkeypatch.setattr(marker, "budget_of", budget_of)
    place = PLACES[name]

    def with_act(text: str, *, helps: bool) -> str:
        return (HELP if helps else "") + text.replace("ACT", act)

    for file, text in place.files.items():
        (folder / file).write_text(text)
    checkers = place.checkers
    if checkers.startswith("HELP"):
        checkers = with_act(checkers.removeprefix("HELP"), helps=True)
    spec = f"limits: {limits}\n" + question(*[place.case] * count)
    return mark(
        folder,
        spec,
        with_act(place.work, helps=True),
        checkers=checkers,
        reference=textwrap.dedent(place.reference),
    )


@pytest.mark.parametrize("name", [*PLACES])
def test_computing_and_waiting_are_billed(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    budget = Budget(60.0, 60.0)
    result = marked(tmp_path, name, "both()", budget, monkeypatch, "{time: 10s, wall: 20s}", 1)
    assert result.status is Status.MARKED, result
    assert 60.0 - budget.cpu_left_s > 0.9 * BURN_S
    # On a busy machine not all of a wait can be told from starving.
    assert 60.0 - budget.wall_left_s > 0.3 * WAIT_S


@pytest.mark.parametrize("act", ["spin()", "doze()"])
@pytest.mark.parametrize("name", [*PLACES])
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
