"""The work that a person looked at for a mark, where it is not the one that is marked now.

A review may hold the digest of that work.  Where it does not, the earlier results tell: the work that was
there when the same mark by hand was seen first.  A result carries on what it has no mark for, since a run may
leave the reviews out.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TypeVar

from grader.intake import Candidate
from grader.intake.names import listed
from grader.marking.rounding import format_mark
from grader.model.errors import UsageError
from grader.model.person import Person
from grader.model.results import CriterionResult, Override, Status, SubmissionResult
from grader.model.submission import NO_WORK, MarkAside
from grader.records.owners.identity import by_own_id_alone, logins, same_kind
from grader.records.roster_notes import words_of
from grader.store.reading import stream_results, texts
from grader.store.results_json import submission_of

AUTHOR = '"by": '
"""Stands in each line of results with a mark by hand; in a student's text quotes are escaped."""
_Given = TypeVar("_Given", Override, CriterionResult)
_MOST_ASIDE = 50


def with_works(result: SubmissionResult, before: SubmissionResult | None) -> SubmissionResult:
    """Return a result whose marks by hand name the work that they were made for, if it is another one.

    result: as marking gives it, with the digests that the reviews hold.  before: the earlier result; None
    where it has no mark by hand.
    """
    works = {} if before is None else {replace(each, work=""): each.work for each in _known(before)}
    now = _digest(result)

    def told(one: _Given) -> _Given:
        work = one.work or works.get(_same(one), "")
        return replace(one, work="" if now.startswith(work) else work)

    counting = {_same(one) for one in _given(result)}
    aside = [replace(one, work=work) for one, work in works.items() if one not in counting]
    return replace(
        result,
        overrides=tuple(map(told, result.overrides)),
        questions=tuple(
            replace(each, criteria=tuple(told(one) if one.mark is not None else one for one in each.criteria))
            if each.criteria
            else each
            for each in result.questions
        ),
        aside=tuple(aside[-_MOST_ASIDE:]),
    )


def moved_marks(result: SubmissionResult, before: SubmissionResult | None) -> Iterator[str]:
    """Yield in words the marks by hand that are others now than in the result before, or count no more.

    A person changed the mark or took it back, or the spec changed the marks of its level.
    """
    if before is None:
        return
    now = {_named(one): _mark_of(one) for one in _given(result)}
    for one in _given(before):
        old, new = _mark_of(one), now.get(_named(one))
        if new != old:
            shown = "none" if new is None else format_mark(new)
            yield f"{result.name} {_named(one)} {format_mark(old)} to {shown}"


@contextmanager
def telling_of_moved(moved: Collection[str], note: Callable[[str], None]) -> Iterator[None]:
    """Tell of such marks at the end of the block, also of one that is interrupted: their results stay.

    moved: what `moved_marks` gives, as it has come so far.
    """
    try:
        yield
    finally:
        if moved:
            note(f"marks by hand that are others than before: {listed(sorted(moved))}")


def _named(one: Override | CriterionResult) -> str:
    if isinstance(one, CriterionResult):
        return one.id
    return f"the override of {one.question}:" if one.question else "the override of the whole mark:"


def _mark_of(one: Override | CriterionResult) -> Fraction:
    mark = one.after if isinstance(one, Override) else one.mark
    assert mark is not None, "it is a mark that a person gave"
    return mark


class MarkedBefore:
    """The earlier results with marks by hand, by id; of who has another id now, by the person."""

    def __init__(self, results: Path, candidates: Sequence[Candidate]) -> None:
        """results: the file.  candidates: all of the batch."""
        self._by_id: dict[str, SubmissionResult] = {}
        with suppress(UsageError):
            # To read all results would take as long as some cases.
            lines = (text for text in texts(stream_results(results).submissions) if AUTHOR in text)
            self._by_id = {one.id: one for one in map(submission_of, lines) if _has_marks_by_hand(one)}
        people = {each.id: each.person or Person() for each in candidates}
        self._gone: dict[str, list[SubmissionResult]] = {}
        for one in list(self._by_id.values()):
            # The number of a line is another person's as soon as somebody leaves the roster.
            keys = set()
            if one.id not in people:
                keys = _keys(one.person, (one.id,))
            elif one.person is not None and by_own_id_alone(one.person, people[one.id], one.id):
                keys = _keys(one.person, ())
                del self._by_id[one.id]
            for key in keys:
                self._gone.setdefault(key, []).append(one)
        self._keys = (
            {each.id: _keys(each.person, each.roster_ids) for each in candidates} if self._gone else {}
        )
        self._times = Counter(key for keys in self._keys.values() for key in keys)

    def of(self, submission_id: str) -> SubmissionResult | None:
        """Return the earlier result; None where there is none, or it is not sure which it is."""
        own = self._keys.get(submission_id, set()) & self._gone.keys()
        found = {one.id: one for key in own if self._times[key] == 1 for one in self._gone[key]}
        if submission_id in self._by_id or len(found) != 1:
            return self._by_id.get(submission_id)
        return found.popitem()[1]


def _keys(person: Person | None, ids: Iterable[str]) -> set[str]:
    """Return what a person is known by.  ids: those on the roster."""
    known = person or Person()
    name = " ".join(words_of(known))
    own = (key for each in ids for key in same_kind(Person(id=each)))
    return {*own, *same_kind(known), *logins(known), *([f"name {name}"] if name else ())}


def _has_marks_by_hand(result: SubmissionResult) -> bool:
    """Tell whether a person marked some of a submission, in this run or an earlier one."""
    return bool(result.aside) or next(_given(result), None) is not None


def _digest(result: SubmissionResult) -> str:
    return NO_WORK if result.status is Status.NO_SUBMISSION else result.content_sha256 or NO_WORK


def _known(before: SubmissionResult) -> Iterator[MarkAside]:
    """Yield the marks by hand that an earlier result knows, each with its work."""
    yield from before.aside
    for one in _given(before):
        yield replace(_same(one), work=one.work or _digest(before))


def _given(result: SubmissionResult) -> Iterator[Override | CriterionResult]:
    yield from result.overrides
    for question in result.questions:
        yield from (one for one in question.criteria if one.mark is not None)


def _same(one: Override | CriterionResult) -> MarkAside:
    """Return what makes two marks by hand the same decision; who changes words has not looked again."""
    if isinstance(one, Override):
        return MarkAside(of=one.question, is_override=True, mark=one.after, by=one.by, date=one.date)
    assert one.mark is not None
    return MarkAside(of=one.id, is_override=False, mark=one.mark, by=one.by, date=one.date)
