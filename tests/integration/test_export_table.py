"""Each format for each person: who handed in gets page and comment, nobody a mark that was not given."""

import csv
import io
import json
import re
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from junitparser import JUnitXml
from support.command_line import grader

from grader.registry.groups import Group
from grader.registry.registry import registry

SPEC = """\
task: hw
title: HW
marks: 3
modules: {hw06: hw06.py}
LANGUAGE
questions:
  - {id: "1", title: f, marks: 2, cases: [{call: f(1), returns: 1}]}
  - {id: r, title: Report, marks: 1, criteria: [{id: form, title: Form, marks: 1}]}
"""
RIGHT = "def f(x): return x\n"
WORKS = {
    "normal": {"hw06.py": RIGHT},
    "pdf": {"report.pdf": "%PDF-1.4\n"},
    "broken": {"work.zip": "PK\x03\x04 and no more"},
    "unread": {"report.pdf": "%PDF-1.4\n"},
    "pending": {"hw06.py": RIGHT},
    "empty": {},
}
REVIEWED = {"normal": 1, "pdf": 0, "broken": 0}
PEOPLE = (*WORKS, "absent")
MARKS = {"normal": "3", "pdf": "0", "broken": "0"}
"""Who else is there has no mark."""
FOUND = {"pdf": "report.pdf", "broken": "work.zip", "unread": "report.pdf"}
HANDED_IN = ("normal", "pdf", "broken", "unread", "pending")
OLD = "1.5"
"""A mark that the LMS has of everybody."""


@dataclass(frozen=True)
class Told:
    """What a format says of one person; None where the format has no place for it.

    mark: empty where it gives none.  page: whether there is one.
    """

    mark: str
    comment: str | None = None
    page: bool | None = None


@pytest.fixture(scope="module", params=["", "language: de"])
def out(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("table")
    (folder / "hw.yaml").write_text(SPEC.replace("LANGUAGE", request.param))
    (folder / "reviews").mkdir()
    given = "".join(
        f"- {{student: {name}, by: M, criteria: {{r.form: {{marks: {marks}}}}}}}\n"
        for name, marks in REVIEWED.items()
    )
    (folder / "reviews" / "hw.yaml").write_text(given)
    for name, files in WORKS.items():
        (folder / "in" / name).mkdir(parents=True)
        for file, text in files.items():
            (folder / "in" / name / file).write_text(text)
    rows = [f"{name},Name {name},{at},{at},0{at},{name}" for at, name in enumerate(PEOPLE, 1)]
    (folder / "people.csv").write_text("\n".join(["student,name,moodle,canvas,sis,login", *rows]) + "\n")
    batch, roster = folder / "in", folder / "people.csv"
    done = grader("mark", folder / "hw.yaml", batch, "--roster", roster, "-o", folder / "out", "-q")
    assert done.returncode == 0, done.stderr
    return folder / "out"


def export(out: Path, folder: Path, name: str, sheet: str = "") -> Path:
    options: list[str | Path] = []
    if sheet:
        (folder / "sheet.csv").write_text(sheet)
        options = ["--sheet", folder / "sheet.csv"]
    done = grader("export", out, "--to", name, "-o", folder / "made", *options)
    assert done.returncode == 0, done.stderr
    return folder / "made"


# -- by format: what it says of each person ---------------------------------------------------------


def sheet_of(heading: str, line: str) -> str:
    """Return the sheet of an LMS with everybody on it."""
    lines = [line.format(name=name, at=at, old=OLD) for at, name in enumerate(PEOPLE, 1)]
    return "\r\n".join([heading, *lines]) + "\r\n"


def cells(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(path.read_bytes().decode("utf-8-sig"), newline="")))


def moodle(out: Path, folder: Path) -> dict[str, Told]:
    heading = "Identifier,Full name,Grade,Maximum Grade,Last modified (grade),Feedback comments"
    made = export(out, folder, "moodle", sheet_of(heading, "Participant {at},Name {name},{old},3.00,-,old"))
    with zipfile.ZipFile(folder / "made-feedback.zip") as archive:
        packed = {entry.split("_")[1]: archive.read(entry) for entry in archive.namelist()}
    for at, name in enumerate(PEOPLE, 1):
        assert (
            packed.get(str(at), (out / "students" / f"{name}.html").read_bytes())
            == (out / "students" / f"{name}.html").read_bytes()
        ), name
    rows = {row["Full name"].removeprefix("Name "): row for row in cells(made)}
    return {
        name: Told(rows[name]["Grade"], rows[name]["Feedback comments"], str(at) in packed)
        for at, name in enumerate(PEOPLE, 1)
    }


def by_line(
    format_name: str, heading: str, line: str, key: str, column: str
) -> Callable[[Path, Path], dict[str, Told]]:
    """Return what reads a sheet in which an empty cell may take a mark away: nobody has one."""

    def read(out: Path, folder: Path) -> dict[str, Told]:
        made = export(out, folder, format_name, sheet_of(heading, line) if heading else "")
        rows = {row[key].removeprefix("#"): row[column] for row in cells(made) if row[key].strip()}
        assert all(rows.values()), rows
        return {name: Told(rows.get(name, "")) for name in PEOPLE}

    return read


