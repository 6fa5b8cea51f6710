"""What penalties take, in which order, and what smoke tests and lateness make due."""

from datetime import UTC, datetime, timedelta
from fractions import Fraction
from zoneinfo import ZoneInfo

import pytest

from grader.marking.lateness import in_words, late_due, late_s
from grader.marking.penalties import DuePenalty, penalties, smoke_due
from grader.model.policy import Deduction, DeductionBase, Extension, Late, LateStep, Smoke
from grader.model.results import CaseResult, QuestionResult
from grader.model.verdict import Verdict

TENTH_OF_MARK = Deduction(Fraction(1, 10), DeductionBase.MARK)
TENTH_OF_MAXIMUM = Deduction(Fraction(1, 10), DeductionBase.MAXIMUM)
TWO_MARKS = Deduction(Fraction(2))
ALL = Deduction(Fraction(1), DeductionBase.MARK)
DEADLINE = datetime(2026, 11, 20, 22, 59, tzinfo=UTC)
DAY_S = 24 * 3600
LATE = Late(
    deadline=DEADLINE,
    grace_s=600,
    steps=(LateStep(DAY_S, TENTH_OF_MARK), LateStep(2 * DAY_S, TWO_MARKS)),
    then=ALL,
    extensions=(
        Extension("later", deadline=DEADLINE + timedelta(days=3)),
        Extension("longer", extra_s=DAY_S),
    ),
)


def amounts(mark: int, *takes: Deduction) -> list[Fraction]:
    dues = [DuePenalty("", one) for one in takes]
    return [penalty.amount for penalty in penalties(Fraction(mark), Fraction(10), dues)]


def test_a_share_of_the_mark_and_a_share_of_the_maximum_differ() -> None:
    assert amounts(5, TENTH_OF_MARK) == [Fraction(1, 2)]
    assert amounts(5, TENTH_OF_MAXIMUM) == [Fraction(1)]


def test_each_takes_from_what_those_before_it_have_left() -> None:
    assert amounts(5, TENTH_OF_MARK, TENTH_OF_MARK) == [Fraction(1, 2), Fraction(9, 20)]
    assert amounts(5, TWO_MARKS, TENTH_OF_MARK) == [2, Fraction(3, 10)]
    assert amounts(5, TENTH_OF_MARK, TWO_MARKS) == [Fraction(1, 2), 2]


def test_none_takes_more_than_is_left() -> None:
    assert amounts(1, TWO_MARKS, TENTH_OF_MAXIMUM) == [1, 0]
    assert amounts(0, TENTH_OF_MAXIMUM) == [0]


@pytest.mark.parametrize(
    ("seconds", "takes"),
    [
        (0, None),
        (600, None),
        (601, TENTH_OF_MARK),
        (DAY_S, TENTH_OF_MARK),
        (DAY_S + 1, TWO_MARKS),
        (2 * DAY_S, TWO_MARKS),
        (2 * DAY_S + 1, ALL),
    ],
)
def test_a_step_holds_up_to_and_with_its_time(seconds: int, takes: Deduction | None) -> None:
    due = late_due(LATE, seconds)
    assert (due.takes if due is not None else None) == takes


def test_a_begun_second_counts_and_another_zone_does_not() -> None:
    assert late_s(DEADLINE, DEADLINE) == 0
    assert late_s(DEADLINE, DEADLINE - timedelta(days=1)) == 0
    assert late_s(DEADLINE, DEADLINE + timedelta(microseconds=1)) == 1
    assert late_s(DEADLINE, datetime.fromisoformat("2026-11-21T00:00:00+01:00")) == 60


def test_more_time_is_as_long_where_the_clocks_change() -> None:
    deadline = datetime(2026, 10, 24, 23, 59, tzinfo=ZoneInfo("Europe/Zurich"))
    ends = Extension("a", extra_s=86400).ends(deadline)
    assert ends.astimezone(UTC) - deadline.astimezone(UTC) == timedelta(days=1)
    assert ends.isoformat() == "2026-10-25T22:59:00+01:00"


def test_an_extension_is_a_deadline_of_ones_own_or_more_time() -> None:
    assert LATE.deadline_of("anyone") == DEADLINE
    assert LATE.deadline_of("later") == DEADLINE + timedelta(days=3)
    assert LATE.deadline_of("longer") == DEADLINE + timedelta(days=1)


def test_a_time_is_told_to_the_second_as_a_policy_counts_it() -> None:
    seconds = (0, 1, 60, 3600, 3601, 3661, DAY_S + 7200, DAY_S + 1)
    told = {each: in_words(each) for each in seconds}
    assert list(told.values()) == [
        "0 seconds",
        "1 second",
        "1 minute",
        "1 hour",
        "1 hour 1 second",
        "1 hour 1 minute 1 second",
        "1 day 2 hours",
        "1 day 1 second",
    ]


def question(**verdicts: Verdict) -> QuestionResult:
    cases = tuple(CaseResult(id=f"1.{name}", call="f()", verdict=one) for name, one in verdicts.items())
    return QuestionResult(
        id="1",
        title="",
        mark=Fraction(1),
        max_mark=Fraction(1),
        verdict=Verdict.ACCEPTED,
        award="all",
        cases=cases,
    )


@pytest.mark.parametrize("verdict", [one for one in Verdict if one is not Verdict.ACCEPTED])
def test_a_smoke_test_fails_by_every_verdict_but_our_own_fault(verdict: Verdict) -> None:
    due = smoke_due(Smoke(("1.a",), TWO_MARKS), [question(a=verdict, b=Verdict.ACCEPTED)])
    assert (due is None) == (verdict is Verdict.INTERNAL_ERROR)


def test_only_the_cases_of_the_smoke_test_count_and_absent_ones_do_not() -> None:
    smoke = Smoke(("1.a", "2.absent"), TWO_MARKS)
    assert smoke_due(smoke, [question(a=Verdict.ACCEPTED, b=Verdict.CRASHED)]) is None


def test_a_failed_smoke_test_is_due_once_and_names_its_cases() -> None:
    failed = dict.fromkeys("abcde", Verdict.LOAD_ERROR)
    due = smoke_due(Smoke(tuple(f"1.{name}" for name in failed), TWO_MARKS), [question(**failed)])
    assert due is not None
    assert due.reason == (
        "the smoke test failed: 1.a (load error), 1.b (load error), 1.c (load error), and 2 more"
    )
