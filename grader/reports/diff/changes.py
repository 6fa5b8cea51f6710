"""The submissions whose mark differs between two runs, and the reasons.

Both documents are read side by side, one submission at a time: each has its submissions in the order of
their ids.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from grader.model.results import SubmissionResult
from grader.reports.diff.reasons import ABSENT, Reason, mark_told, reasons

__all__ = ["Change", "Reason", "changes"]


@dataclass(frozen=True, slots=True)
class Change:
    """A submission that differs.

    before, after: its mark; "pending" or "absent" where there is none.
    reasons: for the difference; see `grader.reports.diff.reasons`.
    """

    id: str
    before: str
    after: str
    reasons: tuple[Reason, ...]


def changes(before: Iterable[SubmissionResult], after: Iterable[SubmissionResult]) -> Iterator[Change]:
    """Yield every submission whose mark, status or verdicts differ, in the order of their ids."""
    for old, new in _side_by_side(before, after):
        one = old or new
        assert one is not None
        found = tuple(reasons(old, new)) if old is not None and new is not None else ()
        change = Change(one.id, _mark(old), _mark(new), found)
        if change.before != change.after or change.reasons:
            yield change


def _side_by_side(
    before: Iterable[SubmissionResult], after: Iterable[SubmissionResult]
) -> Iterator[tuple[SubmissionResult | None, SubmissionResult | None]]:
    left, right = iter(before), iter(after)
    old, new = next(left, None), next(right, None)
    while old is not None or new is not None:
        if new is None or (old is not None and old.id < new.id):
            yield old, None
            old = next(left, None)
        elif old is None or new.id < old.id:
            yield None, new
            new = next(right, None)
        else:
            yield old, new
            old, new = next(left, None), next(right, None)


def _mark(submission: SubmissionResult | None) -> str:
    return mark_told(submission) if submission is not None else ABSENT
