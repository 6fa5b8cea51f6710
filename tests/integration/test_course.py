"""A course from its file to its pages, by the commands that people type."""

import csv
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.command_line import Done, grader, results
from support.rows import first_of
from support.term import COURSE, TASKS, write_term

from grader.reports.german_course import GERMAN_COURSE


def told(folder: Path, *arguments: str | Path, code: int = 0) -> Done:
    done = grader(*arguments, cwd=folder)
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done


def marks(folder: Path, task: str) -> dict[str, str]:
    document = results(folder / "reports" / task)
    return {one["id"]: one["mark"] for one in document["submissions"]}


@pytest.fixture(scope="module")
def term(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A term that is marked; tests that change something write their own."""
    folder = tmp_path_factory.mktemp("term")
    write_term(folder)
    told(folder, "course", "mark", "-q")
    return folder


@pytest.fixture(scope="module")
def pages(term: Path) -> Path:
    told(term, "course", "report")
    return term / "reports" / "course"


@pytest.mark.acceptance
def test_check_reads_all_that_a_course_names(term: Path) -> None:
    done = told(term, "course", "check")
    assert "A term (term): 4 tasks, 6 people" in done.stdout
    assert "leap     4      2026-09-25 23:59 +0200  Sheet leap" in done.stdout
    assert "marked elsewhere" in done.stdout


def test_marks_go_by_the_course(term: Path) -> None:
    """Student 1 is 12 hours late; student 2 is, too, but for an extension, as is the label of student 3."""
    assert marks(term, "leap") == {
        "student-01": "3",
        "student-02": "4",
        "student-03": "4",
        "student-04": "3",
        "student-05": "3",
        "student-06": "0",
    }
    document = results(term / "reports" / "leap")
    deadlines = {one["id"]: one["deadline"] for one in document["submissions"]}
    assert deadlines["student-01"] == "2026-09-25T21:59:00Z"
    assert deadlines["student-02"] == "2026-09-27T21:59:00Z"
    assert deadlines["student-03"] == "2026-09-26T21:59:00Z"
    assert {"kind": "course"}.items() <= document["run"]["files"][-1].items()


def test_only_what_is_stale_is_marked(tmp_path: Path) -> None:
    write_term(tmp_path)
    first = told(tmp_path, "course", "mark", "-q")
    assert first.stdout.split() == ["leap", "marked", "double", "marked", "initial", "marked"]
    assert told(tmp_path, "course", "mark", "-q").stdout.split() == [
        "leap", "unchanged", "double", "unchanged", "initial", "unchanged",
    ]  # fmt: skip
    (tmp_path / "in" / "double" / "student-05" / "double.py").write_text(TASKS["double"])
    second = told(tmp_path, "course", "mark", "-q").stdout
    assert second.split() == ["leap", "unchanged", "double", "marked", "initial", "unchanged"]
    assert marks(tmp_path, "double")["student-05"] == "4"
    # A run of the whole task by its name is as good; with options of its own it is another thing.
    told(tmp_path, "mark", "leap", "--no-cache", "-q")
    assert "leap     unchanged" in told(tmp_path, "course", "mark", "-q").stdout
    told(tmp_path, "mark", "leap", "--only", "student-01", "-q")
    assert "leap     marked" in told(tmp_path, "course", "mark", "-q").stdout


@pytest.mark.acceptance
@pytest.mark.parametrize(
    ("change", "task"),
    [
        (lambda text: text.replace("add: 48h", "add: 1h"), "leap"),
        (lambda text: text.replace("2026-10-02 23:59", "2026-10-03 23:59"), "double"),
    ],
    ids=["an extension", "a due time"],
)
def test_terms_that_change_make_a_task_stale(tmp_path: Path, change: Any, task: str) -> None:
    path = write_term(tmp_path)
    told(tmp_path, "course", "mark", "-q")
    path.write_text(change(COURSE))
    words = told(tmp_path, "course", "mark", "-q").stdout.split()
    assert dict(zip(words[::2], words[1::2], strict=True))[task] == "marked"
    assert words.count("unchanged") == 2


def test_one_task_that_fails_stops_no_other(tmp_path: Path) -> None:
    write_term(tmp_path)
    spec = tmp_path / "specs" / "leap.yaml"
    spec.write_text(spec.read_text().replace("marks: 4", "marks: four", 1))
    done = told(tmp_path, "course", "mark", "-q", code=3)
    assert "leap     not marked: its spec has mistakes" in done.stdout
    assert "double   marked" in done.stdout
    assert "leap.yaml:3:8" in done.stderr


@pytest.mark.acceptance
def test_a_run_remembers_the_terms_of_its_course(tmp_path: Path) -> None:
    """The same folder is marked by the spec itself, by the record, and without the course."""
    path = write_term(tmp_path)
    told(tmp_path, "mark", "leap", "-q")
    before = marks(tmp_path, "leap")
    again = ("mark", "specs/leap.yaml", "in/leap", "-o", "reports/leap", "-q")
    assert "due time and extensions of leap come from" in told(tmp_path, *again).stderr
    assert marks(tmp_path, "leap") == before
    told(tmp_path, "remark", "leap", "-q")
    assert marks(tmp_path, "leap-again") == before
    path.rename(tmp_path / "elsewhere.yaml")
    assert "so the due time and extensions in the record count" in told(tmp_path, *again).stderr
    assert marks(tmp_path, "leap") == before
    refused = told(tmp_path, *again, "--without", "course", code=2)
    assert "`late` has no deadline" in refused.stderr
    (tmp_path / "reports" / "leap" / "run.sqlite").unlink()
    lost = told(tmp_path, *again, "--without", "roster", "--without", "times", code=2)
    assert "the results here were made by a course (course.yaml)" in lost.stderr


EVERY_COMMAND = (
    ("explain", "leap", "student-01"),
    ("report", "leap"),
    ("diff", "leap", "leap"),
    ("replay", "leap", "student-01", "1.1"),
    ("export", "leap", "--to", "csv"),
    ("similar", "leap"),
    ("try", "leap"),
    ("check", "leap", "in/leap/student-01"),
    ("bundle", "leap", "-o", "handout"),
    ("intake", "leap"),
    ("remark", "leap", "-o", "again", "-q"),
    ("release", "leap", "--yes"),
    ("validate", "leap", "--quick"),
)


@pytest.mark.parametrize("arguments", first_of(EVERY_COMMAND, 4), ids=lambda arguments: arguments[0])
def test_every_command_takes_the_name_of_a_task(term: Path, arguments: tuple[str, ...]) -> None:
    done = grader(*arguments, cwd=term)
    assert "no such file" not in done.stderr
    assert "Traceback" not in done.stderr
    assert done.returncode in (0, 1), done.stdout + done.stderr


def test_a_name_that_is_no_task_is_told_with_the_nearest(term: Path) -> None:
    done = told(term, "mark", "leep", code=2)
    assert done.stderr.splitlines() == [
        "error: course.yaml: there is no file leep, and no such task in the course",
        "hint: did you mean leap?",
    ]
    assert "exam is marked elsewhere" in told(term, "mark", "exam", code=2).stderr


def test_without_a_course_nothing_else_is_said(tmp_path: Path) -> None:
    done = told(tmp_path, "mark", "leap", "in", code=2)
    assert "course" not in done.stderr
    assert "course.yaml" in told(tmp_path, "course", "mark", code=2).stderr


@pytest.mark.acceptance
def test_slip_days_count_until_they_are_spent(tmp_path: Path) -> None:
    course = COURSE.replace("scale:", "slip days: {budget: 1}\nscale:").replace(
        "category: sheet,", "category: sheet, slip: true,"
    )
    course = course.replace("in/double,", "in/double, times: in/double-times.yaml,")
    write_term(tmp_path, course=course)
    late = "student-01: 2026-10-03T12:00:00+02:00\n"
    (tmp_path / "in" / "double-times.yaml").write_text(late)
    told(tmp_path, "course", "mark", "-q")
    assert marks(tmp_path, "leap")["student-01"] == "4"  # the one day goes here
    assert marks(tmp_path, "double")["student-01"] == "3"
    # He turns out to have handed in the first sheet in time, so the day is free for the second.
    times = tmp_path / "in" / "leap-times.yaml"
    times.write_text(times.read_text().replace("2026-09-26T12:00", "2026-09-25T12:00"))
    assert told(tmp_path, "course", "mark", "-q").stdout.split()[:4] == ["leap", "marked", "double", "marked"]
    assert marks(tmp_path, "double")["student-01"] == "4"
    assert "unchanged" in told(tmp_path, "course", "mark", "-q").stdout


def test_the_gradebook_has_a_line_for_everybody(pages: Path) -> None:
    with (pages / "gradebook.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = {row["student"]: row for row in csv.DictReader(file)}
    assert list(rows) == [f"student-0{number}" for number in (1, 2, 5, 3, 4, 6)]
    ada, oz, fox = rows["student-01"], rows["student-06"], rows["student-04"]
    assert (ada["leap"], ada["double"], ada["exam"], ada["sheets %"]) == ("3", "4", "", "100")
    assert (ada["total %"], ada["total % if nothing more comes"], ada["grade"]) == ("100", "40", "")
    assert (oz["leap"], oz["exam"], oz["grade"], oz["passed"]) == ("nothing", "48", "5.0", "no")
    assert fox["double"] == "excused"


def test_pages_for_students_show_what_is_released_alone(pages: Path) -> None:
    page = (pages / "students" / "student-01.html").read_text()
    assert "3 of 4; 12 hours 1 minute late" in page
    assert page.count("not released yet") == 2
    staff = (pages / "staff" / "student-01.html").read_text()
    assert "not released yet" not in staff
    assert "../../leap/staff/student-01.html" in staff
    assert "for staff" not in page


def test_a_task_that_was_due_and_is_not_marked_is_open_for_everybody(tmp_path: Path) -> None:
    write_term(tmp_path)
    told(tmp_path, "course", "mark", "leap", "-q")
    told(tmp_path, "course", "report")
    assert "Sheet double was due and is not marked" in (tmp_path / "reports/course/index.html").read_text()
    with (tmp_path / "reports/course/gradebook.csv").open(encoding="utf-8-sig", newline="") as file:
        ada = next(csv.DictReader(file))
    assert (ada["leap"], ada["double"], ada["sheets %"], ada["sheets % if nothing more comes"]) == (
        "3", "pending", "75", "37.5",
    )  # fmt: skip


@pytest.mark.acceptance
def test_the_page_names_whose_work_does_not_load(tmp_path: Path) -> None:
    write_term(tmp_path)
    (tmp_path / "in" / "leap" / "student-03" / "leap.py").write_text("def leap(year)\n")
    told(tmp_path, "course", "mark", "leap", "-q")
    told(tmp_path, "course", "report")
    page = (tmp_path / "reports/course/index.html").read_text()
    assert "Sheet leap: 1 work does not load" in page


def test_no_page_is_written_over_a_file_of_somebody_else(term: Path, tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("mine")
    done = told(term, "course", "report", "-o", tmp_path, code=2)
    assert "did not write what is here" in done.stderr
    assert (tmp_path / "index.html").read_text() == "mine"
    assert [path.name for path in tmp_path.iterdir()] == ["index.html"]


def test_pages_of_who_has_left_go(tmp_path: Path) -> None:
    write_term(tmp_path)
    told(tmp_path, "course", "report")
    roster = tmp_path / "roster.csv"
    roster.write_text("".join(roster.read_text().splitlines(keepends=True)[:-1]))
    told(tmp_path, "course", "report")
    pages = sorted(path.stem for path in (tmp_path / "reports" / "course" / "students").glob("*"))
    assert pages == [f"student-0{number}" for number in range(1, 6)]


def test_people_without_ids_and_with_one_mail_have_rows_of_their_own(tmp_path: Path) -> None:
    write_term(tmp_path)
    (tmp_path / "roster.csv").write_text(
        "student,name,mail\n,Ann One,x@example.org\n,Bob Two,x@example.org\n"
    )
    course = tmp_path / "course.yaml"
    course.write_text(COURSE.split("extensions:")[0].replace("student-03", "Ann One"))
    told(tmp_path, "course", "report")
    with (tmp_path / "reports/course/gradebook.csv").open(encoding="utf-8-sig", newline="") as file:
        assert [row["name"] for row in csv.DictReader(file)] == ["Ann One", "Bob Two"]


def test_the_page_names_who_is_silent_and_tells_two_of_one_name_apart(pages: Path) -> None:
    page = (pages / "index.html").read_text()
    assert "1 student handed in nothing for the last two tasks" in page
    assert ">student-02<" in page
    assert ">student-05<" in page
    assert ">student-01<" not in page


def test_a_course_is_started_from_what_is_there(tmp_path: Path) -> None:
    write_term(tmp_path).unlink()
    done = told(tmp_path, "course", "new", "--zone", "Europe/Zurich")
    assert "with 3 tasks" in done.stdout
    path = tmp_path / "course.yaml"
    text = path.read_text()
    assert "roster: roster.csv" in text
    assert "submissions: in/leap" in text
    path.write_text(text.replace("# due: 2026-10-02 23:59", "due: 2026-10-02 23:59"))
    told(tmp_path, "course", "check")
    refused = told(tmp_path, "course", "new", code=2)
    assert "nothing is overwritten" in refused.stderr


@pytest.fixture
def swapped(tmp_path: Path) -> Path:
    """A term in which somebody put the results of one task into the folder of another."""
    write_term(tmp_path)
    told(tmp_path, "course", "mark", "-q")
    shutil.copy(tmp_path / "reports/leap/results.json", tmp_path / "reports/double/results.json")
    return tmp_path


@pytest.mark.acceptance
def test_results_of_one_task_are_no_marks_of_another(swapped: Path) -> None:
    refusal = "reports/double: the folder holds the results of the task 'leap', not of 'double'"
    done = told(swapped, "course", "report", code=2)
    assert refusal in done.stderr
    assert not (swapped / "reports/course/gradebook.csv").exists()
    done = told(swapped, "course", "export", "--to", "csv", code=2)
    assert refusal in done.stderr
    assert not (swapped / "reports/double/exports").exists()
    assert (swapped / "reports/leap/exports").exists()


@pytest.mark.acceptance
def test_marks_that_somebody_changed_are_told_where_the_gradebook_is_written(tmp_path: Path) -> None:
    write_term(tmp_path)
    told(tmp_path, "course", "mark", "-q")
    assert "! " not in told(tmp_path, "course", "report").stderr
    place = tmp_path / "reports/leap/results.json"
    document = json.loads(place.read_text())
    (changed,) = (each for each in document["submissions"] if each["id"] == "student-06")
    changed["mark"] = "4"
    place.write_text(json.dumps(document))
    assert marks(tmp_path, "leap")["student-06"] == "4"
    said = " ".join(told(tmp_path, "course", "report").stderr.split())
    assert "! leap: results.json does not say what the record of its run says of student-06" in said
    assert "! results.json does not say" in told(tmp_path, "explain", "leap", "student-06").stderr


@pytest.mark.acceptance
def test_sheets_are_exported_with_what_differs_from_the_last_ones(tmp_path: Path) -> None:
    write_term(tmp_path)
    told(tmp_path, "course", "mark", "-q")
    first = told(tmp_path, "course", "export", "--to", "csv")
    assert "leap: reports/leap/exports/marks.csv\n" in first.stdout
    (tmp_path / "in" / "leap" / "student-04" / "leap.py").write_text(TASKS["leap"])
    told(tmp_path, "course", "mark", "-q")
    second = told(tmp_path, "course", "export", "--to", "csv").stdout
    assert "leap: reports/leap/exports/marks.csv: 2 lines unlike those of the last export" in second
    assert "double: reports/double/exports/marks.csv: as in the last export" in second
    assert "  - student-04,Di Fox," in second
    assert "  + student-04,Di Fox," in second


@pytest.fixture
def held(tmp_path: Path) -> Iterator[Path]:
    """A course that another process holds."""
    write_term(tmp_path)
    code = (
        "import sys; from pathlib import Path\n"
        "from grader.course.one_at_a_time import only_run\n"
        "from grader.course.reading.course_file import read_course\n"
        "with only_run(read_course(Path('course.yaml'))):\n"
        "    print('held', flush=True); sys.stdin.read()\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code], cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    yield tmp_path
    process.communicate()


def test_two_runs_of_one_course_do_not_meet(held: Path) -> None:
    done = told(held, "course", "mark", "-q", code=2)
    assert "marks this course" in done.stderr
    assert not (held / "reports").exists()


def test_results_name_the_course_among_the_files_of_the_run(term: Path) -> None:
    document = json.loads((term / "reports" / "leap" / "results.json").read_text())
    assert [file["kind"] for file in document["run"]["files"]] == ["roster", "times", "course"]


@pytest.mark.acceptance
def test_a_course_in_german_has_no_sentence_of_ours_in_english(tmp_path: Path) -> None:
    days = (
        "slip days: {budget: 1, added: [{student: student-01, on: 2026-10-01 00:00, add: 1, reason: Lob}]}\n"
    )
    course = COURSE.replace("zone:", "language: de\nzone:").replace(
        "released: true}", "released: true, slip: true}"
    )
    write_term(tmp_path, course=course + days)
    told(tmp_path, "course", "mark", "leap", "-q")
    told(tmp_path, "course", "report")
    pages = sorted((tmp_path / "reports" / "course").rglob("*.html"))
    assert len(pages) == 13
    english = [text for text in GERMAN_COURSE if "{" not in text and len(text) > 4]
    for path in pages:
        page = re.sub(
            r"(?:class|id|href|labelledby)=\S+", "", path.read_text("utf-8").partition("</style>")[2]
        )
        assert [text for text in english if re.search(rf"\b{re.escape(text)}\b", page)] == [], path
    index = pages[0].read_text("utf-8")
    assert "war fällig und ist nicht bewertet" in index
    own = (tmp_path / "reports" / "course" / "students" / "student-01.html").read_text("utf-8")
    assert "1 Karenztag nötig" in own
