"""Whose mark it is in a course: people of sheets, of results, and of the roster."""

import csv
import json
from pathlib import Path

import pytest
from support.command_line import Done, grader, results
from support.term import COURSE, write_term


@pytest.fixture(autouse=True)
def _term(tmp_path: Path) -> None:
    write_term(tmp_path)


def reported(folder: Path) -> Done:
    done = grader("course", "report", cwd=folder)
    assert done.returncode == 0, done.stderr
    return done


def column(folder: Path, name: str) -> dict[str, str]:
    reported(folder)
    with (folder / "reports/course/gradebook.csv").open(encoding="utf-8-sig", newline="") as file:
        return {row["student"]: row[name] for row in csv.DictReader(file)}


def page(folder: Path, student: str = "student-02") -> str:
    reported(folder)
    return (folder / "reports" / "course" / "students" / f"{student}.html").read_text()


def test_marks_of_an_exam_are_handed_out_when_they_are_released(tmp_path: Path) -> None:
    assert "48 of 60" not in page(tmp_path)
    (tmp_path / "course.yaml").write_text(COURSE.replace("{marks: 60,", "{marks: 60, released: true,"))
    assert "48 of 60" in page(tmp_path)


CANVAS = """Student,ID,SIS User ID,SIS Login ID,Section
"Löwe, Ada",7001,s1,student-01,A
"Ré, Bo",7002,s2,student-02,A
"Ng, Cy",7003,s3,student-03,A
"Fox, Di",7004,s4,student-04,A
"""


def test_a_number_of_one_lms_names_nobody_in_another(tmp_path: Path) -> None:
    """In Moodle, participant 7001 is Bo; in Canvas, 7001 is Ada."""
    (tmp_path / "roster.csv").write_text(CANVAS)
    moodle = "Identifier,Full name,Points\nParticipant 7001,Bo Ré,10\nParticipant 7002,Ada Löwe,20\n"
    (tmp_path / "exam.csv").write_text(moodle)
    marks = column(tmp_path, "exam")
    assert (marks["7001"], marks["7002"]) == ("20", "10")


def test_a_name_that_is_somebodys_id_takes_no_mark(tmp_path: Path) -> None:
    """People choose how an LMS shows them."""
    (tmp_path / "exam.csv").write_text("Identifier,Full name,Points\nParticipant 9,student-02,10\n")
    assert set(column(tmp_path, "exam").values()) == {""}
    assert "people who are not in the course: student-02" in page_of_staff(tmp_path)


def test_marks_that_are_held_back_are_on_no_page_for_students(tmp_path: Path) -> None:
    assert grader("mark", "leap", "-q", "--hold", cwd=tmp_path).returncode == 0
    assert "4 of 4" not in page(tmp_path), "it was not released yet"
    assert grader("release", "leap", "-y", cwd=tmp_path).returncode == 0
    assert "4 of 4" in page(tmp_path)
    reviews = tmp_path / "specs" / "reviews" / "leap.yaml"
    reviews.parent.mkdir()
    reviews.write_text("- student: student-02\n  by: A\n  overrides: [{marks: 1, reason: copied}]\n")
    assert grader("course", "mark", "leap", "-q", cwd=tmp_path).returncode == 0
    told = reported(tmp_path).stderr
    assert "leap: students' pages of the course lack what is held back since; see `grader release" in told
    assert column(tmp_path, "leap")["student-02"] == "1"
    assert "4 of 4" in page(tmp_path)
    assert "1 of 4" not in page(tmp_path)
    assert grader("release", "leap", "-y", cwd=tmp_path).returncode == 0
    assert "1 of 4" in page(tmp_path)
    assert "held back" not in reported(tmp_path).stderr


def page_of_staff(folder: Path) -> str:
    return (folder / "reports" / "course" / "index.html").read_text()


def test_who_is_in_a_sheet_and_not_in_the_course_is_told(tmp_path: Path) -> None:
    (tmp_path / "exam.csv").write_text("student,Points\nSTUDENT-02,10\nstudent-99,50\n")
    assert column(tmp_path, "exam")["student-02"] == "10"
    assert "people who are not in the course: student-99" in page_of_staff(tmp_path)
    told = grader("course", "check", cwd=tmp_path).stderr
    assert "exam.csv has people who are not on the roster: student-99" in told
    assert "student-02" not in told


def test_who_may_be_the_nobody_of_a_sheet_is_pending(tmp_path: Path) -> None:
    """A mark was nobody's after a slip of the pen, and whose it was had failed."""
    (tmp_path / "course.yaml").write_text(COURSE.replace("2027-01-20", "2026-10-20"))
    (tmp_path / "exam.csv").write_text("student,Points\nstudent-01,50\nstudent-22,50\n")
    assert "exam.csv has people who are not in the course: student-22" in reported(tmp_path).stderr
    marks = column(tmp_path, "exam")
    assert (marks["student-01"], marks["student-02"]) == ("50", "pending")
    (tmp_path / "exam.csv").write_text("student,Points\nstudent-01,50\n")
    assert column(tmp_path, "exam")["student-02"] == "nothing"


def test_marks_above_the_most_are_told(tmp_path: Path) -> None:
    """A comma that was lost makes ten times the mark."""
    (tmp_path / "exam.csv").write_text("student,Points\nstudent-02,475\n")
    told = "exam has marks above 60: student-02"
    assert told in grader("course", "check", cwd=tmp_path).stderr
    reported(tmp_path)
    assert told in page_of_staff(tmp_path)


