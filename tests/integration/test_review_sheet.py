"""Marks by hand in a spreadsheet: what `grader review --to` writes, and what `--from` takes of it."""

import csv
import io
from collections.abc import Callable
from pathlib import Path

import pytest
from support.command_line import Done, grader, results
from support.reviewing import NOTHING, SPEC, essay, reviewing

METHOD, LANGUAGE = "report.method", "report.language"


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    return essay(tmp_path)


def review(spec: Path, *options: str | Path, by: str = "A. Marker") -> Done:
    return grader("review", spec, spec.parent / "out", "--by", by, *options, cwd=spec.parent)


def rows_of(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(path.read_text("utf-8-sig"))))


def changed(path: Path, change: Callable[[list[dict[str, str]]], None], separator: str = ",") -> Path:
    """Change the rows of a sheet, and write it as a spreadsheet might; return its path."""
    rows = rows_of(path)
    change(rows)
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), delimiter=separator)
    writer.writeheader()
    writer.writerows(rows)
    path.write_text(text.getvalue(), "utf-8-sig")
    return path


def marks_of(spec: Path) -> list[str]:
    done = grader("mark", spec, spec.parent / "in", "-o", spec.parent / "out", "-q")
    assert done.returncode == 0, done.stderr
    return [one["mark"] for one in results(spec.parent / "out")["submissions"]]


def sheet_of(spec: Path) -> Path:
    path = spec.parent / "sheet.csv"
    done = review(spec, "--to", path)
    assert (done.returncode, "6 works" in done.stderr) == (0, True), done.stderr
    return path


def test_marks_of_a_sheet_come_into_the_marks(spec: Path) -> None:
    sheet = sheet_of(spec)

    def fill(rows: list[dict[str, str]]) -> None:
        rows.reverse()
        by_student = {row["student"]: row for row in rows}
        by_student["student-01"] |= {
            METHOD: "idea",
            f"{METHOD} comment": "See page 3;\nit helps.",
            LANGUAGE: "0,5",
        }
        by_student["student-02"] |= {METHOD: "2", LANGUAGE: "1"}

    done = review(spec, "--from", changed(sheet, fill, ";"), "--yes")
    assert (done.returncode, "4 changes taken into" in done.stderr) == (0, True), done.stderr
    assert marks_of(spec)[:3] == ["3.5", "5", "2"]
    again = review(spec, "--from", sheet, "--yes")
    assert "0 changes taken" in again.stderr
    text = (spec.parent / "reviews" / "essay.yaml").read_text()
    assert "level: all" in text
    assert 'by: "A. Marker"' in text


def test_blank_leaves_alone_and_a_hyphen_takes_away(spec: Path) -> None:
    with reviewing(spec) as page:
        page.mark(1, LANGUAGE, NOTHING, marks="1", comment="Good.")
        page.mark(2, LANGUAGE, NOTHING, marks="1", comment="=1+1")
    sheet = sheet_of(spec)
    assert [row[f"{LANGUAGE} comment"] for row in rows_of(sheet)][:2] == ["Good.", "'=1+1"]

    def fill(rows: list[dict[str, str]]) -> None:
        rows[0] |= {LANGUAGE: "", f"{LANGUAGE} comment": ""}
        rows[1] |= {LANGUAGE: "-"}

    review(spec, "--from", changed(sheet, fill), "--yes")
    with reviewing(spec) as page:
        first, second = (page.read(f"api/work/{number}")["criteria"][LANGUAGE] for number in (1, 2))
    assert (first["marks"], first["comment"]) == ("1", "Good.")
    assert (second["marks"], second["comment"]) == ("", "=1+1")


def test_what_somebody_changed_meanwhile_is_no_mark_of_the_sheet(spec: Path) -> None:
    sheet = sheet_of(spec)
    with reviewing(spec, "--by", "Bea") as page:
        page.mark(1, LANGUAGE, NOTHING, marks="1")

    def fill(rows: list[dict[str, str]]) -> None:
        rows[0][LANGUAGE] = "0"
        rows[1][LANGUAGE] = "1"

    before = (spec.parent / "reviews" / "essay.yaml").read_bytes()
    done = review(spec, "--from", changed(sheet, fill), "--yes")
    assert done.returncode == 2
    assert "sheet.csv:2, column report.language" in done.stderr
    assert "is 1 now, and was unmarked when the sheet was written" in done.stderr
    assert (spec.parent / "reviews" / "essay.yaml").read_bytes() == before


