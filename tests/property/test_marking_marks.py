"""Laws of marking: within bounds, monotone, rounded by less than a step."""

from dataclasses import replace
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from grader.marking.award import earned_fraction
from grader.marking.questions import question_result
from grader.marking.rounding import format_mark, rounded
from grader.model.results import CaseResult
from grader.model.task import Award, Question, Rounding, RoundingMode
from grader.model.verdict import Verdict

WEIGHTS = st.fractions(min_value=0, max_value=10, max_denominator=10)
SCORES = st.fractions(min_value=0, max_value=1, max_denominator=10)
CASES = st.lists(
    st.builds(
        CaseResult,
        id=st.just("1.1"),
        call=st.just("f()"),
        verdict=st.sampled_from(Verdict),
        score=SCORES,
        weight=WEIGHTS,
        group=st.sampled_from(["", "a", "b"]),
    ),
    max_size=6,
)
MARKS = st.fractions(min_value=0, max_value=1000)
STEPS = st.fractions(min_value=Fraction(1, 1000), max_value=10)


@given(st.sampled_from(Award), CASES, MARKS)
def test_a_mark_is_never_negative_nor_above_the_maximum(
    award: Award, cases: list[CaseResult], marks: Fraction
) -> None:
    question = Question(id="1", title="", module="m", marks=marks, award=award, cases=())
    assert 0 <= question_result(question, cases).mark <= marks


@given(st.sampled_from(Award), CASES, st.data())
def test_a_case_that_turns_accepted_never_costs_a_mark(
    award: Award, cases: list[CaseResult], data: st.DataObject
) -> None:
    if not cases:
        return
    at = data.draw(st.integers(0, len(cases) - 1))
    better = list(cases)
    better[at] = replace(cases[at], verdict=Verdict.ACCEPTED, score=Fraction(1))
    assert earned_fraction(award, better) >= earned_fraction(award, cases)


@given(st.sampled_from(Award), CASES)
def test_everything_accepted_earns_everything(award: Award, cases: list[CaseResult]) -> None:
    done = [replace(case, verdict=Verdict.ACCEPTED, weight=case.weight + 1) for case in cases]
    assert earned_fraction(award, done) == bool(done)


@given(st.sampled_from(Award), CASES)
def test_without_an_accepted_or_partial_case_nothing_is_earned(award: Award, cases: list[CaseResult]) -> None:
    lost = [case for case in cases if case.verdict not in (Verdict.ACCEPTED, Verdict.PARTIAL)]
    assert earned_fraction(award, lost) == 0


@given(MARKS, STEPS, st.sampled_from(RoundingMode))
def test_rounding_moves_a_mark_by_less_than_a_step_to_a_multiple(
    mark: Fraction, step: Fraction, mode: RoundingMode
) -> None:
    result = rounded(mark, Rounding(step, mode))
    assert abs(result - mark) < step
    assert (result / step).denominator == 1
    if mode in (RoundingMode.HALF_UP, RoundingMode.HALF_EVEN):
        assert abs(result - mark) <= step / 2


@given(MARKS, MARKS, STEPS, st.sampled_from(RoundingMode))
def test_rounding_keeps_the_order(one: Fraction, other: Fraction, step: Fraction, mode: RoundingMode) -> None:
    low, high = sorted((one, other))
    assert rounded(low, Rounding(step, mode)) <= rounded(high, Rounding(step, mode))


@given(st.fractions() | st.decimals(allow_nan=False, allow_infinity=False, places=4).map(Fraction))
def test_a_mark_reads_back_from_its_text(mark: Fraction) -> None:
    text = format_mark(mark)
    assert Fraction(text) == mark
    assert not ("." in text and text.endswith("0"))
