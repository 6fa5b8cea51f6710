"""The page on policy: its examples, marked as an instructor would, and what their pages show."""

import asyncio
import pickle
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from support.command_line import Done, grader

from grader.engine.cache.keys import nothing_known
from grader.engine.run_config import prepare_run
from grader.engine.worker import MarkedSubmission, Marker
from grader.intake import discover
from grader.intake.attempts import with_attempts
from grader.model.errors import SpecError
from grader.model.results import SubmissionResult
from grader.plugins.cluster.jobs import Jobs, MarkingJob
from grader.plugins.cluster.results import encode_marked
from grader.records.attach import with_records
from grader.records.times.by_student import read_times
from grader.reports.views.submission.submission import SubmissionView, submission_view
from grader.sandbox.driver import Driver
from grader.spec import load_task
from grader.store.reading import read_results

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "tests" / "golden" / "case_pages" / "policy.md").read_text(encoding="utf-8")
"""The whole examples, of which the page on policy shows what counts."""

TOTAL = "def total(xs):\n    return sum(xs)\n\n"
LARGEST = "def largest(xs):\n    return max(xs) if xs else None\n\n"
NEVER_EMPTY = "def largest(xs):\n    return max(xs)\n\n"
ODD = "def median(xs):\n    return sorted(xs)[len(xs) // 2] if len(xs) % 2 else 'even'\n"


def section(title: str) -> tuple[list[str], list[str]]:
    """Return the specs and the texts of a section of the page."""
    text = PAGE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    blocks = re.findall(r"^```(\w+)\n(.*?)^```", text, re.M | re.S)
    return [body for kind, body in blocks if kind == "yaml"], [
        body for kind, body in blocks if kind == "text"
    ]


@pytest.mark.parametrize("title", ["Groups", "Bonus", "A cap above the marks", "Sections", "Attempts"])
def test_the_page_quotes_the_examples(title: str) -> None:
    page = (ROOT / "docs" / "policy.md").read_text(encoding="utf-8")
    shown = page.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    for body in re.findall(r"^```\w+\n(.*?)^```", shown, re.M | re.S):
        assert {line.strip() for line in body.splitlines()} <= {line.strip() for line in PAGE.splitlines()}


def marked(folder: Path, spec: str, files: dict[str, str], *more: str) -> tuple[Done, SubmissionResult]:
    (folder / "lists.yaml").write_text(spec)
    for name, text in files.items():
        path = folder / "submissions" / "student-01" / name / "lists.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    done = grader("mark", "lists.yaml", "submissions", "-o", "out", *more, cwd=folder)
    assert done.returncode == 0, done.stderr
    (result,) = read_results(folder / "out" / "results.json").submissions
    return done, result


def account(view: SubmissionView) -> str:
    lines = [
        f"{line.label}: {line.amount}" + (f" ({line.reason})" if line.reason else "")
        for line in view.mark_breakdown
    ]
    return "\n".join(lines) + "\n"


def test_groups(tmp_path: Path) -> None:
    (spec,), (text,) = section("Groups")
    _, result = marked(tmp_path, spec, {"": ODD})
    view = submission_view(result)
    (question,) = view.questions
    lines = [
        f"{group.name}: {group.mark} of {group.max_mark}, {group.count}; {group.rule}"
        for group in question.groups
    ]
    assert "\n".join([*lines, f"mark: {view.mark} of {view.max_mark}"]) + "\n" == text
    for place in ("students", "staff"):
        page = (tmp_path / "out" / place / "student-01.html").read_text()
        assert "earned whole with at least 3 cases accepted" in page


@pytest.mark.parametrize("title", ["Bonus", "A cap above the marks", "Sections"])
def test_lines_that_add_up(tmp_path: Path, title: str) -> None:
    specs, (text,) = section(title)
    # The cap goes into the task of the section before.
    spec = specs[0] if specs else section("Bonus")[0][0].replace("marks: 4\n", "marks: 4\ncap: 6\n", 1)
    done, result = marked(tmp_path, spec, {"": TOTAL + NEVER_EMPTY + ODD})
    assert account(submission_view(result)) == text
    page = (tmp_path / "out" / "students" / "student-01.html").read_text()
    for line in text.splitlines():
        label, _, amount = line.partition(": ")
        if label.startswith("Question "):
            found = re.search(
                rf'question </span>{label.split()[1].rstrip(",")}</a>.*?<strong class="tone">(.*?)<', page
            )
            assert found is not None
            assert found.group(1) == amount.split()[0]
        else:
            assert label in page
            shown = (f'<dd class="number">{amount.split()[0]}</dd>', f"= </span><strong>{amount.split()[0]}<")
            assert any(one in page for one in shown)
    assert ("caps took" in done.stdout) == ("apped" in text)


