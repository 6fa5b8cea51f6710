"""The readers of sheets take a right sheet, and refuse each broken one with a reason."""

import codecs
import csv
import io
from collections.abc import Callable, Sequence
from fractions import Fraction

import pytest
from support.class_of_40.people import CLASS
from support.class_of_40.sheets import blackboard, brightspace, canvas, moodle
from support.class_of_40.sheets.refused import Refused

Change = Callable[[str], str]
MARKS = {student.key: student.mark() for student in CLASS}


def filled(sheet: bytes, column: str, keys: Sequence[str], *, skip: int = 0, decimal: str = ".") -> bytes:
    """Fill a sheet in place with everybody's mark; leave all else as it is.

    keys: whose the rows are, in order.  skip: rows between the heading and the first person.
    """
    wide = sheet.startswith(codecs.BOM_UTF16_LE)
    text = sheet.decode("utf-16" if wide else "utf-8-sig")
    delimiter = "\t" if wide else ","
    rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    place = rows[0].index(column)
    for row, key in zip(rows[1 + skip :], keys, strict=True):
        mark = MARKS[key]
        row[place] = "" if mark is None else f"{mark}{decimal}50" if mark < 10 else f"{mark}"
    buffer = io.StringIO()
    csv.writer(buffer, delimiter=delimiter, lineterminator="\r\n").writerows(rows)
    if wide:
        return codecs.BOM_UTF16_LE + buffer.getvalue().encode("utf-16-le")
    return buffer.getvalue().encode("utf-8-sig" if sheet.startswith(codecs.BOM_UTF8) else "utf-8")


KEYS = [student.key for student in CLASS]


def wanted(ident: str) -> dict[str, Fraction]:
    """Return the marks that `filled` wrote, by one of the people's ids."""
    found = {}
    for student in CLASS:
        mark = MARKS[student.key]
        if mark is not None:
            found[str(getattr(student, ident))] = Fraction(mark) + (Fraction(1, 2) if mark < 10 else 0)
    return found


def changed(sheet: bytes, old: str, new: str) -> bytes:
    """Replace a text in a sheet, which has to be there."""
    assert old.encode() in sheet, old
    return sheet.replace(old.encode(), new.encode(), 1)


@pytest.mark.parametrize(("language", "decimal"), [("en", "."), ("de", ",")])
@pytest.mark.parametrize("blind", [False, True])
@pytest.mark.parametrize("team", [False, True])
def test_moodle_takes_a_sheet_filled_in_place(language: str, decimal: str, blind: bool, team: bool) -> None:
    before = moodle.blank(language=language, blind=blind, team=team)
    after = filled(before, moodle.LANGUAGES[language].grade, KEYS, decimal=decimal)
    found = moodle.read(before, after, language=language)
    assert found.marks == wanted("participant")
    assert found.comments == {}


def test_moodle_writes_a_worksheet_as_the_site_speaks() -> None:
    english, german = (moodle.blank(language=one).decode("utf-8-sig").splitlines() for one in ("en", "de"))
    assert english[0].startswith(
        "Identifier,Full name,Email address,Status,Grade,Maximum grade,Grade can be changed,"
    )
    assert english[1].startswith("Participant 7001,Zoë Brontë,")
    assert "Submitted for grading - 2 days late" in english[35]
    assert "No submission" in english[31]
    assert german[0].startswith("ID,Vollständiger Name,E-Mail-Adresse,Status,Bewertung,Bestwertung,")
    assert german[1].startswith("Teilnehmer/in7001,")
    assert '"Samstag, 31. Oktober 2026, 20:00"' in german[1]
    assert '"10,00"' in german[1]
    assert (
        moodle.blank(blind=True).decode("utf-8-sig").splitlines()[1].startswith("Participant 7001,Submitted")
    )


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("Identifier,", "Id,", "columns 'Identifier'"),
        ("Last modified (grade)", "Last modified", "columns 'Last modified"),
        (",Grade,", ",Mark,", "columns 'Grade'"),
        ("Participant 7001", "7001", "is not 'Participant '"),
        ("Participant 7001", "Participant 9001", "rows by Identifier"),
        ("Zoë Brontë", "Zoe Bronte", "Full name was"),
        ("=cmd", "'=cmd", "Full name was"),
        ("8.50", "8,5", "fields|is no number"),
        ("8.50", "11", "more than 10"),
        ("8.50", "-1", "is no number"),
        ("8.50", "pending", "is no number"),
    ],
)
def test_moodle_refuses(old: str, new: str, reason: str) -> None:
    before = moodle.blank()
    after = changed(filled(before, "Grade", KEYS), old, new)
    with pytest.raises(Refused, match=reason):
        moodle.read(before, after)


