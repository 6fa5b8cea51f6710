"""The lists of the class of 40 have the columns of each LMS, and everybody in them as spelled."""

import csv
import io

import pytest
from support.class_of_40 import rosters
from support.class_of_40.people import BY_KEY, CLASS


def table(data: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))


@pytest.mark.parametrize(
    ("name", "heading", "people"),
    [
        ("moodle", ["First name", "Last name", "ID number", "Email address", "Groups"], 40),
        ("gradescope", ["First Name", "Last Name", "SID", "Email", "Role"], 42),
        ("classroom", ["identifier", "github_username", "github_id", "name"], 40),
        (
            "blackboard",
            ["Last Name", "First Name", "Username", "Student ID", "Last Access", "Availability"],
            40,
        ),
        (
            "brightspace",
            ["OrgDefinedId", "Username", "Last Name", "First Name", "Email", "End-of-Line Indicator"],
            40,
        ),
    ],
)
def test_a_roster_has_the_columns_and_the_people(name: str, heading: list[str], people: int) -> None:
    rows = table(rosters.ROSTERS[name]())
    assert rows[0] == heading
    assert len(rows) == people + 1
    assert {len(row) for row in rows} == {len(heading)}
    cells = {cell for row in rows for cell in row}
    whole = [BY_KEY[key] for key in ("s02", "s03", "s10", "s15", "s19", "s20")]
    assert all({student.first, student.last} <= cells or student.name in cells for student in whole)


def test_moodle_speaks_german() -> None:
    assert table(rosters.moodle(language="de"))[0] == [
        "Vorname",
        "Nachname",
        "ID-Nummer",
        "E-Mail-Adresse",
        "Gruppen",
    ]


def test_classroom_has_groups_and_who_never_joined() -> None:
    rows = table(rosters.classroom(groups=True))
    assert rows[0][-1] == "group_name"
    assert [row[4] for row in rows[36:39]] == ["team_a-1-2"] * 3
    assert rows[31][:3] == ["stu31@example.edu", "", ""]
    assert rows[13][0] == "004113"  # no mail


def test_brightspace_marks_ids_and_ends_of_lines() -> None:
    rows = table(rosters.brightspace())
    assert all(row[0][0] == row[1][0] == row[-1] == "#" for row in rows[1:])
    assert [row[0] for row in rows[1:]] == [f"#{student.sis_id}" for student in CLASS]


def test_blackboard_quotes_everything_behind_a_byte_order_mark() -> None:
    data = rosters.blackboard()
    assert data.startswith(b'\xef\xbb\xbf"Last Name","First Name"')
