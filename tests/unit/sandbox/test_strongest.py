"""Which rung of the ladder a run takes, given how each of them fares when it is examined."""

from collections import Counter

import pytest

from grader.doctor import doctor
from grader.doctor.doctor import Examination, strongest
from grader.model.errors import NoSandbox
from grader.sandbox.driver import LADDER, Driver
from grader.sandbox.interpreter import Interpreter, find_interpreter


def take(monkeypatch: pytest.MonkeyPatch, failures: dict[Driver, int]) -> Counter[Driver]:
    """Let each driver fail so many times, and count how often it is examined."""
    seen: Counter[Driver] = Counter()

    def examine_once(driver: Driver, interpreter: Interpreter, thorough: bool) -> Examination:
        seen[driver] += 1
        return Examination(driver, {}, "no room" if seen[driver] <= failures.get(driver, 0) else "")

    monkeypatch.setattr(doctor, "_examine_once", examine_once)
    # What held before, in another test, is not known here.
    monkeypatch.setattr(doctor, "held_all", lambda _: False)
    monkeypatch.setattr(doctor, "note_that_all_held", lambda _: None)
    return seen


def test_the_first_that_works_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = take(monkeypatch, {LADDER[0]: 99})
    assert strongest(find_interpreter(""), Driver.LANDLOCK).driver is LADDER[1]
    assert seen[LADDER[1]] == 1


def test_one_failure_costs_no_run_its_walls(monkeypatch: pytest.MonkeyPatch) -> None:
    take(monkeypatch, {LADDER[0]: 1})
    assert strongest(find_interpreter(""), Driver.LANDLOCK).driver is LADDER[0]


def test_below_what_is_required_there_is_none_and_the_reasons_are_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    take(monkeypatch, dict.fromkeys(LADDER[:2], 99))
    with pytest.raises(NoSandbox, match="no room"):
        strongest(find_interpreter(""), LADDER[1])
