"""The command in Gradescope's container: the time of a submission, and a marking that is cut."""

import json
import shlex
import zipfile
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from support.class_of_40.sheets import gradescope
from support.class_of_40.sheets.refused import Refused
from support.command_line import grader
from support.marking import HEAD, question

from grader.engine.batch import ThisMachine
from grader.engine.self_check import check_one
from grader.intake import Candidate
from grader.model.results import CaseResult, SubmissionResult
from grader.model.task import Task
from grader.plugins.lms import gradescope_command as command
from grader.store.whole_file import replace_text

LATE = "late: {deadline: 2026-01-10T00:00:00+00:00, grace: 1h, then: 50%}\n"
CASES = question("{call: double(1), returns: 2}", "{call: double(2), returns: 4}")
IN_TIME, IN_GRACE, TOO_LATE = (
    "2026-01-09T12:00:00Z",
    "2026-01-10T00:30:00Z",
    "2026-01-12T12:00:00.123456+00:00",
)
# Gradescope gives all results of earlier submissions too, which a student can make many.
EARLIER = [{"score": 1, "results": {"output": '"created_at": ' + "x" * 20_000, "created_at": IN_TIME}}] * 300


def container(folder: Path, metadata: str, more: str = LATE) -> Path:
    (folder / "spec.yaml").write_text(f"{HEAD}{more}{CASES}")
    (folder / "submission").mkdir()
    (folder / "submission" / "work.py").write_text("def double(x):\n    return 2 * x\n")
    if metadata:
        (folder / "submission_metadata.json").write_text(metadata)
    return folder


def mark_taken(found: dict[str, Any]) -> Fraction | None:
    """Return the mark that Gradescope takes from a file; None if it takes none."""
    try:
        return gradescope.read(json.dumps(found).encode())[0]
    except Refused:
        return None


def marked(folder: Path, *options: str) -> tuple[int, dict[str, Any]]:
    done = grader("gradescope", folder / "spec.yaml", "--root", folder, *options)
    found: dict[str, Any] = json.loads((folder / "results" / "results.json").read_bytes())
    return done.returncode, found


@pytest.mark.parametrize(
    ("metadata", "score"),
    [
        ({"id": 1, "created_at": IN_TIME}, 1),
        ({"id": 1, "created_at": IN_GRACE}, 1),
        ({"id": 1, "created_at": TOO_LATE}, Fraction(1, 2)),
        ({"id": 1, "created_at": TOO_LATE, "previous_submissions": EARLIER}, Fraction(1, 2)),
        ({"previous_submissions": EARLIER, "created_at": TOO_LATE}, Fraction(1, 2)),
        ({"users": [{"created_at": IN_TIME}], "created_at": TOO_LATE}, Fraction(1, 2)),
    ],
)
def test_lateness_costs_the_same_however_much_is_told_beside_it(
    tmp_path: Path, metadata: dict[str, object], score: Fraction
) -> None:
    status, found = marked(container(tmp_path, json.dumps(metadata, indent=2)))
    assert (status, Fraction(str(found["score"]))) == (0, score)


@pytest.mark.parametrize(
    "metadata",
    [
        "{",
        "[]",
        "{}",
        '{"created_at": 3}',
        '{"created_at": "yesterday"}',
        '{"id": 1 "created_at": "x"}',
        "[" * 9999,
    ],
)
def test_a_time_that_cannot_be_read_gives_no_mark(tmp_path: Path, metadata: str) -> None:
    status, found = marked(container(tmp_path, metadata))
    assert (status, mark_taken(found)) == (2, None)
    assert "no fault of yours" in found["output"]


UNDATED = "late: {then: 50%}\n"
COURSE = """course: c
title: C
zone: Europe/Zurich
tasks: {t: {spec: spec.yaml, submissions: in, due: 2026-01-10 00:00}}
"""


def test_a_deadline_that_nobody_says_gives_no_mark(tmp_path: Path) -> None:
    metadata = json.dumps({"created_at": TOO_LATE})
    status, found = marked(container(tmp_path, metadata, more=UNDATED))
    assert (status, mark_taken(found)) == (2, None)


def test_a_due_time_that_cannot_be_read_gives_no_mark(tmp_path: Path) -> None:
    root = container(tmp_path, json.dumps({"created_at": TOO_LATE}), more=LATE)
    status, found = marked(root, "--due", "2026-11-20 23:59")
    assert (status, mark_taken(found)) == (2, None)


