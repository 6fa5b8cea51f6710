"""`marks.csv` and `junit.xml`, read back by other people's readers."""

import csv
from fractions import Fraction
from pathlib import Path

import pytest
from junitparser import Error, Failure, JUnitXml, Skipped, TestSuite
from support.results_sample import TASK, results

from grader.reports.csv_marks import write_marks
from grader.reports.junit import JUnitFile
from grader.reports.views.cohort.cohort import Cohort


@pytest.fixture
def rows(tmp_path: Path) -> list[dict[str, str]]:
    cohort = Cohort(TASK.max_mark)
    for submission in results().submissions:
        cohort.add(submission)
    write_marks(tmp_path / "marks.csv", cohort)
    with (tmp_path / "marks.csv").open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_there_is_a_line_a_student_and_a_column_a_question(rows: list[dict[str, str]]) -> None:
    assert [row["student"] for row in rows] == [f"student-0{number}" for number in range(1, 7)]
    columns = ["student", "name", "mark", "max_mark", "status", *(f"question {n}" for n in range(1, 7))]
    assert list(rows[0]) == [*columns, "penalties", "late_s", "overridden", "awaiting", "capped", "attempt"]


def test_marks_are_numbers(rows: list[dict[str, str]]) -> None:
    assert (rows[0]["mark"], rows[0]["question 6"]) == ("7.33", "1.3333")
    assert all(Fraction(row["max_mark"]) == 8 for row in rows)


def test_a_pending_mark_is_an_empty_cell(rows: list[dict[str, str]]) -> None:
    pending = rows[3]
    assert (pending["status"], pending["mark"], pending["question 3"]) == ("pending", "", "")
    assert pending["question 1"] == "1"


def test_a_spreadsheet_sees_the_encoding(tmp_path: Path) -> None:
    write_marks(tmp_path / "marks.csv", Cohort(Fraction(1)))
    assert (tmp_path / "marks.csv").read_bytes().startswith(b"\xef\xbb\xbfstudent,name")


def suites(path: Path, *, for_students: bool = False, timestamp: str = "") -> list[TestSuite]:
    with JUnitFile(path, TASK.id, for_students=for_students, timestamp=timestamp) as junit:
        for submission in results().submissions:
            junit.add(submission)
    return list(JUnitXml.fromfile(str(path)))


@pytest.fixture
def students(tmp_path: Path) -> list[TestSuite]:
    return suites(tmp_path / "junit.xml")


def test_there_is_a_suite_a_student(students: list[TestSuite]) -> None:
    assert [suite.name for suite in students] == [f"student-0{number}" for number in range(1, 7)]


def test_marks_are_properties(students: list[TestSuite]) -> None:
    properties = {item.name: item.value for item in students[0].properties()}
    assert (properties["mark"], properties["max_mark"], properties["status"]) == ("7.33", "8", "marked")
    assert properties["question.6"] == "4/3 of 2"


def test_faults_of_the_answer_are_failures_and_the_rest_errors(students: list[TestSuite]) -> None:
    found = {result.type: type(result) for suite in students for case in suite for result in case.result}
    assert found == {
        "partial": Failure,
        "wrong-answer": Failure,
        "missing": Failure,
        "rule-broken": Failure,
        "forbidden": Failure,
        "exception": Failure,
        "runtime-error": Failure,
        "load-error": Failure,
        "crashed": Error,
        "memory-limit": Error,
        "output-limit": Error,
        "time-limit": Error,
        "wall-limit": Error,
        "internal-error": Error,
        None: Skipped,
    }


def test_the_totals_add_up(tmp_path: Path) -> None:
    found = suites(tmp_path / "junit.xml")
    whole = JUnitXml.fromfile(str(tmp_path / "junit.xml"))
    assert whole.tests == sum(len(list(suite)) for suite in found) > 30
    for kind, counter in ((Failure, whole.failures), (Error, whole.errors), (Skipped, whole.skipped)):
        results = [result for suite in found for case in suite for result in case.result]
        assert counter == sum(isinstance(result, kind) for result in results) > 0


def test_staff_see_hidden_cases_and_students_do_not(tmp_path: Path) -> None:
    staff = [case for case in suites(tmp_path / "staff.xml")[1] if case.name == "3.2"]
    student = [case for case in suites(tmp_path / "student.xml", for_students=True)[1] if case.name == "3.2"]
    assert "call: count_tours(6, [(0, 0)])" in staff[0].result[0].text
    assert student[0].result[0].message == "wrong-answer"
    assert "524486" not in (tmp_path / "student.xml").read_text("utf-8")


def test_a_case_is_called_by_its_id_alone_and_says_where_it_failed(students: list[TestSuite]) -> None:
    cases = [case for suite in students for case in suite]
    assert all(
        case.name == case.classname.rsplit(".", 1)[1] + case.name[case.name.index(".") :] for case in cases
    )
    raised = [case for case in cases if case._elem.get("file")]
    assert raised
    assert all(int(case._elem.get("line")) > 0 for case in raised)


def test_a_suite_has_the_time_of_its_run(tmp_path: Path) -> None:
    timed = suites(tmp_path / "junit.xml", timestamp="2026-11-20T12:00:00Z")
    assert {suite.timestamp for suite in timed} == {"2026-11-20T12:00:00"}


def test_a_start_that_somebody_wrote_into_the_results_is_written_as_text(tmp_path: Path) -> None:
    timed = suites(tmp_path / "junit.xml", timestamp="\ud800")
    assert {suite.timestamp for suite in timed} == {"\\ud800"}


def test_a_failure_while_writing_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="stop"), JUnitFile(tmp_path / "junit.xml", TASK.id):
        raise RuntimeError("stop")
    assert list(tmp_path.iterdir()) == []
