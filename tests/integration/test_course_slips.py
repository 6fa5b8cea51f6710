"""Slip days of a course, through the marks that they give."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from support.command_line import grader, results
from support.term import COURSE, write_term

DAYS = "slip days: {budget: 2, grace: 10min}\n"
SLIPS = COURSE.replace("released: true}", "slip: true}") + DAYS
TIMES = "2026-09-25T12:00:00+02:00"


def deadlines(folder: Path) -> dict[str, str]:
    done = grader("course", "mark", "-q", cwd=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    document = results(folder / "reports" / "leap")
    return {one["id"]: one["deadline"] for one in document["submissions"]}


def marks(folder: Path) -> dict[str, str]:
    document = results(folder / "reports" / "leap")
    return {one["id"]: one["mark"] for one in document["submissions"]}


def write_times(folder: Path, **late: str) -> None:
    names = [f"student-{number:02}" for number in range(1, 6)]
    own = {f"student-{name[1:]}": time for name, time in late.items()}
    text = "".join(f"{name}: {own.get(name, TIMES)}\n" for name in names)
    (folder / "in" / "leap-times.yaml").write_text(text)


def test_lateness_within_the_grace_costs_neither_a_day_nor_marks(tmp_path: Path) -> None:
    write_term(tmp_path, course=SLIPS)
    write_times(tmp_path, _01="2026-09-26T00:05:00+02:00")
    assert deadlines(tmp_path)["student-01"] == "2026-09-25T22:09:00Z"
    assert marks(tmp_path)["student-01"] == "4"


def test_an_override_of_a_question_leaves_the_slip_days(tmp_path: Path) -> None:
    """The mark is zero for the lateness alone, so no person has set it to zero."""
    write_term(tmp_path, course=SLIPS)
    spec = tmp_path / "specs" / "leap.yaml"
    spec.write_text(spec.read_text().replace("steps: [{within: 24h, penalty: 25%}], ", ""))
    reviews = tmp_path / "specs" / "reviews" / "leap.yaml"
    reviews.parent.mkdir()
    reviews.write_text(
        '- student: student-01\n  overrides: [{question: "1", marks: 3, reason: style}]\n  by: A\n'
        "- student: student-02\n  overrides: [{marks: 0, reason: copied}]\n  by: A\n"
        '- student: student-03\n  overrides: [{question: "1", marks: 0, reason: copied}]\n  by: A\n'
    )
    late = "2026-09-28T12:00:00+02:00"
    write_times(tmp_path, _01="2026-09-26T12:00:00+02:00", _02=late, _03=late)
    found = deadlines(tmp_path)
    assert found["student-01"] == "2026-09-26T21:59:00Z"
    assert marks(tmp_path)["student-01"] == "3"
    # Nobody spends a day on a mark that a person set to zero; these two have extensions.
    assert found["student-02"] == "2026-09-27T21:59:00Z"
    assert found["student-03"] == "2026-09-26T21:59:00Z"


def test_damaged_results_can_be_marked_again(tmp_path: Path) -> None:
    """Without them nobody knows who spent which days on the other tasks, so these wait."""
    course = SLIPS.replace("category: sheet, due: 2026-10-02", "slip: true, due: 2026-10-02")
    write_term(tmp_path, course=course.replace("task: sheet", "task: leap").split("gradebook:")[0] + DAYS)
    write_times(tmp_path, _01="2026-09-26T12:00:00+02:00")
    assert grader("course", "mark", "leap", "-q", cwd=tmp_path).returncode == 0
    damaged = tmp_path / "reports" / "leap" / "results.json"
    damaged.write_text(damaged.read_text()[:-200])
    done = grader("course", "mark", "double", "leap", "-q", cwd=tmp_path)
    assert "double  not marked: its slip days can't be told" in done.stdout
    assert "leap    marked" in done.stdout
    assert marks(tmp_path)["student-01"] == "4"


def test_without_a_roster_slip_days_begin_after_an_extension_by_name(tmp_path: Path) -> None:
    course = SLIPS.replace("roster: roster.csv\n", "").replace("student: student-02", "student: Bo Ré")
    write_term(tmp_path, course=course)
    (tmp_path / "in" / "leap" / "student-02").rename(tmp_path / "in" / "leap" / "Bo Ré")
    (tmp_path / "in" / "leap-times.yaml").write_text("Bo Ré: 2026-09-28T12:00:00+02:00\n")
    assert deadlines(tmp_path)["Bo-Ré"] == "2026-09-28T21:59:00Z"
    assert marks(tmp_path)["Bo-Ré"] == "4"


# -- on the pages of the course ----------------------------------------------------------------------

TWO = COURSE.replace("times.yaml, category: sheet", "times.yaml, slip: true, category: sheet").replace(
    "submissions: in/double,", "submissions: in/double, times: in/double-times.yaml, slip: true,"
)
LEDGERS = TWO + (
    "slip days:\n  budget: 2\n  added: [{student: student-01, on: 2026-10-01 00:00, add: 1, reason: fire}]\n"
)


def slip_rows(page: Path) -> list[list[str]]:
    """Return the cells of the table of slip days on a student's page; none without one."""
    _, found, rest = page.read_text("utf-8").partition('<h2 id="slips">')
    rows = (
        re.findall(r"<tr><th.*?</tr>", rest.partition("</table>")[0].partition("</thead>")[2])
        if found
        else []
    )
    return [[re.sub(r"<.*?>", "", cell) for cell in re.findall(r"<t[hd].*?</t[hd]>", row)] for row in rows]


