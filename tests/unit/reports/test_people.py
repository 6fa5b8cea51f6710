"""Penalties, overrides and criteria, wherever a mark is shown."""

import csv
import json
from dataclasses import replace
from fractions import Fraction
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest
from support.people_sample import people
from support.results_sample import as_json

from grader.marking.totals import failed_internally
from grader.model.results import Override, Penalty, Status, SubmissionResult
from grader.model.verdict import Verdict
from grader.reports.csv_marks import write_marks
from grader.reports.html.pages import Pages
from grader.reports.junit import suite_element
from grader.reports.terminal.cohort import summary_lines
from grader.reports.terminal.lines import cells, to_text
from grader.reports.terminal.student import check_lines
from grader.reports.views.audience import for_student
from grader.reports.views.cohort.cohort import Cohort
from grader.reports.views.cohort.run_warnings import warnings_of
from grader.reports.views.mark.mark_breakdown import DECIMALS, BreakdownLine, mark_breakdown
from grader.reports.views.submission.submission import submission_view

DOCUMENT = people()
STUDENTS: dict[str, SubmissionResult] = {one.id: one for one in DOCUMENT.submissions}


@pytest.fixture(scope="module")
def pages() -> Pages:
    return Pages(DOCUMENT.run, DOCUMENT.task)


def cohort() -> Cohort:
    found = Cohort(Fraction(10))
    for one in STUDENTS.values():
        found.add(one)
    return found


