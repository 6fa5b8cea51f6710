"""Rosters and exports by the command line, over the made-up class, read back by each LMS's own rules."""

import json
import os
import stat
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from pathlib import Path

import pytest
from junitparser import JUnitXml
from support.class_of_40 import rosters
from support.class_of_40.every import LAYOUTS, SHEETS
from support.class_of_40.people import BY_KEY, CLASS, Student
from support.class_of_40.programs import planted
from support.class_of_40.rendered import Rendered
from support.class_of_40.sheets import classroom, gradescope, moodle, similarity
from support.class_of_40.sheets.refused import Refused
from support.class_of_40.task import FOLDER, SPEC, STAFF_ONLY, TITLE, leaks
from support.command_line import environment, grader, run

from grader.plugins.lms import gradescope_command as gradescope_command
from grader.reports.escape import csv_cell
from grader.store.whole_file import replace_text

ROSTERS = {"moodle": SHEETS["moodle"].blank, "gradescope": rosters.gradescope()}


@dataclass(frozen=True)
class Class:
    """The class as it was marked.  folder: the results."""

    rendered: Rendered
    folder: Path
    stderr: str

    def marks(self, sheet: str) -> dict[str, int]:
        """Return the marks by the ids of a sheet, as the class of 40 knows them."""
        ident = SHEETS[sheet].ident
        found = self.rendered.marks().items()
        return {str(getattr(BY_KEY[key], ident)): mark for key, mark in found if mark is not None}


def marked(folder: Path, layout: str) -> Class:
    rendered = LAYOUTS[layout](folder)
    roster = folder / "roster.csv"
    roster.write_bytes(ROSTERS[layout])
    done = grader("mark", SPEC, rendered.path, "--roster", roster, "-o", folder / "out", "-q")
    assert done.returncode == 0, done.stderr
    return Class(rendered, folder / "out", done.stderr)


@pytest.fixture(scope="module")
def from_gradescope(tmp_path_factory: pytest.TempPathFactory) -> Class:
    return marked(tmp_path_factory.mktemp("gradescope"), "gradescope")


@pytest.fixture(scope="module")
def from_moodle(tmp_path_factory: pytest.TempPathFactory) -> Class:
    return marked(tmp_path_factory.mktemp("moodle"), "moodle")


def export(of: Class, target: Path, *options: str | Path) -> str:
    done = grader("export", of.folder, "-o", target, *options)
    assert done.returncode == 0, done.stderr
    return done.stderr


def submissions(of: Class) -> list[dict[str, object]]:
    found = json.loads((of.folder / "results.json").read_text("utf-8"))
    return list(found["submissions"])


@pytest.mark.parametrize("name", SHEETS)
def test_each_sheet_has_each_mark_in_its_own_place(from_gradescope: Class, tmp_path: Path, name: str) -> None:
    sheet = SHEETS[name]
    before, after = tmp_path / "sheet.csv", tmp_path / "filled.csv"
    before.write_bytes(sheet.blank)
    if name == "moodle, blind":
        # Only Moodle knows who is behind a number, and Gradescope's roster does not have it.
        done = grader("export", from_gradescope.folder, "--to", "moodle", "--sheet", before, "-o", after)
        assert done.returncode == 2
        assert "nobody on the sheet is among the results" in done.stderr
        assert not after.exists()
        return
    target, _, _ = name.partition(",")
    column = () if target == "moodle" else ("--column", TITLE)
    said = export(from_gradescope, after, "--to", target, "--sheet", before, *column)
    assert before.read_bytes() == sheet.blank
    expected = from_gradescope.marks(name)
    if target == "moodle":
        # One has neither name nor mail, and Moodle's sheet no other id that Gradescope has.
        assert "1 result of people who are not on the sheet" in said
        del expected[str(BY_KEY["s13"].participant)]
    assert sheet.read(sheet.blank, after.read_bytes()) == expected


