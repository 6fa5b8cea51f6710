"""Students who take another's name: by case, by Unicode, by an ending, in every layout of folders and files.

Who is meant by a roster, a review, a time or an extension gets what is theirs, or is pending and told.
"""

import unicodedata
import zipfile
from pathlib import Path

import pytest
from support.command_line import grader, submissions

from grader.intake import Candidate, SourceKind, read_for
from grader.model.task import Task
from grader.records.handed_in import Sources, handed_in
from grader.spec import load_task

SPEC = """\
task: hw
title: HW
marks: 2
modules: {work: work.py}
late: {deadline: 2026-11-20T12:00Z, then: 50%, extensions: more.yaml}
questions:
  - id: "1"
    title: f
    marks: 2
    cases:
      - {call: "f(1)", returns: 1}
"""
RIGHT, WRONG = "def f(x): return x\n", "def f(x): return 0\n"
REVIEWS = "- {student: amy, by: T, overrides: [{marks: 1.5, reason: oral exam}]}\n"
TIMES = "student,submitted\namy,2026-11-21T12:00Z\nbob,2026-11-20T11:00Z\n"
ROSTER = "student,name,extension\namy,Student A,48h\nbob,Student B,\n"

SQUATTERS = ["AMY", "Amy", "amY", "\N{FULLWIDTH LATIN SMALL LETTER A}my", "amy!", " amy", "amy)"]
SHAPES = ["files", "folders", "zips", "zip of files", "zip of folders"]


def batch_of(folder: Path, names: list[str], shape: str) -> Path:
    """Return a batch; the first work is right, all others are wrong."""
    place = folder / "in"
    place.mkdir()
    for name in names:
        source = RIGHT if name == names[0] else WRONG
        if shape in ("files", "zip of files"):
            (place / f"{name}.py").write_text(source)
        elif shape == "zips":
            with zipfile.ZipFile(place / f"{name}.zip", "w") as file:
                file.writestr("work.py", source)
        else:
            (place / name).mkdir()
            (place / name / "work.py").write_text(source)
    if not shape.startswith("zip of"):
        return place
    packed = folder / "in.zip"
    with zipfile.ZipFile(packed, "w") as file:
        for path in sorted(place.rglob("*.py")):
            file.write(path, path.relative_to(place))
    return packed


def write_spec(folder: Path, extensions: str = "{}\n") -> None:
    (folder / "spec.yaml").write_text(SPEC)
    (folder / "more.yaml").write_text(extensions)


def taken(
    folder: Path, batch: Path, roster: str = "", reviews: str = "", times: str = "", extensions: str = "{}\n"
) -> tuple[Task, list[Candidate], str]:
    """Return the task, the candidates by name, and what was said."""
    write_spec(folder, extensions)
    said: list[str] = []
    for name, text in (("roster.csv", roster), ("reviews.yaml", reviews), ("times.csv", times)):
        (folder / name).write_text(text)
    task = load_task(folder / "spec.yaml")
    sources = Sources(
        roster=folder / "roster.csv" if roster else None,
        reviews=folder / "reviews.yaml" if reviews else None,
        times=folder / "times.csv" if times else None,
    )
    found = handed_in(task, [batch], sources, said.append)
    return task, found, "\n".join(said)


def who(task: Task, candidates: list[Candidate]) -> Candidate:
    """Return whose work is the right one."""
    (found,) = (each for each in candidates if RIGHT in source_of(task, each))
    return found


def source_of(task: Task, candidate: Candidate) -> str:
    return "".join(file.text for file in read_for(task, candidate).files.values())


@pytest.mark.parametrize("shape", SHAPES)
def test_a_roster_finds_the_exact_name_first(tmp_path: Path, shape: str) -> None:
    batch = batch_of(tmp_path, ["amy", *SQUATTERS, "bob"], shape)
    task, found, _ = taken(tmp_path, batch, ROSTER, REVIEWS, TIMES)
    amy = who(task, found)
    assert (amy.id, amy.name) == ("amy", "Student A")
    assert amy.record is not None
    assert amy.record.extension is not None
    assert [each.marks for each in amy.record.review.overrides] == [1.5]
    assert str(amy.record.submitted) == "2026-11-21 12:00:00+00:00"
    others = [each for each in found if each is not amy]
    assert not any(each.record and (each.record.review.overrides or each.record.extension) for each in others)
    assert not any(each.kind is SourceKind.ABSENT for each in found)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("squatter", SQUATTERS)
def test_without_a_roster_what_people_wrote_finds_the_exact_name(
    tmp_path: Path, shape: str, squatter: str
) -> None:
    batch = batch_of(tmp_path, ["amy", squatter, "bob"], shape)
    task, found, _ = taken(tmp_path, batch, "", REVIEWS, TIMES)
    by_review = [each for each in found if each.record and each.record.review.overrides]
    by_time = [each for each in found if each.record and str(each.record.submitted).startswith("2026-11-21")]
    assert by_review == by_time == [who(task, found)]


@pytest.mark.parametrize("shape", SHAPES)
def test_an_id_does_not_depend_on_the_names_of_others(tmp_path: Path, shape: str) -> None:
    ids = set()
    for number, others in enumerate((["AMY"], ["Amy", "AMY"], ["amy!", "zed"])):
        (tmp_path / str(number)).mkdir()
        batch = batch_of(tmp_path / str(number), ["amy", *others], shape)
        task, found, said = taken(tmp_path / str(number), batch)
        ids.add(who(task, found).id)
        assert all(one.id in said for one in found if "~" in one.id)
        assert len({one.id.casefold() for one in found}) == len(found)
    assert len(ids) == 1