def two_tasks(folder: Path, course: str = LEDGERS, **double: str) -> None:
    """Write a term in which student 1 hands in leap 12 hours late, and double as is said here."""
    write_term(folder, course=course)
    (folder / "in" / "double-times.yaml").write_text(
        "".join(f"student-{number:02}: 2026-10-01T12:00:00+02:00\n" for number in range(2, 6))
        + f"student-01: {double.get('_01', '2026-10-02T12:00:00+02:00')}\n"
    )


def test_pages_show_the_slip_days_task_by_task(tmp_path: Path) -> None:
    two_tasks(tmp_path, _01="2026-10-04T12:00:00+02:00")
    assert grader("course", "mark", "-q", cwd=tmp_path).returncode == 0
    assert grader("course", "report", cwd=tmp_path).returncode == 0
    pages = tmp_path / "reports" / "course"
    leap = ["Sheet leap", "1", "1", "2026-09-25 23:59 CEST", "2026-09-26 12:00 CEST", "1 slip day needed"]
    due, came = "2026-10-02 23:59 CEST", "2026-10-04 12:00 CEST"
    double = ["Sheet double", "2", "0", due, came, "2 slip days needed"]
    added = "Added on 2026-10-01 00:00 CEST"
    assert slip_rows(pages / "staff" / "student-01.html") == [
        ["Budget", "", "2", "", "", ""],
        leap,
        [added, "+1", "2", "", "", "fire"],
        double,
    ]
    # Double is not released, so nothing of it is told, and no number that depends on it.
    assert slip_rows(pages / "students" / "student-01.html") == [
        ["Budget", "", "2", "", "", ""],
        leap,
        [added, "+1", "2", "", "", ""],
    ]
    own = (pages / "students" / "student-01.html").read_text("utf-8")
    assert "Tasks that are not released yet may have used days." in own
    assert "2026-10-04" not in own
    index = (pages / "index.html").read_text("utf-8")
    assert "Slip days<br>" in index
    assert '<td class="number value">0</td>' in index


def test_what_is_not_released_is_not_told_by_the_days_of_later_tasks(tmp_path: Path) -> None:
    course = LEDGERS.replace(", released: true", "").replace("category: sheet, due: 2026-10-02 23:59",
        "category: sheet, due: 2026-10-02 23:59, released: true")  # fmt: skip
    two_tasks(tmp_path, course)
    assert grader("course", "mark", "-q", cwd=tmp_path).returncode == 0
    assert grader("course", "report", cwd=tmp_path).returncode == 0
    own = slip_rows(tmp_path / "reports" / "course" / "students" / "student-01.html")
    assert [row[0] for row in own] == ["Budget", "Added on 2026-10-01 00:00 CEST", "Sheet double"]
    assert [row[2] for row in own] == ["2", "—", "—"]


