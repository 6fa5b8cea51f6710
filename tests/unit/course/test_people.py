"""Whose result a number is: an LMS's number of somebody can be another's of another series."""

import pytest

from grader.course.people import _by_ids
from grader.model.person import Person
from grader.records.roster import Roster, RosterEntry

ANN = RosterEntry(Person(name="Ann Lee", ids={"moodle": "1234", "sis": "77"}), line=2, row=1)
ROSTER = Roster("people.csv", "Moodle", (ANN,))


@pytest.mark.parametrize(
    ("person", "entry"),
    [
        (Person(id="1234", name="Cy Oz"), None),
        (Person(id="1234", name="ann lee"), ANN),
        (Person(id="1234"), ANN),
        (Person(id="77", name="Cy Oz"), ANN),
        (Person(name="Cy Oz", ids={"moodle": "1234"}), ANN),
    ],
)
def test_a_number_of_another_name_is_not_taken_for_an_lmss(person: Person, entry: RosterEntry | None) -> None:
    assert _by_ids(ROSTER, person) is entry