@pytest.mark.parametrize("names", [["AMY", "Amy"], ["Adams, Amy", "bob"], ["amy!", "AMY"]])
def test_nobody_is_absent_whose_work_may_be_there(tmp_path: Path, names: list[str]) -> None:
    roster = ROSTER.replace("Student A", "Amy Adams")
    _, found, said = taken(tmp_path, batch_of(tmp_path, names, "files"), roster, REVIEWS)
    amy = {each.id: each for each in found}["amy"]
    if amy.kind is not SourceKind.FILE:
        assert amy.is_doubtful
        assert "the same as Amy Adams on the roster?" in said


def test_two_forms_of_one_name_are_doubtful_both(tmp_path: Path) -> None:
    names = [unicodedata.normalize("NFC", "Zoë"), unicodedata.normalize("NFD", "Zoë")]
    roster = "student,name,extension\nZoë,Zoë Zed,48h\n"
    _, found, said = taken(tmp_path, batch_of(tmp_path, names, "folders"), roster)
    assert len({each.id for each in found}) == 3
    assert [each.is_doubtful for each in found] == [False, False, True]
    assert "the same as Zoë Zed" in said


def test_the_extensions_of_a_spec_find_the_exact_name(tmp_path: Path) -> None:
    batch = batch_of(tmp_path, ["zoë", "ZOË", "bob"], "files")
    task, found, _ = taken(tmp_path, batch, extensions="zoë: 48h\n")
    extended = [each for each in found if each.record and each.record.extension]
    assert extended == [who(task, found)]


def test_what_may_be_of_two_is_given_to_nobody(tmp_path: Path) -> None:
    batch = batch_of(tmp_path, ["Amy Adams", "Amy-Adams", "bob"], "files")
    _, found, said = taken(tmp_path, batch, "", REVIEWS.replace("amy", "Amy-Adams"))
    assert [each.is_doubtful for each in found] == [True, True, False]
    assert not any(each.record and each.record.review.overrides and not each.is_doubtful for each in found)
    assert "there is a review of `Amy-Adams`, which may be" in said


def test_a_file_and_a_zip_of_one_name(tmp_path: Path) -> None:
    batch = batch_of(tmp_path, ["bob", "amy"], "files")
    with zipfile.ZipFile(batch / "amy.zip", "w") as file:
        file.writestr("work.py", RIGHT)
    _, found, said = taken(tmp_path, batch, ROSTER)
    by_id = {each.id: each for each in found}
    assert by_id["amy"].is_doubtful
    assert len(found) == 4
    assert "the same as Student A" in said


def test_a_team_in_moodle_takes_nobodys_number(tmp_path: Path) -> None:
    place = tmp_path / "in"
    for name in (
        "Amy Adams_7_assignsubmission_file",
        "moodle-7_assignsubmission_file",
        "A_assignsubmission_file",
    ):
        (place / name).mkdir(parents=True)
        (place / name / "work.py").write_text(RIGHT if "_7_" in name else WRONG)
    (place / "a_assignsubmission_file").mkdir()
    (place / "a_assignsubmission_file" / "work.py").write_text(WRONG)
    _, found, _ = taken(tmp_path, place)
    assert len({each.id.casefold() for each in found}) == 4
    assert len([each for each in found if "~" in each.id]) == 4


def test_ids_are_the_same_where_the_batch_lies_elsewhere(tmp_path: Path) -> None:
    found = []
    for place in (tmp_path / "here", tmp_path / "there" / "and" / "further"):
        for part in ("first/export", "second/export"):
            (place / part / "amy").mkdir(parents=True)
            (place / part / "amy" / "work.py").write_text(RIGHT)
        write_spec(place)
        done = grader("mark", "spec.yaml", "first/export", "second/export", "-o", "out", cwd=place)
        assert done.returncode in (0, 5), done.stderr
        found.append([name for name in submissions(place / "out") if "~" in name])
    assert found[0] == found[1]
    assert len(found[0]) == 2


def test_marks_in_a_run(tmp_path: Path) -> None:
    batch = batch_of(tmp_path, ["amy", "AMY", "bob", "Carl", "CARL"], "files")
    write_spec(tmp_path)
    (tmp_path / "roster.csv").write_text(f"{ROSTER}carl,Karl Z,\ndan,Dan,\n")
    (tmp_path / "reviews.yaml").write_text(REVIEWS)
    files = ("--roster", tmp_path / "roster.csv", "--reviews", tmp_path / "reviews.yaml")
    for options in ((), ("--only", "AMY")):
        done = grader("mark", tmp_path / "spec.yaml", batch, *files, "-o", tmp_path / "out", *options)
        assert done.returncode == 5, done.stderr
        found = submissions(tmp_path / "out")
        assert (found["amy"]["mark"], found["amy"]["name"]) == ("1.5", "Student A")
        assert found["carl"]["status"] == "pending"
        assert found["dan"]["status"] == "no-submission"
        assert sorted(each["mark"] for name, each in found.items() if "~" in name) == ["0", "0", "0"]
    again = grader("mark", tmp_path / "spec.yaml", batch, *files, "-o", tmp_path / "out", "--only", "carl!")
    assert "there is no submission" in again.stderr