def test_a_course_without_slip_days_shows_none(tmp_path: Path) -> None:
    write_term(tmp_path)
    assert grader("course", "mark", "-q", cwd=tmp_path).returncode == 0
    assert grader("course", "report", cwd=tmp_path).returncode == 0
    for page in (tmp_path / "reports" / "course").rglob("*.html"):
        assert "lip days" not in page.read_text("utf-8")


def test_marking_an_older_task_again_tells_whose_later_ones_changed(tmp_path: Path) -> None:
    two_tasks(tmp_path, LEDGERS.split("  added")[0], _01="2026-10-04T12:00:00+02:00")
    times = tmp_path / "in" / "leap-times.yaml"
    late = times.read_text()
    times.write_text(late.replace("2026-09-26T12:00", "2026-09-25T12:00"))
    first = grader("course", "mark", "-q", cwd=tmp_path)
    assert "Slip days" not in first.stdout, first.stdout
    times.write_text(late)
    again = grader("course", "mark", "-q", cwd=tmp_path)
    assert " ".join(again.stdout.split()) == (
        "leap marked double marked initial unchanged Slip days of other tasks changed: "
        "student-01: double uses 1 slip day, not 2; it is due at 2026-10-03 23:59, not at "
        "2026-10-04 23:59 (2 slip days needed, 1 left: the rest is penalised)."
    )
    assert max(map(len, again.stdout.splitlines())) <= 80


def test_a_later_task_whose_days_changed_is_named_until_it_is_marked(tmp_path: Path) -> None:
    """A zero by hand in the older task spends no day; exports handed the later one out as it was."""
    two_tasks(tmp_path, LEDGERS.split("  added")[0], _01="2026-10-04T12:00:00+02:00")
    assert grader("course", "mark", "-q", cwd=tmp_path).returncode == 0
    old = "these marks are older than what the course makes them from; `grader course mark double`"
    assert "older" not in grader("course", "export", "--to", "csv", cwd=tmp_path).stderr
    reviews = tmp_path / "specs" / "reviews" / "leap.yaml"
    reviews.parent.mkdir(exist_ok=True)
    reviews.write_text("- student: student-01\n  by: A\n  overrides: [{marks: 0, reason: copied}]\n")
    assert grader("mark", "leap", "-q", cwd=tmp_path).returncode == 0
    for command in (("export", "double"), ("export", "reports/double"), ("course", "export")):
        done = grader(*command, "--to", "csv", cwd=tmp_path)
        assert (done.returncode, done.stderr.count(old)) == (0, 1), done.stderr
        assert "mark leap" not in done.stderr
    for line in ("release double -y", "report double", "course report"):
        assert old in grader(*line.split(), cwd=tmp_path).stderr, line
    done = grader("course", "mark", "-q", cwd=tmp_path)
    said = " ".join(done.stdout.split())
    assert "leap unchanged double marked" in said
    assert "student-01: double is due at 2026-10-04 21:59 UTC, not 2026-10-03 21:59 as in its" in said


STOPPED = """import sys, grader.cli
from grader.cli.commands import mark
def note(text):
    if "computed again" in text:
        raise KeyboardInterrupt
mark.note = note
sys.argv = ["grader", "mark", "leap", "-q"]
grader.cli.main()
"""


