"""Sheets filled in place: gaps, maxima, strangers and earlier marks are told, and all else stays."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path

import pytest
from support.results_sample import RUN

from grader.exports import csv_file, markdown
from grader.exports.forge import github_classroom
from grader.exports.job import Job
from grader.model.errors import UsageError
from grader.model.person import Person
from grader.model.results import RunResults, Status, SubmissionResult, TaskHead
from grader.plugins.lms.exports import blackboard, brightspace, canvas, gradescope, moodle
from grader.reports.held import PUBLISHED, STATE

TASK = TaskHead("leap", "Leap years", Fraction(10))
WORKSHEET = (
    "Identifier,Full name,Grade,Maximum Grade,Grade can be changed,Last modified (grade),"
    "Feedback comments\r\n"
    'Participant 1,"Ada ""A"" L",,10.00,Yes,-,\r\n'
    "Participant 2,Bob,3.00,10.00,Yes,-,old\r\n"
    "Participant 3,Eve,,10.00,Yes,-,\r\n"
    "Participant 4,Kim,,10.00,Yes,-,\r\n"
    "Participant 5,Lou,,10.00,Yes,-,\r\n"
)
ON_THE_SHEET = {1: 'Ada "A" L', 2: "Bob", 3: "Eve", 4: "Kim", 5: "Lou"}


def result(number: int, mark: str, status: Status = Status.MARKED, name: str = "") -> SubmissionResult:
    own_name = name or f"N{number}"
    return SubmissionResult(
        id=f"s{number}",
        name=own_name,
        mark=Fraction(mark),
        max_mark=Fraction(10),
        status=status,
        person=Person(
            name=name or ON_THE_SHEET.get(number, own_name),
            ids={"moodle": str(number), "canvas": str(number), "login": f"u{number}", "sis": f"0{number}"},
        ),
    )


RESULTS = (
    result(1, "7.5"),
    result(2, "12"),
    result(3, "4", Status.PENDING),
    result(4, "0", Status.NO_SUBMISSION),
    result(9, "1"),
)


@dataclass
class Made:
    """An export and what was said about it."""

    notes: list[str] = field(default_factory=list)
    paths: list[Path] = field(default_factory=list)

    @property
    def text(self) -> str:
        return self.paths[0].read_bytes().decode("utf-8-sig")

    @property
    def said(self) -> str:
        return "\n".join(self.notes)


Export = Callable[..., Made]


@pytest.fixture
def export(tmp_path: Path) -> Export:
    def make(
        write: Callable[[Job], list[Path]],
        sheet: str | bytes = "",
        results: tuple[SubmissionResult, ...] = RESULTS,
        **options: object,
    ) -> Made:
        made = Made()
        path = tmp_path / "sheet.csv"
        content = sheet if isinstance(sheet, bytes) else sheet.encode()
        path.write_bytes(content)
        run = RunResults(RUN, TASK, results)
        job = Job(run, tmp_path, tmp_path / "made.csv", made.notes.append, path if sheet else None)
        made.paths = write(replace(job, **options))  # type: ignore[arg-type]
        assert path.read_bytes() == content
        return made

    return make


def test_a_worksheet_gets_marks_and_comments_and_nothing_else(export: Export) -> None:
    made = export(moodle.write, WORKSHEET)
    before, after = WORKSHEET.split("\r\n"), made.text.split("\r\n")
    assert after[0] == before[0]
    assert after[1].startswith('Participant 1,"Ada ""A"" L",7.5,10.00,Yes,-,Mark: 7.5 of 10')
    assert after[2].startswith("Participant 2,Bob,12,10.00,Yes,-,")
    why = "Some tests of this task are being looked at again, so this mark may change."
    assert after[3] == f'{before[3]}"Mark: pending<br />{why}"'
    assert after[4:] == before[4:]
    assert "1 mark pending, not exported: N3" in made.said
    assert "1 without anything to mark, given no mark: N4" in made.said
    assert "1 result of people who are not on the sheet: N9 (s9)" in made.said
    assert "1 on the sheet without a result, left as they are: Lou" in made.said
    assert "1 mark above the sheet's maximum of 10: N2" in made.said
    assert "1 mark on the sheet replaced by another: N2" in made.said


def test_a_pending_mark_empties_its_cell(export: Export) -> None:
    made = export(moodle.write, WORKSHEET.replace("Eve,,", "Eve,9.00,"))
    assert "Participant 3,Eve,,10.00" in made.text
    assert "1 mark on the sheet replaced by another: N2" in made.said
    assert "1 mark in the LMS kept, for want of another: N3" in made.said


def test_who_has_no_mark_is_left_out_where_an_empty_cell_takes_one_away(export: Export) -> None:
    people = '"E, Eve",3,03,u3,A,,9,4,90\r\n"K, Kim",4,04,u4,A,,EX,4,90\r\n"N, N5",5,05,u5,A,,8,4,90\r\n'
    results = (*RESULTS, result(5, "0", Status.NO_SUBMISSION))
    made = export(canvas.write, GRADEBOOK + people, results)
    assert "Eve" not in made.text
    assert "N5" not in made.text
    assert '"K, Kim",4,04,u4,A,EX' in made.text
    assert "2 marks in the LMS kept, for want of another: N3 and N5" in made.said
    assert '"N, N5",5,05,u5,A,0' in export(canvas.write, GRADEBOOK + people, results, zeros=True).text


def test_nothing_handed_in_is_zero_when_asked_for(export: Export) -> None:
    made = export(moodle.write, WORKSHEET, zeros=True)
    assert "Participant 4,Kim,0,10.00" in made.text
    assert "1 without anything to mark, given 0: N4" in made.said


def test_a_language_that_is_not_known_is_read_by_its_columns(export: Export) -> None:
    foreign = WORKSHEET.replace("Participant", "Osaleja")
    heading = "Tunnus,Täisnimi,Hinne,Maksimaalne hinne,Muudetav,Viimati muudetud,Tagasiside\r\n"
    made = export(moodle.write, heading + foreign.split("\r\n", 1)[1])
    assert 'Osaleja 1,"Ada ""A"" L",7.5,10.00,Yes,-,\r\n' in made.text
    assert "no column of feedback comments that is known" in made.said


def test_a_decimal_comma_is_that_of_the_sheet(export: Export) -> None:
    sheet = WORKSHEET.replace("10.00", '"10,00"').replace("3.00", '"3,00"')
    assert 'L","7,5","10,00",Yes' in export(moodle.write, sheet).text


@pytest.mark.parametrize(
    ("section", "cell", "other", "expected"),
    [
        ("S", "1,75", "", "7,5"),
        ("S", "EX", "0,25", "7,5"),
        ("1.2", "1,75", "", "7,5"),
        ("1.2", "", "0,25", "7,5"),
        ("1.2", "", "", "7.5"),
        ("1,2", "0.25", "", "7.5"),
    ],
)
def test_a_decimal_sign_is_that_of_the_columns_with_marks(
    export: Export, section: str, cell: str, other: str, expected: str
) -> None:
    sheet = (
        "Student;ID;SIS Login ID;Section;Leap years (1);Other (2)\n    Points Possible;;;;10;5\n"
        f"N1;1;u1;{section};;\nN2;2;u2;{section};{cell};{other}\n"
    )
    made = export(canvas.write, sheet, results=RESULTS[:1])
    assert f"N1;1;u1;{section};{expected}\n" in made.text


def test_a_decimal_comma_is_that_of_any_sheet(export: Export) -> None:
    gradebook = GRADEBOOK.replace(",", ";").replace("10.0", "10,0").replace("L; Ada", "L, Ada")
    assert "A;7,5\r\n" in export(canvas.write, gradebook).text
    items = (
        "OrgDefinedId;Leap years Points Grade <Numeric MaxPoints:10>;Other Points Grade;End-of-Line Indicator"
    )
    assert "#01;7,5;#" in export(brightspace.write, f"{items}\r\n#01;;8,25;#\r\n").text
    columns = ("Last Name", "First Name", "Username", "Leap years [Total Pts: 10 Score] |8")
    offline = "\t".join((*columns, "Other [Total Pts: 5 Score] |9\r\nL\tAda\tu1\t\t"))
    assert "u1\t7,5\r\n" in export(blackboard.write, f"{offline}4,5\r\n").text
    assert "u1\t7.5\r\n" in export(blackboard.write, f"{offline}4.5\r\n").text
    assert "u1\t7.5\r\n" in export(blackboard.write, f"{offline}4\r\n2,5\tBob\tu2\t\t4\r\n").text


def test_a_worksheet_without_a_column_that_can_be_the_grades_is_refused(export: Export) -> None:
    with pytest.raises(UsageError, match="the column of grades is not sure"):
        export(moodle.write, "Identifier,Full name,Remark\r\nParticipant 1,Ada,x\r\n")


def test_comments_are_html_and_no_formulas(export: Export) -> None:
    hostile = replace(result(1, "7"), problems=("<script>alert(1)</script>", "=1+1"))
    made = export(moodle.write, WORKSHEET, (hostile,))
    assert "&lt;script&gt;" in made.text
    assert "<script" not in made.text


@pytest.mark.parametrize(("state", "packed"), [("", True), ("held", False), ("old", False), ("same", True)])
def test_pages_that_are_held_back_are_no_feedback_files(
    export: Export, tmp_path: Path, state: str, packed: bool
) -> None:
    (tmp_path / "students").mkdir()
    (tmp_path / "students" / "s1.html").write_text("page")
    (tmp_path / "results.json").write_text("same")
    if state:
        (tmp_path / STATE).write_text("{}")
    if state in ("old", "same"):
        (tmp_path / PUBLISHED).write_text(state)
    made = export(moodle.write, WORKSHEET)
    assert [path.name for path in made.paths] == ["made.csv", *["made-feedback.zip"] * packed]
    assert ("held back (see grader release)" in made.said) != packed


@pytest.mark.parametrize("write", [github_classroom.write, gradescope.write])
def test_an_export_for_students_of_marks_that_are_held_back_says_so(
    export: Export, tmp_path: Path, write: Callable[[Job], list[Path]]
) -> None:
    assert "held back" not in export(write).said
    (tmp_path / STATE).write_text("{}")
    assert "held back (see grader release)" in export(write).said


GRADEBOOK = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Notes,Leap years (55),Other (56),Final Score\r\n"
    "    Points Possible,,,,,,10.0,5.0,(read only)\r\n"
    '"L, Ada",1,01,u1,A,x,,4,90\r\n'
    '"B, Bob",2,02,u2,A,,EX,4,90\r\n'
    '"Student, Test",77,,,A,,,,\r\n'
)


def test_the_gradebook_keeps_people_and_the_one_column(export: Export) -> None:
    made = export(canvas.write, GRADEBOOK)
    assert made.text == (
        "Student,ID,SIS User ID,SIS Login ID,Section,Leap years (55)\r\n"
        "    Points Possible,,,,,10.0\r\n"
        '"L, Ada",1,01,u1,A,7.5\r\n'
        '"B, Bob",2,02,u2,A,EX\r\n'
        '"Student, Test",77,,,A,\r\n'
    )
    assert "1 excused on the sheet, left as they are: N2" in made.said


@pytest.mark.parametrize("column", ["55", "leap  YEARS", "Leap years (55)"])
def test_a_column_is_named_by_title_or_id(export: Export, column: str) -> None:
    assert "A,7.5\r\n" in export(canvas.write, GRADEBOOK, column=column).text


def test_a_column_that_is_not_sure_is_refused(export: Export) -> None:
    with pytest.raises(UsageError, match=r"no column is called 'Quiz'; .* Leap years \(55\) and Other"):
        export(canvas.write, GRADEBOOK, column="Quiz")
    twice = GRADEBOOK.replace("Other (56)", "Leap years (56)")
    with pytest.raises(UsageError, match="2 columns are called"):
        export(canvas.write, twice)


def test_another_maximum_is_told(export: Export) -> None:
    said = export(canvas.write, GRADEBOOK.replace("10.0", "100.0")).said
    assert "the sheet's maximum is 100, the task's 10; marks are not scaled" in said


def test_brightspace_without_a_sheet_is_made_of_the_ids(export: Export) -> None:
    nameless = replace(result(5, "3"), person=None)
    signed = replace(result(6, "1"), person=Person(ids={"sis": "-7", "login": "=u"}))
    made = export(brightspace.write, "", (*RESULTS[:2], nameless, signed))
    assert made.text.splitlines() == [
        "OrgDefinedId,Username,Leap years Points Grade,End-of-Line Indicator",
        "#01,#u1,7.5,#",
        "#02,#u2,12,#",
        "#-7,#=u,1,#",
    ]
    assert "1 left out, whose ids are not known" in made.said


def test_blackboards_calculated_columns_take_no_marks(export: Export) -> None:
    sheet = (
        '"Last Name","First Name","Username","Leap years [Total Pts: up to 9 Score] |7",'
        '"Leap years [Total Pts: 10 Score] |8"\r\n"L","Ada","u1","",""\r\n'
    )
    made = export(blackboard.write, b"\xff\xfe" + sheet.replace(",", "\t").encode("utf-16-le"))
    text = made.paths[0].read_bytes()[2:].decode("utf-16-le")
    assert text.splitlines()[1] == '"L"\t"Ada"\t"u1"\t"7.5"'
    assert "|7" not in text


@pytest.mark.parametrize("write", [moodle.write, canvas.write, blackboard.write])
def test_a_sheet_that_is_missing_is_asked_for(export: Export, write: Callable[[Job], list[Path]]) -> None:
    with pytest.raises(UsageError, match="--sheet is missing"):
        export(write)


def test_the_sheet_of_another_class_is_refused(export: Export) -> None:
    with pytest.raises(UsageError, match="nobody on the sheet is among the results"):
        export(moodle.write, WORKSHEET, (RESULTS[-1],))


def test_csv_has_no_formulas_and_an_empty_cell_for_a_pending_mark(export: Export) -> None:
    made = export(csv_file.write, "", (result(1, "3", name="=1+1"), RESULTS[2]))
    first, second = made.text.splitlines()[1:]
    assert first == "s1,'=1+1,,,u1,01,1,1,,,,,3,10,marked"
    assert second.endswith(",,10,pending")


def test_markdown_has_no_markup_of_a_students(export: Export) -> None:
    hostile = result(1, "3", name="[x](http://e.vil) | <b> @everyone `c`\n# h")
    line = export(markdown.write, "", (hostile,)).text.splitlines()[4]
    assert line == (r"| s1 | \[x\]\(http://e.vil\) \| &lt;b\> &#64;everyone \`c\`\\n\# h | 3 | marked |")


@pytest.mark.parametrize(
    ("name", "mail", "is_refused"),
    [
        ("Zed Za", "", True),
        ("Bob B", "z@u", True),
        ("", "", False),
        ("Bob B", "", False),
        ("Zed Za", "bob@u", False),
    ],
)
def test_a_number_of_moodles_is_not_another_persons(
    export: Export, name: str, mail: str, is_refused: bool
) -> None:
    """It is that of one assignment: a worksheet of another one, or a team, has it too."""
    sheet = (
        "Identifier,Full name,Email address,Grade,Maximum Grade,Feedback comments\r\n"
        "Participant 2,Bob,bob@u,,10.00,\r\n"
    )
    person = Person(name=name, mail=mail, ids={"moodle": "2"})
    results = (replace(result(2, "5"), person=person),)
    if not is_refused:
        assert "Bob,bob@u,5,10.00" in export(moodle.write, sheet, results).text
        return
    with pytest.raises(UsageError, match=f"2 is Bob there, and {name} in the results"):
        export(moodle.write, sheet, results)


def named(number: int, mark: str, name: str) -> SubmissionResult:
    return replace(result(number, mark), name=name, person=Person(name=name, ids={"moodle": str(number)}))


def test_after_blind_marking_the_number_decides(export: Export) -> None:
    results = (named(2, "5", "Participant"), named(3, "4", "Participant"))
    made = export(moodle.write, WORKSHEET, results)
    assert "Participant 2,Bob,5," in made.text
    assert "Participant 3,Eve,4," in made.text


def test_a_line_with_another_name_is_left_as_it_is(export: Export) -> None:
    made = export(moodle.write, WORKSHEET, (named(2, "5", "Zed Za"), named(3, "4", "Eve")))
    assert "Participant 2,Bob,3.00,10.00,Yes,-,old" in made.text
    assert "Participant 3,Eve,4," in made.text
    assert "2 is Bob there, and Zed Za in the results" in made.said
    with pytest.raises(UsageError, match="2 is Bob there, and Lou in the results"):
        export(moodle.write, WORKSHEET, (named(2, "5", "Lou"), named(3, "4", "Eve")))


@pytest.mark.parametrize("names", [("Ann Bob", "Zoe Eve", "Kim"), ("Ada Fox", "Ada Fox", "Kim")])
def test_a_sheet_of_another_class_with_like_names_is_refused(export: Export, names: tuple[str, ...]) -> None:
    sheet = WORKSHEET.replace(",Bob", ",Bea Bob").replace(",Eve", ",Ann Eve")
    results = tuple(named(number, "5", name) for number, name in enumerate(names, 2))
    with pytest.raises(UsageError, match="numbers are other people's on the sheet: 2 is Bea Bob there"):
        export(moodle.write, sheet, results)
