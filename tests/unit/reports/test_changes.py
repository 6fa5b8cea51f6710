"""What of two results is told as a difference."""

from dataclasses import replace
from fractions import Fraction

from support.results_sample import results

from grader.model.results import Override, Penalty
from grader.reports.diff.changes import Reason, changes


def test_penalties_and_overrides_are_told_by_their_marks() -> None:
    (old, *_) = results().submissions
    new = replace(
        old,
        penalties=(Penalty("late", Fraction("1.5")), Penalty("no smoke", Fraction(1, 3))),
        overrides=(
            Override(question="1", before=Fraction(0), after=Fraction(1), reason="seen", by=""),
            Override(question="", before=Fraction(3), after=Fraction("4.5"), reason="seen", by=""),
        ),
    )
    (change,) = changes([old], [new])
    assert change.reasons == (Reason("penalties", "none", "1.5, 0.33"), Reason("overrides", "none", "1, 4.5"))