def test_bad_cells_are_told_by_row_and_column_and_nothing_is_taken(spec: Path) -> None:
    sheet = sheet_of(spec)

    def fill(rows: list[dict[str, str]]) -> None:
        rows[0][METHOD] = "22. Mai"
        rows[1][LANGUAGE] = "1.5"
        rows[2]["row"] = "w000000000000"
        rows[3] |= {METHOD: "all"}
        rows[5]["row"] = rows[4]["row"]

    before = (spec.parent / "reviews" / "essay.yaml").read_bytes()
    done = review(spec, "--from", changed(sheet, fill), "--yes")
    assert done.returncode == 2
    for place, what in (
        ("sheet.csv:2, column report.method", "'22. Mai' is no number of marks"),
        ("sheet.csv:3, column report.language", "worth 1 at most"),
        ("sheet.csv:4, column row", "is no work here"),
        ("sheet.csv:7, column row", "stands twice"),
    ):
        assert place in done.stderr
        assert what in done.stderr
    assert (spec.parent / "reviews" / "essay.yaml").read_bytes() == before


@pytest.mark.parametrize("columns", [("student", METHOD), ("name", LANGUAGE), ("student", "name")])
def test_columns_that_were_sorted_without_the_others_are_told_and_nothing_is_taken(
    spec: Path, columns: tuple[str, ...]
) -> None:
    sheet = sheet_of(spec)

    def fill(rows: list[dict[str, str]]) -> None:
        rows[0][LANGUAGE], rows[1][LANGUAGE] = "1", "0"
        for name in columns:
            rows[0][name], rows[1][name] = rows[1][name], rows[0][name]

    before = (spec.parent / "reviews" / "essay.yaml").read_bytes()
    done = review(spec, "--from", changed(sheet, fill), "--yes")
    assert done.returncode == 2
    assert f"sheet.csv:2, column {columns[0]}" in done.stderr
    assert "student-02 stands in the row of student-01" in " ".join(done.stderr.replace("'", "").split())
    assert (spec.parent / "reviews" / "essay.yaml").read_bytes() == before


def test_a_row_is_found_though_a_spreadsheet_changed_the_students_number(spec: Path) -> None:
    for at in (1, 2):
        work = spec.parent / "in" / f"student-0{at}"
        work.rename(work.with_name(f"00{at}"))
    marks_of(spec)
    sheet = changed(sheet_of(spec), lambda rows: rows[0].update({"student": "1", "name": "1", LANGUAGE: "1"}))
    assert review(spec, "--from", sheet, "--yes").returncode == 0
    sorted_in_part = changed(sheet, lambda rows: rows[0].update({"student": "2", "name": "2", LANGUAGE: "0"}))
    done = review(spec, "--from", sorted_in_part, "--yes")
    assert (done.returncode, "2 stands in the row of 001" in done.stderr.replace("'", "")) == (2, True)


def test_without_yes_and_without_a_terminal_nothing_is_taken(spec: Path) -> None:
    sheet = changed(sheet_of(spec), lambda rows: rows[0].update({LANGUAGE: "1"}))
    done = review(spec, "--from", sheet)
    assert "student-01: report.language unmarked to 1" in done.stderr
    assert done.returncode == 2
    assert "error: there is no terminal to ask on" in done.stderr
    assert marks_of(spec)[0] == "2"


def test_a_sheet_is_never_written_over(spec: Path) -> None:
    sheet = sheet_of(spec)
    before = sheet.read_bytes()
    done = review(spec, "--to", sheet)
    assert (done.returncode, "there is something here already" in done.stderr) == (2, True)
    assert sheet.read_bytes() == before


def test_a_sheet_of_something_else_is_told(spec: Path) -> None:
    other = spec.parent / "other.csv"
    other.write_text("student,mark\nstudent-01,3\n")
    done = review(spec, "--from", other, "--yes")
    assert (done.returncode, "there is no column row" in done.stderr) == (2, True)


def test_a_blind_sheet_names_nobody(tmp_path: Path) -> None:
    spec = essay(tmp_path, spec=SPEC.replace("marks: 5\n", "marks: 5\nblind: true\n", 1))
    sheet = sheet_of(spec)
    assert "student-0" not in sheet.read_text("utf-8-sig")

    def fill(rows: list[dict[str, str]]) -> None:
        for row in rows:
            row[LANGUAGE] = "1"

    review(spec, "--from", changed(sheet, fill), "--yes")
    assert marks_of(spec) == ["3"] * 6


# -- which file the marks come into -----------------------------------------------------------------------


def filled(spec: Path) -> str:
    """Fill in a sheet for the first student, take it, and return what was told."""

    def fill(rows: list[dict[str, str]]) -> None:
        rows[0] |= {METHOD: "2", LANGUAGE: "1"}

    done = review(spec, "--from", changed(sheet_of(spec), fill), "--yes")
    assert (done.returncode, "2 changes taken into" in done.stderr) == (0, True), done.stderr
    return done.stderr


