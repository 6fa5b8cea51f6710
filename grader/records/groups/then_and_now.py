"""Who had which work in the last run, and who has which by the roster of now."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from grader.intake import Candidate
from grader.model.errors import UsageError
from grader.model.person import Person
from grader.model.results import Status, SubmissionResult
from grader.records.attach_roster import Attached, Digest
from grader.records.matching import Matching
from grader.records.owners.doubts import LATER, TORN, UNKNOWN
from grader.records.roster import Roster
from grader.store.reading import stream_results, texts

_TOGETHER = '"work": "'
"""Stands in each line of results of who has a work with others; in a student's text quotes are escaped."""


class Now:
    """Who has which work, by the lines of the roster and the places of the works."""

    def __init__(self, attached: Attached, digest: Digest) -> None:
        self._holdings, self._digest = attached.holdings, digest
        self._by_id = {each.id: each for each in attached.candidates}
        self.holders: dict[int, list[int]] = {place: [] for place in range(len(attached.found))}
        self._copies = {
            place: [self._by_id[own_id]] if own_id else [] for place, own_id in enumerate(attached.found)
        }
        for line, each in attached.holdings.items():
            if each.place is not None:
                self.holders[each.place].append(line)
                self._copies[each.place].append(self._by_id[each.id])

    def id(self, line: int) -> str:
        return self._holdings[line].id

    def place(self, line: int) -> int | None:
        return self._holdings[line].place

    def is_own(self, line: int) -> bool:
        return self._holdings[line].is_own

    def has_own(self, line: int) -> bool:
        """Tell whether a person handed in something themselves that the task asks for."""
        place = self.place(line)
        return self.is_own(line) and place is not None and any(self.digests[place])

    def group(self, line: int) -> str:
        person = self._by_id[self.id(line)].person
        return person.group if person is not None else ""

    def shares(self) -> Iterator[tuple[int, int]]:
        """Yield who has a work that they did not hand in themselves, each with its place."""
        for line, each in self._holdings.items():
            if each.place is not None and not each.is_own:
                yield line, each.place

    def own_works(self) -> Iterator[tuple[int, set[str]]]:
        """Yield who handed in what the task asks for, and the digests of that."""
        for line, each in self._holdings.items():
            if each.place is not None and self.has_own(line):
                yield line, self.digests[each.place]

    def of_work(self, digest: str, together: str) -> Sequence[int]:
        """Return the places of a work.  together: see `Had`; of a clone, nobody may have that commit now."""
        return (*self._places.get(digest, ()), *self._clones.get(together, ()))

    def is_anybodys(self, digest: str) -> bool:
        """Tell whether a work is there that nobody handed in by their own name."""
        return any(not any(map(self.is_own, self.holders[place])) for place in self._places.get(digest, ()))

    @cached_property
    def _clones(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for place, copies in self._copies.items():
            if copies and any(copies[0].commits):
                found.setdefault(copies[0].work or copies[0].id, []).append(place)
        return found

    @cached_property
    def digests(self) -> Mapping[int, set[str]]:
        """The digests of each work: several of a clone whose members have different deadlines."""
        return {place: self._digests_of(copies) for place, copies in self._copies.items()}

    def _digests_of(self, copies: Iterable[Candidate]) -> set[str]:
        return set(map(self._digest, {each.commits: each for each in copies}.values()))

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for place, digests in self.digests.items():
            for digest in digests:
                found.setdefault(digest, []).append(place)
        return found


@dataclass(frozen=True, slots=True)
class Had:
    """What a person had in the last run.

    work: the digest; empty for nothing.  together: the same for all who had this work, the id that the
        work has or had; empty for one's own.
    group: on the roster of then.  doubt: why it was not sure that they had this, or nothing.
    by_download: the download named their group.
    """

    id: str
    work: str
    together: str
    group: str
    doubt: str
    by_download: bool

    @property
    def is_own(self) -> bool:
        """Whether they had a work that nobody else had."""
        return bool(self.work) and not self.together

    @property
    def is_kept(self) -> bool:
        """Whether they had a work with others; of a download's group the download says who is in it."""
        return bool(self.together) and not self.by_download

    @classmethod
    def of(cls, result: SubmissionResult, person: Person) -> "Had":
        doubt, work = (
            next((x for x in (UNKNOWN, LATER, TORN) if x in result.problems), ""),
            result.content_sha256,
        )
        if result.instead is not None:
            work = result.instead.work
        if result.status is Status.NO_SUBMISSION or doubt:
            work = ""
        return cls(result.id, work, person.work, person.group, doubt, person.by_download)

    def with_other(self, other: "Had | None") -> bool:
        """Tell whether two had one work together."""
        return other is not None and bool(self.together) and self.together == other.together


class Before:
    """Who had which work in the last run.

    on_roster: those who are on the roster now, by their lines.  others: those who are not.
    listed: the lines of those who were on the roster then; a report can have some of them alone.
    strangers: the ids of works that nobody on the roster had.
    """

    def __init__(
        self,
        on_roster: Mapping[int, Had],
        others: Sequence[Had],
        listed: Collection[int],
        strangers: Collection[str],
    ) -> None:
        self._by_line, self._listed = on_roster, listed
        works = {(each.work, each.together or each.id) for each in (*on_roster.values(), *others)}
        self._times = Counter(work for work, _ in works)
        self._of_others = {each.work for each in others if each.work and each.together}
        self._of_others |= {each.work for line, each in on_roster.items() if each.is_own and line in listed}
        self._leavers = {each.id for each in others}.union(strangers)

    def of(self, line: int) -> Had | None:
        return self._by_line.get(line)

    def is_of_leaver(self, line: int) -> bool:
        """Tell whether somebody handed in a person's work who is on the roster no more."""
        had = self.of(line)
        return had is not None and had.together in self._leavers

    def kept(self, now: Now) -> dict[int, int]:
        """Return the places of the works that people keep, since they had them, by their lines."""
        had = ((line, had) for line, had in self._by_line.items() if had.is_kept and not now.has_own(line))
        places = {line: self._place(line, each, now) for line, each in had}
        return {line: place for line, place in places.items() if place is not None}

    def _place(self, line: int, had: Had, now: Now) -> int | None:
        """Return where a work lies that a person had with others; None if it is not sure."""
        of_mates, of_others = [], []
        for place in now.of_work(had.work, had.together):
            holders = now.holders[place]
            if line in holders or any(had.with_other(self.of(each)) for each in holders):
                of_mates.append(place)
            elif not any(map(now.is_own, holders)):
                of_others.append(place)
        if of_mates:
            return now.place(line) if now.place(line) in of_mates else of_mates[0]
        # Where several had equal works, it may be another's.
        if of_others and self._times[had.work] == 1:
            return of_others[0]
        return self._next_place(line, had, now) if now.place(line) is None else None

    def _next_place(self, line: int, had: Had, now: Now) -> int | None:
        """Return where the next work lies of who had handed in this one, and is in the same group."""
        for place, holders in now.holders.items():
            if any(
                now.id(each) == had.together and now.is_own(each) and now.group(each) == now.group(line) != ""
                for each in holders
            ):
                return place
        return None

    def torn(self, now: Now, groups: Mapping[int, str]) -> Iterator[int]:
        """Yield those in whose group two handed in works that differ.  groups: by the lines.

        Who had a work with others and came to the group brought that along.
        """
        own: dict[str, list[tuple[Had | None, set[str]]]] = {}
        for line, digests in now.own_works():
            own.setdefault(now.group(line), []).append((self.of(line), digests))
        for line, group in groups.items():
            in_question = ("", self._by_line[line].together)
            mates = own.get(group, ()) if group else ()
            works = [digests for mate, digests in mates if mate is None or mate.together in in_question]
            if len(works) > 1 and not set.intersection(*works):
                yield line

    def apart(self, now: Now, kept: Collection[int]) -> dict[int, str]:
        """Return who can't have what the roster says, by their lines, and why it is for a person to say.

        kept: those who keep a work.  No reason: they surely had nothing, and were in no group.
        """
        shares, found = dict(now.shares()), {}
        for line in sorted((shares.keys() | self._by_line.keys()) - set(kept)):
            had, place = self.of(line), shares.get(line)
            is_known = had is not None and had.doubt != UNKNOWN if line in self._listed else True
            if had is not None and had.is_own and line in self._listed:
                # What they handed in themselves is a group's by now, or nobody's.
                if place is not None or (not now.is_own(line) and now.is_anybodys(had.work)):
                    found[line] = LATER
            elif had is not None and had.doubt == TORN:
                if place is None and not now.is_own(line) and now.group(line):
                    found[line] = TORN
            elif place is not None and is_known and self._is_of_others(line, place, now):
                is_free = had is not None and not (had.work or had.group or had.doubt)
                found[line] = "" if is_free else LATER
        return found

    def _is_of_others(self, line: int, place: int, now: Now) -> bool:
        """Tell whether others had a work, or whether it is the next one of who handed in alone."""
        own, digests = self.of(line), now.digests[place]
        if not digests.isdisjoint(self._of_others):
            return True
        for each in now.holders[place]:
            had = self.of(each)
            if each == line or had is None or not had.work or had.with_other(own):
                continue
            if had.work in digests if had.together else each in self._listed and now.is_own(each):
                return True
        return False


def works_before(results: Path, roster: Roster, then: Roster, *, shares: bool) -> Before | None:
    """Return what people had; None where that changes nothing, or can't be read.

    then: the roster of the last run.  shares: people share works now.
    """
    try:
        run = stream_results(results)
        # To read all results takes longer than to look for a key of theirs.
        if not shares and not any(_TOGETHER in text for text in texts(run.submissions)):
            return None
        people, strangers = [], set()
        for each in run.submissions:
            if each.person is None:
                strangers.add(each.id)
            else:
                people.append((replace(each.person, id=each.id), Had.of(each, each.person)))
    except UsageError:
        return None
    found = Matching([person for person, _ in people], roster.entries, ()).found
    pairs = [(entry, had) for entry, (_, had) in zip(found, people, strict=True)]
    on_roster = {entry.line: had for entry, had in pairs if entry is not None}
    others = [had for entry, had in pairs if entry is None]
    listed = Matching([entry.person for entry in then.entries], roster.entries, ()).found
    return Before(on_roster, others, {entry.line for entry in listed if entry is not None}, strangers)