def test_the_zip_of_a_courses_task_knows_when_it_is_due(tmp_path: Path) -> None:
    root = container(tmp_path, json.dumps({"created_at": TOO_LATE}), more=UNDATED)
    (root / "in" / "student-01").mkdir(parents=True)
    (root / "in" / "student-01" / "work.py").write_text("def double(x):\n    return 2 * x\n")
    (root / "times.yaml").write_text("student-01: 2026-01-09T12:00:00+01:00\n")
    (root / "course.yaml").write_text(COURSE.replace("in,", "in, times: times.yaml,"))
    done = grader("course", "mark", cwd=root)
    assert done.returncode == 0, done.stderr
    done = grader("export", "reports/t", "--to", "gradescope-autograder", "-o", "a.zip", cwd=root)
    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile(root / "a.zip") as archive:
        line = archive.read("run_autograder").decode().splitlines()[-1]
    due = shlex.split(line)[shlex.split(line).index("--due") + 1]
    assert marked(root, "--due", due)[1]["score"] == 0.5


def test_without_a_deadline_or_metadata_no_time_is_needed(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    assert marked(container(tmp_path / "a", "{", more=""))[1]["score"] == 1
    (tmp_path / "b").mkdir()
    assert marked(container(tmp_path / "b", ""))[1]["score"] == 1


@pytest.mark.parametrize(
    ("more", "created_at", "has_score"),
    [
        ("", TOO_LATE, True),
        (LATE, IN_TIME, True),
        (LATE, IN_GRACE, True),
        (LATE, TOO_LATE, False),
        ("rules: [no recursion]\n", IN_TIME, True),
        ("rules: [{no recursion: {penalty: 10%}}]\n", IN_TIME, False),
        ('smoke: {cases: "1", penalty: 10%}\n', IN_TIME, False),
        ("cap: 0.5\n", IN_TIME, False),
    ],
)
def test_a_marking_that_is_cut_has_a_score_only_where_nothing_can_be_taken_off_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: str, created_at: str, has_score: bool
) -> None:
    root = container(tmp_path, json.dumps({"created_at": created_at}), more)
    states: list[dict[str, Any]] = []

    def keep(path: Path, text: str) -> None:
        replace_text(path, text)
        states.append(json.loads(text))

    monkeypatch.setattr(command, "replace_text", keep)
    monkeypatch.setattr(ThisMachine, "examine", lambda *_: None)
    callback = command.gradescope.callback
    assert callback is not None
    assert callback(spec=tmp_path / "spec.yaml", root=root, require="posix") == 0
    first, *partial, whole = states
    assert mark_taken(whole) is not None
    assert mark_taken(first) is None
    done = [each for each in partial if each["tests"]]
    assert done
    assert {mark_taken(each) is not None for each in done} == {has_score}
    assert not any(mark_taken(each) is not None for each in partial if each not in done)


def test_a_fault_of_ours_leaves_no_score(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = container(tmp_path, "", "")
    seen: list[bool] = []

    def fails(_task: Task, _work: Candidate, *, on_result: Callable[[CaseResult], None]) -> SubmissionResult:
        result = check_one(_task, _work, on_result=on_result)
        assert result.mark == 1
        seen.append("score" in json.loads((root / "results" / "results.json").read_bytes()))
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr(command, "check_one", fails)
    monkeypatch.setattr(ThisMachine, "examine", lambda *_: None)
    callback = command.gradescope.callback
    assert callback is not None
    with pytest.raises(RuntimeError):
        callback(spec=tmp_path / "spec.yaml", root=root, require="posix")
    found = json.loads((root / "results" / "results.json").read_bytes())
    assert seen == [True]
    assert mark_taken(found) is None
    assert "no fault of yours" in found["output"]


def test_a_case_that_failed_by_our_fault_leaves_no_mark(tmp_path: Path) -> None:
    root = container(tmp_path, "", "checkers: checkers.py\n")
    (tmp_path / "checkers.py").write_text("def right(answer):\n    return answer.nothing\n")
    spec = (
        (tmp_path / "spec.yaml")
        .read_text()
        .replace("{call: double(2), returns: 4}", "{call: double(2), check: right()}")
    )
    (tmp_path / "spec.yaml").write_text(
        spec.replace("marks: 1\n        cases", "marks: 1\n        award: each\n        cases")
    )
    status, found = marked(root)
    assert (status, found["tests"][-1]["status"]) == (5, "failed")
    assert mark_taken(found) is None
