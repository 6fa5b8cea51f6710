"""A group's work runs once, and each member has a result with their own time, extension and override."""

import json
from pathlib import Path

from support.command_line import grader

SPEC = """\
task: shared
title: Shared
marks: 10
modules: {work: work.py}
late:
  deadline: 2026-11-20T12:00Z
  then: 50%
  extensions: extensions.yaml
questions:
  - id: "1"
    title: One
    module: work
    marks: 10
    cases: [{call: one(), returns: 1}]
"""
METADATA = """\
submission_7:
  :submitters:
  - :name: Amy
    :sid: "1"
  - :name: Bob
    :sid: "2"
  :created_at: 2026-11-21 12:00:00 Z
submission_8:
  :submitters:
  - :name: Carl
    :sid: "3"
  :created_at: 2026-11-20 11:00:00 Z
"""
REVIEWS = "- {student: gradescope-1, by: Eve, overrides: [{marks: 9, reason: ill}]}\n"


def lay_out(folder: Path) -> None:
    export = folder / "assignment_1_export"
    for number in (7, 8):
        (export / f"submission_{number}").mkdir(parents=True)
        (export / f"submission_{number}" / "work.py").write_text("def one():\n    return 1\n")
    (export / "submission_metadata.yml").write_text(METADATA)
    (folder / "shared.yaml").write_text(SPEC)
    (folder / "extensions.yaml").write_text("gradescope-2: 168h\n")


def test_members_have_one_work_and_their_own_times_and_overrides(tmp_path: Path) -> None:
    lay_out(tmp_path)
    arguments = ("mark", "shared.yaml", "assignment_1_export", "-o", "out", "-j", "2")
    done = grader(*arguments, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    found = json.loads((tmp_path / "out" / "results.json").read_text())["submissions"]
    amy, bob, _carl = found
    assert [one["mark"] for one in found] == ["5", "10", "10"]
    assert [one["name"] for one in found] == ["Amy", "Bob", "Carl"]
    assert amy["questions"] == bob["questions"], "the cases ran twice"
    assert amy["sha256"] == bob["sha256"]
    (tmp_path / "reviews.yaml").write_text(REVIEWS)
    again = grader(*arguments, "--reviews", "reviews.yaml", cwd=tmp_path)
    assert "2 of 3 submissions unchanged since an earlier run" in again.stderr
    found = json.loads((tmp_path / "out" / "results.json").read_text())["submissions"]
    assert [one["mark"] for one in found] == ["9", "10", "10"]
    assert found[0]["questions"] == bob["questions"]


def test_groups_of_two_downloads_have_their_own_works_though_one_leads_both(tmp_path: Path) -> None:
    lay_out(tmp_path / "first")
    lay_out(tmp_path / "second")
    other = tmp_path / "second" / "assignment_1_export"
    (other / "submission_7" / "work.py").write_text("def one():\n    return 0\n")
    exports = ("first/assignment_1_export", "second/assignment_1_export")
    done = grader("mark", "first/shared.yaml", *exports, "-o", "out", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    found = json.loads((tmp_path / "out" / "results.json").read_text())["submissions"]
    shared = [one for one in found if "work" in one["person"]]
    marks: dict[str, list[str]] = {}
    for one in shared:
        marks.setdefault(one["name"], []).append(one["questions"][0]["mark"])
    assert {name: sorted(both) for name, both in marks.items()} == {"Amy": ["0", "10"], "Bob": ["0", "10"]}
    assert {one["person"]["work"] for one in shared} == {"gradescope-1"}


def test_a_group_with_attempts_is_marked_again_from_its_record(tmp_path: Path) -> None:
    (tmp_path / "shared.yaml").write_text(SPEC.replace("modules:", "attempts: best\nmodules:"))
    (tmp_path / "extensions.yaml").write_text("bob: 168h\n")
    for number in (1, 2):
        work = tmp_path / "submissions" / "Red" / f"attempt-{number}" / "work.py"
        work.parent.mkdir(parents=True)
        work.write_text(f"def one():\n    return {number - 1}\n")
    (tmp_path / "roster.csv").write_text("student,name,group\namy,Amy,Red\nbob,Bob,Red\n")
    (tmp_path / "times.yaml").write_text("Red: [2026-11-20T11:00Z, 2026-11-21T12:00Z]\n")
    beside = ("--roster", "roster.csv", "--times", "times.yaml")
    done = grader("mark", "shared.yaml", "submissions", "-o", "out", *beside, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    again = grader("remark", "out", cwd=tmp_path)
    for folder in ("out", "out-again"):
        found = json.loads((tmp_path / folder / "results.json").read_text())["submissions"]
        assert [(one["id"], one["mark"]) for one in found] == [("amy", "5"), ("bob", "10")], folder
    assert again.returncode == 0, again.stdout


def test_who_is_taken_out_of_a_download_s_group_has_no_part_in_its_work(tmp_path: Path) -> None:
    lay_out(tmp_path)
    (tmp_path / "roster.csv").write_text(
        "Name,Email,SID,Role\nAmy,,1,Student\nBob,,2,Student\nCarl,,3,Student\n"
    )
    mark = ("mark", "shared.yaml", "assignment_1_export", "-o", "out", "--roster", "roster.csv")
    for _ in range(2):
        done = grader(*mark, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert "--without groups" not in done.stderr
    bob = '  - :name: Bob\n    :sid: "2"\n'
    (tmp_path / "assignment_1_export/submission_metadata.yml").write_text(METADATA.replace(bob, ""))
    done = grader(*mark, cwd=tmp_path)
    assert "1 person on the roster handed in nothing: Bob" in done.stderr
    found = json.loads((tmp_path / "out" / "results.json").read_text())["submissions"]
    assert {one["name"]: one["mark"] for one in found} == {"Amy": "5", "Bob": "0", "Carl": "10"}
