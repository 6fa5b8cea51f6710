"""Whose result a number is: an LMS's number of somebody can be another's of another series."""

from dataclasses import replace

import pytest
from support.results_sample import submissions

from grader.course.people import People, Unsure, _by_ids
from grader.intake.names import Claim, unique_ids
from grader.model.errors import UsageError
from grader.model.person import Person
from grader.records.roster import Roster, RosterEntry
from grader.store.summaries import Summary, summary_of

ANN = RosterEntry(Person(name="Ann Lee", ids={"moodle": "1234", "sis": "77"}), line=2, row=1)
ROSTER = Roster("people.csv", "Moodle", (ANN,))


def summary(own_id: str, person: Person) -> Summary:
    return summary_of(replace(submissions()[0], id=own_id, name=person.name, person=person))


def moodle(number: str, name: str, mail: str = "") -> Summary:
    return summary(f"moodle-{number}", Person(name=name, mail=mail, ids={"moodle": number}))


def folder(name: str) -> Summary:
    return summary(name, Person(id=name))


def test_numbers_of_one_task_join_nobody_in_several() -> None:
    """Ann was two people, and each of them had handed in one of two tasks."""
    first, second = [moodle("701", "Ann Lee")], [moodle("802", "Ann Lee")]
    by_name = [summary("ann", Person(name="Ann Lee", ids={"moodle": "802"}))]
    for other in (second, by_name, [folder("ann")]):
        with pytest.raises(UsageError, match="Moodle numbers people anew for each task"):
            list(People(None).students([first, other]))
    assert len(list(People(None).students([first, []]))) == 1


def test_ids_of_different_kinds_meet_nobody_without_a_roster() -> None:
    canvas = [summary("canvas-55", Person(name="leeann", ids={"canvas": "55"}))]
    folders = [folder("ann")]
    with pytest.raises(UsageError, match="canvas-55 and ann, so nobody knows who is who"):
        list(People(None).students([canvas, folders]))
    assert len(list(People(None).students([folders, [folder("ann"), folder("cy")], [folder("di")]]))) == 3
    assert len(list(People(None).students([[summary("ann", Person(ids={"github": "ann"}))], folders]))) == 1
    with pytest.raises(UsageError, match="submission_1 and submission_2"):
        list(People(None).students([[folder("submission_1")], [folder("submission_2")]]))


@pytest.mark.parametrize(("name", "other"), [("amy", "Amy"), ("jan novak", "jan-novak")])
def test_a_folder_of_nearly_the_same_name_parts_nobody_in_two(name: str, other: str) -> None:
    """Names that nearly agree get ids with a digest, in the task alone in which they meet."""
    names = [[name], [name, other], [other], [name]]
    tasks = []
    for task in names:
        ids = unique_ids([Claim(each, each) for each in task])
        tasks.append([summary(own, Person(name=each)) for own, each in zip(ids, task, strict=True)])
    people = People(None)
    assert len(list(people.students(tasks))) == 2
    found = [people.by_student(task) for task in tasks]
    assert [len(each) for each in found] == [1, 2, 1, 1]
    (one,), (two,) = found[0], found[2]
    assert one != two
    assert [own.name for own in found[1][one]] == [name] == [own.name for own in found[3][one]]


@pytest.mark.parametrize(
    ("first", "second", "rows", "unsure"),
    [
        ([moodle("703", "Cy Oz")], [moodle("802", "Cy Oz")], ["moodle-703"], ()),
        ([moodle("703", "Cy Oz")], [moodle("703", "Xu Yi")], ["moodle-703", "moodle-703~"], ()),
        ([moodle("703", "Cy Oz", "c@x")], [moodle("802", "C. Oz", "c@x")], ["moodle-703"], ()),
        ([moodle("703", "Cy Oz")], [summary("gh", Person(name="Cy Oz"))], ["moodle-703"], ()),
        (
            [moodle("703", "Cy Oz", "c@x")],
            [moodle("802", "Cy Oz", "d@x")],
            ["moodle-703", "moodle-802"],
            (("Cy Oz", ("moodle-703", "moodle-802")),),
        ),
        (
            [moodle("703", "Participant")],
            [moodle("703", "Participant")],
            ["moodle-703", "moodle-703~"],
            (("Participant", ("moodle-703", "moodle-703~")),),
        ),
        (
            [moodle("703", "Cy Oz"), moodle("704", "Cy Oz")],
            [moodle("802", "Cy Oz")],
            ["moodle-703", "moodle-704", "moodle-802"],
            (("Cy Oz", ("moodle-703", "moodle-704", "moodle-802")),),
        ),
    ],
)
def test_strangers_are_one_person_by_mail_or_whole_name(
    first: list[Summary], second: list[Summary], rows: list[str], unsure: Unsure
) -> None:
    """One was two rows, and one had another's mark, whose number was the same."""
    people = People(ROSTER)
    assert [each.id for each in people.students([first, second])][1:] == rows
    assert people.unsure == unsure
    given = people.by_student(second)
    assert sum(map(len, given.values())) == len(second)
    assert [own[0].id for own in given.values()] == [each.id for each in second]


def test_a_number_of_one_task_gives_no_slip_days_to_another() -> None:
    people, second = People(ROSTER), [moodle("703", "Xu Yi")]
    list(people.students([[moodle("703", "Cy Oz")], second]))
    assert "moodle-703" not in people.by_student(second)


def test_nobody_on_the_roster_is_called_by_a_number_of_one_task() -> None:
    cy = RosterEntry(Person(name="Cy Oz", mail="c@x"), line=2, row=1)
    people = People(Roster("people.csv", "Moodle", (cy,)))
    found = people.students([[moodle("701", "Cy Oz", "c@x")], [moodle("802", "Cy Oz", "c@x")]])
    assert [each.id for each in found] == ["c@x"]


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
