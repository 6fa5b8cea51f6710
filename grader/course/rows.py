"""Who in the results of several tasks is one person, where no roster says so.

A number of Moodle's holds for one task, so it joins nobody in several: mail or whole name do, where each task
has them once.  Numbers of one submission, in Gradescope or an anonymous Canvas download, meet nowhere else.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from grader.intake.names import folded
from grader.model.errors import Fault, UsageError
from grader.model.person import Person
from grader.records.owners.identity import contradict
from grader.store.summaries import Summary

_OF_SUBMISSION = re.compile(r"canvas-anon-.*|submission_[0-9]+(?:-.*)?", re.DOTALL)
_KINDS_OF_ONE_TASK = ("moodle", "canvas-anonymous")
_NO_PERSON = Person()


@dataclass(frozen=True, slots=True)
class Member:
    """A result of a person in one task.  task: its place in the course."""

    task: int
    result: Summary

    @property
    def name(self) -> str:
        return folded(self.result.name or self._person.name)

    @property
    def mail(self) -> str:
        return folded(self._person.mail)

    @property
    def is_numbered_anew(self) -> bool:
        """Tell whether the id is a number that another person can have in another task."""
        number = self._person.ids.get("moodle", "")
        return bool(number) and self.result.id == f"moodle-{number}"

    @property
    def is_of_one_task(self) -> bool:
        """Tell whether the id is that of a person or work in one task alone."""
        return self.is_numbered_anew or _OF_SUBMISSION.fullmatch(self.result.id) is not None

    @property
    def has_digest(self) -> bool:
        """Tell whether the id is apart from that of a folder of nearly the same name."""
        return "~" in self.result.id and not self._person.ids

    @property
    def base(self) -> str:
        """The id without a digest, as a Mac or Windows compares names; empty where an LMS gave it."""
        return "" if self._person.ids else folded(self.result.id.partition("~")[0])

    @property
    def lasting(self) -> Person:
        """The person, without what holds for one task alone."""
        own = self._person
        left_out = _KINDS_OF_ONE_TASK if self.is_of_one_task else ()
        kept = {kind: text for kind, text in own.ids.items() if kind not in left_out}
        return Person(name=self.result.name, mail=own.mail, group=own.group, ids=kept)

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of ids that may name the same person in another task."""
        return frozenset([f"of task {self.task}"] if self.is_of_one_task else self._person.ids or [""])

    @property
    def _person(self) -> Person:
        return self.result.person or _NO_PERSON


Row = tuple[Member, ...]
"""The results of one person, of the tasks in their order."""


def require_ids_that_meet(results: Sequence[Sequence[Summary]]) -> None:
    """Raise `UsageError` where nobody can know who is who in several tasks without a roster."""
    tasks = [[Member(at, each) for each in found] for at, found in enumerate(results) if found]
    hint = "name a `roster` in the course"
    if len(tasks) > 1 and any(each.is_numbered_anew for task in tasks for each in task):
        what = "Moodle numbers people anew for each task, so nobody knows who is who in several"
        raise UsageError(Fault(what, hint=hint))
    ids = [{each.result.id for each in task} for task in tasks]
    kinds = [{kind for each in task for kind in each.kinds} for task in tasks]
    for (one, its_kinds), (other, other_kinds) in combinations(zip(ids, kinds, strict=True), 2):
        if its_kinds.isdisjoint(other_kinds) and one.isdisjoint(other):
            what = f"tasks name people in different ways, as {min(one)} and {min(other)}"
            raise UsageError(Fault(f"{what}, so nobody knows who is who in several", hint=hint))


def rows_of(members: Sequence[Member]) -> list[Row]:
    """Return the results by person, in the order of their first."""
    joined = _Joined(len(members))
    for same in _same(_ids(members)):
        joined.join(same)
    for texts in ([each.mail for each in members], [_whole(each.name) for each in members]):
        for same in _same(texts):
            if _is_sure([members[at] for at in same]):
                joined.join(same)
    return [tuple(members[at] for at in row) for row in joined.rows()]


def _ids(members: Sequence[Member]) -> list[str]:
    """Return what the results of one person have in common by their ids.

    Where a digest tells ids apart in one task, the exact name says who that is in the others.
    """
    names = [f"{each.base}\0{each.result.name}" for each in members]
    parted = {each.base for each in members if each.has_digest}
    times = Counter((each.task, name) for each, name in zip(members, names, strict=True))
    repeated = {name for (_, name), count in times.items() if count > 1}
    return [
        name
        if each.base in parted and name not in repeated
        else f"{each.task if each.is_numbered_anew else ''} {each.result.id}"
        for each, name in zip(members, names, strict=True)
    ]


def unsure(rows: Sequence[Row]) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield the names of rows of several tasks that may be one person, and the places of these.

    The name is empty for rows without one.
    """
    places: dict[str, list[int]] = {}
    for at, row in enumerate(rows):
        for name in dict.fromkeys(each.name for each in row):
            places.setdefault(name, []).append(at)
    for same in places.values():
        members = [each for at in same for each in rows[at]]
        several = len(same) > 1 and len({each.task for each in members}) > 1
        if several and any(each.is_of_one_task for each in members):
            yield members[0].result.name, tuple(same)


def _is_sure(members: Sequence[Member]) -> bool:
    """Tell whether those of one mail or name are one person, whose ids of one task alone part them."""
    lasting = {each.result.id for each in members if not each.is_of_one_task}
    tasks, works = {each.task for each in members}, {(each.task, each.result.id) for each in members}
    if len(works) > len(tasks) or len(lasting) > 1 or not any(each.is_of_one_task for each in members):
        return False
    pairs = combinations([each.lasting for each in members], 2)
    return not any(contradict(*pair, mails=True) for pair in pairs)


def _same(texts: Sequence[str]) -> Iterator[list[int]]:
    """Yield the places of each text but the empty one."""
    found: dict[str, list[int]] = {}
    for at, text in enumerate(texts):
        if text:
            found.setdefault(text, []).append(at)
    yield from found.values()


def _whole(name: str) -> str:
    """Return a name of several words; one word can be what Moodle calls everybody in blind marking."""
    return name if len(name.split()) > 1 else ""


class _Joined:
    """Places, and which of them are one person."""

    def __init__(self, count: int) -> None:
        self._before = list(range(count))

    def join(self, places: Sequence[int]) -> None:
        firsts = [self._first(at) for at in places]
        for first in firsts:
            self._before[first] = min(firsts)

    def rows(self) -> list[list[int]]:
        found: dict[int, list[int]] = {}
        for at in range(len(self._before)):
            found.setdefault(self._first(at), []).append(at)
        return list(found.values())

    def _first(self, at: int) -> int:
        while self._before[at] != at:
            at = self._before[at]
        return at
