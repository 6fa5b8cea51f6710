"""Whose result a number is: an LMS's number of somebody can be another's of another series."""

from dataclasses import replace

import pytest
from support.results_sample import submissions

from grader.course.people import People, _by_ids
from grader.model.errors import UsageError
from grader.model.person import Person
from grader.records.roster import Roster, RosterEntry
from grader.store.summaries import Summary, summary_of

ANN = RosterEntry(Person(name="Ann Lee", ids={"moodle": "1234", "sis": "77"}), line=2, row=1)
ROSTER = Roster("people.csv", "Moodle", (ANN,))


def summary(own_id: str, person: Person) -> Summary:
    return summary_of(replace(submissions()[0], id=own_id, name=person.name, person=person))


def test_numbers_of_one_task_join_nobody_in_several() -> None:
    """Ann was two people, and each of them had handed in one of two tasks."""
    first = [summary("moodle-701", Person(name="Ann Lee", ids={"moodle": "701"}))]
    second = [summary("moodle-802", Person(name="Ann Lee", ids={"moodle": "802"}))]
    by_name = [summary("ann", Person(name="Ann Lee", ids={"moodle": "802"}))]
    assert len(list(People(None).students([first, by_name]))) == 2
    with pytest.raises(UsageError, match="Moodle numbers people anew for each task"):
        list(People(None).students([first, second]))
    assert len(list(People(ROSTER).students([first, second]))) == 3


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