def attempts(folder: Path, policy: str) -> SubmissionResult:
    (spec, times), _ = section("Attempts")
    (folder / "times.yaml").write_text(times)
    files = {"attempt-1": TOTAL + NEVER_EMPTY, "attempt-2": TOTAL + LARGEST}
    spec = spec.replace("attempts: best", f"attempts: {policy}")
    return marked(folder, spec, files, "--times", "times.yaml")[1]


def test_the_best_attempt_counts_after_its_penalty(tmp_path: Path) -> None:
    result = attempts(tmp_path, "best")
    view = submission_view(result)
    assert view.attempts is not None
    lines = [
        ", ".join(filter(None, (f"{one.id}: {one.mark}", one.late, "counts" if one.counts else "")))
        for one in view.attempts.attempts
    ]
    _, (text,) = section("Attempts")
    assert "\n".join(lines) + "\n" == text
    assert (view.mark, result.late_s, result.penalties) == ("3", 0, ())
    page = (tmp_path / "out" / "students" / "student-01.html").read_text()
    assert "12 hours 1 minute late" in page
    assert "The best attempt counts" in page
    assert "attempt-1 of 2" in (tmp_path / "out" / "marks.csv").read_text()


@pytest.mark.parametrize(
    ("policy", "counting"), [("latest", "attempt-2"), ("last-before-deadline", "attempt-1")]
)
def test_other_policies(tmp_path: Path, policy: str, counting: str) -> None:
    result = attempts(tmp_path, policy)
    assert [one.id for one in result.attempts if one.counts] == [counting]
    assert result.mark == (2 if counting == "attempt-2" else 3)


def test_a_second_run_keeps_what_holds_and_sees_a_new_attempt(tmp_path: Path) -> None:
    attempts(tmp_path, "best")
    again = ("mark", "lists.yaml", "submissions", "-o", "out", "--times", "times.yaml")
    assert "1 of 1 submission unchanged since an earlier run" in grader(*again, cwd=tmp_path).stderr
    third = tmp_path / "submissions" / "student-01" / "attempt-3"
    third.mkdir()
    (third / "lists.py").write_text(TOTAL + LARGEST)
    done = grader(*again, cwd=tmp_path)
    assert "unchanged" not in done.stderr
    assert "student-01 has 3 attempts and 2 times; all are taken for handed in at the latest" in done.stderr
    (result,) = read_results(tmp_path / "out" / "results.json").submissions
    assert {one.submitted for one in result.attempts} == {"2026-11-21T11:00:00Z"}
    assert [(one.id, one.mark) for one in result.attempts if one.counts] == [("attempt-3", 2)]


def test_two_attempts_of_one_minute_leave_the_earlier_one_its_time(tmp_path: Path) -> None:
    attempts(tmp_path, "last-before-deadline")
    third = tmp_path / "submissions" / "student-01" / "attempt-3"
    third.mkdir()
    (third / "lists.py").write_text(TOTAL + LARGEST)
    early, late = "2026-11-20T12:00:00+01:00", "2026-11-21T12:00:00+01:00"
    (tmp_path / "times.yaml").write_text(f"student-01: [{early}, {late}, {late}]\n")
    done = grader("mark", "lists.yaml", "submissions", "-o", "out", "--times", "times.yaml", cwd=tmp_path)
    assert "attempts and" not in done.stderr
    (result,) = read_results(tmp_path / "out" / "results.json").submissions
    assert [one.late_s for one in result.attempts] == [0, 43260, 43260]
    assert [(one.id, one.mark) for one in result.attempts if one.counts] == [("attempt-1", 3)]


