"""The pages on lateness and on marks by hand: their examples, as an instructor would run them."""

import re
from pathlib import Path
from typing import Any

import pytest
from support.command_line import Done, grader, results

CASES = Path(__file__).parents[2] / "docs" / "cases"


def examples(page: str) -> list[str]:
    return re.findall(r"^```yaml\n(.*?)^```", (CASES / page).read_text(encoding="utf-8"), re.M | re.S)


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def students(folder: Path) -> dict[str, Any]:
    return {one["id"]: one for one in results(folder / "out")["submissions"]}


RIGHT = "def square(x):\n    return x * x\n"


@pytest.fixture
def late(tmp_path: Path) -> Path:
    spec, extensions, times = examples("late.md")
    broken = "def square(x)\n"
    files = {f"submissions/student-0{number}/squares.py": RIGHT for number in (1, 2, 3, 4)}
    files["submissions/student-05/squares.py"] = broken
    files["submissions/student-06/squares.py"] = "def square(x):\n    return 9\n"
    write(tmp_path, {"squares.yaml": spec, "extensions.yaml": extensions, "times.yaml": times, **files})
    return tmp_path


def test_the_page_on_lateness(late: Path) -> None:
    done = grader("mark", "squares.yaml", "submissions", "--times", "times.yaml", "-o", "out", cwd=late)
    assert done.returncode == 0, done.stderr
    found = students(late)
    assert {name: (one["mark"], one["late_s"]) for name, one in found.items()} == {
        "student-01": ("10", 0),
        "student-02": ("8.5", 34260),  # 9 h 31 min late: 15 % of 10
        "student-03": ("10", 0),  # has two more days
        "student-04": ("10", 0),
        "student-05": ("0", 0),  # cannot be imported, so fails the smoke test; nothing is left to take
        "student-06": ("4", 0),  # half of 10 less a tenth of 10
    }
    assert [one["reason"] for one in found["student-02"]["penalties"]] == [
        "handed in 9 hours 31 minutes after the deadline"
    ]
    assert found["student-03"]["deadline"] == "2026-11-22T22:59:00Z"
    assert found["student-04"]["submitted"] == ""
    assert "3 times of submission are unknown" in done.stdout
    assert "The time of submission is unknown" in (late / "out/students/student-04.html").read_text()
    assert "the extensions name student-07, who is not in this batch" in done.stderr


def test_times_that_change_count_in_the_next_run(late: Path) -> None:
    arguments = ("mark", "squares.yaml", "submissions", "--times", "times.yaml", "-o", "out")
    grader(*arguments, cwd=late)
    (late / "times.yaml").write_text("student-01: 2026-11-22T09:00:00+01:00\n")
    grader(*arguments, cwd=late)
    assert students(late)["student-01"]["mark"] == "7"
    assert students(late)["student-02"]["mark"] == "10"


def test_a_gradescope_export_brings_its_times(late: Path) -> None:
    metadata = "".join(
        f"submission_{number}:\n  :created_at: 2026-11-2{number} 12:00:00.000000000 Z\n" for number in (0, 1)
    )
    files = {f"export/submission_{number}/squares.py": RIGHT for number in (0, 1)}
    write(late, {"export/submission_metadata.yml": metadata, **files})
    done = grader("mark", "squares.yaml", "export", "-o", "out", cwd=late)
    assert "export was taken for a Gradescope export of 2 students" in done.stderr
    assert [one["mark"] for one in students(late).values()] == ["10", "8.5"]


WORK = "def double(x):\n    return 2 * x\n"


@pytest.fixture
def essay(tmp_path: Path) -> Path:
    write(
        tmp_path,
        {
            "essay.yaml": examples("manual.md")[0],
            "submissions/student-01/work.py": WORK,
            "submissions/student-02/work.py": "def double(x):\n    return x\n",
        },
    )
    (tmp_path / "submissions" / "student-03").mkdir()
    return tmp_path


def reviews_of_page() -> str:
    """Return the file of reviews that the page shows."""
    return next(each for each in examples("manual.md") if each.startswith("- student: "))


def mark(folder: Path, *more: str | Path) -> Done:
    return grader("mark", "essay.yaml", "submissions", "-o", "out", *more, cwd=folder)