def test_nobody_sees_marks_by_which_days_are_found(tmp_path: Path) -> None:
    """They have the whole penalty for lateness; where the run was interrupted then, they were handed out."""
    write_term(tmp_path, course=SLIPS)
    write_times(tmp_path, _01="2026-09-26T12:00:00+02:00")
    done = subprocess.run([sys.executable, "-c", STOPPED], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 130, done.stderr
    made = {path.name for path in (tmp_path / "reports" / "leap").iterdir()}
    assert made <= {"run.sqlite", "run.sqlite-wal", "run.sqlite-shm"}, made
    assert deadlines(tmp_path)["student-01"] == "2026-09-26T21:59:00Z"
    assert marks(tmp_path)["student-01"] == "4"


def test_a_zero_by_hand_that_is_taken_back_is_left_to_marking(tmp_path: Path) -> None:
    """Nobody spends a day on it, so the deadline may be another one then, which a report cannot tell."""
    write_term(tmp_path, course=SLIPS)
    reviews = tmp_path / "specs" / "reviews" / "leap.yaml"
    reviews.parent.mkdir()
    other = '- student: student-02\n  overrides: [{question: "1", marks: 3, reason: style}]\n  by: A\n'
    reviews.write_text("- student: student-01\n  overrides: [{marks: 0, reason: copied}]\n  by: A\n")
    write_times(tmp_path, _01="2026-09-27T12:00:00+02:00")
    assert deadlines(tmp_path)["student-01"] == "2026-09-25T21:59:00Z"
    reviews.write_text(other)
    told = grader("report", tmp_path / "reports" / "leap", cwd=tmp_path).stderr
    assert "marks by hand of student-01 are left to grader mark" in told
    assert marks(tmp_path)["student-02"] == "3"
    assert deadlines(tmp_path)["student-01"] == "2026-09-27T21:59:00Z"
    assert marks(tmp_path)["student-01"] == "4"


def test_a_whole_mark_that_a_person_gave_leaves_the_day_spent(tmp_path: Path) -> None:
    """All questions are 0, since the work does not load; but the mark is none that a person set to zero."""
    write_term(tmp_path, course=SLIPS)
    (work,) = (tmp_path / "in" / "leap" / "student-01").iterdir()
    work.write_text("raise ValueError\n")
    reviews = tmp_path / "specs" / "reviews" / "leap.yaml"
    reviews.parent.mkdir()
    write_times(tmp_path, _01="2026-09-26T12:00:00+02:00")
    for mark, deadline in (("3", "2026-09-26T21:59:00Z"), ("0", "2026-09-25T21:59:00Z")):
        reviews.write_text(
            f"- student: student-01\n  overrides: [{{marks: {mark}, reason: seen}}]\n  by: A\n"
        )
        deadlines(tmp_path)
        assert deadlines(tmp_path)["student-01"] == deadline
        assert marks(tmp_path)["student-01"] == mark


# -- a single task, and what slip days do not go with ----------------------------------------------------


def test_a_task_that_is_marked_by_its_name_spends_days_at_once(tmp_path: Path) -> None:
    write_term(tmp_path, course=SLIPS)
    write_times(tmp_path, _01="2026-09-26T12:00:00+02:00")
    done = grader("mark", "leap", "-q", cwd=tmp_path)
    assert "note: what was handed in late uses slip days: the marks are computed again" in done.stderr
    assert marks(tmp_path)["student-01"] == "4"
    write_times(tmp_path, _01="2026-09-27T12:00:00+02:00", _03="2026-09-27T12:00:00+02:00")
    assert grader("mark", "leap", "-q", cwd=tmp_path).returncode == 0
    found = results(tmp_path / "reports" / "leap")["submissions"]
    once = {one["id"]: (one["mark"], one["deadline"]) for one in found}
    assert once["student-01"] == ("4", "2026-09-27T21:59:00Z")
    again = grader("mark", "leap", "-q", cwd=tmp_path)
    assert "computed again" not in again.stderr
    assert {name: mark for name, (mark, _) in once.items()} == marks(tmp_path)
    assert grader("course", "mark", "-q", cwd=tmp_path).returncode == 0
    assert {name: mark for name, (mark, _) in once.items()} == marks(tmp_path)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("late:", "attempts: best\nlate:"), "its spec `attempts: best`"),
        (("late:", "attempts: last-before-deadline\nlate:"), "its spec `attempts: last-before-deadline`"),
        (("late: {", "late: {grace: 10min, "), "another grace than the course's slip days"),
        (
            ("late: {", "late: {extensions: more.yaml, "),
            "its spec has extensions, which slip days",
        ),
    ],
)
def test_what_slip_days_do_not_go_with_is_refused(tmp_path: Path, change: tuple[str, str], told: str) -> None:
    write_term(tmp_path, course=SLIPS.replace("budget: 2, grace: 10min", "budget: 2, grace: 5min"))
    spec = tmp_path / "specs" / "leap.yaml"
    assert change[0] in spec.read_text()
    spec.write_text(spec.read_text().replace(*change))
    (tmp_path / "specs" / "more.yaml").write_text("student-01: 48h\n")
    for command in (("mark", "leap", "-q"), ("course", "mark", "leap", "-q"), ("course", "check")):
        done = grader(*command, cwd=tmp_path)
        assert done.returncode == 2, done.stdout
        assert told in done.stderr
        assert "Traceback" not in done.stderr
    assert not (tmp_path / "reports" / "leap" / "results.json").exists()


