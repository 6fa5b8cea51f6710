"""The differences that several submissions share, so that each is told once."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from grader.reports.diff.changes import Change
from grader.reports.diff.reasons import Reason

FEWEST = 3
"""So many submissions share a difference before it is told once for all of them."""

_Key = TypeVar("_Key")
Marks = tuple[str, str]
"""The mark before and after."""


@dataclass(frozen=True, slots=True)
class Grouped:
    """The changes between two runs.  Ids are in their order; what most share comes first.

    reasons: that several share, with the ids of all of them.
    marks: of those of whom there is nothing else to tell, with their ids.
    single: the others.
    """

    reasons: Mapping[Reason, tuple[str, ...]]
    marks: Mapping[Marks, tuple[str, ...]]
    single: tuple[Change, ...]


def grouped(changes: Sequence[Change]) -> Grouped:
    """Return the changes of a class, each of those that several share once."""
    reasons = _shared((reason, change.id) for change in changes for reason in change.reasons)
    alike = [change for change in changes if all(reason in reasons for reason in change.reasons)]
    marks = _shared(((change.before, change.after), change.id) for change in alike)
    told = {own_id for ids in marks.values() for own_id in ids}
    return Grouped(reasons, marks, tuple(change for change in changes if change.id not in told))


def _shared(found: Iterable[tuple[_Key, str]]) -> dict[_Key, tuple[str, ...]]:
    """Return the ids by what they share; of what equally many share, what is found first stays first."""
    ids: dict[_Key, list[str]] = {}
    for key, own_id in found:
        ids.setdefault(key, []).append(own_id)
    many = [(key, tuple(each)) for key, each in ids.items() if len(each) >= FEWEST]
    return dict(sorted(many, key=lambda pair: -len(pair[1])))
