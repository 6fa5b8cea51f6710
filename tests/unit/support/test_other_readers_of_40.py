"""Readers of feedback files, results.json, notices and folders take what is right, and refuse the rest."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from support.class_of_40.layouts.moodle import prefix
from support.class_of_40.people import CLASS
from support.class_of_40.sheets import classroom, gradescope, moodle, similarity
from support.class_of_40.sheets.refused import Refused
from support.class_of_40.zips import zipped

PARTICIPANTS = [str(student.participant) for student in CLASS]


def test_moodle_finds_everybody_by_the_folders_of_its_download() -> None:
    names = {
        f"{prefix(one)}_assignsubmission_file{'_' * (one.number % 2)}/feedback.html": one for one in CLASS
    }
    found = moodle.read_feedback(
        zipped({name: one.key.encode() for name, one in names.items()}), PARTICIPANTS
    )
    assert found == {str(one.participant): {"feedback.html": one.key.encode()} for one in CLASS}


def test_moodle_takes_flat_names_and_blind_ones() -> None:
    flat = {
        "Zoë Brontë_7001_assignsubmission_file_a_b.html": b"1",
        "Participant_7002_assignfeedback_file_a.html": b"2",
    }
    found = moodle.read_feedback(zipped({"feedback/": b"", **flat}), PARTICIPANTS)
    assert found == {"7001": {"a_b.html": b"1"}, "7002": {"a.html": b"2"}}


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Zoë Brontë/a.html", "no participant"),
        ("Zoë Brontë_9999_assignsubmission_file/a.html", "no participant"),
        ("Tom_T_7008_assignsubmission_file/a.html", "no participant"),
        ("Zoë Brontë_7001_assignsubmission_code/a.html", "no participant"),
        ("Zoë Brontë_7001_assignsubmission_file/.a.html", "hidden"),
        ("Zoë Brontë_7001_assignsubmission_file_", "no participant"),
    ],
)
def test_moodle_refuses_feedback_that_reaches_nobody(name: str, reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        moodle.read_feedback(zipped({name: b"x"}), PARTICIPANTS)


def test_moodle_refuses_two_files_of_one_name() -> None:
    twice = {f"{who}_7001_assignsubmission_file/a.html": b"x" for who in ("A", "B")}
    with pytest.raises(Refused, match="two files"):
        moodle.read_feedback(zipped(twice), PARTICIPANTS)


def results(**changes: Any) -> bytes:
    test = {"name": "1.1", "score": 1.5, "max_score": 2, "status": "passed", "number": "1.1", "tags": ["a"]}
    hidden = {"name": "3.2", "score": 0, "visibility": "hidden", "output": "", "output_format": "md"}
    board = [{"name": "Time", "value": 3.5, "order": "asc"}]
    whole = {
        "output": "",
        "visibility": "visible",
        "tests": [test, hidden],
        "leaderboard": board,
        "extra_data": {},
    }
    return json.dumps({**whole, **changes}).encode()


def test_gradescope_adds_the_tests_or_takes_the_score() -> None:
    total, found = gradescope.read(results())
    assert total == Fraction(3, 2)
    assert [test["name"] for test in gradescope.shown_to_students(found)] == ["1.1"]
    assert gradescope.read(results(score=9.5))[0] == Fraction(19, 2)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"score": "9"}, "score may not be '9'"),
        ({"score": True}, "score may not be True"),
        ({"score": -1}, "the score is -1"),
        ({"score": float("nan")}, "NaN is no JSON"),
        ({"mark": 9}, "key 'mark'"),
        ({"visibility": "public"}, "visibility may not be"),
        ({"output_format": "markdown"}, "output_format may not be"),
        ({"tests": {}}, "tests may not be"),
        ({"tests": [{"score": 1, "status": "ok"}]}, r"tests\[0\].status may not be"),
        ({"tests": [{"score": 1, "number": 1}]}, "number may not be 1"),
        ({"tests": [{"score": None}]}, "score may not be None"),
        ({"tests": [{"score": 1, "message": "x"}]}, "key 'message'"),
        ({"tests": [{"score": 1, "tags": "x"}]}, "tags may not be"),
        ({"tests": [1]}, r"tests\[0\] is no object"),
        ({"tests": [{"name": "1.1"}]}, "neither"),
        ({"tests": []}, "neither"),
        ({"leaderboard": [{"name": "Time"}]}, "needs a name and a value"),
        ({"execution_time": "2 s"}, "execution_time"),
    ],
)
def test_gradescope_refuses(changes: dict[str, Any], reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        gradescope.read(results(**changes))


def test_gradescope_refuses_what_is_not_json() -> None:
    with pytest.raises(Refused, match="not JSON"):
        gradescope.read(b"{")


COMPLETE = "::notice title=Autograding complete::Points 7.5/10\n"
REPORT = '::notice title=Autograding report::{"totalPoints":7.5,"maxPoints":10}\n'


def test_classroom_reads_two_notices_and_no_command_of_a_student() -> None:
    stopped = "::stop-commands::k3\n::set-env name=X::1\n::notice title=Autograding report::{}\n::k3::\n"
    plain = "some ::notice:: in a line\n::warning file=a%2Cb.py,line=3::50%25 wrong%0Amore\n"
    assert classroom.read(plain + stopped + COMPLETE + REPORT) == (Fraction(15, 2), Fraction(10))
    warning = classroom.commands(plain)[0]
    assert warning.properties == {"file": "a,b.py", "line": "3"}
    assert warning.data == "50% wrong\nmore"


@pytest.mark.parametrize(
    ("log", "reason"),
    [
        (COMPLETE, "1 notices .* and 0"),
        (COMPLETE + COMPLETE + REPORT, "2 notices"),
        (COMPLETE + REPORT + "  ::set-env name=X::1\n", "command 'set-env'"),
        (COMPLETE + REPORT + "text\r::add-path::/tmp\n", "command 'add-path'"),
        ("::stop-commands::k\n" + COMPLETE + REPORT, "never taken up"),
        (COMPLETE.replace("7.5", "8") + REPORT, "differ"),
        (COMPLETE.replace("7.5/10", "7.5 of 10") + REPORT, "the notices say"),
        (COMPLETE + REPORT.replace("maxPoints", "max"), "the notices say"),
        (COMPLETE + REPORT.replace("{", "["), "not JSON"),
        (COMPLETE.replace("7.5", "11") + REPORT.replace("7.5", "11"), "11 of 10"),
    ],
)
def test_classroom_refuses(log: str, reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        classroom.read(log)


def tree(root: Path, *names: str) -> Path:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x = 1\n")
    return root


def test_similarity_takes_a_folder_for_each_student(tmp_path: Path) -> None:
    root = tree(tmp_path / "submissions", "s01/shapes.py", "s01/sub/words.py", "s02/shapes.py")
    starter = tree(tmp_path / "starter", "shapes.py")
    found = similarity.read(root, starter)
    assert {name: sorted(files) for name, files in found.items()} == {
        "s01": ["shapes.py", "sub/words.py"],
        "s02": ["shapes.py"],
    }


@pytest.mark.parametrize(
    ("names", "reason"),
    [
        (["s01/shapes.py", "index.html"], "is no folder"),
        (["Séamus/shapes.py"], "no safe name"),
        (["-rf/shapes.py"], "no safe name"),
        (["CON/shapes.py"], "no safe name"),
        (["ada/shapes.py", "Ada/shapes.py"], "only in case"),
        (["s01/shapes.py", "s01/notes.txt"], "no source"),
        ([], "no submission"),
    ],
)
def test_similarity_refuses(names: list[str], reason: str, tmp_path: Path) -> None:
    (tmp_path / "submissions").mkdir()
    with pytest.raises(Refused, match=reason):
        similarity.read(tree(tmp_path / "submissions", *names))


def test_similarity_refuses_links_empty_work_and_a_starter_inside(tmp_path: Path) -> None:
    root = tree(tmp_path / "submissions", "s01/shapes.py")
    with pytest.raises(Refused, match="outside"):
        similarity.read(root, root / "s01")
    (root / "s01" / "words.py").symlink_to("/etc/passwd")
    with pytest.raises(Refused, match="is a link"):
        similarity.read(root)
    (root / "s01" / "words.py").unlink()
    (root / "s01" / "shapes.py").write_text("\n")
    with pytest.raises(Refused, match="nothing to compare"):
        similarity.read(root)
