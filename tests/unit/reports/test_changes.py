"""What of two results is told as a difference."""

from copy import deepcopy

from support.results_sample import document

from grader.reports.diff.changes import Cause, changes


def test_penalties_and_overrides_are_told_by_their_marks() -> None:
    (old, *_) = document()["submissions"]
    new = deepcopy(old)
    new["penalties"] = [{"reason": "late", "amount": "1.5"}, {"reason": "no smoke", "amount": "1/3"}]
    new["overrides"] = [
        {"question": "1", "before": "0", "after": "1", "reason": "seen", "by": "", "date": ""},
        {"question": "", "before": "3", "after": "4.50", "reason": "seen", "by": "", "date": ""},
    ]
    (change,) = changes([old], [new])
    assert change.causes == (Cause("penalties", "none", "1.5, 0.33"), Cause("overrides", "none", "1, 4.5"))
