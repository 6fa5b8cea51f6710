"""Slip days, worked by hand: ledger, lines, deadlines, and what changes when a task is marked again."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from grader.course.arithmetic.slip import (
    AttemptState,
    SlipEntry,
    SlipFact,
    SlipLedger,
    in_order,
    slip_ledger,
)
from grader.course.arithmetic.slip_changes import slip_changes
from grader.course.course import DatedDays, Short, SlipDays

DAY = timedelta(days=1)
MINUTE = timedelta(minutes=1)
START = datetime(2026, 10, 1, 22, 0, tzinfo=UTC)
RULES = SlipDays(budget=4, grace_s=600, at_most=2)


def fact(
    task: str, week: int, late: timedelta = timedelta(0), extension: timedelta | None = None
) -> SlipFact:
    """Return a task that is due a number of weeks after the start, handed in late by a time."""
    due = START + week * 7 * DAY
    own = None if extension is None else due + extension
    return SlipFact(task=task, due=due, extension=own, submitted=due + late)


def untimed(task: str, week: int, state: AttemptState) -> SlipFact:
    return replace(fact(task, week), submitted=None, state=state)


def ledger(*facts: SlipFact, rules: SlipDays = RULES) -> SlipLedger:
    return slip_ledger(rules, "s-1", facts)


def entry(task: SlipFact, rules: SlipDays = RULES) -> SlipEntry:
    return ledger(task, rules=rules).entries[0]


def texts(of: SlipLedger) -> list[str]:
    return [
        f"{one.add:+d} ({one.reason})"
        if isinstance(one, DatedDays)
        else f"{one.task}: {one.used} used, {one.left} left ({one.reason})"
        for one in in_order(of)
    ]


def test_a_term_line_by_line() -> None:
    added = (
        DatedDays("s-1", START + 15 * DAY, 1, "helped in the lab"),
        DatedDays("s-2", START, 9, "not theirs"),
    )
    term = ledger(
        fact("tour", 0, late=26 * 60 * MINUTE),
        fact("maze", 1, late=3 * DAY),
        fact("dates", 2, late=10 * MINUTE),
        fact("words", 3, late=2 * DAY),
        untimed("essay", 4, AttemptState.EXCUSED),
        untimed("graphs", 5, AttemptState.NOTHING),
        rules=replace(RULES, added=added),
    )
    assert texts(term) == [
        "tour: 2 used, 2 left (2 slip days needed)",
        "maze: 2 used, 0 left (3 slip days needed, at most 2 for one task: the rest is penalised)",
        "dates: 0 used, 0 left (late by no more than the grace)",
        "+1 (helped in the lab)",
        "words: 1 used, 0 left (2 slip days needed, 1 left: the rest is penalised)",
        "essay: 0 used, 0 left (excused)",
        "graphs: 0 used, 0 left (nothing handed in)",
    ]
    assert (term.budget, term.left) == (4, 0)


@pytest.mark.parametrize(
    ("late", "needed", "covered"),
    [
        (-DAY, 0, timedelta(0)),
        (timedelta(0), 0, timedelta(0)),
        (10 * MINUTE, 0, 10 * MINUTE),
        (10 * MINUTE + timedelta(microseconds=1), 1, DAY),
        (DAY, 1, DAY),
        (DAY + timedelta(microseconds=1), 2, 2 * DAY),
        (9 * DAY, 9, 2 * DAY),
    ],
)
def test_a_begun_day_counts_whole_and_the_grace_is_counted_from_the_deadline(
    late: timedelta, needed: int, covered: timedelta
) -> None:
    result = entry(fact("tour", 0, late))
    assert (result.needed, result.deadline - result.due) == (needed, covered)


def test_an_extension_comes_before_slip_days_and_never_shortens() -> None:
    longer = entry(fact("tour", 0, late=3 * DAY, extension=2 * DAY))
    assert (longer.due, longer.used, longer.deadline) == (START + 2 * DAY, 1, START + 3 * DAY)
    assert entry(fact("tour", 0, late=DAY, extension=-DAY)).used == 1


def test_a_long_extension_takes_no_day_from_what_was_due_before_it_ended() -> None:
    rules = replace(RULES, budget=2)
    early = fact("early", 0, late=30 * DAY, extension=28 * DAY)
    used = {e.task: e.used for e in ledger(early, fact("later", 1, late=2 * DAY), rules=rules).entries}
    assert used == {"later": 2, "early": 0}


def test_tasks_that_are_due_at_once_come_by_name() -> None:
    rules = replace(RULES, budget=1)
    used = [(e.task, e.used) for e in ledger(fact("b", 0, DAY), fact("a", 0, DAY), rules=rules).entries]
    assert used == [("a", 1), ("b", 0)]


@pytest.mark.parametrize("state", [state for state in AttemptState if state is not AttemptState.TIMED])
def test_only_an_attempt_that_counts_by_its_time_spends_days(state: AttemptState) -> None:
    result = entry(untimed("tour", 0, state))
    assert (result.used, result.left, result.deadline, result.is_zero) == (0, 4, START, False)


def test_zero_spends_no_day_where_too_few_are_left() -> None:
    rules = replace(RULES, short=Short.ZERO)
    tour, maze = ledger(fact("tour", 0, late=3 * DAY), fact("maze", 1, late=2 * DAY), rules=rules).entries
    assert (tour.used, tour.left, tour.is_zero, tour.deadline) == (0, 4, True, START)
    assert tour.reason == "3 slip days needed, at most 2 for one task: no marks, and none is spent"
    assert (maze.used, maze.left, maze.is_zero) == (2, 2, False)


def test_without_a_day_the_lateness_is_penalised() -> None:
    assert entry(fact("tour", 0, late=DAY), replace(RULES, budget=0)).reason == (
        "1 slip day needed, 0 left: the lateness is penalised"
    )


def test_a_person_can_have_a_budget_of_their_own() -> None:
    assert ledger(rules=replace(RULES, budgets={"s-1": 6})).left == 6
    assert ledger(rules=replace(RULES, budgets={"s-2": 6})).left == 4


def test_a_grant_helps_from_its_date_on() -> None:
    rules = replace(RULES, budget=0, added=(DatedDays("s-1", START, 1, "why"),))
    assert entry(fact("tour", 0, late=DAY), rules).used == 1
    later = replace(rules, added=(DatedDays("s-1", START + timedelta(seconds=1), 1, "why"),))
    assert entry(fact("tour", 0, late=DAY), later).used == 0


def test_a_grant_without_a_zone_is_refused() -> None:
    rules = replace(RULES, added=(DatedDays("s-1", START.replace(tzinfo=None), 1, "why"),))
    with pytest.raises(ValueError, match="needs a zone"):
        ledger(rules=rules)


def test_a_day_has_24_hours_also_where_the_clock_goes_back() -> None:
    due = datetime(2026, 10, 24, 23, 59, tzinfo=ZoneInfo("Europe/Zurich"))
    after = SlipFact(task="tour", due=due, submitted=due + DAY)  # 25 hours, by the wall clock one day
    assert (entry(after).needed, entry(after).deadline.isoformat()) == (2, "2026-10-26T22:59:00+01:00")


@pytest.mark.parametrize(
    "keys",
    [
        {"due": START.replace(tzinfo=None), "submitted": START},
        {"due": START, "submitted": START.replace(tzinfo=None)},
        {"due": START},
        {"due": START, "submitted": START, "state": AttemptState.NOTHING},
    ],
)
def test_facts_that_contradict_themselves_are_refused(keys: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="tour: "):
        SlipFact(task="tour", **keys)  # type: ignore[arg-type]


def test_an_older_task_that_is_marked_again_changes_later_ones() -> None:
    rules = replace(RULES, budget=2)
    maze = fact("maze", 1, late=2 * DAY)
    before = ledger(fact("tour", 0), maze, rules=rules)
    after = ledger(fact("tour", 0, late=DAY), maze, rules=rules)
    assert slip_changes(before, after) == (
        "maze uses 1 slip day, not 2; it is due at 2026-10-09 22:00, not at 2026-10-10 22:00 "
        "(2 slip days needed, 1 left: the rest is penalised).",
    )
    assert slip_changes(after, before) == (
        "maze uses 2 slip days, not 1; it is due at 2026-10-10 22:00, not at 2026-10-09 22:00 "
        "(2 slip days needed).",
    )


def test_a_task_that_gets_no_marks_is_told_and_none_that_is_new_or_gone() -> None:
    rules = replace(RULES, budget=2, short=Short.ZERO)
    maze = fact("maze", 1, late=2 * DAY)
    before = ledger(maze, fact("words", 2), rules=rules)
    after = ledger(fact("tour", 0, late=DAY), maze, rules=rules)
    assert slip_changes(before, after) == (
        "maze uses 0 slip days, not 2; it gets no marks now; it is due at 2026-10-08 22:00, "
        "not at 2026-10-10 22:00 (2 slip days needed, 1 left: no marks, and none is spent).",
    )
    assert slip_changes(after, after) == ()
