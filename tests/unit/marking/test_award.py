"""The mark of a question: all or nothing, in proportion, or by groups."""

from fractions import Fraction

import pytest

from grader.marking.award import earned_fraction
from grader.marking.questions import question_result
from grader.model.results import CaseResult
from grader.model.task import Award, Question
from grader.model.verdict import Verdict

OK, WRONG, OURS = Verdict.ACCEPTED, Verdict.WRONG_ANSWER, Verdict.INTERNAL_ERROR
PARTIAL, SKIPPED = Verdict.PARTIAL, Verdict.SKIPPED


def _case(verdict: Verdict, weight: int = 1, group: str = "", score: str = "0") -> CaseResult:
    return CaseResult(
        id="1.1", call="f()", verdict=verdict, weight=Fraction(weight), group=group, score=Fraction(score)
    )


def _cases(*verdicts: Verdict) -> list[CaseResult]:
    return [_case(verdict) for verdict in verdicts]


@pytest.mark.parametrize(
    ("verdicts", "earned"),
    [
        ([OK, OK], 1),
        ([OK, WRONG], 0),
        ([OK, PARTIAL], 0),
        ([OK, SKIPPED], 0),
        ([OK, OURS], 1),
        ([WRONG, OURS], 0),
        ([OURS], 0),
        ([], 0),
    ],
)
def test_all_takes_every_case(verdicts: list[Verdict], earned: int) -> None:
    assert earned_fraction(Award.ALL, _cases(*verdicts)) == earned


@pytest.mark.parametrize(
    ("cases", "earned"),
    [
        (_cases(OK, WRONG, OK), "2/3"),
        ([_case(OK, weight=3), _case(WRONG)], "3/4"),
        ([_case(OK), _case(PARTIAL, score="1/3")], "2/3"),
        ([_case(PARTIAL, score="7"), _case(PARTIAL, score="-7")], "1/2"),
        (_cases(OK, SKIPPED), "1/2"),
        (_cases(OK, OURS), "1"),
        (_cases(OK, WRONG, OURS), "1/2"),
        (_cases(OURS), "0"),
        ([], "0"),
        ([_case(OK, weight=0)], "0"),
    ],
)
def test_each_goes_by_weight_and_score(cases: list[CaseResult], earned: str) -> None:
    assert earned_fraction(Award.EACH, cases) == Fraction(earned)


def test_a_score_without_the_verdict_earns_nothing() -> None:
    assert earned_fraction(Award.EACH, [_case(WRONG, score="1"), _case(OURS, score="1")]) == 0


@pytest.mark.parametrize(
    ("cases", "earned"),
    [
        ([_case(OK, group="a"), _case(WRONG, group="a"), _case(OK, group="b")], "1/3"),
        ([_case(OK, group="a"), _case(OK, group="a"), _case(WRONG, group="b")], "2/3"),
        ([_case(OK, 3, "a"), _case(PARTIAL, 1, "b", "1/2")], "3/4"),
        ([_case(OK), _case(WRONG), _case(OK)], "2/3"),
        ([_case(OK, 1, "a"), _case(OURS, 5, "a"), _case(WRONG, 1, "b")], "1/2"),
        ([_case(WRONG, 1, "a"), _case(OURS, 5, "a"), _case(OK, 1, "b")], "1/7"),
        ([_case(OURS, 1, "a")], "0"),
        ([], "0"),
    ],
)
def test_a_group_counts_when_all_of_it_is_accepted(cases: list[CaseResult], earned: str) -> None:
    assert earned_fraction(Award.GROUPS, cases) == Fraction(earned)


def test_a_question_has_its_share_of_marks_and_its_gravest_verdict() -> None:
    question = Question(id="1", title="One", module="m", marks=Fraction(7), award=Award.EACH, cases=())
    cases = _cases(OK, WRONG, OK)
    result = question_result(question, cases)
    assert (result.id, result.title, result.award) == ("1", "One", "each")
    assert (result.mark, result.max_mark) == (Fraction(14, 3), Fraction(7))
    assert result.verdict is WRONG
    assert result.cases == tuple(cases)
