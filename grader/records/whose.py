"""Finds the submission that a name in a person's file means: of a review, a time, an extension, `--only`.

Ids come first, then the exact name that was handed in, then the id that this name alone would give, then any
id or mail of the person: who has handed in nothing yet has another id later.  Where several may be meant,
nobody gets what was written, and their marks are pending.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from grader.intake import Candidate, SourceKind
from grader.intake.names import folded, listed, safe_id, shown
from grader.model.person import OF_LMS, Person

DOUBTFUL = "it is not sure whose work this is"


class Whose:
    """The submissions of a batch, by all that people may call them."""

    def __init__(self, candidates: Iterable[Candidate]) -> None:
        self._by_id: dict[str, Candidate] = {}
        self._exact: dict[str, list[Candidate]] = {}
        self._as_written: set[str] = set()
        self._made: dict[str, list[Candidate]] = {}
        """By the id that a name alone gives."""
        self._of_people: dict[str, list[Candidate]] = {}
        """By what the person is called elsewhere."""
        for each in candidates:
            self._by_id[each.id] = each
            self._as_written.update(_names(each))
            for name in dict.fromkeys(map(composed, _names(each))):
                self._exact.setdefault(name, []).append(each)
            if each.claimed:
                self._made.setdefault(safe_id(each.claimed), []).append(each)
            for name in dict.fromkeys(map(_plain, _elsewhere(each))):
                self._of_people.setdefault(name, []).append(each)

    def of(self, name: str) -> Sequence[Candidate]:
        """Return the submissions that a name may mean: one if it is sure, none if there is none."""
        if name in self._by_id:
            return [self._by_id[name]]
        alike, made = self._exact.get(composed(name), []), self._made.get(composed(name), [])
        # Two folders can have the same letters, once composed and once with accents apart.
        exact = [each for each in alike if name in _names(each)] or alike
        # `Amy-Adams` may be the id of who hands in as `Amy Adams`, beside somebody who is called `Amy-Adams`.
        found = exact + [
            each for each in made if each not in alike and (not exact or _is_usual(each.claimed))
        ]
        return found or self._of_people.get(_plain(name), [])

    def sure(self, name: str) -> Sequence[Candidate]:
        """Return the submission that a name means, or all of one work that several handed in; else none."""
        found = self.of(name)
        return found if len({each.work or each.id for each in found}) == 1 else ()

    def id_of(self, name: str) -> str:
        """Return the id of the one submission that a name means; the name itself where it is not sure."""
        found = self.of(name)
        return found[0].id if len(found) == 1 else name

    def names(self) -> frozenset[str]:
        """Return all ids, and all other names that mean somebody."""
        return frozenset((*self._by_id, *self._exact, *self._made, *self._as_written, *self._of_people))


def is_apart(candidate: Candidate) -> bool:
    """Tell whether an id holds a digest, since others have such a name."""
    return "~" in candidate.id


def _names(candidate: Candidate) -> Iterable[str]:
    """Yield the names of a submission but its id, and but the student's in an LMS, which two can have."""
    if candidate.claimed:
        yield candidate.claimed
    elif candidate.person is None:
        yield candidate.name
    if candidate.path.name:
        yield (candidate.path.name, *candidate.inside)[-1]
    if candidate.work:
        yield candidate.work
    yield from _ids_of_lms(candidate)


def _ids_of_lms(candidate: Candidate) -> Iterable[str]:
    """Yield the ids that a download would give this person, who may be in the batch by the roster alone."""
    ids = candidate.person.ids if candidate.person is not None else {}
    yield from (f"{kind}-{safe_id(text)}" for kind, text in ids.items() if kind in OF_LMS)


def _elsewhere(candidate: Candidate) -> Iterable[str]:
    """Yield the ids and the mail of a person, as far as a download or a roster tells.

    Moodle's number is none: it can be another's ID number.
    """
    person = candidate.person or Person()
    ids = (text for kind, text in person.ids.items() if kind != "moodle")
    yield from filter(None, (*candidate.roster_ids, person.mail, *ids))


def _plain(name: str) -> str:
    """Return a name as it is compared; the letters of a mail can be large or small."""
    return folded(name) if "@" in name else composed(name)


def _is_usual(name: str) -> bool:
    """Tell whether an id is made of a name by hyphens for spaces alone."""
    return (
        re.sub("[ ,'\N{RIGHT SINGLE QUOTATION MARK}]+", "-", composed(name))
        == safe_id(name)
        != composed(name)
    )


def composed(name: str) -> str:
    """Return a name with its accents as one with their letters; folders of a Mac have them apart."""
    return unicodedata.normalize("NFC", name)


def pending(candidate: Candidate, problem: str = DOUBTFUL) -> Candidate:
    """Return a candidate whose mark is pending, since a person has to say whose it is."""
    return replace(
        candidate, kind=SourceKind.UNREAD, problem=problem, is_doubtful=True, attempts=(), commit=""
    )


def tell_doubt(name: str, what: str, found: Sequence[Candidate], note: Callable[[str], None]) -> None:
    """Say that a name in a person's file may mean several."""
    ids = listed(each.id for each in found)
    note(f"{what} `{shown(name)}`, which may be {ids}; nobody got it, and these are pending: write the id")