def test_moodle_refuses_another_date_of_the_grade() -> None:
    before = moodle.blank()
    rows = filled(before, "Grade", KEYS).decode("utf-8-sig").split("\r\n")
    assert rows[1].endswith(",-,")
    rows[1] = rows[1].removesuffix("-,") + "today,"
    with pytest.raises(Refused, match=r"Last modified \(grade\) was '-'"):
        moodle.read(before, "\r\n".join(rows).encode())


def test_moodle_refuses_an_english_point_in_german() -> None:
    before = moodle.blank(language="de")
    after = changed(filled(before, "Bewertung", KEYS, decimal=","), '"8,50"', "8.500")
    with pytest.raises(Refused, match="thousands"):
        moodle.read(before, after, language="de")


@pytest.mark.parametrize("manual_posting", [True, False])
def test_canvas_takes_a_sheet_filled_in_place(manual_posting: bool) -> None:
    before = canvas.blank(manual_posting=manual_posting)
    after = filled(before, canvas.COLUMN, KEYS, skip=1 + manual_posting)
    assert canvas.read(before, after) == wanted("canvas_id")


def test_canvas_takes_a_sheet_of_changed_columns_alone() -> None:
    before = canvas.blank()
    rows = list(csv.reader(io.StringIO(filled(before, canvas.COLUMN, KEYS, skip=2).decode(), newline="")))
    places = [
        rows[0].index(name)
        for name in ("Student", "ID", "SIS User ID", "SIS Login ID", "Section", canvas.COLUMN)
    ]
    buffer = io.StringIO()
    csv.writer(buffer).writerows([[row[place] for place in places] for row in rows])
    assert canvas.read(before, buffer.getvalue().encode()) == wanted("canvas_id")


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("Student,ID,", "Name,ID,", "Student and ID first"),
        (",Section,", ",Sect,", "Section as the last"),
        ("Homework_3 Figures (60217)", "Homework_3 Figures", "new assignment"),
        ("    Points Possible,,,,,5.00,10.00", "    Points Possible,,,,,5.00,12.00", "was '10.00'"),
        ("    Points Possible", "Points", "no person with the ID ''"),
        (",50101,", ",99999,", "no person with the ID '99999'"),
        (",50102,", ",50101,", "SIS User ID was|Student was"),
        ("8.50", "10.01", "more than 10"),
        ("8.50", "pending", "is no number"),
        ("4.50", "1.00", "Homework_2"),
        ("=1+1, =cmd", "1+1, =cmd", "Student was"),
    ],
)
def test_canvas_refuses(old: str, new: str, reason: str) -> None:
    before = canvas.blank()
    after = changed(filled(before, canvas.COLUMN, KEYS, skip=2), old, new)
    with pytest.raises(Refused, match=reason):
        canvas.read(before, after)


def test_canvas_writes_the_rows_that_are_no_people() -> None:
    rows = list(csv.reader(io.StringIO(canvas.blank().decode(), newline="")))
    assert rows[0][:5] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
    assert [cell for cell in rows[1] if cell] == ["Manual Posting"]
    assert rows[2][0] == "    Points Possible"
    assert rows[2][-1] == "(read only)"
    assert rows[3 + 14][0] == """="=1+1, =cmd|' /C calc'!A0\""""
    assert len({len(row) for row in rows}) == 1


def test_brightspace_takes_a_sheet_filled_in_place_and_one_of_few_columns() -> None:
    after = filled(brightspace.blank(), brightspace.COLUMN, KEYS)
    assert brightspace.read(after) == wanted("sis_id")
    few = "Username,Homework_3 Figures Points Grade,End-of-Line Indicator\r\n#stu07,9.5,#\r\nstu06,,#\r\n"
    assert brightspace.read(few.encode()) == {"004107": Fraction(19, 2)}


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (",End-of-Line Indicator", ",End", "the last column is 'End'"),
        ("Zoë,stu01@example.edu,10,#", "Zoë,stu01@example.edu,10,", "does not end with #"),
        ("OrgDefinedId,", "ID,", "has to come first"),
        ("Points Grade <Numeric MaxPoints:10>", "Grade", "does not know the column"),
        ("Homework_3 Figures Points", "Homework_4 Points", "0 columns"),
        ("#004101", "#004102", "nobody, or two people"),
        ("#004101", "#4101", "nobody, or two people"),
        ("8.50", "10.5", "more than 10"),
        ("8.50", "8 of 10", "is no number"),
    ],
)
def test_brightspace_refuses(old: str, new: str, reason: str) -> None:
    after = changed(filled(brightspace.blank(), brightspace.COLUMN, KEYS), old, new)
    with pytest.raises(Refused, match=reason):
        brightspace.read(after)


