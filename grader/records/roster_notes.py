"""What is said of a roster beside the submissions: how it was read, who is not on it, and what looks odd."""

import unicodedata
from collections.abc import Callable, Iterable, Sequence

from grader.intake import Candidate, SourceKind
from grader.intake.names import folded, listed, named
from grader.model.person import Person
from grader.records.roster import Roster, RosterEntry

NAME_MOST = 100
"""Characters of a name that are compared."""


def words_of(person: Person) -> list[str]:
    """Return the words of a name, without accents and as if in small letters."""
    return words_in(person.name[:NAME_MOST])


def words_in(text: str) -> list[str]:
    """Return the words of any text, in the same form."""
    bare = unicodedata.normalize("NFD", folded(text))
    return "".join(c if c.isalnum() else " " for c in bare if not unicodedata.combining(c)).split()


def shown(person: Person) -> str:
    return person.name or person.mail or next(iter(person.ids.values()), "") or person.id


def tell(
    candidates: Sequence[Candidate],
    found: Sequence[RosterEntry | None],
    roster: Roster,
    absent: Sequence[Candidate],
    note: Callable[[str], None],
) -> None:
    """Say what the roster was taken for, who is not on it, and who handed in nothing."""
    note(f"{roster.where} was read as {roster.layout}, {len(roster.entries)} people")
    if roster.left_out:
        note(f"left out of the roster, as no students: {listed(roster.left_out)}")
    nothing = [each for each in absent if each.kind is SourceKind.ABSENT]
    if nothing:
        count = "1 person" if len(nothing) == 1 else f"{len(nothing)} people"
        note(f"{count} on the roster handed in nothing: {listed(each.name for each in nothing)}")
    _tell_other_names(candidates, found, note)
    strangers = [each for each, entry in zip(candidates, found, strict=True) if entry is None]
    if not strangers:
        return
    be = "submission is" if len(strangers) == 1 else "submissions are"
    note(f"{len(strangers)} {be} of people who are not on the roster: {listed(s.name for s in strangers)}")


def _tell_other_names(
    candidates: Sequence[Candidate], found: Sequence[RosterEntry | None], note: Callable[[str], None]
) -> None:
    """Say where Moodle's number alone says whose a work is, and the names have no word in common.

    Moodle numbers teams by another series than people, and a folder does not say which it is.
    """
    for each, entry in zip(candidates, found, strict=True):
        if each.person is None or entry is None or "moodle" not in each.person.ids:
            continue
        own, other = set(words_of(each.person)), set(words_of(entry.person))
        if own and other and not own & other:
            note(
                f"{each.id} was handed in as {named(each.person.name)}, and is {shown(entry.person)} by the"
                " number on the roster.  If it is a team's number, the work is not theirs: give a roster with"
                " the groups, and --without groups"
            )


def tell_called_like_both(names: Iterable[str], note: Callable[[str], None]) -> None:
    """Say which works have names that can be a group's, and a person's in another or another group's."""
    if them := listed(names):
        both = "a group and a person in another, or like two groups"
        note(f"called like {both}, so nobody's: {them}.  Rename folders or groups")
