"""Penalties are exact, stay within what there is, and leave a mark from 0 to what it was."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from grader.marking.penalties import DuePenalty, penalties
from grader.model.policy import Deduction, DeductionBase

shares = st.fractions(0, 1, max_denominator=1000)
takes = st.one_of(
    st.builds(Deduction, shares, st.sampled_from(DeductionBase)),
    st.builds(Deduction, st.fractions(0, 200, max_denominator=100)),
)
dues = st.lists(st.builds(DuePenalty, st.just("why"), takes), max_size=6)


@st.composite
def marks(draw: st.DrawFn) -> tuple[Fraction, Fraction]:
    """Return a mark and the maximum."""
    maximum = draw(st.fractions(Fraction(1, 100), 100, max_denominator=100))
    return maximum * draw(shares), maximum


@given(marks(), dues)
def test_what_is_left_lies_between_nothing_and_the_mark(
    given_marks: tuple[Fraction, Fraction], due: list[DuePenalty]
) -> None:
    mark, maximum = given_marks
    taken = [penalty.amount for penalty in penalties(mark, maximum, due)]
    assert len(taken) == len(due)
    assert all(amount >= 0 for amount in taken)
    assert 0 <= mark - sum(taken) <= mark


@given(marks(), dues, takes)
def test_one_more_penalty_changes_none_before_it(
    given_marks: tuple[Fraction, Fraction], due: list[DuePenalty], more: Deduction
) -> None:
    mark, maximum = given_marks
    assert penalties(mark, maximum, [*due, DuePenalty("more", more)])[:-1] == penalties(mark, maximum, due)


@given(marks(), st.lists(shares, max_size=6))
def test_shares_of_the_mark_take_the_same_in_any_order(
    given_marks: tuple[Fraction, Fraction], parts: list[Fraction]
) -> None:
    mark, maximum = given_marks
    both = [
        sum(
            penalty.amount
            for penalty in penalties(
                mark, maximum, [DuePenalty("", Deduction(p, DeductionBase.MARK)) for p in order]
            )
        )
        for order in (parts, parts[::-1])
    ]
    assert both[0] == both[1]


@given(marks(), dues)
def test_a_better_submission_is_never_worse_off_by_the_same_penalties(
    given_marks: tuple[Fraction, Fraction], due: list[DuePenalty]
) -> None:
    mark, maximum = given_marks
    left = [
        value - sum(penalty.amount for penalty in penalties(value, maximum, due))
        for value in (mark / 2, mark)
    ]
    assert left[0] <= left[1]
