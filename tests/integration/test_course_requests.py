"""Requests to look again: from the file to the marks, and what is told of them."""

from pathlib import Path
from typing import Any

import pytest
from support.command_line import Done, grader, results
from support.term import COURSE, write_term

from grader.course.checking import checked
from grader.course.reading.course_file import read_course
from grader.model.errors import UsageError

REQUESTS = """
- student: Di Fox
  task: leap
  question: "1"
  asked: 2026-10-02 10:00
  text: 1900 was no leap year.
  answer: {by: B. Marker, date: 2026-10-03, decision: changed, marks: 4, text: The case was wrong.}
- student: student-01
  task: leap
  asked: 2026-10-12 10:00
  text: I was a little late.
  answer: {by: B. Marker, date: 2026-10-13, decision: declined, text: That is the rule.}
- student: student-05
  task: leap
  asked: 2026-10-02 11:00
  text: Please look again.
  answer:
- student: student-05
  task: double
  asked: 2026-10-03 11:00
  text: And here.
"""
RULES = "requests: {file: requests.yaml, within: 7 days, each: 1, another: true}\n"


def write(folder: Path, requests: str = REQUESTS) -> None:
    course = COURSE.replace("gradebook:", RULES + "gradebook:")
    write_term(folder, course=course.replace("released: true}", "released: true, told: 2026-10-01 12:00}"))
    (folder / "requests.yaml").write_text(requests)


def told(folder: Path, *arguments: str, code: int = 0) -> Done:
    done = grader(*arguments, cwd=folder)
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done


def of(folder: Path, student: str) -> dict[str, Any]:
    (found,) = (one for one in results(folder / "reports" / "leap")["submissions"] if one["id"] == student)
    return dict(found)


@pytest.mark.acceptance
def test_an_answer_changes_a_mark_and_what_follows_from_it(tmp_path: Path) -> None:
    write(tmp_path)
    told(tmp_path, "course", "mark", "-q")
    assert of(tmp_path, "student-04")["mark"] == "4"
    assert of(tmp_path, "student-04")["overrides"] == [
        {
            "question": "1",
            "before": "3",
            "after": "4",
            "reason": "The case was wrong. (asked on 2026-10-02)",
            "by": "B. Marker",
            "date": "2026-10-03",
        }
    ]
    assert of(tmp_path, "student-01")["overrides"] == []
    # A further answer is marked, and the lateness of student 1 is taken off again after it.
    changed = REQUESTS.replace("decision: declined", "decision: changed, marks: 2")
    (tmp_path / "requests.yaml").write_text(
        "# one more\n"
        + changed.replace(
            "  task: leap\n  asked: 2026-10-12", '  task: leap\n  question: "1"\n  asked: 2026-10-12'
        )
    )
    assert told(tmp_path, "course", "mark", "-q").stdout.split()[1::2] == ["marked", "unchanged", "unchanged"]
    assert of(tmp_path, "student-01")["mark"] == "1.5"
    # What stands elsewhere in the file changes no mark, and a run without the course goes by the record.
    (tmp_path / "requests.yaml").write_text("# two\n\n" + (tmp_path / "requests.yaml").read_text())
    assert told(tmp_path, "course", "mark", "-q").stdout.split()[1::2] == ["unchanged"] * 3
    told(tmp_path, "mark", "specs/leap.yaml", "in/leap", "-o", "reports/leap", "-q")
    assert of(tmp_path, "student-04")["mark"] == "4"


def test_an_answer_comes_after_the_reviews_and_names_what_was_before(tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / "specs" / "reviews").mkdir()
    (tmp_path / "specs" / "reviews" / "leap.yaml").write_text(
        "- student: student-04\n  by: b. marker\n  overrides:\n"
        '    - {question: "1", marks: 1, reason: copied}\n'
    )
    done = told(tmp_path, "mark", "leap", "-q")
    assert "the request of Di Fox was answered by who gave the mark, B. Marker" in done.stderr
    (override,) = of(tmp_path, "student-04")["overrides"]
    before = "before: 1 by b. marker, copied; answered by who gave the mark"
    assert override["after"] == "4"
    assert override["reason"] == f"The case was wrong. (asked on 2026-10-02; {before})"


