"""What is told as the reason why the mark of a submission differs between two runs."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from support.results_sample import results

from grader.marking.award import earned_fraction
from grader.marking.rounding import rounded
from grader.model.results import (
    CaseResult,
    Override,
    Penalty,
    QuestionResult,
    Status,
    SubmissionResult,
)
from grader.model.task import Award, Rounding, RoundingMode
from grader.model.verdict import Verdict, summary
from grader.reports.diff.changes import changes
from grader.reports.diff.lines import change_lines
from grader.reports.terminal.lines import to_text

OK, WRONG, RAISED, OURS = (
    Verdict.ACCEPTED,
    Verdict.WRONG_ANSWER,
    Verdict.EXCEPTION,
    Verdict.INTERNAL_ERROR,
)

CENTS = Rounding(Fraction(1, 100))


def case(name: str, verdict: Verdict = OK, call: str = "", **fields: Any) -> CaseResult:
    return CaseResult(id=f"1.{name}", call=call or f"f({name!r})", verdict=verdict, **fields)


def submission(
    cases: Sequence[CaseResult],
    award: Award = Award.EACH,
    marks: int = 4,
    penalties: Sequence[str] = (),
    overrides: Sequence[Override] = (),
    rounding: Rounding = CENTS,
    status: Status = Status.MARKED,
) -> SubmissionResult:
    """Return the result of a submission to one question."""
    earned = marks * earned_fraction(award, cases)
    for override in overrides:
        earned = override.after
    taken = tuple(Penalty("late", Fraction(amount)) for amount in penalties)
    question = QuestionResult(
        id="1",
        title="",
        mark=earned,
        max_mark=Fraction(marks),
        verdict=summary(case.verdict for case in cases),
        award=award.value,
        cases=tuple(cases),
    )
    left = earned - sum((penalty.amount for penalty in taken), Fraction(0))
    return SubmissionResult(
        id="s",
        name="s",
        mark=rounded(left, rounding),
        max_mark=Fraction(marks),
        status=status,
        questions=(question,),
        penalties=taken,
        overrides=tuple(overrides),
    )


def told(old: SubmissionResult, new: SubmissionResult) -> list[str]:
    found = list(changes([old], [new]))
    return [f"{reason.name}: {reason.before} -> {reason.after}" for one in found for reason in one.reasons]


def last_line(old: SubmissionResult, new: SubmissionResult) -> str:
    before, after = replace(results(), submissions=[old]), replace(results(), submissions=[new])
    return to_text(change_lines(before, after)).splitlines()[-1]


def test_a_verdict_that_moved_nothing_is_not_blamed() -> None:
    old = submission([case("one"), case("two", WRONG, "f(2)")])
    new = submission([case("one", weight=Fraction(3)), case("two", RAISED, "f('a')")])
    assert (old.mark, new.mark) == (2, 3)
    assert told(old, new) == ["1.one: accepted, weight 1, worth 2 -> accepted, weight 3, worth 3"]


def test_a_lost_case_that_weighs_more_is_the_reason_why_others_are_worth_less() -> None:
    old = submission([case("one"), case("two", WRONG)])
    new = submission([case("one"), case("two", WRONG, weight=Fraction(3))])
    assert told(old, new) == [
        "1.two: wrong answer, weight 1, worth 0 -> wrong answer, weight 3, worth 0",
        "1.one: accepted, worth 2 -> accepted, worth 1",
    ]


def test_the_mark_s_causes_begin_with_what_moved_it_most() -> None:
    old = submission([case("1"), case("2", weight=Fraction(2)), case("3", WRONG)], penalties=["1"])
    new = submission([case("1", WRONG), case("2", WRONG, weight=Fraction(2)), case("3", RAISED)])
    assert told(old, new) == [
        "1.2: accepted -> wrong answer",
        "penalties: 1 -> none",
        "1.1: accepted -> wrong answer",
    ]


@pytest.mark.parametrize(("award", "group"), [(Award.ALL, ""), (Award.GROUPS, "g")])
def test_of_cases_that_are_earned_together_the_one_that_was_lost_is_blamed(award: Award, group: str) -> None:
    old = submission([case("1", group=group), case("2", group=group)], award)
    new = submission([case("1", group=group), case("2", WRONG, group=group)], award)
    assert told(old, new) == ["1.2: accepted -> wrong answer"]


def test_a_case_that_moved_is_known_by_its_text() -> None:
    old = submission([case("1", call="f(1)"), case("2", WRONG, "f(2)")])
    new = submission([case("1", call="f(0)"), case("2", call="f(1)"), case("3", WRONG, "f(2)")])
    assert told(old, new) == [
        "1.1: absent -> accepted",
        "1.2 (was 1.1): accepted, worth 2 -> accepted, worth 1.33",
    ]


def test_a_text_that_is_not_the_only_one_identifies_nothing() -> None:
    old = submission([case("1", OK, "f(1)"), case("2", WRONG, "f(1)")])
    new = submission([case("1", WRONG, "f(0)"), case("2", OK, "f(1)"), case("3", WRONG, "f(1)")])
    assert [reason.split(":")[0] for reason in told(old, new)][:3] == ["1.1", "1.2", "1.3"]


def test_a_case_with_a_name_is_known_by_it() -> None:
    old = submission([case("one", OK, "f(1)"), case("two", WRONG, "f(2)")], Award.ALL)
    new = submission([case("one", OK, "f(2)"), case("two", OK, "f(1)")], Award.ALL)
    assert told(old, new) == ["1.two: wrong answer -> accepted"]


def test_a_case_that_was_given_another_name_is_known_by_its_text() -> None:
    old = submission([case("1", call="f(1)"), case("two", call="f(2)"), case("3", WRONG, "f(3)")])
    new = submission([case("one", call="f(1)"), case("zwei", call="f(2)"), case("3", call="f(3)")])
    assert told(old, new) == ["1.3: wrong answer -> accepted"]
    assert told(old, submission([case("one", WRONG, "f(1)"), case("two"), case("3", WRONG, "f(3)")])) == [
        "1.one (was 1.1): accepted -> wrong answer"
    ]


def test_cases_that_changed_places_are_no_difference() -> None:
    old = submission([case("1", OK, "f(1)"), case("2", WRONG, "f(2)")])
    new = submission([case("1", WRONG, "f(2)"), case("2", OK, "f(1)")])
    assert told(old, new) == []


def test_another_rounding_is_told() -> None:
    cases = [case("1"), case("2", WRONG)]
    old = submission(cases, marks=3, rounding=Rounding(Fraction(1), RoundingMode.UP))
    new = submission(cases, marks=3, rounding=Rounding(Fraction(2), RoundingMode.DOWN))
    assert (old.mark, new.mark) == (2, 0)
    assert told(old, new) == ["rounding: 1.5 to 2 -> 1.5 to 0"]


def test_a_question_that_is_worth_more_is_told() -> None:
    old, new = submission([case("1")], marks=2), submission([case("1")], marks=4)
    assert told(old, new) == ["question 1: 2 of 2 -> 4 of 4"]


def test_a_person_s_mark_is_told_and_no_case_that_it_replaces() -> None:
    override = Override(question="1", before=Fraction(4), after=Fraction(1), reason="", by="")
    old = submission([case("1"), case("2")])
    new = submission([case("1", WRONG), case("2")], overrides=[override])
    assert told(old, new) == ["overrides: none -> 1"]


def test_a_person_s_mark_that_a_question_had_anyway_is_not_blamed() -> None:
    override = Override(question="1", before=Fraction(2), after=Fraction(2), reason="", by="")
    cases = [case("1"), case("2", WRONG)]
    old = submission(cases, penalties=["1"])
    assert told(old, submission(cases, overrides=[override])) == ["penalties: 1 -> none"]
    # It is told where nothing else explains why a mark stayed as it is.
    assert told(submission(cases), submission(cases, overrides=[override])) == ["overrides: none -> 2"]


def test_an_internal_error_is_the_reason_why_a_mark_is_pending() -> None:
    old = submission([case("1"), case("2", WRONG), case("3", WRONG)])
    new = submission([case("1"), case("2", OURS), case("3", RAISED)], status=Status.PENDING)
    assert told(old, new) == [
        "status: marked -> pending",
        "1.2: wrong answer -> internal error",
        "1.1: accepted, worth 1.33 -> accepted, worth 2",
    ]


def test_a_pending_mark_with_another_penalty_is_no_other_verdict() -> None:
    cases = [case("1"), case("2", OURS)]
    old = submission(cases, status=Status.PENDING)
    new = submission(cases, penalties=["1"], status=Status.PENDING)
    assert told(old, new) == ["penalties: none -> 1"]
    assert last_line(old, new) == "0 marks differ; 1 submission with other reasons for the same mark."
    other = submission([case("1"), case("2", OURS), case("3", WRONG)], status=Status.PENDING)
    assert last_line(old, other) == "0 marks differ; 1 submission with other verdicts alone."


def test_only_what_the_results_tell_is_called_the_same() -> None:
    before = after = replace(results(), run=replace(results().run, code="9b3e02c4d5e6"))
    first = to_text(change_lines(before, after)).splitlines()[0]
    assert first == "Knight's Tour: the same spec, Python, sandbox and grader"
    after = replace(after, run=replace(after.run, tools={"ruff": "1"}))
    assert to_text(change_lines(before, after)).splitlines()[0].endswith("other in the tools")


def test_graders_are_the_same_if_code_and_commit_are() -> None:
    def first(before: str, after: str) -> str:
        one, other = (
            replace(results(), run=replace(results().run, code=code, commit=commit))
            for code, _, commit in (before.partition(" "), after.partition(" "))
        )
        return " ".join(to_text(change_lines(one, other, 120)).splitlines()[:2])

    assert "and grader" in first("9b3e a", "9b3e a")
    assert "and grader" in first("9b3e a", "9b3e")
    assert "other in grader" in first("9b3e a", "9b3e b")
    assert "other in grader" in first("9b3e", "02c4")
    assert "grader: 0.1.0, commit a, code 9b3e -> 0.1.0, commit b, code 02c4" in first("9b3e a", "02c4 b")
    for unknown in (first("9b3e a", ""), first("", "")):
        assert "and grader" not in unknown
        assert "which builds of grader 0.1.0 is not recorded" in unknown
