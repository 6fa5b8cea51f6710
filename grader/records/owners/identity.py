"""What two records of people have in common, and what proves that they are two people.

An id that a spreadsheet changed is the same id: zeros in front are gone, or a long number became `1.23E+08`,
`20231235.0` or `20.231.235`.
"""

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from difflib import SequenceMatcher
from functools import lru_cache

from grader.intake.names import folded
from grader.model.person import Person
from grader.records.roster_notes import NAME_MOST, words_of

ALIKE = 0.8
"""Similarity from which the names of two people may be one person's."""
_PLAIN = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "\N{LATIN SMALL LETTER DOTLESS I}": "i", "æ": "a", "œ": "o"}
)
"""Letters that have no accent apart."""
_UMLAUT = re.compile("([aou])e")
_POWER = re.compile(r"[0-9](?:[.,]([0-9]{1,15}))?e\+([0-9]{1,2})")
"""A number as Excel shows it where it is long."""
_FLOAT = re.compile(r"([0-9]+)[.,]0+")
_THOUSANDS = re.compile(r"[0-9]{1,3}([.,'\N{RIGHT SINGLE QUOTATION MARK}])[0-9]{3}(\1[0-9]{3})*")
_NUMBER = re.compile(r"[0-9]{1,40}")


def same_kind(person: Person) -> Iterator[str]:
    """Yield all ids with their kinds, exactly as they are; a login can be another's elsewhere."""
    yield from (f"{kind} {text}" for kind, text in person.ids.items() if kind != "login")
    if person.id:
        yield f"student {person.id}"


def exact_ids(person: Person) -> Iterator[str]:
    """Yield all ids without their kinds, exactly as they are."""
    yield from filter(None, (person.id, *person.ids.values()))


def logins(person: Person) -> Iterator[str]:
    """Yield login and mail."""
    yield from (folded(person.ids[kind]) for kind in ("login", "blackboard") if kind in person.ids)
    if person.mail:
        yield folded(person.mail)


def any_id(person: Person) -> Iterator[str]:
    """Yield all ids without their kinds, and the mail's first part: folders are often called so."""
    yield from filter(None, map(folded, (person.id, *person.ids.values())))
    if person.mail:
        yield from (folded(person.mail), folded(person.mail).partition("@")[0])


def in_any_order(person: Person) -> Iterator[str]:
    """Yield the letters of the name from any word on, as they are and as an office may write them."""
    words = words_of(person)
    texts = ["".join(words[at:] + words[:at]) for at in range(len(words))]
    yield from dict.fromkeys((*texts, *(_UMLAUT.sub(r"\1", text.translate(_PLAIN)) for text in texts)))


def same_id(one: str, other: str) -> bool:
    """Tell whether two ids may be one, if a spreadsheet or a person wrote one of them otherwise."""
    first, second = id_forms(one), id_forms(other)
    return not first.isdisjoint(second) or any(
        is_rounded(power, number) or is_rounded(number, power) for power in first for number in second
    )


@lru_cache(maxsize=10_000)
def id_forms(text: str) -> frozenset[str]:
    """Return the forms in which an id is compared: without zeros in front, and as a whole number."""
    bare = "".join(folded(text).split()).lstrip("#").lstrip("0")
    forms = {bare}
    if match := _FLOAT.fullmatch(bare):
        forms.add(match[1])
    if _THOUSANDS.fullmatch(bare):
        forms.add("".join(filter(str.isdecimal, bare)))
    return frozenset(forms)


def is_power(form: str) -> bool:
    """Tell whether a form of an id is a number that Excel has rounded."""
    return _POWER.fullmatch(form) is not None


def is_rounded(power: str, number: str) -> bool:
    """Tell whether one form of an id may be the other, rounded."""
    match = _POWER.fullmatch(power)
    if match is None or not _NUMBER.fullmatch(number):
        return False
    last_digit = Decimal(10) ** (int(match[2]) - len(match[1] or ""))
    return abs(Decimal(power.replace(",", ".")) - Decimal(number)) <= last_digit


