"""The work that a person looked at for a mark, where it is not the one that is marked now.

A review may hold the digest of that work.  Where it does not, the earlier result tells: the work that was
there when the same mark by hand was seen first.
"""

from collections.abc import Callable, Hashable, Iterator
from dataclasses import replace
from typing import TypeVar

from grader.model.results import CriterionResult, Override, Status, SubmissionResult

NO_WORK = "none"
"""Stands for the digest where nothing was handed in."""

_Given = TypeVar("_Given", Override, CriterionResult)


def with_works(
    result: SubmissionResult, earlier: Callable[[str], SubmissionResult | None]
) -> SubmissionResult:
    """Return a result whose marks by hand name the work that they were made for, if it is another one.

    result: as marking gives it, with the digests that the reviews hold.  earlier: the result before, by id.
    """
    given = list(_given(result))
    if not given:
        return result
    before = earlier(result.id) if any(not one.work for one in given) else None
    works = {_same(one): one.work or _digest(before) for one in _given(before)} if before is not None else {}
    now = _digest(result)

    def told(one: _Given) -> _Given:
        work = one.work or works.get(_same(one), "")
        return replace(one, work="" if now.startswith(work) else work)

    return replace(
        result,
        overrides=tuple(map(told, result.overrides)),
        questions=tuple(
            replace(each, criteria=tuple(told(one) if one.mark is not None else one for one in each.criteria))
            if each.criteria
            else each
            for each in result.questions
        ),
    )


def has_marks_by_hand(result: SubmissionResult) -> bool:
    """Tell whether a person marked some of a submission."""
    return next(_given(result), None) is not None


def _digest(result: SubmissionResult) -> str:
    return NO_WORK if result.status is Status.NO_SUBMISSION else result.content_sha256 or NO_WORK


def _given(result: SubmissionResult) -> Iterator[Override | CriterionResult]:
    yield from result.overrides
    for question in result.questions:
        yield from (one for one in question.criteria if one.mark is not None)


def _same(one: Override | CriterionResult) -> Hashable:
    """Return what makes two marks by hand the same decision; who changes words has not looked again."""
    if isinstance(one, Override):
        return "override", one.question, one.after, one.by, one.date
    return "criterion", one.id, one.mark, one.by, one.date
