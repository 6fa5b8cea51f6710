"""Gives each submission of a batch its record: its time, and the decisions of people."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from grader.intake import Candidate, SourceKind
from grader.intake.discovery import ignore
from grader.intake.names import folded, listed, shown
from grader.model.errors import Fault, UsageError
from grader.model.submission import Record, Review
from grader.records.whose import Whose, pending, tell_doubt


def with_records(
    candidates: Sequence[Candidate],
    times: Mapping[str, Sequence[datetime]],
    reviews: Mapping[str, Review],
    on_note: Callable[[str], None] = ignore,
    *,
    has_attempts: bool = False,
) -> list[Candidate]:
    """Return the candidates, each with its record, and their attempts with theirs.

    times: by any name that `Whose` knows, earliest first.  The latest counts for a submission without
    attempts; without any, that of who has the same work; else the time with which it was found.  reviews: by
    such a name too; they hold for each attempt.  Those whom a name may mean beside others are pending.
    has_attempts: the task says which attempt counts, so each time should be that of one.
    """
    whose = Whose(candidates)
    own_times: dict[str, list[datetime]] = {}
    own_reviews: dict[str, Review] = {}
    doubtful: set[str] = set()
    for what, names in (("a time is given for", times), ("there is a review of", reviews)):
        for name in names:
            found = whose.of(name)
            sure = whose.sure(name)
            if found and not sure:
                tell_doubt(name, what, found, on_note)
                doubtful |= {each.id for each in found}
            for each in sure:
                if names is reviews and len(sure) > 1:
                    _refuse_overrides(name, reviews[name], sure)
                if names is times:
                    own_times.setdefault(each.id, []).extend(times[name])
                else:
                    own_reviews[each.id] = _joined(own_reviews.get(each.id), reviews[name], name)
    of_works = _of_works(candidates, own_times)
    given = []
    for candidate in candidates:
        own: Sequence[datetime] = sorted(own_times.get(candidate.id) or of_works.get(candidate.work, ()))
        review = own_reviews.get(candidate.id, Review())
        found_with = candidate.record or Record()
        record = replace(found_with, submitted=own[-1] if own else found_with.submitted, review=review)
        if candidate.attempts or (has_attempts and candidate.kind is not SourceKind.ABSENT):
            own = _one_for_each_attempt(candidate, own, on_note)
        attempts = _attempts_with_times(candidate, own, review)
        given.append(replace(candidate, record=record, attempts=attempts))
    return [pending(each) if each.id in doubtful else each for each in given]


def _of_works(
    candidates: Iterable[Candidate], times: Mapping[str, Sequence[datetime]]
) -> dict[str, Sequence[datetime]]:
    """Return the times of each work that several have: of those whom the times name, the first's.

    times: by id.  A group hands in once, so a file of times may name one member alone.
    """
    found: dict[str, Sequence[datetime]] = {}
    for each in candidates:
        if each.id in times:
            # Who handed it in may be no member any more.
            found.setdefault(each.work or each.id, times[each.id])
    return found


def _joined(before: Review | None, more: Review, name: str) -> Review:
    """Return both reviews of one submission, which names it twice.  Raises `UsageError`."""
    if before is None:
        return more
    if not _given_in(before).isdisjoint(_given_in(more)):
        message = f"two reviews give the same marks to {shown(name)}, under two of its names"
        raise UsageError(Fault(message, hint="keep one of them"))
    return Review(
        (*before.marks, *more.marks),
        (*before.overrides, *more.overrides),
        (*before.remarks, *more.remarks),
    )


def _refuse_overrides(name: str, review: Review, found: Sequence[Candidate]) -> None:
    """Raise `UsageError` for an override that names the work of several, unless it names their group."""
    groups = {folded(each.person.group) if each.person is not None else "" for each in found}
    if review.overrides and groups != {folded(name)}:
        message = f"an override names {shown(name)}, which is the work of {listed(x.name for x in found)}"
        hint = f"write it for each whom it is about: {listed(each.id for each in found)}"
        raise UsageError(Fault(message, hint=hint))


def _given_in(review: Review) -> set[tuple[str, ...]]:
    """Return what the marks of a review are for; a second marker's is another than the first's."""
    marks = {("criterion", each.criterion, each.role) for each in review.marks}
    return marks | {("question", each.question) for each in review.overrides}


def _one_for_each_attempt(
    candidate: Candidate, times: Sequence[datetime], on_note: Callable[[str], None]
) -> Sequence[datetime]:
    """Return the times, one for each attempt, or none.

    Where there are more or fewer, the latest holds for all, since nothing in a student's folder may make it
    earlier.
    """
    # The file has a time for every attempt, also for the earlier ones that are not marked.
    count = max(len(candidate.attempts), 1) + candidate.left_out
    if not times or len(times) == count:
        return times
    counts = " and ".join(
        f"{n} {what}{'' if n == 1 else 's'}" for n, what in ((count, "attempt"), (len(times), "time"))
    )
    on_note(f"{shown(candidate.name)} has {counts}; all are taken for handed in at the latest")
    return [times[-1]] * count


def _attempts_with_times(
    candidate: Candidate, times: Sequence[datetime], review: Review
) -> tuple[Candidate, ...]:
    """Return the attempts with their records: the times in their order.

    An attempt keeps the time that it has from where it was found.
    """
    attempts = candidate.attempts
    times = times[candidate.left_out :]
    own = [each.record or Record() for each in attempts]
    known: Sequence[datetime | None] = times or [each.submitted for each in own]
    return tuple(
        replace(each, record=Record(time, review, record.extension))
        for each, time, record in zip(attempts, known, own, strict=False)
    )


def check_outside(path: Path, candidates: Iterable[Candidate], what: str) -> None:
    """Raise `UsageError` for a marker's file inside a submission: the student could have made it."""
    place = path.resolve()
    for candidate in (each for one in candidates for each in (one, *one.attempts)):
        if not candidate.inside and place.is_relative_to(candidate.path):
            message = f"{what} can't be read from here: this is among what {candidate.id} handed in"
            raise UsageError(Fault(message, str(path), hint="keep it outside of the submissions"))
