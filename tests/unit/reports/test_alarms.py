"""Alarms about cases that nobody passed, from the results alone."""

from collections.abc import Iterable
from fractions import Fraction

import pytest

from grader.model.results import CaseResult, QuestionResult, Status, SubmissionResult
from grader.model.verdict import Verdict
from grader.reports.terminal.cohort import alarm_lines
from grader.reports.terminal.lines import to_text
from grader.reports.views.cohort.cohort import Cohort
from grader.reports.views.cohort.run_warnings import alarms_of


def cohort(*cases: CaseResult) -> Cohort:
    """Return a cohort in which each student has one of the cases."""
    found = Cohort(Fraction(1))
    for number, case in enumerate(cases):
        question = QuestionResult(
            id="1",
            title="",
            mark=Fraction(0),
            max_mark=Fraction(1),
            verdict=case.verdict,
            award="all",
            cases=(case,),
        )
        found.add(
            SubmissionResult(
                id=f"s{number}",
                name="",
                mark=Fraction(0),
                max_mark=Fraction(1),
                status=Status.MARKED,
                questions=(question,),
            )
        )
    return found


def wrong(answer: str) -> CaseResult:
    return CaseResult(id="1.1", call="f()", verdict=Verdict.WRONG_ANSWER, actual=answer)


def of(verdict: Verdict) -> CaseResult:
    return CaseResult(id="1.1", call="f()", verdict=verdict)


def told(cases: Iterable[CaseResult]) -> list[str]:
    alarms = alarms_of(cohort(*cases))
    return [item.text for alarm in alarms if alarm.title.startswith("Nobody") for item in alarm.items]


def test_the_same_wrong_answer_of_all() -> None:
    assert told([wrong("225.0")] * 3) == ["1.1: none of 3, all with the same outcome: wrong answer, 225.0"]


def test_different_wrong_answers_of_all() -> None:
    assert told([wrong("1"), wrong("2"), wrong("1"), wrong("3")]) == ["1.1: none of 4"]


def test_one_who_passed_is_enough() -> None:
    assert told([wrong("1"), wrong("1"), wrong("1"), of(Verdict.ACCEPTED)]) == []


def test_two_students_are_too_few() -> None:
    assert told([wrong("1")] * 2) == []


@pytest.mark.parametrize("verdict", [Verdict.SKIPPED, Verdict.INTERNAL_ERROR, Verdict.LOAD_ERROR])
def test_students_who_did_not_reach_the_case_do_not_count(verdict: Verdict) -> None:
    assert told([wrong("1"), wrong("1"), of(verdict)]) == []


def test_the_terminal_has_it_in_its_width() -> None:
    text = to_text(alarm_lines(cohort(*[wrong("1" * 400)] * 3), 40))
    assert text.startswith("! Nobody passed 1 case: 1.1: none of 3,\n")
    assert max(map(len, text.splitlines())) <= 40
    assert "111…" in text
    assert to_text(alarm_lines(cohort())) == ""


def test_an_answer_cannot_write_to_the_terminal() -> None:
    text = to_text(alarm_lines(cohort(*[wrong("\x1b[2J\nok")] * 3)))
    assert "\x1b" not in text