def test_the_document_meets_the_schema() -> None:
    schema = json.loads(files("grader.store").joinpath("grader-results-1.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator(schema).validate(as_json(DOCUMENT))


def test_the_account_goes_from_the_questions_to_the_mark() -> None:
    assert [(one.label, one.amount, one.reason) for one in mark_breakdown(STUDENTS["late"])] == [
        ("Question 1", "6", ""),
        ("Question 2", "3", ""),
        ("Penalty", "-1.35", "handed in 1 hour after the deadline"),
        ("Mark", "7.65", ""),
    ]
    assert [(one.label, one.amount, one.reason) for one in mark_breakdown(STUDENTS["set"])] == [
        ("Question 1, set by A. Marker", "5", "copied (instead of 6)"),
        ("Question 2", "3", ""),
        ("Mark set by B, 2026-11-26", "+1", "oral (instead of 8)"),
        ("Mark", "9", ""),
    ]
    assert mark_breakdown(STUDENTS["waiting"])[-1].label == "Mark so far; 1 criterion awaits the marker"


def test_a_mark_that_our_fault_keeps_open_is_not_final() -> None:
    failed = replace(STUDENTS["late"], status=Status.PENDING)
    assert mark_breakdown(failed)[-1].label == "Mark so far"


def test_a_mark_that_is_the_sum_has_no_mark_breakdown() -> None:
    plain = replace(STUDENTS["late"], penalties=(), mark=Fraction(9))
    assert mark_breakdown(plain) == ()


def test_a_penalty_that_found_nothing_to_take_is_no_minus_nothing() -> None:
    nothing = replace(
        STUDENTS["late"],
        mark=Fraction(0),
        penalties=(Penalty("late", Fraction(0)),),
        questions=tuple(replace(each, mark=Fraction(0)) for each in STUDENTS["late"].questions),
    )
    assert mark_breakdown(nothing)[-2:] == (
        BreakdownLine("Penalty", "0", "late; no marks were left to take"),
        BreakdownLine("Mark", "0"),
    )


def test_thirds_are_shown_with_a_line_that_makes_them_add_up() -> None:
    question = replace(STUDENTS["late"].questions[0], mark=Fraction(10, 3))
    thirds = replace(
        STUDENTS["late"],
        mark=Fraction(10),
        penalties=(),
        questions=tuple(replace(question, id=name) for name in "123"),
    )
    assert [line.amount for line in mark_breakdown(thirds)] == ["3.33", "3.33", "3.33", "+0.01", "10"]
    assert mark_breakdown(thirds)[-2].reason == DECIMALS


def test_a_student_sees_all_of_it() -> None:
    for one in STUDENTS.values():
        shown = for_student(one)
        for key in ("penalties", "overrides", "awaiting", "deadline", "submitted", "late_s"):
            assert getattr(shown, key) == getattr(one, key)
        assert shown.questions[1].criteria == one.questions[1].criteria


def test_pages_say_what_is_awaited_and_give_no_final_mark(pages: Pages) -> None:
    for page in (pages.student(STUDENTS["waiting"]), pages.staff(STUDENTS["waiting"])):
        assert "so far, of 10" in page
        assert "Awaiting the marker: 1 criterion." in page
        assert '<strong class="tone">awaiting the marker</strong>' in page


def test_pages_show_the_account_and_what_a_person_wrote_escaped(pages: Pages) -> None:
    page = pages.student(STUDENTS["late"])
    assert "How the mark comes about" in page
    assert "handed in 1 hour after the deadline" in page
    assert "&lt;b&gt;Well&lt;/b&gt; done" in page
    assert "A. Marker, 2026-11-25" in page


def test_the_cohort_names_who_waits_and_whose_time_is_unknown(pages: Pages) -> None:
    warnings = {one.title: [str(item) for item in one.items] for one in warnings_of(DOCUMENT.run, cohort())}
    assert warnings["1 submission awaits the marker"] == ["waiting"]
    assert warnings["1 time of submission is unknown"] == ["waiting"]
    page = "".join(pages.index(cohort()))
    assert all(text in page for text in ("7 so far", "1.35 off", "set by hand", "awaiting the marker"))


def test_a_provisional_mark_stays_out_of_the_figures() -> None:
    found = cohort()
    assert found.marks == [Fraction("7.65"), Fraction(9)]
    assert (found.questions["2"].marked, found.questions["2"].total) == (2, 6)


def test_marks_csv_has_columns_for_it(tmp_path: Path) -> None:
    write_marks(tmp_path / "marks.csv", cohort())
    with (tmp_path / "marks.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = {row["student"]: row for row in csv.DictReader(file)}
    names = ("mark", "question 2", "penalties", "late_s", "overridden", "awaiting")
    assert {name: tuple(row[column] for column in names) for name, row in rows.items()} == {
        "late": ("7.65", "3", "1.35", "3600", "", ""),
        "set": ("9", "3", "0", "0", "yes", ""),
        "waiting": ("", "", "0", "unknown", "", "1"),
    }


def test_junit_has_properties_for_it() -> None:
    found = {
        name: {(one.get("name"), one.get("value")) for one in suite_element(student, "t").iter("property")}
        for name, student in STUDENTS.items()
    }
    assert ("penalty", "1.35: handed in 1 hour after the deadline") in found["late"]
    assert {("override.1", "6 to 5: copied"), ("override.mark", "8 to 9: oral")} <= found["set"]
    assert ("awaiting", "2.text") in found["waiting"]


@pytest.mark.parametrize("width", [40, 60, 80, 200])
def test_the_table_and_its_legend_fit_the_terminal(width: int) -> None:
    text = to_text(summary_lines(DOCUMENT, width))
    assert all(cells(line) <= width for line in text.splitlines())
    assert "late: penalties took 1.35" in text
    assert "set: set by hand" in text
    assert "7 so far" in text
    for part in ("+ all of the mark", "~ some", "- none", "! pending", ". not marked"):
        assert part in text


def test_a_self_check_shows_the_mark_breakdown() -> None:
    text = to_text(check_lines(DOCUMENT.task, STUDENTS["late"], 80))
    assert "Penalty -1.35: handed in 1 hour after the deadline" in text
    assert text.endswith("Mark: 7.65 of 10\n")


def test_a_failure_of_ours_that_a_person_settled_does_not_make_a_mark_pending() -> None:
    first, second = STUDENTS["waiting"].questions
    (case,) = first.cases
    failed = replace(first, cases=(replace(case, verdict=Verdict.INTERNAL_ERROR),))
    override = Override(question="1", before=Fraction(0), after=Fraction(6), reason="right", by="A")
    settled = replace(STUDENTS["waiting"], questions=(failed, second), overrides=(override,))
    assert submission_view(settled, staff=True).mark == "7 so far"
    assert not failed_internally(settled)