def test_a_task_with_days_and_no_due_time_is_not_marked_in_silence(tmp_path: Path) -> None:
    write_term(tmp_path, course=SLIPS.replace("due: week 1 + 11 days 23:59, ", ""))
    spec = tmp_path / "specs" / "leap.yaml"
    spec.write_text(re.sub(r"late: \{", "late: {deadline: 2026-09-25T23:59:00+02:00, ", spec.read_text()))
    for command in (("mark", "leap", "-q"), ("course", "mark", "leap", "-q")):
        done = grader(*command, cwd=tmp_path)
        assert done.returncode == 2, done.stdout
        assert "leap has `slip`, and the course does not say when it is due" in done.stderr


MOODLES = """\
task: {task}
title: T
marks: 4
modules: {{work: work.py}}
late: {{steps: [{{within: 24h, penalty: 25%}}], then: 100%}}
questions: [{{id: "1", title: q, marks: 4, cases: [{{call: f(1), returns: 1}}]}}]
"""


def test_slip_days_reach_those_whom_moodle_numbers_anew(tmp_path: Path) -> None:
    """They went by the number of the first task, which was nobody's in the second, or another person's."""
    (tmp_path / "people.csv").write_text("First name,Last name,Email address\nAda,Fox,a@u.ch\nCy,Oz,c@u.ch\n")
    tasks = {
        "t1": ("Friday, 8 May", {"Ada Fox": 701, "Cy Oz": 703}),
        "t2": ("Saturday, 16 May", {"Cy Oz": 701}),
    }
    tasks["t2"][1]["Ada Fox"] = 801
    course = "course: c\ntitle: C\nzone: Europe/Zurich\nroster: people.csv\nslip days: {budget: 1}\ntasks:\n"
    for task, (day, people) in tasks.items():
        (tmp_path / f"{task}.yaml").write_text(MOODLES.format(task=task))
        sheet = "Identifier,Full name,Email address,Grade,Last modified (submission),Last modified (grade)\n"
        for name, number in people.items():
            work = tmp_path / task / f"{name}_{number}_assignsubmission_file_"
            work.mkdir(parents=True)
            (work / "work.py").write_text("def f(n): return n\n")
            time = "Friday, 15 May" if name == "Cy Oz" and task == "t2" else day
            sheet += f'Participant {number},{name},{name[0].lower()}@u.ch,,"{time} 2026, 2:00 PM",-\n'
        (tmp_path / f"{task}.csv").write_text(sheet)
        due = "2026-05-08" if task == "t1" else "2026-05-15"
        course += f"  {task}: {{spec: {task}.yaml, submissions: {task}, sheets: {{moodle: {task}.csv}}, "
        course += f"slip: true, due: {due} 23:59}}\n"
    (tmp_path / "course.yaml").write_text(course)
    done = grader("course", "mark", "-q", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "not in this batch" not in done.stderr
    found = results(tmp_path / "reports" / "t2")["submissions"]
    assert {(one["name"], one["mark"], one["deadline"]) for one in found} == {
        ("Ada Fox", "4", "2026-05-16T21:59:00Z"),
        ("Cy Oz", "4", "2026-05-15T21:59:00Z"),
    }