def test_until_it_is_marked_it_waits_and_a_file_lists_what_for(essay: Path) -> None:
    done = mark(essay)
    assert done.returncode == 0, done.stderr
    assert (
        "4 criteria await the marker: write the marks into reviews/essay.yaml, and mark again; or mark on"
        in done.stderr
    )
    first, second, third = students(essay).values()
    assert (first["status"], first["mark"]) == ("pending", "2")
    assert first["awaiting"] == second["awaiting"] == ["report.method", "report.language"]
    assert (third["status"], "awaiting" in third) == ("no-submission", False)
    text = (essay / "reviews/essay.yaml").read_text()
    assert re.findall(r"- student: (.*)", text) == ["student-01", "student-02"]
    assert "      marks:    # 0, 1, 2: The method is explained" in text


def test_what_is_no_program_waits_for_a_person_too(essay: Path) -> None:
    write(essay, {"submissions/student-03/notes.txt": "an essay, perhaps"})
    assert "6 criteria await the marker" in mark(essay).stderr
    assert students(essay)["student-03"]["status"] == "pending"


def test_the_page_on_marks_by_hand(essay: Path) -> None:
    reviews = essay / "reviews" / "essay.yaml"
    write(essay, {"reviews/essay.yaml": reviews_of_page()})
    before = reviews.read_bytes()
    done = mark(essay)
    assert done.returncode == 0, done.stderr
    first, second, _ = students(essay).values()
    assert (first["status"], first["mark"]) == ("marked", "4")
    assert first["questions"][1]["criteria"][0] == {
        "id": "report.method",
        "title": "The method is explained",
        "description": "Why it works, not only what it does.",
        "mark": "1",
        "max_mark": "2",
        "comment": "The picture helps. Say why the search ends.",
        "by": "A. Marker",
        "date": "2026-11-25",
    }
    assert (second["status"], second["mark"], second["awaiting"]) == ("pending", "4", ["report.language"])
    assert second["overrides"] == [
        {
            "question": "program",
            "before": "0",
            "after": "2",
            "reason": "The case was wrong; the answer is right.",
            "by": "A. Marker",
            "date": "2026-11-26",
        }
    ]
    assert reviews.read_bytes() == before


@pytest.mark.acceptance
def test_marking_again_loses_nothing_that_a_person_wrote(essay: Path) -> None:
    mark(essay)
    reviews = essay / "reviews" / "essay.yaml"
    text = reviews.read_text().replace("  by:\n", "  by: M   # me\n", 1)
    text = text.replace("marks:    # 0, 1, 2", "marks: 2  # 0, 1, 2", 1).replace(
        "comment:", "comment: Fine.", 1
    )
    reviews.write_text(text)
    write(essay, {"submissions/student-04/work.py": WORK})
    mark(essay)
    mark(essay, "--no-cache")
    assert reviews.read_text().startswith(text)
    assert re.findall(r"- student: (.*)", reviews.read_text()) == ["student-01", "student-02", "student-04"]
    assert students(essay)["student-01"]["questions"][1]["mark"] == "2"


def test_mistakes_in_the_reviews_end_the_command_before_anything_is_marked(essay: Path) -> None:
    write(essay, {"mine.yaml": "- student: student-1\n  by: M\n  criteria: {report.method: {marks: 5}}\n"})
    done = mark(essay, "--reviews", "mine.yaml")
    assert done.returncode == 2
    assert "mine.yaml:1:12: there is no submission `student-1`" in done.stderr
    assert "mine.yaml:3:37: `report.method` is worth 2 at most" in done.stderr
    assert not (essay / "out").exists()


def test_one_student_can_be_marked_with_the_reviews_of_all(essay: Path) -> None:
    write(essay, {"reviews/essay.yaml": reviews_of_page()})
    done = grader("mark", "essay.yaml", "submissions/student-01", "-o", "out", cwd=essay)
    assert done.returncode == 0, done.stderr
    assert "reviews of 1 more who are not in this batch" in done.stderr
    assert students(essay)["student-01"]["mark"] == "4"


def test_a_provisional_mark_does_not_fail_a_threshold(essay: Path) -> None:
    (essay / "submissions/student-03").rmdir()
    assert mark(essay, "--fail-under", "100%").returncode == 0