def test_check_tells_what_waits_and_what_came_too_late(tmp_path: Path) -> None:
    write(tmp_path)
    notes = told(tmp_path, "course", "check").stderr.splitlines()
    assert notes == [
        "note: 2 requests wait for an answer: student-05 and student-05",
        "note: requests.yaml:18:3: the request of student-05 about double: it is number 2, and 1 are allowed",
        "note: requests.yaml:8:3: the request of student-01 about leap: it came after 2026-10-08 12:00, "
        "when the time for requests ended",
    ]


def test_who_has_left_is_refused(tmp_path: Path) -> None:
    write(tmp_path, REQUESTS.replace("Di Fox", "Nobody"))
    for command in (("course", "check"), ("mark", "leap", "-q")):
        said = told(tmp_path, *command, code=2).stderr
        assert "requests.yaml:2:3: a request of Nobody, who is not on the roster" in said
    course = tmp_path / "course.yaml"
    course.write_text(course.read_text().replace("roster: roster.csv\n", ""))
    fault = "requests.yaml: a request of Nobody was answered, who is not in this batch"
    assert fault in told(tmp_path, "mark", "leap", "-q", code=2).stderr


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("marks: 4", "marks: 5", "the answer to Di Fox: question `1` is worth 4 at most"),
        ('question: "1"', 'question: "9"', "the answer to Di Fox: there is no question `9`"),
        ("Di Fox", "Bo Ré", "a request of Bo Ré, who may be any of 2 people on the roster"),
        ("marks: 4, ", "", "requests.yaml:7:11: `changed` needs `marks`"),
        ("declined", "declined, marks: 1", "`marks` is for `changed`, and this is `declined`"),
        ("task: double", "task: duoble", "there is no task `duoble`"),
        ("2026-10-03 11:00", "2026-10-03", "requests.yaml:20:10: `2026-10-03` has no time of day"),
        ("date: 2026-10-13", "date: soon", "`soon` is not a date such as 2026-11-21"),
        ("- student: Di Fox", "student: Di Fox", "requests.yaml:"),
    ],
)
def test_mistakes_are_told(tmp_path: Path, before: str, after: str, message: str) -> None:
    write(tmp_path, REQUESTS.replace(before, after, 1))
    with pytest.raises(UsageError) as caught:
        checked(read_course(tmp_path / "course.yaml"))
    told = [f"{fault.where.removeprefix(f'{tmp_path}/')}: {fault.message}" for fault in caught.value.faults]
    assert any(message in text for text in told), told


def test_nothing_is_marked_where_an_answer_does_not_fit(tmp_path: Path) -> None:
    write(tmp_path, REQUESTS.replace("marks: 4", "marks: 5"))
    assert "question `1` is worth 4 at most" in told(tmp_path, "mark", "leap", "-q", code=2).stderr
    assert not (tmp_path / "reports" / "leap" / "results.json").exists()


def answer(student: str, day: int, marks: int, question: str = '"1"') -> str:
    return (
        f"- {{student: {student}, task: leap, question: {question}, asked: 2026-10-02 10:00, text: again,\n"
        f"   answer: {{by: Marker {day}, date: 2026-10-{day:02}, decision: changed, marks: {marks}}}}}\n"
    )


def test_the_latest_answer_counts_by_whatever_name_the_student_is_called(tmp_path: Path) -> None:
    names = ("student-04", "Di Fox", "student-04")
    later, *earlier = (answer(*each) for each in zip(names, (9, 3, 6), (2, 4, 1), strict=True))
    write(tmp_path, later + "".join(earlier))
    notes = told(tmp_path, "course", "check").stderr
    assert "it is number 2, and 1 are allowed" in notes
    assert "it is number 3, and 1 are allowed" in notes
    told(tmp_path, "mark", "leap", "-q")
    (override,) = of(tmp_path, "student-04")["overrides"]
    assert (override["after"], override["by"]) == ("2", "Marker 9")
    assert "before: 1 by Marker 6" in override["reason"]


def test_an_answer_that_the_whole_mark_hides_is_told(tmp_path: Path) -> None:
    write(tmp_path, answer("Di Fox", 3, 4))
    (tmp_path / "specs" / "reviews").mkdir()
    (tmp_path / "specs" / "reviews" / "leap.yaml").write_text(
        "- student: student-04\n  by: A. Marker\n  overrides:\n    - {marks: 1, reason: copied}\n"
    )
    done = told(tmp_path, "mark", "leap", "-q")
    assert of(tmp_path, "student-04")["mark"] == "1"
    what = "note: the answer to Di Fox about question 1 changes nothing: A. Marker set the whole mark to 1"
    assert what in done.stderr.splitlines()


