"""The made-up class of 40: it has its oddities, and its programs are worth the marks that it names."""

import subprocess
import sys
import unicodedata
from fractions import Fraction
from pathlib import Path

import pytest
from support.class_of_40 import programs, task
from support.class_of_40.people import BY_KEY, CLASS, TEAM
from support.class_of_40.programs import PROGRAMS, Program, planted

from grader.engine.run_config import prepare_run
from grader.engine.worker import Marker
from grader.model.submission import SourceFile, Submission
from grader.sandbox.driver import Driver
from grader.spec import load_task

PLAIN = """
import importlib
def tried(module, name, *arguments):
    try:
        return getattr(importlib.import_module(module), name)(*arguments)
    except Exception as error:
        return type(error)
area = tried("shapes", "area", 3, 4) == 12 and tried("shapes", "area", 0, 5) == 0
perimeter = tried("shapes", "perimeter", 3, 4) == 14
initials = tried("words", "initials", "Ada Lovelace") == "AL" and tried("words", "initials", "h c") == "hc"
longest = tried("words", "longest", ["a", "ccc", "bbb"]) in ("ccc", "bbb")
print(2 * area + 2 * perimeter + 3 * initials + 3 * longest)
"""


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_is_worth_its_mark_in_plain_python(program: Program, tmp_path: Path) -> None:
    """Neither the spec nor the harness has a part in this."""
    for name, data in program.files("s01").items():
        (tmp_path / name).write_bytes(data)
    done = subprocess.run([sys.executable, "-c", PLAIN], cwd=tmp_path, capture_output=True, text=True)
    assert (done.stdout.strip(), done.stderr) == (str(program.mark), "")


def test_the_spec_gives_each_program_its_mark() -> None:
    """The harness and plain Python agree, so a layout that loses a mark lost it on the way in."""
    marks = {}
    with Marker(prepare_run(load_task(task.SPEC), Driver.NAMESPACES, "")) as marker:
        for number, program in enumerate(PROGRAMS):
            files = {
                name.removesuffix(".py"): SourceFile(name, data.decode())
                for name, data in program.files("s01").items()
            }
            result = marker.mark(Submission(f"p{number}", f"p{number}", files)).result
            marks[number] = Fraction(result.mark)
    assert marks == {number: program.mark for number, program in enumerate(PROGRAMS)}


def test_there_are_40_people_with_unique_ids() -> None:
    assert [student.number for student in CLASS] == list(range(1, 41))
    for ident in ("sis_id", "participant", "canvas_id", "d2l_id", "github", "login"):
        assert len({getattr(student, ident) for student in CLASS}) == 40, ident


def test_the_oddities_are_there() -> None:
    names = [student.name for student in CLASS]
    assert any(unicodedata.combining(character) for name in names for character in name)
    assert any(unicodedata.bidirectional(character) == "AL" for name in names for character in name)
    assert any("\N{GRADUATION CAP}" in name for name in names)
    assert {name[0] for name in names if name} >= set("=+-@\t.")
    assert names.count("Maria Silva") == 2
    assert names.count("") == 1
    assert len({name.casefold() for name in names}) == 38  # one name of two, one in two spellings
    assert max(map(len, names)) > 150
    assert "CON" in names


@pytest.mark.parametrize(
    ("key", "late_s"), [("s33", 0), ("s34", 60), ("s35", 172800), ("s25", 10800), ("s01", 0)]
)
def test_lateness_counts_the_extension(key: str, late_s: int) -> None:
    student = BY_KEY[key]
    attempt = student.counted()
    assert attempt is not None
    assert student.late_s(attempt) == late_s


def test_attempts_count_by_the_policy() -> None:
    three = BY_KEY["s25"]
    assert [three.mark(policy) for policy in ("latest", "best", "last-before-deadline")] == [8, 10, 5]


def test_the_group_shares_one_mark() -> None:
    group = [student for student in CLASS if student.group == TEAM]
    assert [(bool(student.attempts), student.mark()) for student in group] == [
        (True, 8),
        (False, 8),
        (False, 8),
    ]


def test_nobody_gets_a_mark_for_nothing() -> None:
    assert [student.key for student in CLASS if student.mark() is None] == ["s31", "s40"]


def test_the_planted_texts_are_where_they_belong() -> None:
    found = {(path.name, text) for path, text in task.leaks(task.FOLDER)}
    assert found == {
        ("figures.yaml", task.HIDDEN_CASE),
        ("shapes.py", task.REFERENCE),
        ("checkers.py", task.CHECKER),
    }
    files = programs.RIGHT.files("s07")
    assert all(planted("s07").encode() in data for data in files.values())


@pytest.mark.parametrize("policy", ["latest", "best", "last-before-deadline"])
def test_the_spec_can_have_a_deadline_and_a_policy(policy: str, tmp_path: Path) -> None:
    loaded = load_task(task.late_spec(tmp_path, attempts=policy))
    assert loaded.late is not None
    assert loaded.late.deadline == task.DUE