def edit(folder: Path, **changes: dict[str, object]) -> None:
    """Change submissions in the results of `leap`, by the number of the student."""
    assert grader("course", "mark", "leap", "-q", cwd=folder).returncode == 0
    document = results(folder / "reports" / "leap")
    for one in document["submissions"]:
        one.update(changes.get(one["id"].replace("student-", "_"), {}))
    (folder / "reports" / "leap" / "results.json").write_text(json.dumps(document))


def test_a_stranger_of_the_same_name_has_a_row_of_their_own(tmp_path: Path) -> None:
    stranger: dict[str, object] = {"id": "moodle-9", "name": "Ada Löwe", "mark": "0"}
    stranger |= {"person": {"id": "moodle-9", "name": "Ada Löwe"}}
    edit(tmp_path, _06={**stranger, "status": "marked"})
    marks = column(tmp_path, "leap")
    assert (marks["student-01"], marks["moodle-9"]) == ("3", "0")


SPEC = """task: {name}
title: Double
marks: 2
modules: {{m: m.py}}
questions:
  - {{id: "1", title: f, marks: 2, award: each, cases: [{{call: f(2), returns: 4}}]}}
"""


def test_strangers_who_may_be_one_person_are_told(tmp_path: Path) -> None:
    """Each of them had failed to hand in what the other had."""
    people = {"w1": ("An Lee_701", "Cy Oz_702", "Participant_703"), "w2": ("Cy Oz_801", "Participant_703")}
    for task, folders in people.items():
        (tmp_path / f"{task}.yaml").write_text(SPEC.format(name=task))
        for folder in folders:
            work = tmp_path / task / f"{folder}_assignsubmission_file_"
            work.mkdir(parents=True)
            (work / "m.py").write_text(f"def f(n): return n + {2 if task == 'w1' else 3}\n")
    tasks = "".join(f"  {task}: {{spec: {task}.yaml, submissions: {task}}}\n" for task in people)
    (tmp_path / "roster.csv").write_text("student,name\ns1,An Lee\n")
    (tmp_path / "course.yaml").write_text(f"course: c\ntitle: C\nroster: roster.csv\ntasks:\n{tasks}")
    reference = tmp_path / "reference" / "m.py"
    reference.parent.mkdir(exist_ok=True)
    reference.write_text("def f(n): return 2 * n\n")
    told = "moodle-703 and moodle-703~ are called Participant, and may be one person: put them on the roster"
    marked = grader("course", "mark", "-q", cwd=tmp_path)
    assert told in marked.stderr
    marks = column(tmp_path, "w1")
    assert marks == {"s1": "2", "moodle-702": "2", "moodle-703": "2", "moodle-703~": "nothing"}
    assert column(tmp_path, "w2")["moodle-702"] == "0"
    assert told in reported(tmp_path).stderr
    assert told in page_of_staff(tmp_path)


def test_two_results_of_one_person_are_pending(tmp_path: Path) -> None:
    edit(
        tmp_path, _05={"id": "other", "person": {"id": "other", "name": "", "mail": "student-04@example.org"}}
    )
    assert column(tmp_path, "leap")["student-04"] == "pending"
    assert (
        "results of several works: student-04 and other"
        in (tmp_path / "reports" / "course" / "staff" / "student-04.html").read_text()
    )


def test_who_has_more_time_has_not_failed_to_hand_in(tmp_path: Path) -> None:
    """Student 6 has handed in nothing, and may still do so until 2099."""
    extension = "  - {student: student-06, task: leap, until: 2099-09-27 23:59, reason: ill}\n"
    course = COURSE.replace("excused:", extension + "excused:")
    (tmp_path / "course.yaml").write_text(course)
    assert grader("course", "mark", "-q", cwd=tmp_path).returncode == 0
    assert column(tmp_path, "leap")["student-06"] == ""
    assert column(tmp_path, "double")["student-06"] == "nothing"
    assert column(tmp_path, "leap")["student-01"] == "3"


def test_a_deadline_that_the_spec_alone_says_counts_too(tmp_path: Path) -> None:
    spec = tmp_path / "specs" / "double.yaml"
    spec.write_text(spec.read_text().replace("late: {", "late: {deadline: 2099-10-02T23:59+02:00, "))
    (tmp_path / "course.yaml").write_text(COURSE.replace(", due: 2026-10-02 23:59}", "}"))
    assert grader("course", "mark", "-q", cwd=tmp_path).returncode == 0
    assert column(tmp_path, "double")["student-06"] == ""


def test_who_has_another_name_on_a_new_roster_loses_nothing_unsaid(tmp_path: Path) -> None:
    """Everything but `course check` went on without the excuse."""
    course = COURSE.replace("{student: student-04, task: double", "{student: Di Fox, task: double")
    (tmp_path / "course.yaml").write_text(course)
    assert grader("course", "mark", "leap", "-q", cwd=tmp_path).returncode == 0
    roster = tmp_path / "roster.csv"
    roster.write_text(roster.read_text().replace("Di Fox", "Di Fox-Ng"))
    for command in (("course", "check"), ("course", "mark"), ("course", "report"), ("mark", "leap")):
        done = grader(*command, cwd=tmp_path)
        assert done.returncode == 2, done.stdout + done.stderr
        assert "an excuse is for Di Fox, who is not on the roster" in done.stderr
        assert "in the last run that was student-04, now Di Fox-Ng: write the id" in done.stderr
    assert not (tmp_path / "reports" / "course").exists()
    roster.write_text(roster.read_text().replace("student-04,Di Fox-Ng,student-04@example.org\n", ""))
    assert "student-04, who has left: take the entry out" in grader("course", "mark", cwd=tmp_path).stderr
