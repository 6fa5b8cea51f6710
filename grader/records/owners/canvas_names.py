"""Works of Canvas that are not called like the person with their number, as a group's work is not.

Canvas writes the words of a name together, the last name first.  A person can have another name on the
roster, too.  Where most works are called like their people, the others are taken for works of one person:
one of any name, and all that begin or end with a word of the person's name.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

from grader.intake.names import listed, named
from grader.model.person import Person
from grader.records.owners.identity import in_any_order, same_person
from grader.records.roster import RosterEntry
from grader.records.roster_notes import shown, words_of

_NO_NAMES = frozenset({"and", "und", "team", "group", "van", "von", "der", "den", "del", "los", "las", "dos"})
"""Words that stand between names, or in names of many people."""
_LEAST = 3
"""Letters of a word that hardly stand in a name by chance."""


def called_otherwise(people: Sequence[Person], found: Sequence[RosterEntry | None]) -> list[int]:
    """Return the places of works that have another name than the person with their number.

    found: the entry of each.  Where either side has no name, nothing is known.
    """
    return [place for place, is_same in _compared(people, found) if not is_same]


def are_of_one_person_each(
    people: Sequence[Person],
    found: Sequence[RosterEntry | None],
    others: Sequence[int],
    missing: Iterable[RosterEntry],
) -> bool:
    """Tell whether the works called otherwise, and of no group on the roster, are one person's each.

    others: their places.  missing: people without a work; a name of theirs in a work's says the contrary.
    """
    alike = sum(1 for _ in _compared(people, found)) - len(others)
    strange = [place for place in others if not _has_a_word_of(people[place], found[place])]
    if len(others) > alike or len(strange) > min(1, alike - 1):
        return False
    letters = [_letters(people[place]) for place in others]
    names = {name for entry in missing for name in in_any_order(entry.person) if name}
    return not any(name in text for text in letters for name in names)


def stands_beside(work: Person, owner: RosterEntry | None, other: Person) -> bool:
    """Tell whether a work's name has, beside that of the person with its number, a word of another's."""
    rest = _letters(work)
    for word in sorted(words_of(owner.person) if owner is not None else (), key=len, reverse=True):
        rest = rest.replace(word, " ", 1)
    return any(len(word) >= _LEAST and word in rest for word in {*words_of(other)} - _NO_NAMES)


def tell_other_names(
    people: Sequence[Person],
    found: Sequence[RosterEntry | None],
    places: Iterable[int],
    note: Callable[[str], None],
) -> None:
    """Say which works are taken for those of the people with their numbers."""
    works = [(people[place], entry.person) for place in places if (entry := found[place]) is not None]
    if works:
        names = listed(f"{named(work.name)} ({shown(person)})" for work, person in works)
        note(
            f"called otherwise than the person with their number on the roster, and taken for theirs alone:"
            f" {names}.  If one is a group's, give a roster with the groups, and --without groups"
        )


def _compared(people: Sequence[Person], found: Sequence[RosterEntry | None]) -> Iterator[tuple[int, bool]]:
    """Yield the place of each work of Canvas that has an entry, and whether the names are the same."""
    for place, (work, entry) in enumerate(zip(people, found, strict=True)):
        if entry is not None and "canvas" in work.ids and _letters(work) and words_of(entry.person):
            yield place, same_person(work, entry.person)


def _letters(person: Person) -> str:
    return "".join(words_of(person))


def _has_a_word_of(work: Person, entry: RosterEntry | None) -> bool:
    letters, words = _letters(work), words_of(entry.person) if entry is not None else []
    return any(letters.startswith(word) or letters.endswith(word) for word in words if len(word) > 1)
