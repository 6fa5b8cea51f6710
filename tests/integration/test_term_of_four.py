"""A whole term at four LMSs; `docs/start/instructor.md` prints the commands that it begins with."""

import csv
import re
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
import yaml
from support.axe import audit_alike
from support.chromium import PROGRAM, browser_page
from support.class_of_40.sheets import blackboard, canvas, gradescope, moodle
from support.command_line import grader, results
from support.term_of_four import (
    TASKS,
    Member,
    by_hand,
    course_text,
    expected,
    members,
    write_spec,
    write_term_of_four,
)

pytestmark = pytest.mark.acceptance
DOCS = Path(__file__).parents[2] / "docs"


def printed() -> list[list[str]]:
    """Return the commands that the page has for a term, in their order, without the first word."""
    section = (DOCS / "start" / "instructor.md").read_text().split("## 6. A whole term")[1].split("\n## ")[0]
    return [line.split() for line in re.findall(r"^    grader (.*)$", section, re.MULTILINE)]


class Term:
    """The folder of a term, in which a lecturer types what the page prints."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.commands: list[list[str]] = []
        self.told: list[str] = []
        write_term_of_four(folder)

    def type(self, *command: str, with_yes: bool = False) -> str:
        """Run a command; return what it printed.

        with_yes: it asks, and there is no terminal to ask on.
        """
        self.commands.append(list(command))
        done = subprocess.run(
            [sys.executable, "-m", "grader", *command, *(["--yes"] if with_yes else [])],
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode in (0, 1), done.stdout + done.stderr
        self.told.append(done.stderr)
        return done.stdout


def review(folder: Path) -> None:
    """Write the marks of a person into the reviews that the grader started."""
    path = folder / "specs" / "reviews" / "essay.yaml"
    awaited = yaml.safe_load(path.read_text())
    people = {one.key: one for one in members(2)}
    by_id = {
        each["id"]: each["person"]["mail"] for each in results(folder / "reports" / "essay")["submissions"]
    }
    by_mail = {one.mail: one for one in people.values()}
    for entry in awaited:
        member = by_mail[by_id[entry["student"]]]
        entry |= {"by": "A. Marker", "date": "2026-11-20"}
        entry["criteria"]["report.method"] = {"marks": by_hand(member), "comment": f"for {member.name}"}
    path.write_text(yaml.safe_dump(awaited, allow_unicode=True))


def check_started(folder: Path) -> None:
    """Check that the file names all that lies there, and so all that the finished one names."""
    started, finished = (
        yaml.safe_load(text) for text in ((folder / "course.yaml").read_text(), course_text())
    )
    assert started["roster"] == finished["roster"]
    assert started["tasks"].keys() == finished["tasks"].keys()
    for name, task in finished["tasks"].items():
        found = started["tasks"][name]
        assert sorted(found["submissions"]) == sorted(task["submissions"])
        assert sorted(found["times"]) == sorted(task["times"])
        assert found["sheets"] == task["sheets"]


def whole_term(folder: Path) -> Term:
    """Take a term to its end: marked, reviewed, mended, marked again, released and exported."""
    term = Term(folder)
    term.type("course", "new", ".", "--zone", "Europe/Zurich")
    check_started(term.folder)
    (term.folder / "course.yaml").write_text(course_text(released="leap"))
    assert "3 tasks, 200 people" in term.type("course", "check")
    assert term.type("course", "mark").split()[1::2] == ["marked"] * 3
    assert marks(term.folder, "leap") == wanted(0)
    review(term.folder)
    assert term.type("course", "mark").split()[1::2] == ["unchanged", "unchanged", "marked"]
    write_spec(term.folder, TASKS[0], without="leap(1900)")
    term.type("mark", "leap", "-o", "reports/leap-mended")
    assert "marks differ" in term.type("diff", "leap", "reports/leap-mended")
    assert term.type("course", "mark").split()[1::2] == ["marked", "unchanged", "unchanged"]
    term.type("course", "report")
    term.type("release", "leap", with_yes=True)
    term.type("course", "export", "--to", "moodle")
    for name in ("canvas", "blackboard", "gradescope"):
        assert grader("course", "export", "--to", name, cwd=term.folder).returncode == 0
    return term


def marks(folder: Path, task: str) -> dict[str, Fraction | None]:
    """Return the marks by mail; None of who handed in nothing."""
    return {
        each["person"]["mail"]: Fraction(each["mark"]) if each["status"] == "marked" else None
        for each in results(folder / "reports" / task)["submissions"]
    }


def wanted(task: int, *, later: bool = False) -> dict[str, Fraction | None]:
    return {one.mail: expected(one, later=later) for one in members(task)}


def check_every_mark_is_what_was_done(term: Term, task: int) -> None:
    assert marks(term.folder, TASKS[task].name) == wanted(task, later=True)


def of_section(section: str, task: int, key: Callable[[Member], str]) -> dict[str, Fraction]:
    """Return the marks that a sheet must have: of all in a section who handed in something."""
    found = {key(one): expected(one, later=True) for one in members(task) if one.section == section}
    return {ident: mark for ident, mark in found.items() if mark is not None}


def check_moodle_takes_the_sheet_and_the_pages(term: Term, task: int) -> None:
    before, exports = files(term.folder, task, "worksheet.csv")
    taken = moodle.read(before, (exports / "moodle.csv").read_bytes())
    wanted = of_section("moodle", task, lambda one: str(one.participant))
    assert taken.marks == wanted
    assert taken.comments.keys() == wanted.keys()
    pages = moodle.read_feedback((exports / "moodle-feedback.zip").read_bytes(), wanted)
    assert pages.keys() == wanted.keys()


def files(folder: Path, task: int, name: str) -> tuple[bytes, Path]:
    task_name = TASKS[task].name
    return (folder / "in" / task_name / name).read_bytes(), folder / "reports" / task_name / "exports"


def check_canvas_takes_the_sheet(term: Term, task: int) -> None:
    before, exports = files(term.folder, task, "gradebook.csv")
    wanted = of_section("canvas", task, lambda one: str(one.canvas_id))
    assert canvas.read(before, (exports / "canvas.csv").read_bytes()) == wanted


def check_blackboard_takes_the_sheet(term: Term, task: int) -> None:
    before, exports = files(term.folder, task, "offline.csv")
    wanted = of_section("blackboard", task, lambda one: one.login)
    assert blackboard.read(before, (exports / "blackboard.csv").read_bytes()) == wanted


def check_gradescope_takes_each_file(term: Term, task: int) -> None:
    _, exports = files(term.folder, task, "worksheet.csv")
    for one in members(task):
        mark = expected(one, later=True)
        if one.section == "gradescope" and mark is not None:
            path = exports / "gradescope" / f"gradescope-{one.sis_id}" / "results.json"
            assert gradescope.read(path.read_bytes())[0] == mark, one


def check_the_page_and_the_gradebook_have_everybody(term: Term) -> None:
    folder = term.folder / "reports" / "course"
    with (folder / "gradebook.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = {row["mail"]: row for row in csv.DictReader(file)}
    assert len(rows) == 200
    for task, sheet in enumerate(TASKS):
        for one in members(task):
            mark = expected(one, later=True)
            written = rows[one.mail][sheet.name]
            assert (None if written == "nothing" else Fraction(written)) == mark
    assert len(list((folder / "students").glob("*.html"))) == 200


def check_pages_tell_two_of_one_name_apart(term: Term) -> None:
    page = (term.folder / "reports" / "course" / "index.html").read_text()
    twins = [one for one in members() if one.first == "Maria"]
    places = [page.index(f"staff/{path.name}") for path in twin_pages(term.folder)]
    assert len(places) == len(twins)
    # The id stands beside the name of each.
    assert all(one.key in page for one in twins)


def twin_pages(folder: Path) -> list[Path]:
    pages = (folder / "reports" / "course" / "staff").glob("*.html")
    return [page for page in pages if "Maria Silva" in page.read_text()]


def check_axe_finds_nothing_on_the_pages(term: Term) -> None:
    folder = term.folder / "reports" / "course"
    known: set[str] = set()
    pages = [folder / "index.html", *sorted((folder / "staff").glob("*.html"))[:2]]
    pages += sorted((folder / "students").glob("*.html"))[:2]
    with browser_page() as page:
        assert [told for path in pages for told in audit_alike(page, path, known)] == []


def check_nobody_is_told_about_as_unknown(term: Term) -> None:
    told = "".join(term.told)
    assert "not on the roster" not in told
    assert "pending:" not in told
    assert "no time" not in told
    assert "people on the roster handed in nothing" in told


def test_a_term_at_four_lmss(tmp_path: Path) -> None:
    term = whole_term(tmp_path)
    assert term.commands[: len(printed())] == printed() != []
    for task in range(3):
        check_every_mark_is_what_was_done(term, task)
        check_moodle_takes_the_sheet_and_the_pages(term, task)
        check_canvas_takes_the_sheet(term, task)
        check_blackboard_takes_the_sheet(term, task)
        check_gradescope_takes_each_file(term, task)
    check_the_page_and_the_gradebook_have_everybody(term)
    check_pages_tell_two_of_one_name_apart(term)
    check_nobody_is_told_about_as_unknown(term)
    if PROGRAM is not None:
        check_axe_finds_nothing_on_the_pages(term)
