"""The time left is right within a factor of two, however uneven the costs are, in whatever order they come.

Runs are simulated: which submission is begun and done when follows from the costs and from how many are
marked at a time, as in a real batch.  No clock is looked at.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from heapq import heappop, heappush
from itertools import pairwise
from random import Random

import pytest

from grader.cli.progress.outlook import Outlook
from grader.engine.run import spread
from grader.model.events import CaseUnderWay, Event, SubmissionKept, SubmissionMarked, SubmissionStarted
from grader.model.results import Status, SubmissionResult

BUDGET_S = 60.0
SHORT_S = 5.0
"""So much may an estimate be wrong in any case: it is still true to say `about 5 s left`."""


def marked(name: str) -> SubmissionMarked:
    mark = Fraction(1)
    return SubmissionMarked(
        SubmissionResult(id=name, name=name, mark=mark, max_mark=mark, status=Status.MARKED)
    )


def run_of(costs_s: Sequence[float], at_a_time: int) -> list[tuple[float, Event]]:
    """Return the events of a run whose submissions cost that much, in the order in which they are begun."""
    events: list[tuple[float, Event]] = []
    free_at = [0.0] * at_a_time
    for number, cost_s in enumerate(costs_s):
        begun_s = heappop(free_at)
        name = f"student-{number}"
        events += [(begun_s, SubmissionStarted(name, name)), (begun_s + cost_s, marked(name))]
        heappush(free_at, begun_s + cost_s)
    return sorted(events, key=lambda event: (event[0], isinstance(event[1], SubmissionStarted)))


def estimated(events: Iterable[tuple[float, Event]], total: int, now_s: float) -> float:
    outlook = Outlook(total, BUDGET_S)
    for when_s, event in events:
        if when_s <= now_s:
            outlook.see(event, when_s)
    left_s = outlook.left_s(now_s)
    assert left_s is not None
    return left_s


def holds(left_s: float, true_s: float) -> bool:
    return true_s / 2 <= left_s <= 2 * true_s or abs(left_s - true_s) <= SHORT_S


def with_a_tenth(hanging: range, count: int, hanging_s: float) -> list[float]:
    cheap = Random(1)
    return [hanging_s if number in hanging else cheap.uniform(0.01, 0.06) for number in range(count)]


PLACES = {
    "evenly spread": lambda count: range(3, count, 10),
    "at the start": lambda count: range(count // 10),
    "at the end": lambda count: range(count - count // 10, count),
}


@pytest.mark.parametrize("at_a_time", [1, 2, 3, 4])
@pytest.mark.parametrize("hanging_s", [2.4, 12.0, 30.0, 60.0])
@pytest.mark.parametrize("count", [100, 200, 400, 1000])
@pytest.mark.parametrize("place", PLACES)
def test_a_tenth_that_hangs(place: str, count: int, hanging_s: float, at_a_time: int) -> None:
    """After a fifth of the time, and later."""
    costs_s = spread(with_a_tenth(PLACES[place](count), count, hanging_s))
    events = run_of(costs_s, at_a_time)
    end_s = events[-1][0]
    for share in (0.2, 0.4, 0.6):
        left_s = estimated(events, count, share * end_s)
        assert holds(left_s, (1 - share) * end_s), f"{left_s:.1f} s at {share:.0%} of {end_s:.1f} s"


@pytest.mark.parametrize("at_a_time", [1, 2, 4, 8])
@pytest.mark.parametrize("cost_s", [(0.01, 0.06), (1.0, 10.0)], ids=["cheap", "dear"])
def test_costs_of_one_kind(cost_s: tuple[float, float], at_a_time: int) -> None:
    random = Random(2)
    events = run_of([random.uniform(*cost_s) for _ in range(100)], at_a_time)
    end_s = events[-1][0]
    for share in (0.1, 0.2, 0.5, 0.8):
        assert holds(estimated(events, 100, share * end_s), (1 - share) * end_s)


def test_elapsed_by_done_would_not_do() -> None:
    """What was told before: the reason for all this, and that these simulations can fail."""
    costs_s = with_a_tenth(PLACES["at the end"](100), 100, 60.0)
    events = run_of(costs_s, 2)
    end_s = events[-1][0]
    now_s = end_s / 5
    done = sum(when_s <= now_s and isinstance(event, SubmissionMarked) for when_s, event in events)
    assert not holds(now_s / done * (100 - done), end_s - now_s)


def test_one_that_is_under_way_never_needs_more_than_its_budget() -> None:
    events = [(0.0, SubmissionStarted("a", "a"))]
    assert estimated(events, 1, 50.0) <= 10
    assert estimated(events, 1, 75.0) == 0


def test_nothing_is_promised_before_anything_is_begun() -> None:
    outlook = Outlook(10, BUDGET_S)
    outlook.see(SubmissionKept("a"), 1.0)
    assert outlook.done == 1
    assert outlook.left_s(2.0) is None


def test_the_slow_are_named_with_their_age_and_what_they_are_at() -> None:
    outlook = Outlook(3, BUDGET_S)
    for when_s, name in enumerate(("a", "b", "c")):
        outlook.see(SubmissionStarted(name, name.upper()), float(when_s))
    outlook.see(CaseUnderWay("b", "3.2", waits=True), 4.0)
    outlook.see(marked("a"), 5.0)
    outlook.see(CaseUnderWay("a", "1.1"), 6.0)
    found = [(age_s, one.name, one.case, one.waits) for age_s, one in outlook.slow(12.0, 5.0)]
    assert found == [(11.0, "B", "3.2", True), (10.0, "C", "", False)]
    assert outlook.slow(12.0, 10.5) == outlook.slow(12.0, 5.0)[:1]


def test_one_that_is_begun_again_is_as_old_as_its_second_beginning() -> None:
    outlook = Outlook(1, BUDGET_S)
    outlook.see(SubmissionStarted("a", "A"), 0.0)
    outlook.see(SubmissionStarted("a", "A"), 30.0)
    assert [age_s for age_s, _ in outlook.slow(40.0, 1.0)] == [10.0]


def test_a_spread_order_has_each_once_and_no_stretch_of_neighbours() -> None:
    order = spread(range(1000))
    assert sorted(order) == list(range(1000))
    for start in range(0, 1000, 50):
        tenth = [place for place, number in enumerate(order) if number in range(start, start + 50)]
        assert max(later - one for one, later in pairwise(tenth)) < 60
    assert spread([]) == ()


@pytest.mark.parametrize("at_a_time", [2, 4, 8])
@pytest.mark.parametrize("slow_s", [(3.0, 4.0), (2.0, 12.0), (10.0, 10.0), (1.0, 60.0), (58.0, 60.0)])
@pytest.mark.parametrize("seed", range(5))
def test_a_twentieth_that_is_slow_makes_no_estimate_jump(
    seed: int, slow_s: tuple[float, float], at_a_time: int
) -> None:
    """Of 2,000 works with 5 % bad ones 6, then 17, then 3 minutes were told: looked at every ten seconds."""
    random = Random(seed)
    costs_s = [
        random.uniform(*slow_s) if random.random() < 0.05 else random.uniform(0.1, 0.3) for _ in range(2000)
    ]
    events = run_of(costs_s, at_a_time)
    end_s = events[-1][0]
    outlook, place, told = Outlook(2000, BUDGET_S), 0, 0
    for now_s in range(10, int(end_s), 10):
        while place < len(events) and events[place][0] <= now_s:
            outlook.see(events[place][1], events[place][0])
            place += 1
        left_s = outlook.told_s(now_s)
        if left_s is not None:
            told += 1
            true_s = end_s - now_s
            # At the end a few works decide, and chance with them.
            assert true_s < 0.2 * end_s or holds(left_s, true_s), f"{left_s} of {true_s}"
    assert told >= 0.7 * (end_s // 10)


def test_even_costs_are_told_soon() -> None:
    events = run_of([10.0] * 100, 2)
    outlook = Outlook(100, BUDGET_S)
    for when_s, event in events:
        if when_s <= 60:
            outlook.see(event, when_s)
    assert outlook.told_s(60.0) == pytest.approx(440, abs=30)
