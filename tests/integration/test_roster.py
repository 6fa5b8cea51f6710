"""`grader mark --roster` from file to mark: extensions, groups, later runs, and what is refused."""

from pathlib import Path
from typing import Any

import pytest
from support.class_of_40.programs import NO_PERIMETER, RIGHT
from support.class_of_40.task import late_spec
from support.command_line import grader, submissions

ROSTER = """\
student,name,mail,group,extension
ada,Ada Lovelace,ada@example.edu,,3 days
bob,Bob,bob@example.edu,T1,
eve,Eve,eve@example.edu,T1,2026-11-04T22:00:00Z
kim,Kim,kim@example.edu,,
"""
TIMES = """\
student,submitted
ada,2026-11-03T22:00:00Z
bob,2026-11-03T22:00:00Z
zoe,2026-11-01T20:00:00Z
"""


@pytest.fixture
def batch(tmp_path: Path) -> Path:
    """Return a folder with a spec that takes a tenth for lateness, three works, times and a roster."""
    for name, program in (("ada", RIGHT), ("bob", NO_PERIMETER), ("zoe", RIGHT)):
        folder = tmp_path / "in" / name
        folder.mkdir(parents=True)
        for file, content in program.files(name).items():
            (folder / file).write_bytes(content)
    late_spec(tmp_path, attempts="latest", penalty="10%")
    (tmp_path / "roster.csv").write_text(ROSTER, "utf-8")
    (tmp_path / "times.csv").write_text(TIMES, "utf-8")
    return tmp_path


def mark(batch: Path, *options: str | Path) -> tuple[dict[str, Any], str]:
    files = ("--roster", batch / "roster.csv", "--times", batch / "times.csv")
    done = grader(
        "mark", batch / "task" / "figures.yaml", batch / "in", *files, "-o", batch / "out", *options
    )
    assert done.returncode == 0, done.stderr
    return submissions(batch / "out"), done.stderr


def test_a_roster_from_file_to_mark(batch: Path) -> None:
    found, said = mark(batch)
    assert sorted(found) == ["ada", "bob", "eve", "kim", "zoe"]
    # Two days late, but extended by three.
    assert (found["ada"]["mark"], found["ada"]["late_s"]) == ("10", 0)
    assert found["ada"]["deadline"] == "2026-11-04T22:00:00Z"
    # The group's work, late for the one and not for the other.
    assert (found["bob"]["mark"], found["bob"]["late_s"]) == ("7.2", 2 * 86400)
    assert (found["eve"]["mark"], found["eve"]["late_s"]) == ("8", 0)
    assert found["eve"]["person"]["group"] == "T1"
    assert found["kim"]["status"] == "no-submission"
    assert "person" not in found["zoe"]
    assert "the work of Bob counts for the whole group T1: Eve" in said
    assert "1 person on the roster handed in nothing: Kim" in said
    assert "1 submission is of people who are not on the roster: zoe" in said


@pytest.mark.acceptance
def test_a_later_run_takes_over_what_the_roster_did_not_change(batch: Path) -> None:
    mark(batch)
    roster = (batch / "roster.csv").read_text("utf-8")
    (batch / "roster.csv").write_text(
        roster.replace("3 days", "1 day").replace("Kim,kim", "Kimi,kim"), "utf-8"
    )
    found, said = mark(batch)
    assert (found["ada"]["mark"], found["ada"]["late_s"]) == ("9", 86400)
    assert found["kim"]["name"] == "Kimi"
    assert "3 of 5 submissions unchanged since an earlier run" in said
    again = grader("remark", batch / "out", "-o", batch / "again")
    assert again.returncode == 0, again.stderr
    assert {
        key: (each["mark"], each.get("person")) for key, each in submissions(batch / "again").items()
    } == {key: (each["mark"], each.get("person")) for key, each in found.items()}


def test_a_roster_among_the_submissions_is_refused(batch: Path) -> None:
    mine = batch / "in" / "ada" / "roster.csv"
    mine.write_text(ROSTER, "utf-8")
    spec = batch / "task" / "figures.yaml"
    done = grader("mark", spec, batch / "in", "--roster", mine, "-o", batch / "out")
    assert done.returncode == 2
    assert "the roster can't be read from here: this is among what ada handed in" in done.stderr
    assert not (batch / "out").exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Prénoms;Points\n", "the roster has none of the layouts that are known; its first line has Prénoms"),
        ("student,name\n", "the roster names nobody"),
        ("student,extension\nada,soon\n", "roster.csv:2: `soon` is neither a new deadline"),
    ],
)
def test_a_roster_that_is_none_is_refused(batch: Path, text: str, said: str) -> None:
    (batch / "roster.csv").write_text(text, "utf-8")
    spec = batch / "task" / "figures.yaml"
    done = grader("mark", spec, batch / "in", "--roster", batch / "roster.csv", "-o", batch / "out")
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert not (batch / "out").exists()


@pytest.mark.parametrize("heading", ["gradescope", "sis", "sid"])
def test_a_roster_names_who_gradescope_knows_by_their_sid(batch: Path, heading: str) -> None:
    export = batch / "export"
    export.mkdir()
    works = {"ada": "1001", "zoe": "1002"}
    metadata = "".join(
        f"submission_{number}:\n"
        f"  :submitters:\n  - :name: {name} of Gradescope\n    :sid: '{sid}'\n    :email: {name}@other.edu\n"
        "  :created_at: 2026-11-03 22:00:00.123456789 Z\n"
        for number, (name, sid) in enumerate(works.items())
    )
    for number, name in enumerate(works):
        (batch / "in" / name).rename(export / f"submission_{number}")
    (export / "submission_metadata.yml").write_text(metadata, "utf-8")
    (batch / "roster.csv").write_text(
        f"student,name,{heading},extension\nada,Ada Lovelace,1001,3 days\nzoe,Zoe,1002,\nkim,Kim,1003,\n",
        "utf-8",
    )
    done = grader(
        *("mark", batch / "task" / "figures.yaml", export, "--roster", batch / "roster.csv"),
        *("-o", batch / "out"),
    )
    assert done.returncode == 0, done.stderr
    assert "not on the roster" not in done.stderr
    found = submissions(batch / "out")
    marks = {one["name"]: (one["mark"], one["status"]) for one in found.values()}
    assert marks["Ada Lovelace"] == ("10", "marked"), "two days late, but extended by three"
    assert marks["Zoe"] == ("9", "marked"), "late, with a tenth taken off"
    assert marks["Kim"][1] == "no-submission"
    assert len(marks) == 3