def test_everybody_on_the_roster_is_on_the_report(from_gradescope: Class) -> None:
    found = {str(each["name"]): each["status"] for each in submissions(from_gradescope)}
    assert len(submissions(from_gradescope)) == len(CLASS)
    assert found["Nobody Nothing"] == "no-submission"
    stderr = from_gradescope.stderr
    assert "2 people on the roster handed in nothing: Nobody Nothing and Tilda Typist" in stderr
    assert "left out of the roster, as no students: Grace Teacher and Tim Assistant" in stderr


def test_staff_see_names_mails_ids_and_groups(from_gradescope: Class) -> None:
    people = [each["person"] for each in submissions(from_gradescope)]
    gina = next(one for one in people if isinstance(one, dict) and one["name"] == "Gina Grün")
    student = BY_KEY["s36"]
    assert (gina["mail"], gina["ids"]["sis"]) == (student.mail, student.sis_id)


def private(student: Student) -> Iterator[str]:
    # Short numbers may be part of a digest, so the ids are looked for as they stand in texts.
    yield from filter(None, (student.mail, student.sis_id, student.github))
    if student.login.startswith("stu"):
        yield student.login


def owners(of: Class) -> dict[str, Student]:
    """Return the students by the ids of their results."""
    keys = {one.sis_id: one for one in CLASS} | {str(one.participant): one for one in CLASS}
    found = ((str(each["id"]), each["person"]) for each in submissions(of))
    return {
        own_id: next(keys[text] for text in person["ids"].values() if text in keys)
        for own_id, person in found
        if isinstance(person, dict)
    }


def for_students(of: Class, folder: Path) -> Iterator[tuple[Student, str]]:
    """Export in each form that students see; yield each text with the student who gets it."""
    (folder / "sheet.csv").write_bytes(SHEETS["moodle"].blank)
    export(of, folder / "github", "--to", "github-classroom")
    export(of, folder / "gradescope", "--to", "gradescope")
    export(of, folder / "filled.csv", "--to", "moodle", "--sheet", folder / "sheet.csv")
    filled = moodle.read(SHEETS["moodle"].blank, (folder / "filled.csv").read_bytes())
    packed = (folder / "filled-feedback.zip").read_bytes()
    files = moodle.read_feedback(packed, (str(student.participant) for student in CLASS))
    for student in CLASS:
        yield student, filled.comments.get(str(student.participant), "")
        yield from ((student, data.decode()) for data in files.get(str(student.participant), {}).values())
    for own_id, student in owners(of).items():
        pages = (of.folder / "students").glob(f"{own_id}.*")
        for path in (*pages, *(folder / "github" / own_id).iterdir()):
            yield student, path.read_text("utf-8")
        path = folder / "gradescope" / own_id / "results.json"
        if path.exists():
            shown = gradescope.shown_to_students(json.loads(path.read_bytes()))
            yield student, json.dumps(shown, ensure_ascii=False)