def canvas(out: Path, folder: Path) -> dict[str, Told]:
    heading = "Student,ID,SIS User ID,SIS Login ID,Section,HW (55)\r\n    Points Possible,,,,,3.0"
    line = "Name {name},{at},0{at},{name},A,{old}"
    return by_line("canvas", heading, line, "SIS Login ID", "HW (55)")(out, folder)


BRIGHTSPACE = "HW Points Grade <Numeric MaxPoints:3>"
BLACKBOARD = "HW [Total Pts: 3 Score] |8"


def gradescope(out: Path, folder: Path) -> dict[str, Told]:
    made, told = export(out, folder, "gradescope"), {}
    for name in PEOPLE:
        path = made / name / "results.json"
        found = json.loads(path.read_text("utf-8")) if path.is_file() else {}
        if "score" not in found:
            # Gradescope would add them up.
            assert not any("score" in test for test in found.get("tests", ()))
        told[name] = Told(str(found.get("score", "")), found.get("output", ""), bool(found))
    return told


def github_classroom(out: Path, folder: Path) -> dict[str, Told]:
    made, told = export(out, folder, "github-classroom"), {}
    for name in PEOPLE:
        notices = (made / name / "notices.txt").read_text("utf-8")
        mark = re.search(r"Points ([0-9.]+)/3", notices)
        text = (made / name / "feedback.md").read_text("utf-8").replace("\\", "")
        told[name] = Told(mark[1] if mark else "", text)
    return told


def github_actions(out: Path, folder: Path) -> dict[str, Told]:
    made = export(out, folder, "github-actions")
    assert "mark=\n" in (made / "outputs.txt").read_text("utf-8")
    return of_table((made / "summary.md").read_text("utf-8"))


def markdown(out: Path, folder: Path) -> dict[str, Told]:
    return of_table(export(out, folder, "markdown").read_text("utf-8"))


def of_table(text: str) -> dict[str, Told]:
    lines = (line for line in text.splitlines() if "| Name " in line)
    found = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]
    return {row[0]: Told(row[2]) for row in found if row[0] in PEOPLE}


def csv_file(out: Path, folder: Path) -> dict[str, Told]:
    return {row["student"]: Told(row["mark"]) for row in cells(export(out, folder, "csv"))}


def junit_of(path: Path) -> dict[str, Told]:
    suites = list(JUnitXml.fromfile(str(path)))
    told = {}
    for suite in suites:
        name = next(each for each in PEOPLE if each in str(suite.name))
        texts = [f"{one.message} {one.text}" for case in suite for one in case.result]
        facts = {one.name: one.value for one in suite.properties()}
        told[name] = Told(facts["mark"], "\n".join([*texts, facts.get("problem", "")]))
    return told


def junit(out: Path, folder: Path) -> dict[str, Told]:
    return junit_of(export(out, folder, "junit"))


def gitlab(out: Path, folder: Path) -> dict[str, Told]:
    return junit_of(export(out, folder, "gitlab") / "junit.xml")


READERS: dict[str, Callable[[Path, Path], dict[str, Told]]] = {
    "moodle": moodle,
    "canvas": canvas,
    "brightspace": by_line(
        "brightspace",
        f"OrgDefinedId,Username,{BRIGHTSPACE},End-of-Line Indicator",
        "#0{at},#{name},{old},#",
        "Username",
        BRIGHTSPACE,
    ),
    "brightspace, its own sheet": by_line("brightspace", "", "", "Username", "HW Points Grade"),
    "blackboard": by_line(
        "blackboard",
        f"Last Name,First Name,Username,{BLACKBOARD}",
        "Name {name},x,{name},{old}",
        "Username",
        BLACKBOARD,
    ),
    "gradescope": gradescope,
    "github-classroom": github_classroom,
    "github-actions": github_actions,
    "markdown": markdown,
    "csv": csv_file,
    "junit": junit,
    "gitlab": gitlab,
}
NO_RESULTS = {"gradescope-autograder", "jplag"}
"""They export a spec and sources, and say nothing of a person's result."""
PENDING_IN_WORDS = re.compile(r"pending|[Aa]waiting|ausstehend|noch zu bewerten|Warten|so far|bisher")


def test_every_format_is_in_the_table() -> None:
    formats = {name.partition(",")[0] for name in READERS} | NO_RESULTS
    assert formats == set(registry().names(Group.EXPORTS))


@pytest.mark.parametrize("name", READERS)
def test_everybody_in_each_format(out: Path, tmp_path: Path, name: str) -> None:
    told = READERS[name](out, tmp_path)
    for person in PEOPLE:
        one = told[person]
        assert one.mark == MARKS.get(person, ""), person
        if one.page is not None:
            assert one.page == (person in HANDED_IN), person
        if one.comment is None:
            continue
        if person in FOUND:
            assert FOUND[person] in one.comment, person
        if person in ("unread", "pending") and name not in ("junit", "gitlab"):
            assert PENDING_IN_WORDS.search(one.comment), (person, one.comment)
    if name == "moodle":
        # Moodle writes a comment whenever it differs, so those who get none keep theirs.
        assert {person for person in PEOPLE if told[person].comment == "old"} == {"empty", "absent"}
        for person in ("unread", "pending"):
            assert not re.search(r"\d (of|von) \d", told[person].comment or ""), person
