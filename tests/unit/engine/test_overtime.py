"""Which cases kept their time limit, which did not, and which have to be tried again."""

import pytest

from grader.engine.overtime import allowed, as_met, at_best, cost_s, is_near, is_over
from grader.model.limits import Limits
from grader.model.outcome import Ending
from grader.sandbox.evidence import Evidence
from grader.wire.messages import Report

LIMITS = Limits(time_s=10.0)


def evidence(cpu_s: float, ending: str = "answered") -> Evidence:
    return Evidence(Report(ending, cpu_s, cpu_s, 0, "", b"answer", b"out", b"", "", ()))


@pytest.mark.parametrize(
    ("cpu_s", "ending", "slowness", "over", "near"),
    [
        (10.0, "answered", 1.0, False, True),
        (10.1, "answered", 1.0, True, True),
        (11.1, "answered", 1.0, True, True),
        (11.1, "killed", 1.0, True, True),
        (12.5, "time", 1.0, True, False),
        # Stopped for the slowness of before, while the machine was slower still.
        (12.5, "time", 1.3, True, True),
        (21.9, "answered", 2.0, True, True),
        (21.9, "time", 2.0, True, True),
        (22.1, "time", 2.0, True, False),
        (25.0, "time", 2.0, True, False),
        (3.0, "time", 1.0, True, True),
    ],
)
def test_over_and_near(cpu_s: float, ending: str, slowness: float, over: bool, near: bool) -> None:
    found = evidence(cpu_s, ending)
    assert is_over(found, LIMITS) is over
    assert is_near(found, LIMITS, slowness) is near


def test_a_case_that_never_ends_is_stopped_where_it_is_no_longer_near() -> None:
    for slowness in (1.0, 1.7, 2.5):
        stopped = evidence(allowed(LIMITS, slowness).time_s, "time")
        assert not is_near(stopped, LIMITS, slowness)


def test_one_that_was_over_has_no_answer() -> None:
    outcome = as_met(evidence(19.0)).outcome()
    assert (outcome.ending, outcome.answers, outcome.cpu_s) == (Ending.TIME, (), 19.0)
    assert outcome.stdout == "out"


def test_times_at_best() -> None:
    report = at_best(evidence(6.0).report._replace(besides_s=2.0), 2.0)
    assert (report.cpu_s, report.wall_s, report.besides_s) == (3.0, 6.0, 1.0)


def test_what_waits_costs_as_much_on_a_slow_machine() -> None:
    """A third of the time by the clock, see `watch.price_s`."""
    for slowness in (1.0, 2.0):
        found = Evidence(at_best(evidence(0.3).report._replace(wall_s=6.0), slowness))
        assert cost_s(found, LIMITS) == pytest.approx(2.0, abs=0.2)


def test_what_met_its_limit_costs_the_same_at_every_moment() -> None:
    costs = {cost_s(Evidence(at_best(evidence(cpu_s, "time").report, 1.5)), LIMITS) for cpu_s in (12.6, 19.0)}
    assert costs == {12.5}