def test_marks_in_a_folder_that_was_moved_stay_there(tmp_path: Path) -> None:
    (tmp_path / "first").mkdir()
    spec = essay(tmp_path / "first")
    spec = spec.parent.rename(tmp_path / "second") / spec.name
    assert "reviews/essay.yaml" in filled(spec)
    assert not (tmp_path / "first").exists()
    assert grader("report", spec.parent / "out").returncode == 0
    assert results(spec.parent / "out")["submissions"][0]["mark"] == "5"
    assert marks_of(spec)[0] == "5"


def test_where_reviews_were_named_the_marks_come_into_them(spec: Path) -> None:
    own, other = spec.parent / "own.yaml", spec.parent / "reviews" / "essay" / "other-class.yaml"
    own.write_text("")
    marked = grader("mark", spec, spec.parent / "in", "-o", spec.parent / "out", "-q", "--reviews", own)
    assert marked.returncode == 0, marked.stderr
    other.parent.mkdir()
    text = (
        "- {student: student-01, by: B, criteria: {report.method: {marks: 0}, report.language: {marks: 0}}}\n"
    )
    other.write_text(text)
    assert "own.yaml" in filled(spec)
    assert other.read_text() == text
    assert marks_of(spec)[0] == "5"


def test_marks_of_a_file_that_is_gone_are_not_written_over(spec: Path) -> None:
    own = spec.parent / "own.yaml"
    own.write_text("- {student: student-02, by: B, criteria: {report.method: {marks: 1}}}\n")
    marked = grader("mark", spec, spec.parent / "in", "-o", spec.parent / "out", "-q", "--reviews", own)
    assert marked.returncode == 0, marked.stderr
    moved = own.rename(spec.parent / "final.yaml")
    done = review(spec, "--to", spec.parent / "sheet.csv")
    assert done.returncode == 2
    assert "own.yaml: marks of the last run stood in this file of reviews, and it is gone" in done.stderr
    told = review(spec, "--to", spec.parent / "sheet.csv", "--reviews", moved)
    assert told.returncode == 0
    assert "counts when grader mark names it: --reviews " in told.stderr
    assert not own.exists()
    again = grader("mark", spec, spec.parent / "in", "-o", spec.parent / "out", "-q", "--reviews", own)
    assert "own.yaml was gone, and has what the last run read of it again" in again.stderr
    assert own.read_text().startswith(moved.read_text())
    assert "counts when" not in review(spec, "--to", spec.parent / "sheet.csv", "--reviews", own).stderr


def test_a_file_of_blanks_that_is_gone_holds_nobody_up(spec: Path) -> None:
    marks_of(spec)
    (spec.parent / "reviews" / "essay.yaml").unlink()
    (spec.parent / "reviews" / "essay").mkdir()
    assert "essay/" in filled(spec)
    assert [path.suffix for path in (spec.parent / "reviews" / "essay").iterdir()] == [".yaml"]
    assert marks_of(spec)[0] == "5"


def test_a_run_without_reviews_is_told(spec: Path) -> None:
    done = grader("mark", spec, spec.parent / "in", "-o", spec.parent / "out", "-q", "--without", "reviews")
    assert done.returncode == 0, done.stderr
    told = review(spec, "--to", spec.parent / "sheet.csv")
    assert "what is marked here counts when --reviews names it" in told.stderr


def test_marks_under_another_name_of_a_student_are_known(spec: Path) -> None:
    """The roster has the id, and the folder the login."""
    folder, file = spec.parent, spec.parent / "reviews" / "essay.yaml"
    (folder / "people.csv").write_text("student,name,login,mail\ns1,Ada Fox,student-01,ada@u.edu\n")
    mark = ("mark", spec, folder / "in", "-o", folder / "out", "-q", "--roster", folder / "people.csv")
    given = "- {student: %s, by: B, date: 2026-11-25, criteria: {%s: {marks: 1}}}\n"
    file.parent.mkdir(exist_ok=True)
    file.write_text(given % ("s1", LANGUAGE) + given % ("ada@u.edu", METHOD))
    grader(*mark)
    assert "student: student-01" not in file.read_text(), "what they have was asked for again"
    sheet = sheet_of(spec)
    assert [rows_of(sheet)[0][name] for name in (LANGUAGE, METHOD)] == ["1", "1"]
    sheet = changed(sheet, lambda rows: rows[0].update({LANGUAGE: "0"}))
    done = review(spec, "--from", sheet, "--yes")
    assert "1 change taken" in done.stderr, done.stderr
    grader(*mark)
    (first, *_) = results(folder / "out")["submissions"]
    given_now = [one for question in first["questions"] for one in question.get("criteria", ())]
    assert {one["id"]: one["mark"] for one in given_now} == {METHOD: "1", LANGUAGE: "0"}
    file.write_text(file.read_text() + given % ("student-01", LANGUAGE))
    done = grader(*mark)
    assert done.returncode == 2
    assert f"`{LANGUAGE}` is given to student-01 under another name in {file}:1" in " ".join(
        done.stderr.split()
    )
