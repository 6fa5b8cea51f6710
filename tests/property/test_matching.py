"""Who is who: nobody gets two lines, no line two people, and the order of the files decides nothing."""

from hypothesis import given
from hypothesis import strategies as st

from grader.model.person import Person
from grader.records.matching import Matching
from grader.records.roster import RosterEntry

_FEW = st.sampled_from(["", "1", "2", "3"])
PEOPLE = st.lists(
    st.builds(
        lambda name, mail, ids: Person(
            name=name, mail=mail and f"{mail}@x.edu", ids={kind: text for kind, text in ids.items() if text}
        ),
        st.sampled_from(["", "Ada", "Ada B", "Bob"]),
        _FEW,
        st.fixed_dictionaries({"canvas": _FEW, "sis": _FEW, "login": _FEW}),
    ),
    max_size=6,
)


def found(people: list[Person], entries: list[Person]) -> list[Person | None]:
    lines = [RosterEntry(person, number, number) for number, person in enumerate(entries, 2)]
    return [entry.person if entry else None for entry in Matching(people, lines, ()).found]


@given(PEOPLE, PEOPLE)
def test_each_line_has_one_person_at_most(people: list[Person], entries: list[Person]) -> None:
    lines = [RosterEntry(person, number, number) for number, person in enumerate(entries, 2)]
    matched = [entry.line for entry in Matching(people, lines, ()).found if entry is not None]
    assert len(matched) == len(set(matched))


@given(PEOPLE, PEOPLE)
def test_no_pair_has_two_ids_of_one_kind(people: list[Person], entries: list[Person]) -> None:
    for person, entry in zip(people, found(people, entries), strict=True):
        if entry is not None:
            shared = person.ids.keys() & entry.ids.keys() - {"login"}
            assert all(person.ids[kind] == entry.ids[kind] for kind in shared)


@given(PEOPLE, PEOPLE, st.randoms(use_true_random=False))
def test_the_order_decides_nothing(people: list[Person], entries: list[Person], random: object) -> None:
    before = found(people, entries)
    shuffled = list(entries)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert found(people, shuffled) == before
    assert found(people[::-1], shuffled)[::-1] == before