@pytest.mark.parametrize("tabs", [False, True])
def test_blackboard_takes_a_sheet_filled_in_place(tabs: bool) -> None:
    before = blackboard.blank(tabs=tabs)
    assert blackboard.read(before, filled(before, blackboard.COLUMN, KEYS)) == wanted("login")


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("Username", "User", "0 columns 'Username'"),
        (" |1281892", "", "would make a new column"),
        ("|1281892", "|1281893", "has no column"),
        ("stu01", "stu02", "Last Name was|not in the class"),
        ("stu01", "nobody", "not in the class"),
        ("004101", "4101", "Student ID was '004101'"),
        ("12.00", "13.00", "Total"),
        ("8.50", "10.5", "more than 10"),
        ("8.50", "Needs Marking", "is no number"),
    ],
)
def test_blackboard_refuses(old: str, new: str, reason: str) -> None:
    before = blackboard.blank()
    after = changed(filled(before, blackboard.COLUMN, KEYS), old, new)
    with pytest.raises(Refused, match=reason):
        blackboard.read(before, after)


def test_blackboard_refuses_another_encoding() -> None:
    before = blackboard.blank(tabs=True)
    with pytest.raises(Refused, match="UTF-16"):
        blackboard.read(before, filled(blackboard.blank(), blackboard.COLUMN, KEYS))
    assert before.startswith('\ufeff"Last Name"\t'.encode("utf-16-le"))


def test_a_row_of_too_few_fields_is_refused() -> None:
    with pytest.raises(Refused, match="row 2 has 2 fields"):
        brightspace.read(b"Username,A Points Grade,End-of-Line Indicator\r\nstu01,1\r\n")


def test_a_sheet_that_is_not_utf8_is_refused() -> None:
    with pytest.raises(Refused, match="not UTF-8"):
        moodle.read(moodle.blank(), moodle.blank().decode("utf-8-sig").encode("utf-16"))


def test_a_sheet_that_is_no_csv_or_is_empty_is_refused() -> None:
    with pytest.raises(Refused, match="no CSV"):
        brightspace.read(b'Username,"A" Points Grade,End-of-Line Indicator\r\n')
    with pytest.raises(Refused, match="empty"):
        brightspace.read(b"")


def test_canvas_refuses_a_sheet_that_looks_divided_by_semicolons() -> None:
    rows = ["Student;ID;Section;A;B", "    Points Possible;;;1;1", "Brontë, Zoë;50101;;1;1"]
    with pytest.raises(Refused, match="semicolons"):
        canvas.read(
            canvas.blank(), "\n".join(f"{row},x".replace("Brontë, Zoë", "Zoë") for row in rows).encode()
        )


def test_moodle_takes_comments_and_refuses_columns_in_another_order() -> None:
    before = moodle.blank()
    rows = filled(before, "Grade", KEYS).decode("utf-8-sig").split("\r\n")
    rows[1] += "well done"
    found = moodle.read(before, "\r\n".join(rows).encode())
    assert found.comments == {"7001": "well done"}
    turned = [list(reversed(row)) for row in csv.reader(io.StringIO("\r\n".join(rows), newline=""))]
    buffer = io.StringIO()
    csv.writer(buffer).writerows(turned)
    with pytest.raises(Refused, match="the columns were"):
        moodle.read(before, buffer.getvalue().encode())


def test_nobody_may_be_in_a_sheet_twice() -> None:
    twice = "Username,Homework_3 Figures Points Grade,End-of-Line Indicator\r\n" + "stu07,9.5,#\r\n" * 2
    with pytest.raises(Refused, match="there twice"):
        brightspace.read(twice.encode())
    before = canvas.blank()
    rows = filled(before, canvas.COLUMN, KEYS, skip=2).decode().splitlines()
    with pytest.raises(Refused, match="there twice"):
        canvas.read(before, "\n".join([*rows, rows[-3]]).encode())
    with pytest.raises(Refused, match="0 rows of Points Possible"):
        canvas.read(before, "\n".join([rows[0], *rows[3:]]).encode())


@pytest.mark.parametrize(
    "people", [["Student", "ID", "Section"], ["Student", "ID", "SIS Login ID", "Section"]]
)
def test_canvas_needs_no_more_columns_than_these(people: list[str]) -> None:
    before = canvas.blank()
    rows = list(csv.reader(io.StringIO(filled(before, canvas.COLUMN, KEYS, skip=2).decode(), newline="")))
    places = [rows[0].index(name) for name in (*people, canvas.COLUMN)]
    buffer = io.StringIO()
    csv.writer(buffer).writerows([[row[place] for place in places] for row in rows])
    assert canvas.read(before, buffer.getvalue().encode()) == wanted("canvas_id")
