"""A question that stops after some timeouts, under each driver."""

from pathlib import Path

import pytest
from support.marking import cases, mark

from grader.sandbox.driver import LADDER, Driver

SPEC = """
limits: {time: 100ms}
questions:
  - id: "1"
    title: f
    marks: 0.5
    award: each
    stop after: 2 timeouts
    cases:
      - {call: f(1), returns: 1, visibility: hidden}
      - {call: f(-1), returns: 1}
      - {call: f(2), returns: 2}
      - {call: f(-2), returns: 1}
      - {call: f(3), returns: 3}
  - id: "2"
    title: f again
    marks: 0.5
    award: each
    cases:
      - {call: f(-3), returns: 1}
      - {call: f(4), returns: 4}
"""
WORK = "def f(n):\n    while n < 0: pass\n    return n\n"
STOPPED = "skipped: cases 1.2 and 1.4 ran out of time, after which this question stops"
VERDICTS = ["skipped", "time-limit", "accepted", "time-limit", "skipped", "time-limit", "accepted"]


@pytest.mark.parametrize("driver", LADDER)
def test_the_cases_left_are_skipped_with_the_reason(driver: Driver, tmp_path: Path) -> None:
    result = mark(tmp_path, SPEC, WORK, driver=driver)
    found = cases(result)
    assert [str(case.verdict) for case in found.values()] == VERDICTS
    assert [found[name].message for name in ("1.1", "1.5")] == [STOPPED, STOPPED]


def test_one_timeout_can_be_enough(tmp_path: Path) -> None:
    found = cases(mark(tmp_path, SPEC.replace("2 timeouts", "1 timeout"), WORK))
    assert [str(found[f"1.{number}"].verdict) for number in range(1, 6)] == [
        "skipped", "time-limit", "skipped", "skipped", "skipped",
    ]  # fmt: skip
    assert found["1.3"].message == "skipped: case 1.2 ran out of time, after which this question stops"


def test_fewer_timeouts_stop_nothing(tmp_path: Path) -> None:
    found = cases(mark(tmp_path, SPEC, WORK.replace("n < 0", "n == -2")))
    assert "skipped" not in [str(case.verdict) for case in found.values()]
