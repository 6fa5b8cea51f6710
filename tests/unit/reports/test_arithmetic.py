"""The arithmetic of a mark in words: what each step says adds up to the mark."""

import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.marking.award import earned_fraction
from grader.model.results import CaseResult, Override, Penalty, QuestionResult, Status, SubmissionResult
from grader.model.task import Award, Rounding
from grader.model.verdict import Verdict, summary
from grader.reports.views.mark.arithmetic import exact, question_steps, total_steps
from grader.reports.views.mark.mark_breakdown import full_breakdown

PARTS = st.builds(Fraction, st.integers(0, 4), st.just(4))
VERDICTS = st.sampled_from([Verdict.ACCEPTED, Verdict.PARTIAL, Verdict.WRONG_ANSWER, Verdict.INTERNAL_ERROR])
CASES = st.lists(st.tuples(VERDICTS, PARTS, st.integers(1, 3), st.sampled_from(["", "a", "b"])), min_size=1)


def question(award: Award, rows: Sequence[tuple[Verdict, Fraction, int, str]], marks: int) -> QuestionResult:
    cases = tuple(
        CaseResult(
            id=f"1.{n}", call="f()", verdict=verdict, score=score, weight=Fraction(weight), group=group
        )
        for n, (verdict, score, weight, group) in enumerate(rows, 1)
    )
    return QuestionResult(
        id="1",
        title="one",
        mark=marks * earned_fraction(award, cases),
        max_mark=Fraction(marks),
        verdict=summary(case.verdict for case in cases),
        award=award.value,
        cases=cases,
    )


def submission(*questions: QuestionResult, mark: Fraction = Fraction(0), **fields) -> SubmissionResult:
    maximum = sum((each.max_mark for each in questions), Fraction(0))
    return SubmissionResult(
        id="a", name="a", mark=mark, max_mark=maximum, status=Status.MARKED, questions=questions, **fields
    )


def number(text: str) -> Fraction:
    found = re.match(r"[0-9./]+", text.strip())
    assert found is not None
    return Fraction(found[0])


@given(st.sampled_from(list(Award)), CASES, st.integers(1, 5))
def test_the_steps_of_a_question_lead_to_its_mark(award, rows, marks) -> None:
    one = question(award, rows, marks)
    steps = list(question_steps(one, submission(one)))
    factor, rest = next(step for step in steps if " x " in step).split(" x ")
    maximum, product = rest.split(" = ")
    assert number(factor) * number(maximum) == number(product) == one.mark
    assert not any(step.startswith("recorded mark") for step in steps)


def test_a_mark_that_the_steps_do_not_give_is_told() -> None:
    one = replace(question(Award.ALL, [(Verdict.ACCEPTED, Fraction(1), 1, "")], 2), mark=Fraction(1))
    assert list(question_steps(one, submission(one)))[-1] == "recorded mark: 1"


def test_an_override_of_a_question_is_told_with_author_and_reason() -> None:
    one = question(Award.ALL, [(Verdict.WRONG_ANSWER, Fraction(0), 1, "")], 2)
    override = Override(
        question="1", before=one.mark, after=Fraction(1), reason="unclear", by="A. M.", date="2026-01-02"
    )
    last = list(question_steps(replace(one, mark=Fraction(1)), submission(one, overrides=(override,))))[-1]
    assert last == "set by A. M. on 2026-01-02: 0 -> 1, since unclear"


def test_penalty_and_rounding_are_steps() -> None:
    one = replace(question(Award.ALL, [(Verdict.ACCEPTED, Fraction(1), 1, "")], 3), mark=Fraction(7, 3))
    whole = submission(one, mark=Fraction("1.83"), penalties=(Penalty("late", Fraction(1, 2)),))
    steps = list(total_steps(whole, Rounding()))
    assert any(step.startswith("Penalty: -0.5") and "late" in step for step in steps)
    assert steps[-2:] == [
        "rounded once, to a multiple of 0.01, half-up: 11/6 (about 1.8333) -> 1.83",
        "Mark: 1.83 of 3",
    ]


def test_what_is_shown_adds_up() -> None:
    one = replace(question(Award.ALL, [(Verdict.ACCEPTED, Fraction(1), 1, "")], 3), mark=Fraction(7, 3))
    steps = full_breakdown(submission(one, mark=Fraction("2.33")))
    assert sum(Fraction(line.amount) for line in steps[:-1]) == Fraction(steps[-1].amount)


@pytest.mark.parametrize(("value", "text"), [("3/2", "1.5"), ("2/3", "2/3 (about 0.6667)"), ("4", "4")])
def test_numbers_are_exact(value: str, text: str) -> None:
    assert exact(Fraction(value)) == text