@pytest.mark.parametrize("layout", ["from_gradescope", "from_moodle"])
def test_nothing_for_a_student_is_about_another_or_for_staff(
    layout: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    of: Class = request.getfixturevalue(layout)
    never = [*STAFF_ONLY, *(text for student in CLASS for text in private(student))]
    seen = dict.fromkeys(BY_KEY, 0)
    for own, text in for_students(of, tmp_path):
        seen[own.key] += bool(text)
        assert [secret for secret in never if secret in text] == [], own
        for other in CLASS:
            if other is own:
                continue
            if len(other.name) > 8 and other.name != own.name:
                assert other.name not in text, own
                assert escape(other.name) not in text, own
            assert planted(other.key) not in text or own.group == other.group != "", own
    # The page, its JSON and the notices; with a mark also a comment, a file and Gradescope's results.
    assert min(seen.values()) >= 3
    assert max(seen.values()) >= 6
    for folder in (of.folder / "students", tmp_path / "github"):
        assert list(leaks(folder, tuple(never))) == []


def test_the_feedback_zip_reaches_each_participant(from_moodle: Class, tmp_path: Path) -> None:
    sheet = tmp_path / "worksheet.csv"
    sheet.write_bytes(SHEETS["moodle"].blank)
    export(from_moodle, tmp_path / "filled.csv", "--to", "moodle", "--sheet", sheet)
    packed = (tmp_path / "filled-feedback.zip").read_bytes()
    found = moodle.read_feedback(packed, (str(student.participant) for student in CLASS))
    filled = moodle.read(SHEETS["moodle"].blank, (tmp_path / "filled.csv").read_bytes())
    assert found.keys() == filled.marks.keys()
    assert found.keys() == filled.comments.keys()
    pages = {name for files in found.values() for name in files}
    assert pages == {"feedback.html"}
    zoe = (from_moodle.folder / "students" / "moodle-7001.html").read_bytes()
    assert found["7001"]["feedback.html"] == zoe


def test_gradescope_reads_the_results_of_each(from_gradescope: Class, tmp_path: Path) -> None:
    export(from_gradescope, tmp_path / "results", "--to", "gradescope")
    marks = {str(each["id"]): each for each in submissions(from_gradescope)}
    found = sorted(path.name for path in (tmp_path / "results").iterdir() if path.is_dir())
    assert found == sorted(own for own, each in marks.items() if each["status"] == "marked")
    for own in found:
        total, content = gradescope.read((tmp_path / "results" / own / "results.json").read_bytes())
        assert total == Fraction(str(marks[own]["mark"]))
        shown = json.dumps(gradescope.shown_to_students(content))
        assert not any(secret in shown for secret in STAFF_ONLY)


def test_classroom_reads_the_points_of_each(from_gradescope: Class, tmp_path: Path) -> None:
    export(from_gradescope, tmp_path / "github", "--to", "github-classroom")
    for each in submissions(from_gradescope):
        place = tmp_path / "github" / str(each["id"])
        log = (place / "notices.txt").read_text("utf-8") + (place / "feedback.md").read_text("utf-8")
        if each["status"] == "marked":
            assert classroom.read(log) == (Fraction(str(each["mark"])), Fraction(10))
        else:
            assert [command.name for command in classroom.commands(log)] == ["warning"]


def test_junit_csv_and_markdown_have_everybody(from_gradescope: Class, tmp_path: Path) -> None:
    for kind, name in (("junit", "j.xml"), ("csv", "m.csv"), ("markdown", "m.md")):
        export(from_gradescope, tmp_path / name, "--to", kind)
    suites = list(JUnitXml.fromfile(str(tmp_path / "j.xml")))
    assert len(suites) == len(CLASS)
    assert all(suite.timestamp for suite in suites)
    table = (tmp_path / "m.csv").read_text("utf-8-sig")
    assert table.count("\n") == len(CLASS) + 1
    assert csv_cell(BY_KEY["s15"].name) in table
    assert (tmp_path / "m.md").read_text("utf-8").count("\n") == len(CLASS) + 4


def test_sources_for_tools_that_look_for_copies(from_gradescope: Class, tmp_path: Path) -> None:
    starter = tmp_path / "starter"
    starter.mkdir()
    (starter / "shapes.py").write_text("def area(w, h): ...\n")
    said = export(from_gradescope, tmp_path / "sources", "--to", "jplag", "--starter", starter)
    found = similarity.read(tmp_path / "sources" / "submissions", tmp_path / "sources" / "base")
    works = {each["sha256"] for each in submissions(from_gradescope) if each["status"] == "marked"}
    assert len(found) == len(works)
    assert "left out, who handed in no source" in said
    assert (tmp_path / "sources" / "base" / "shapes.py").is_file()
    info = (tmp_path / "sources" / "info.csv").read_text("utf-8").splitlines()
    assert info[0] == "filename,label,full_name"
    again = grader("export", from_gradescope.folder, "--to", "jplag", "-o", tmp_path / "starter")
    assert again.returncode == 2
    assert "there is something here that is no earlier export" in again.stderr


def test_the_sheet_and_the_results_are_never_overwritten(from_gradescope: Class, tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.csv"
    sheet.write_bytes(SHEETS["canvas"].blank)
    os.link(sheet, tmp_path / "twin.csv")
    before = (from_gradescope.folder / "results.json").read_bytes()
    for target in (sheet, tmp_path / "twin.csv", from_gradescope.folder / "results.json"):
        options = ("--sheet", sheet, "--column", TITLE, "-o", target)
        done = grader("export", from_gradescope.folder, "--to", "canvas", *options)
        assert done.returncode == 2
        assert "would take the place of what it is made from" in done.stderr
    assert sheet.read_bytes() == SHEETS["canvas"].blank
    assert (from_gradescope.folder / "results.json").read_bytes() == before


def test_a_format_that_is_not_there_names_the_nearest(from_gradescope: Class) -> None:
    done = grader("export", from_gradescope.folder, "--to", "moodel")
    assert done.returncode == 2
    assert "there is no format 'moodel'; did you mean moodle?" in done.stderr


# -- the autograder ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def container(from_gradescope: Class, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that stands for `/autograder`, as Gradescope makes it of the zip."""
    root = tmp_path_factory.mktemp("autograder")
    export(from_gradescope, root / "autograder.zip", "--to", "gradescope-autograder")
    with zipfile.ZipFile(root / "autograder.zip") as archive:
        archive.extractall(root / "source")
        modes = {entry.filename: entry.external_attr >> 16 for entry in archive.infolist()}
    assert all(stat.S_IMODE(modes[name]) == 0o755 for name in ("setup.sh", "run_autograder"))
    assert subprocess.run(["bash", "-n", root / "source" / "setup.sh"]).returncode == 0
    assert (root / "source" / "requirements.txt").read_text().startswith("click")
    return root


def run_autograder(root: Path, files: dict[str, str]) -> tuple[int, Fraction | None, dict[str, object]]:
    (root / "submission").mkdir(exist_ok=True)
    for old in (root / "submission").iterdir():
        old.unlink()
    for name, text in files.items():
        (root / "submission" / name).write_text(text, "utf-8")
    env = environment(AUTOGRADER_ROOT=str(root), AUTOGRADER_PYTHON=sys.executable)
    done = run(["bash", root / "source" / "run_autograder"], env=env)
    content = (root / "results" / "results.json").read_bytes()
    plain: dict[str, object] = json.loads(content)
    return done.returncode, gradescope.read(content)[0] if "score" in plain else None, plain


def test_the_autograder_marks_as_the_run_did(container: Path) -> None:
    student = BY_KEY["s10"]
    counted = student.counted()
    assert counted is not None
    files = {name: data.decode() for name, data in counted.work.items()}
    status, total, plain = run_autograder(container, files)
    assert (status, total) == (0, Fraction(10))
    shown = json.dumps(gradescope.shown_to_students(plain))
    assert not any(secret in shown for secret in STAFF_ONLY)


def test_what_ran_before_the_autograder_was_stopped_is_there(
    container: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    states: list[tuple[Fraction, dict[str, object]]] = []

    def keep(path: Path, text: str) -> None:
        replace_text(path, text)
        if "tests" in text and '"name"' not in text:
            # No question is done, and so there is no mark.
            with pytest.raises(Refused):
                gradescope.read(path.read_bytes())
        else:
            states.append(gradescope.read(path.read_bytes()))

    monkeypatch.setattr(gradescope_command, "replace_text", keep)
    (container / "submission").mkdir(exist_ok=True)
    for name, data in BY_KEY["s10"].attempts[0].work.items():
        (container / "submission" / name).write_bytes(data)
    callback = gradescope_command.gradescope.callback
    assert callback is not None
    assert callback(spec=SPEC, root=container, require="posix") == 0
    *partial, (total, whole) = states
    assert (total, "did not end" in str(whole["output"])) == (10, False)
    assert all("did not end" in str(plain["output"]) for _, plain in partial)
    marks = [mark for mark, _ in partial]
    assert marks == sorted(marks)
    assert 0 < marks[0] < marks[-1]


def test_an_autograder_that_fails_gives_no_mark(container: Path) -> None:
    spec = container / "source" / "spec" / SPEC.relative_to(FOLDER)
    content = spec.read_bytes()
    try:
        spec.write_bytes(content + b"\nnonsense: planted-checker-8061\n")
        status, total, plain = run_autograder(container, {"shapes.py": "x = 1\n"})
    finally:
        spec.write_bytes(content)
    assert (status, total) == (3, None)
    assert not any(secret in json.dumps(plain) for secret in STAFF_ONLY)