def other_ids(one: Person, other: Person) -> list[tuple[str, str]]:
    """Return the ids of one kind that two have and that differ in their form too."""
    kinds = sorted(one.ids.keys() & other.ids.keys() - {"login"})
    pairs = [(one.ids[kind], other.ids[kind]) for kind in kinds]
    return [pair for pair in pairs if not same_id(*pair)]


def contradict(one: Person, other: Person, *, mails: bool) -> bool:
    """Tell whether two have different ids of one kind.  mails: or mails; two people may have one name."""
    return bool(other_ids(one, other)) or (mails and _other_mails(one, other))


def by_own_id_alone(one: Person, other: Person, own_id: str) -> bool:
    """Tell whether nothing but an id that both have makes two the same person, and all else contradicts.

    It can be the number of a line, which is another person's as soon as somebody leaves.  A folder's name
    that is an id says nothing more.
    """
    if own_id in ("", one.name, other.name):
        return False
    is_same = any(one.ids[kind] == other.ids[kind] for kind in one.ids.keys() & other.ids.keys())
    has_mails = bool(one.mail and other.mail)
    is_other = bool(one.name and other.name) and not names_alike(one, other)
    return is_other and not is_same and (not has_mails or _other_mails(one, other))


def same_person(one: Person, other: Person) -> bool:
    """Tell whether mail or whole name are the same, which no other id outweighs."""
    mail = folded(one.mail)
    return bool(mail and mail == folded(other.mail)) or not set(in_any_order(one)).isdisjoint(
        in_any_order(other)
    )


def other_person(work: Person, person: Person, kinds: Iterable[str]) -> bool:
    """Tell whether it is proven that a work is not this person's.

    kinds: of ids that prove it.  Mail and name prove it together: people have several mails, and a name can
    have two forms.
    """
    if same_person(work, person):
        return False
    for kind in kinds:
        one, other = work.ids.get(kind, ""), person.ids.get(kind, "")
        if one and other and not same_id(one, other):
            return True
    return _other_mails(work, person) and bool(work.name and person.name) and not names_alike(work, person)


def by_number_alone(one: Person, other: Person) -> bool:
    """Tell whether nothing but Moodle's number, which is that of one assignment, makes two the same person.

    Under blind marking nothing else is known, and nothing contradicts.
    """
    number = one.ids.get("moodle", "")
    if not number or number != other.ids.get("moodle", "") or same_person(one, other):
        return False
    return _other_mails(one, other) or (bool(one.name and other.name) and not names_alike(one, other))


def agree_but_for_number(one: Person, other: Person) -> bool:
    """Tell whether mail or name agree; a name agrees with one that has more words."""
    words = {*words_of(one)}, {*words_of(other)}
    is_part = all(words) and (words[0] <= words[1] or words[1] <= words[0])
    return same_person(one, other) or (is_part and not _other_mails(one, other))


def contradict_but_for_number(one: Person, other: Person) -> bool:
    """Tell whether two people with one number of Moodle's have mails or names, and none of them agree."""
    number, is_known = one.ids.get("moodle", ""), bool(one.name and other.name) or _other_mails(one, other)
    return (
        bool(number)
        and number == other.ids.get("moodle", "")
        and is_known
        and not agree_but_for_number(one, other)
    )


def names_alike(one: Person, other: Person) -> bool:
    """Tell whether two names may be one person's."""
    if any(len(word) > 1 for word in set(words_of(one)) & set(words_of(other))):
        return True
    first, second = folded(one.name[:NAME_MOST]), folded(other.name[:NAME_MOST])
    return SequenceMatcher(None, first, second).ratio() >= ALIKE


def _other_mails(one: Person, other: Person) -> bool:
    return len({folded(one.mail), folded(other.mail)} - {""}) > 1