@pytest.mark.parametrize("second", ["nothing", "notes"])
def test_more_times_than_the_one_work_of_a_student_are_told(tmp_path: Path, second: str) -> None:
    """An attempt in which nothing was handed in has a time, and another one's work is late by it."""
    (spec, _), _ = section("Attempts")
    (tmp_path / "times.yaml").write_text("student-01: [2026-11-20T12:00Z, 2026-11-21T11:00Z]\n")
    files = {"student-01/attempt-1/lists.py": TOTAL + LARGEST}
    files |= {"student-01/attempt-2/notes.txt": "none"} if second == "notes" else {}
    for name, text in files.items():
        path = tmp_path / "submissions" / name
        path.parent.mkdir(parents=True)
        path.write_text(text)
    (tmp_path / "lists.yaml").write_text(spec)
    arguments = ("mark", "lists.yaml", "submissions", "-o", "out", "--times", "times.yaml")
    done = grader(*arguments, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "student-01 has 1 attempt and 2 times; all are taken for handed in at the latest" in done.stderr
    (result,) = read_results(tmp_path / "out" / "results.json").submissions
    assert result.submitted == "2026-11-21T11:00:00Z"


def test_folders_in_a_students_own_zip_are_one_attempt(tmp_path: Path, make_zip: Callable[..., Path]) -> None:
    """The student packed it, so it can't claim the time of an earlier attempt."""
    (spec, _), _ = section("Attempts")
    (tmp_path / "times.yaml").write_text("student-01: [2026-11-20T12:00Z, 2026-11-21T11:00Z]")
    files = {"attempt-1/lists.py": TOTAL + LARGEST, "attempt-2/lists.py": TOTAL}
    path = make_zip("zips/student-01.zip", files)
    (tmp_path / "submissions").mkdir()
    path.rename(tmp_path / "submissions" / "student-01.zip")
    _, result = marked(tmp_path, spec, {}, "--times", "times.yaml")
    assert result.attempts == ()
    assert (result.mark, result.submitted) == (1, "2026-11-21T11:00:00Z")


def test_a_cluster_marks_all_attempts_and_sends_a_result_that_fits(tmp_path: Path) -> None:
    here = attempts(tmp_path, "best")
    task = load_task(tmp_path / "lists.yaml")
    found = with_attempts(discover([tmp_path / "submissions"], dict(task.modules)), dict(task.modules), print)
    found = with_records(found, read_times(tmp_path / "times.yaml"), {})

    async def send() -> tuple[MarkingJob, MarkedSubmission]:
        jobs = Jobs(task, found, print)
        job = MarkingJob(found[0])
        job.read(task, nothing_known)
        with Marker(prepare_run(task, Driver.LANDLOCK, "")) as marker:
            (sent,) = pickle.loads(job.payload)
            marked = marker.mark(sent)
        return job, jobs.checked(job, job.sha256.encode(), encode_marked(marked))

    job, there = asyncio.run(send())
    assert str(tmp_path).encode() not in job.payload
    assert [(one.id, one.mark, one.counts) for one in there.result.attempts] == [
        (one.id, one.mark, one.counts) for one in here.attempts
    ]
    assert there.result.mark == here.mark


STOPS = """
task: lists
title: Lists
marks: 5
modules: {lists: lists.py}
questions:
  - id: "1"
    title: median
    marks: 5
    groups:
      first: {award: each, marks: 4, stops: true}
      second: {award: each, marks: 1}
    cases:
      - {call: "median([1, 2])", returns: 1, group: first, visibility: hidden}
      - {call: "median([1])", returns: 1, group: first}
      - {call: "median([4, 4])", returns: 4, group: first}
      - {call: "median([9])", returns: 9, group: first}
      - {call: "median([2, 2])", returns: 2, group: second}
      - {call: "median([7])", returns: 7, group: second}
"""


def test_a_group_stops_at_its_first_failure(tmp_path: Path) -> None:
    _, found = marked(tmp_path, STOPS, {"": ODD})
    verdicts = {case.id: str(case.verdict) for case in found.cases}
    assert verdicts == {
        "1.1": "skipped",
        "1.2": "accepted",
        "1.3": "wrong-answer",
        "1.4": "skipped",
        "1.5": "wrong-answer",
        "1.6": "accepted",
    }
    assert [(group.id, group.mark) for group in found.questions[0].groups] == [("first", 1), ("second", 0.5)]


def test_a_group_that_stops_has_no_case_that_needs_a_later_one(tmp_path: Path) -> None:
    spec = STOPS.replace("returns: 1, group: first}", 'returns: 1, group: first, needs: "1.4"}')
    (tmp_path / "lists.yaml").write_text(spec)
    with pytest.raises(SpecError, match=r"case `1.2` would need itself by way of `1.4`"):
        load_task(tmp_path / "lists.yaml")


def test_a_self_check_shows_the_groups_that_it_knows(tmp_path: Path) -> None:
    (spec,), _ = section("Groups")
    spec = spec.replace("group: usual}", "group: usual, visibility: hidden}", 2)
    (tmp_path / "lists.yaml").write_text(spec)
    (tmp_path / "lists.py").write_text(ODD)
    done = grader("check", "lists.yaml", "lists.py", cwd=tmp_path)
    assert re.search(r"rare 1 of 2 cases accepted *$", done.stdout, re.MULTILINE)
    # The marks depend on the hidden cases too.
    assert "Accepted: 4 of 7 cases" in done.stdout
    assert "Mark:" not in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_a_diff_names_caps_and_the_attempt_that_counts(tmp_path: Path) -> None:
    attempts(tmp_path, "best")
    spec = (tmp_path / "lists.yaml").read_text()
    (tmp_path / "lists.yaml").write_text(spec.replace("attempts: best", "attempts: latest\ncap: 1.5"))
    grader("mark", "lists.yaml", "submissions", "-o", "new", "--times", "times.yaml", cwd=tmp_path)
    text = grader("diff", "out", "new", cwd=tmp_path).stdout
    assert "student-01  3 -> 0.75" in text
    assert "attempt that counts: attempt-1 -> attempt-2" in text
    assert "caps: none -> 2.5 above 1.5" in text
    assert "penalties: none -> 0.75" in text
