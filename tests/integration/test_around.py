"""Code of the task's around a student's module, for each kind of case that makes calls, and each consumer."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.command_line import cases_of, grader, submissions
from support.marking import cases, mark, verdicts

from grader.model.errors import SpecError
from grader.sandbox.driver import LADDER, Driver
from grader.spec import load_task

BEFORE = """
import math

_HIDDEN = [3, 99, 4]
LIMIT = 50
readings = list(_HIDDEN)
"""
AFTER = """
def above(limit):
    return [each for each in clean if each > limit]

def is_above(limit):
    return max(clean) > limit

def doubled(n):
    return 2 * double(n)

TOTAL = sum(clean)
"""
WORK = """
clean = [each for each in readings if each <= LIMIT]

def double(n):
    return n + n
"""
HEAD = """
questions:
  - id: "1"
    title: Readings
    marks: 1
    award: each
    before: before_it.py
    after: after_it.py
    {more}
    cases:
"""
EVERY = {
    "call": "{call: double(4), returns: 8}",
    "after": "{call: above(3), returns: [4]}",
    "both": "{call: doubled(2), returns: same as reference}",
    "expression": "{call: 'sorted(above(0))', returns: [3, 4]}",
    "given name": "{scenario: [{read: LIMIT, returns: 50}, {read: readings, returns: [3, 99, 4]}]}",
    "scenario": "{scenario: [{read: clean, returns: [3, 4]}, {read: TOTAL, returns: 7}]}",
    "sum": "{sum: doubled(n), over: {n: '[1, 2, 3]'}, returns: 24}",
    "count": "{count: is_above(n), over: {n: '[1, 3, 4]'}, returns: 2}",
    "each": "{each: double(n), over: {n: '[1, 2]'}, returns: [2, 4]}",
    "given": "{call: doubled(n), given: {n: 'integers(1, 8)'}, examples: 5, returns: same as reference}",
}
"""A case of each kind that makes calls."""


def spec(*more: str, names: tuple[str, ...] = tuple(EVERY)) -> str:
    return HEAD.format(more="\n    ".join(more)) + "".join(f"      - {EVERY[name]}\n" for name in names)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "before_it.py").write_text(BEFORE)
    (tmp_path / "after_it.py").write_text(AFTER)
    return tmp_path


def test_each_kind_of_call_has_the_names(folder: Path) -> None:
    result = mark(folder, spec(), WORK, reference=WORK)
    assert {name: case.message for name, case in cases(result).items()} == dict.fromkeys(cases(result), "")
    assert result.mark == 1


@pytest.mark.parametrize("driver", LADDER)
def test_under_each_driver(folder: Path, driver: Driver) -> None:
    names = ("call", "after", "both", "scenario")
    assert mark(folder, spec(names=names), WORK, reference=WORK, driver=driver).mark == 1


def test_only_what_is_listed_is_given_and_taken(folder: Path) -> None:
    lists = ("gives: [readings]", "takes: [clean]")
    alone = spec(*lists, names=("after",))
    assert verdicts(mark(folder, alone, WORK.replace("LIMIT", "50"))) == {"1.1": "accepted"}
    for name in ("LIMIT", "math", "_HIDDEN"):
        (case,) = cases(mark(folder, alone, f"{name}\n{WORK}")).values()
        assert (
            case.message
            == f"importing the module raised NameError: name '{name}' is not defined (line 1 of work.py)"
        )
    (case,) = cases(mark(folder, spec("takes: [clean, best]", names=("call",)), WORK)).values()
    assert case.verdict == "load-error"
    told = "importing the module raised NameError: your module defines no best, which after_it.py takes"
    assert case.message == told


def test_lines_are_the_students_own(folder: Path) -> None:
    (case,) = cases(mark(folder, spec(names=("call",)), "\n\n1 / 0\n")).values()
    assert (
        case.message == "importing the module raised ZeroDivisionError: division by zero (line 3 of work.py)"
    )
    (case,) = cases(mark(folder, spec(names=("call",)), WORK.replace("clean =", "clean = None and"))).values()
    assert case.message.startswith(
        "importing the task's after_it.py, which uses your module, raised TypeError"
    )


def test_a_file_without_the_other(folder: Path) -> None:
    before = spec(names=("call",)).replace("    after: after_it.py\n", "")
    assert mark(folder, before, WORK).mark == 1
    after = spec(names=("after",)).replace("    before: before_it.py\n", "")
    assert mark(folder, after, "clean = [1, 4]\ndouble = abs\n").mark == 1


def test_a_students_file_of_such_a_name_is_told_of(folder: Path) -> None:
    result = mark(folder, spec(names=("call",)), {"work": WORK, "before_it": "HELP = 1\n"}, reference=WORK)
    assert result.notes == (
        "before_it.py is not used in all cases: some have a file of the task's own with this name",
    )


def test_a_harness_beside_it(folder: Path) -> None:
    (folder / "shop_it.py").write_text(
        "from work import LIMIT, double\n\ndef limit():\n    return double(LIMIT)\n"
    )
    more = "      - {call: limit(), returns: 100}\n      - {call: above(3), returns: [4]}\n"
    text = spec("harness: shop_it.py", names=("both",)) + more
    assert mark(folder, text, WORK, reference=WORK).mark == 1


def test_a_module_that_keeps_what_it_defined(folder: Path) -> None:
    kept = f"{WORK}\nraise ValueError\n\ndef later():\n    return 1\n"
    (folder / "sample.yaml").unlink(missing_ok=True)
    text = "import: keep\n" + spec(names=("after", "both"))
    assert verdicts(mark(folder, text, kept, reference=WORK)) == {"1.1": "accepted", "1.2": "accepted"}


def notebook(*sources: str) -> str:
    made = [{"cell_type": "code", "source": text, "metadata": {}, "outputs": []} for text in sources]
    return json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def write(folder: Path, text: str, works: dict[str, str]) -> None:
    head = "task: sample\ntitle: Sample\nmarks: 1\nmodules: {work: work.py}\nreference: reference\n"
    (folder / "sample.yaml").write_text(head + text)
    for name, work in {"reference/work.py": WORK, **works}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(work)


def test_every_consumer(folder: Path) -> None:
    """Marked, handed out and checked, explained, replayed, validated."""
    wrong = WORK.replace("<= LIMIT", "< LIMIT + 60")
    works = {"sub/right/work.py": WORK, "sub/wrong/work.py": wrong}
    works["sub/notebook/work.ipynb"] = notebook("clean = [n for n in readings if n <= LIMIT]", WORK)
    names = ("call", "after", "both", "scenario")
    write(folder, spec(names=names), works)
    done = grader("mark", "sample.yaml", "sub", "-o", "out", cwd=folder)
    assert done.returncode == 0, done.stderr
    marks = {name: one["mark"] for name, one in submissions(folder / "out").items()}
    assert marks == {"right": "1", "notebook": "1", "wrong": "0.5"}
    assert "above(3)" in grader("explain", "out", "wrong", cwd=folder).stdout

    assert grader("bundle", "sample.yaml", "-o", "hand", cwd=folder).returncode == 0
    shutil.copy(folder / "sub/wrong/work.py", folder / "hand")
    told = json.loads(grader("check", "--json", cwd=folder / "hand").stdout)["submission"]
    checked = [case["verdict"] for question in told["questions"] for case in question["cases"]]
    assert checked == [case["verdict"] for case in cases_of(folder / "out", "wrong").values()]

    replayed = grader("replay", "out", "wrong", "1.2", "--to", "replayed", cwd=folder)
    assert "The same verdict as recorded" in replayed.stdout
    script = [sys.executable, "-B", "grader_replay.py"]
    shown = subprocess.run(script, capture_output=True, text=True, cwd=folder / "replayed", check=False)
    assert "[99, 4]" in shown.stdout, shown.stderr

    validated = grader("validate", "--quick", "sample.yaml", cwd=folder)
    assert "the reference gets every mark" in validated.stdout


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("before: before_it.py", "gives: [x]", "`gives` goes with `before`, which names a file"),
        ("after: after_it.py", "gives: [limit]\n    after: after_it.py", "before_it.py defines no `limit`"),
        ("before: before_it.py", "before: reference/work.py", "has the name of the task's module `work`"),
        ("before: before_it.py", "before: random.py", "the name of Python's own module `random`"),
        ("before: before_it.py", "before: lost.py", "lost.py"),
        ("before: before_it.py", "before: broken_it.py", "broken_it.py:1:5: not valid Python"),
        ("cases:", "cases:\n      - {program: work, stdout: x}", "this case makes none"),
        ("double(4)", "tripel(4)", "tripel"),
    ],
)
def test_mistakes_in_a_spec(folder: Path, old: str, new: str, told: str) -> None:
    (folder / "random.py").write_text("x = 1\n")
    (folder / "broken_it.py").write_text("def (\n")
    write(folder, spec(names=("call",)).replace(old, new), {})
    with pytest.raises(SpecError) as caught:
        load_task(folder / "sample.yaml")
    assert told in str(caught.value)


def test_a_change_of_what_stands_around_marks_again(folder: Path) -> None:
    write(folder, spec(names=("after",)), {"sub/one/work.py": WORK})
    assert grader("mark", "sample.yaml", "sub", "-o", "out", cwd=folder).returncode == 0
    (folder / "before_it.py").write_text(BEFORE.replace("99, 4", "99, 5"))
    grader("mark", "sample.yaml", "sub", "-o", "out", "--anyway", cwd=folder)
    assert cases_of(folder / "out", "one")["1.1"]["actual"] == "[5]"