@pytest.mark.acceptance
def test_an_answer_about_a_task_that_is_marked_elsewhere_is_true(tmp_path: Path) -> None:
    """The sheet has those marks; the page told a change, and the mark was as before."""
    asked = "- {student: Di Fox, task: exam, asked: 2027-02-02 10:00, text: a, answer: {by: B, date: @}}\n"
    answers = ("2027-02-05, decision: changed, marks: 33", "2027-02-03, decision: changed, marks: 50")
    write(tmp_path, "".join(asked.replace("@", each) for each in answers))
    sheet = tmp_path / "exam.csv"
    sheet.write_text("student,Points\nstudent-04,30\n")
    told(tmp_path, "course", "mark", "-q")
    done = told(tmp_path, "course", "report", code=2)
    assert "requests.yaml:1:3: the answer to Di Fox changes exam to 33, and the sheet has 30" in done.stderr
    assert not (tmp_path / "reports" / "course").exists()
    sheet.write_text("student,Points\nstudent-04,33\n")
    told(tmp_path, "course", "report")


@pytest.mark.acceptance
def test_a_report_leaves_who_was_answered_to_marking(tmp_path: Path) -> None:
    write(tmp_path)
    told(tmp_path, "mark", "leap", "-q")
    (tmp_path / "specs" / "reviews").mkdir()
    given = '  by: A. Marker\n  overrides:\n    - {question: "1", marks: 2, reason: copied}\n'
    (tmp_path / "specs" / "reviews" / "leap.yaml").write_text(
        "".join(f"- student: {name}\n{given}" for name in ("student-01", "student-04"))
    )
    done = told(tmp_path, "report", "leap")
    assert "marks by hand taken in: 1 submission\n" in done.stderr
    assert "marks by hand of student-04 are left to grader mark\n" in done.stderr
    taken, left = of(tmp_path, "student-01"), of(tmp_path, "student-04")
    assert (taken["mark"], left["mark"]) == ("1.5", "4")
    told(tmp_path, "course", "mark", "-q")
    after = of(tmp_path, "student-01")
    assert {**after, "made": None} == {**taken, "made": None}
    assert of(tmp_path, "student-04")["overrides"][0]["reason"].endswith("before: 2 by A. Marker, copied)")
    assert "marks by hand" not in told(tmp_path, "report", "leap").stderr


def test_a_report_leaves_whose_requests_were_answered_since(tmp_path: Path) -> None:
    write(tmp_path)
    told(tmp_path, "course", "mark", "leap", "-q")
    reviews = tmp_path / "specs" / "reviews" / "leap.yaml"
    reviews.parent.mkdir(exist_ok=True)
    reviews.write_text(
        "".join(
            f'- student: student-{number}\n  by: C\n  overrides: [{{question: "1", marks: 1, reason: no}}]\n'
            for number in ("03", "04")
        )
    )
    (tmp_path / "requests.yaml").write_text(REQUESTS.replace("changed, marks: 4", "changed, marks: 2"))
    done = told(tmp_path, "report", "leap")
    assert "marks by hand taken in: 1 submission\n" in done.stderr
    assert "marks by hand of student-04 are left to grader mark\n" in done.stderr
    assert of(tmp_path, "student-03")["mark"] == "1"
    told(tmp_path, "course", "mark", "leap", "-q")
    assert of(tmp_path, "student-04")["mark"] == "2"
    assert "left to" not in told(tmp_path, "report", "leap").stderr


def test_a_report_names_whom_only_an_answer_concerns(tmp_path: Path) -> None:
    answer = "  answer: {by: B. Marker, date: 2026-10-03"
    write(tmp_path, REQUESTS.replace(answer, "  # {"))
    told(tmp_path, "course", "mark", "leap", "-q")
    (tmp_path / "requests.yaml").write_text(REQUESTS)
    assert "marks by hand of student-04 are left to grader mark\n" in told(tmp_path, "report", "leap").stderr
