"""Rosters: each LMS's list is recognised by its headings, or refused with what was seen."""

from collections.abc import Iterator

import pytest
from support.class_of_40 import rosters
from support.class_of_40.every import SHEETS
from support.class_of_40.people import CLASS

from grader.model.errors import UsageError
from grader.records.roster import Roster, roster_of
from grader.records.sheet import sheet_of


def read(text: str | bytes) -> Roster:
    content = text if isinstance(text, bytes) else text.encode()
    return roster_of(sheet_of(content, "roster.csv", "the roster"))


LISTS = {
    "moodle": ("Moodle's participants", rosters.moodle(), "sis", "sis_id"),
    "moodle in German": ("Moodle's participants", rosters.moodle(language="de"), "mail", "mail"),
    "gradescope": ("Gradescope's roster", rosters.gradescope(), "sis", "sis_id"),
    "classroom": ("GitHub Classroom's roster", rosters.classroom(groups=True), "mail", "mail"),
    "blackboard": ("Blackboard's grade centre", rosters.blackboard(), "login", "login"),
    "brightspace": ("Brightspace's class list", rosters.brightspace(), "sis", "sis_id"),
    "worksheet": ("Moodle's worksheet", SHEETS["moodle, teams"].blank, "moodle", "participant"),
    "German worksheet": ("Moodle's worksheet", SHEETS["moodle, German"].blank, "moodle", "participant"),
    "blind worksheet": (
        *("Moodle's worksheet without names", SHEETS["moodle, blind"].blank),
        *("moodle", "participant"),
    ),
    "gradebook": ("Canvas's gradebook", SHEETS["canvas"].blank, "canvas", "canvas_id"),
    "grades": ("Brightspace's class list", SHEETS["brightspace"].blank, "login", "login"),
    "work offline": (
        *("Blackboard's grade centre", SHEETS["blackboard, UTF-16"].blank),
        *("sis", "sis_id"),
    ),
}
"""For each list: its layout, its bytes, a kind of id that it has, and the name of that for a student."""


@pytest.mark.parametrize("name", LISTS)
def test_the_class_is_read_from_each_list(name: str) -> None:
    layout, content, kind, own = LISTS[name]
    roster = read(content)
    assert roster.layout == layout
    people = [entry.person for entry in roster.entries]
    assert len(people) == len(CLASS)
    found = sorted(person.mail if kind == "mail" else person.ids.get(kind, "") for person in people)
    assert found == sorted(str(getattr(student, own)) for student in CLASS)


def test_staff_and_the_test_student_are_left_out() -> None:
    assert read(rosters.gradescope()).left_out == ("Grace Teacher", "Tim Assistant")
    gradebook = SHEETS["canvas"].blank + b'"Student, Test",99,,,Lab A,,,,,,\r\n'
    assert read(gradebook).left_out == ("Student, Test",)


def test_names_are_in_the_order_in_which_people_say_them() -> None:
    people = {entry.person.ids["canvas"]: entry.person.name for entry in read(SHEETS["canvas"].blank).entries}
    assert people["50110"] == "John Smith, Jr."
    assert people["50115"] == "=cmd|' /C calc'!A0 =1+1"


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
def test_a_plain_list_in_any_encoding(separator: str, encoding: str) -> None:
    lines = [["Student", "Name", "Mail", "Group", "Extension"], ["zoe", "Zoë", "zoe@x.edu", "T1", "3 days"]]
    text = "\n".join(separator.join(line) for line in lines)
    (entry,) = read(text.encode(encoding)).entries
    assert (entry.person.id, entry.person.name, entry.person.mail) == ("zoe", "Zoë", "zoe@x.edu")
    assert (entry.person.group, entry.extra_s, entry.deadline) == ("T1", 3 * 86400, None)


@pytest.mark.parametrize(
    "last",
    ['carl,"Carl ""C"" Cole",c@x.edu', "carl,Carl,c@x.edu", 'carl,"Carl",c@x.edu', 'carl,"'],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_quote_that_is_never_closed_is_refused_with_its_line(last: str, end: str) -> None:
    lines = ["student,name,mail", "ada,Ada,a@x.edu", 'amy,"Amy Adams,m@x.edu', "bob,Bob,b@x.edu", last, ""]
    with pytest.raises(UsageError, match=r"roster\.csv:3: .*a quote is never closed"):
        read(end.join(lines))


def test_quotes_with_lines_in_them_are_read() -> None:
    people = read(
        'student,name,mail,remark\nada,"Ada\n Lovelace",a@x.edu,"one, two,\nthree"\nbob,"Bob" B,,\n'
    )
    assert [entry.person.name for entry in people.entries] == ["Ada Lovelace", "Bob B"]


@pytest.mark.parametrize(
    ("text", "seconds"), [("48h", 172800), ("+90min", 5400), ("1 day", 86400), ("14d", 14 * 86400)]
)
def test_times_that_are_added(text: str, seconds: int) -> None:
    (entry,) = read(f"student,extension\na,{text}\n").entries
    assert entry.extra_s == seconds


def test_a_new_deadline() -> None:
    (entry,) = read("student,extension\na,2026-11-20 23:59:00+01:00\n").entries
    assert entry.deadline is not None
    assert entry.deadline.isoformat() == "2026-11-20T23:59:00+01:00"


def faults(text: str) -> Iterator[str]:
    with pytest.raises(UsageError) as caught:
        read(text)
    return (str(fault) for fault in caught.value.faults)


def test_every_mistake_is_told_with_its_line() -> None:
    found = list(faults("student,name,extension\na,A,soon\nb,B,\na,C,\n,,\n ,,x\n"))
    assert found[0].startswith("roster.csv:2: `soon` is neither a new deadline nor a time that is added")
    assert found[1].startswith("roster.csv:6: this line names nobody")
    assert found[2].startswith("roster.csv:4: the student id `a` stands in line 2 too")


def test_an_unknown_list_is_refused_with_what_was_seen() -> None:
    (found,) = faults("Prénoms,Points\nZoë,3\n")
    assert "its first line has Prénoms and Points" in found
    assert "student, name, mail, group, extension" in found


def test_a_list_of_nobody_is_refused() -> None:
    assert list(faults("student,name\n")) == ["roster.csv: the roster names nobody"]


@pytest.mark.parametrize("name", ["extension", "Name", "student"])
def test_two_columns_of_one_heading_must_say_the_same(name: str) -> None:
    rows = {"student": "a", "name": "A", "extension": "48h"}
    other = {"extension": "", "Name": "B", "student": "b"}[name]
    text = f"{','.join(rows)},{name}\n{','.join(rows.values())}"
    (entry,) = read(f"{text},{rows[name.casefold()]}\n").entries
    assert entry.extra_s == 172800
    (told,) = faults(f"{text},{other}\n")
    assert told.startswith(f"roster.csv:2: the roster: two columns are called `{name}`, and here they differ")