def test_a_self_check_leaves_out_what_people_mark(essay: Path) -> None:
    done = grader("check", "essay.yaml", "submissions/student-01", cwd=essay)
    assert done.returncode == 0, done.stderr
    assert "Mark: 2 of 2" in done.stdout
    assert "a person marks" in done.stdout
    assert not (essay / "reviews").exists()


def test_a_folder_without_python_that_is_named_is_no_submission(essay: Path) -> None:
    done = grader(
        "mark", "essay.yaml", "submissions/student-01", "submissions/student-03", "-o", "out", cwd=essay
    )
    assert done.returncode == 0, done.stderr
    assert {name: one["status"] for name, one in students(essay).items()} == {
        "student-01": "pending",
        "student-03": "no-submission",
    }


def test_of_numbered_attempts_the_latest_is_marked(essay: Path) -> None:
    wrong = "def double(x):\n    return x\n"
    write(essay, {"submissions/student-05/attempt-9/work.py": wrong})
    write(essay, {"submissions/student-05/attempt-10/work.py": WORK})
    mark(essay)
    assert students(essay)["student-05"]["mark"] == "2"


def test_pages_of_students_who_left_are_removed(essay: Path) -> None:
    mark(essay)
    for path in (essay / "submissions/student-02/work.py", essay / "submissions/student-02"):
        path.unlink() if path.is_file() else path.rmdir()
    mark(essay, "--reviews", "other.yaml")
    assert sorted(path.name for path in (essay / "out/students").iterdir()) == [
        "student-01.html",
        "student-03.html",
    ]


CRITERIA = """task: report
title: Report
marks: 1
modules: {work: work.py}
questions:
  - {id: "1", title: Report, marks: 1, criteria: [{id: a, title: A, marks: 1}]}
"""


@pytest.mark.parametrize("reference", ["", "reference: reference\n"])
def test_a_task_of_criteria_alone(tmp_path: Path, reference: str) -> None:
    names = ("reference/work.py", "submissions/ada/work.py")
    write(tmp_path, {"report.yaml": CRITERIA + reference, **dict.fromkeys(names, "x = 1\n")})
    done = grader("mark", "report.yaml", "submissions", "-o", "out", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert students(tmp_path)["ada"]["awaiting"] == ["1.a"]


def test_the_reference_is_held_against_the_rules_of_a_task_of_criteria(tmp_path: Path) -> None:
    rules = "reference: reference\nrules: [{forbidden names: {names: eval}}]\n"
    write(tmp_path, {"report.yaml": CRITERIA + rules, "reference/work.py": "x = eval('1')\n"})
    write(tmp_path, {"submissions/ada/work.py": "x = 1\n"})
    done = grader("mark", "report.yaml", "submissions", "-o", "out", cwd=tmp_path)
    assert done.returncode == 3
    assert "the reference breaks the rule `forbidden names: eval`" in done.stderr


@pytest.mark.parametrize("batch", ["submissions", "submissions/Team A"])
def test_a_review_by_the_name_of_a_folder_means_all_who_handed_it_in(tmp_path: Path, batch: str) -> None:
    spec = (
        "task: squares\ntitle: Squares\nmarks: 2\nmodules: {squares: squares.py}\nquestions:\n"
        '  - {id: "1", title: square, marks: 2, cases: [{call: square(3), returns: 9}]}\n'
    )
    review = '- student: Team A\n  by: M\n  overrides: [{question: "1", marks: 1, reason: No comments}]\n'
    roster = "id,name,group\nstudent-01,One,Team A\nstudent-02,Two,Team A\nstudent-03,Three,Team B\n"
    works = {f"submissions/Team {letter}/squares.py": RIGHT for letter in "AB"}
    write(tmp_path, {"squares.yaml": spec, "mine.yaml": review, "roster.csv": roster, **works})
    options = ("--roster", "roster.csv", "--reviews", "mine.yaml", "-o", "out")
    done = grader("mark", "squares.yaml", batch, *options, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    marks = {name: one["mark"] for name, one in students(tmp_path).items()}
    assert (marks["student-01"], marks["student-02"]) == ("1", "1")
    assert marks["student-03"] == ("2" if batch == "submissions" else "0")
