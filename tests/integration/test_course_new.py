"""A course that is started in a folder where more lies than it needs: nothing is left out in silence."""

from pathlib import Path

from support.class_of_40.layouts import moodle
from support.class_of_40.sheets import moodle as moodle_sheet
from support.command_line import grader
from support.term import write_term


def test_specs_that_are_left_out_are_told(tmp_path: Path) -> None:
    write_term(tmp_path).unlink()
    spec = tmp_path / "specs" / "leap.yaml"
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "leap.yaml").write_bytes(spec.read_bytes().replace(b"../reference", b"reference"))
    (tmp_path / "specs" / "leap2.yaml").write_bytes(spec.read_bytes())
    done = grader("course", "new", cwd=tmp_path)
    assert done.returncode == 0
    assert "with 3 tasks" in done.stdout
    assert "note: specs/leap2.yaml is left out: specs/leap.yaml is the task leap, too" in done.stderr
    assert "note: old/leap.yaml is left out: " in done.stderr


def test_a_folder_of_broken_specs_says_what_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "leap.yaml").write_text("task: leap\nquestions: 5\n")
    done = grader("course", "new", cwd=tmp_path)
    assert done.returncode == 2
    assert "hint: leap.yaml is left out: " in done.stderr


def test_downloads_and_sheets_beyond_one_are_told(tmp_path: Path) -> None:
    write_term(tmp_path).unlink()
    place = tmp_path / "in" / "double"
    path = moodle.render(place).path
    (place / "older.zip").write_bytes(path.read_bytes())
    for name in ("a.csv", "b.csv"):
        named = moodle_sheet.blank().splitlines(keepends=True)
        (place / name).write_bytes(b"".join(line for line in named if b"7013" not in line))
    done = grader("course", "new", cwd=tmp_path)
    assert done.returncode == 0
    assert f"double: there are 2 downloads, {path.name} and older.zip; leave out what is older" in done.stderr
    assert "double: b.csv was left out, since there is another sheet of that LMS" in done.stderr
