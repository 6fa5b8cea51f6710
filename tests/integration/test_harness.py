"""Harnesses, files of calls and values from files: marked, proven, replayed, handed out."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from support.command_line import grader, submissions
from support.marking import cases, mark, question, verdicts

from grader.engine.run_config import prepare_run
from grader.engine.worker import Marker
from grader.model.results import CaseResult
from grader.model.submission import SourceFile, Submission
from grader.sandbox.driver import Driver
from grader.spec import load_task

DOUBLES = """
from work import Shop


class Bank:
    def __init__(self):
        self.paid = []

    def pay(self, amount):
        self.paid.append(amount)


def paid(*amounts):
    bank = Bank()
    for amount in amounts:
        Shop(bank).buy(amount)
    return bank.paid


def patched(x):
    import work

    work.RATE = x
    return work.rate()


def rate():
    return "the harness's"
"""
SHOP = """
RATE = 2


class Shop:
    def __init__(self, bank):
        self.bank = bank

    def buy(self, amount):
        self.bank.pay(amount)


def rate():
    return RATE


def plain(x):
    return x


def write(name, text):
    with open(name, "a") as file:
        print(text, file=file)
"""


def marked(tmp_path: Path, *lines: str, work: Any = SHOP, reference: str = SHOP) -> dict[str, CaseResult]:
    (tmp_path / "doubles.py").write_text(DOUBLES)
    spec = question(*lines).replace("    cases:", "    harness: doubles.py\n    cases:")
    return cases(mark(tmp_path, spec, work, reference=reference))


def test_calls_and_steps_use_both_modules(tmp_path: Path) -> None:
    found = marked(
        tmp_path,
        "{call: 'paid(1, 2)', returns: [1, 2]}",
        "{call: 'paid(1, 2)', returns: same as reference}",
        "{call: plain(3), returns: 3}",
        '{call: rate(), returns: "\\"the harness\'s\\""}',
        "scenario:\n  - {new: Bank(), as: bank}\n  - {new: Shop(bank), as: shop}\n"
        "  - {call: shop.buy(5)}\n  - {read: bank.paid, returns: [5]}",
        "{each: paid(x), over: {x: range(3)}, returns: [[0], [1], [2]]}",
        "{call: paid(x), given: {x: 'integers(0, 9)'}, examples: 5, returns: same as reference}",
    )
    assert {str(case.verdict) for case in found.values()} == {"accepted"}


def test_what_one_case_patches_is_unpatched_in_the_next_also_for_the_reference(tmp_path: Path) -> None:
    plain = "{call: patched(9), returns: same as reference}"
    lines = (plain, "scenario:\n  - {read: RATE, returns: same as reference}", plain)
    found = marked(tmp_path, *lines)
    assert {str(case.verdict) for case in found.values()} == {"accepted"}
    assert [case.expected for case in found["1.2"].steps] == ["2"]


def test_a_module_without_what_the_harness_needs_reads_why(tmp_path: Path) -> None:
    found = marked(tmp_path, "{call: plain(3), returns: 3}", work="def plain(x): return x")
    assert found["1.1"].verdict == "load-error"
    assert found["1.1"].message == (
        "importing the task's doubles.py, which uses your module, raised ImportError: cannot import name "
        "'Shop' from 'work' (work.py) (line 2 of doubles.py)"
    )


def test_a_missing_name_is_looked_for_in_the_students_module(tmp_path: Path) -> None:
    work = SHOP.replace("def plain", "def plian")
    found = marked(tmp_path, "{call: plain(3), returns: 3}", work=work)
    assert found["1.1"].message.startswith("the module has no function plain")
    assert "plian" in found["1.1"].message


def test_a_file_of_the_harnesss_name_is_not_used_and_that_is_told(tmp_path: Path) -> None:
    (tmp_path / "doubles.py").write_text(DOUBLES)
    spec = question("{call: paid(1), returns: [1], harness: doubles.py}", "{call: plain(3), returns: 3}")
    forged = {"work": SHOP, "doubles": "def paid(*_): return [7]"}
    result = mark(tmp_path, spec, forged, reference=SHOP)
    assert verdicts(result) == {"1.1": "accepted", "1.2": "accepted"}
    assert result.notes == (
        "doubles.py is not used in all cases: some have a file of the task's own with this name",
    )


def test_of_a_harness_of_hidden_cases_a_student_learns_nothing(tmp_path: Path) -> None:
    (tmp_path / "doubles.py").write_text(DOUBLES)
    spec = question("{call: paid(1), returns: [1], harness: doubles.py, visibility: hidden}")
    result = mark(tmp_path, spec, {"work": SHOP, "doubles": "def paid(*_): return [7]"}, reference=SHOP)
    assert (verdicts(result), result.notes) == ({"1.1": "accepted"}, ())


def test_the_harness_of_a_handout_is_no_reason_for_a_note(tmp_path: Path) -> None:
    (tmp_path / "doubles.py").write_text(DOUBLES)
    spec = question("{call: paid(1), returns: [1], harness: doubles.py}")
    assert mark(tmp_path, spec, {"work": SHOP, "doubles": DOUBLES}, reference=SHOP).notes == ()


FILES = (
    '{call: "write(\'a.txt\', \'b\')", files: {a.txt: "a\\n"}, leaves: {a.txt: "a\\nb\\n"}}',
    "{call: \"write('a.txt', 'b')\", leaves: {a.txt: same as reference}}",
    "{call: \"write('a.txt', 'b')\", leaves: [a.txt], returns: null}",
    "{scenario: [{call: \"write('a.txt', 'b')\"}], leaves: {a.txt: {text: b, whitespace: trailing}}}",
    "{call: \"write('no/such/folder', 'b')\", raises: FileNotFoundError, leaves: {a.txt: \"a\"}, "
    'files: {a.txt: "a"}}',
)


def test_files_are_found_and_left(tmp_path: Path) -> None:
    found = marked(tmp_path, *FILES)
    assert {str(case.verdict) for case in found.values()} == {"accepted"}
    assert [(given.name, given.text) for given in found["1.1"].given] == [("a.txt", "a\n")]


def test_other_files_are_wrong_answers(tmp_path: Path) -> None:
    work = SHOP.replace("text, file=file", "text * 2, file=file")
    found = marked(tmp_path, *FILES, work=work)
    assert {name: case.message for name, case in found.items()} == {
        "1.1": "file a.txt, line 2, column 2: expected b↵, got bb↵",
        "1.2": "file a.txt, line 1, column 2: expected b↵, got bb↵",
        "1.3": "",
        "1.4": "file a.txt, line 1, column 2: expected b, got bb",
        "1.5": "",
    }
    assert [str(step.verdict) for step in found["1.4"].steps] == ["accepted"]


def test_a_missing_file_stands_beside_the_answer(tmp_path: Path) -> None:
    found = marked(tmp_path, FILES[2], work=SHOP.replace("open(name", 'open("other.txt"'))["1.1"]
    assert (found.verdict, found.message) == ("wrong-answer", "the call left no file a.txt")
    assert (found.expected, found.actual) == ("None", "None")


def test_a_sandbox_without_folders_makes_files_our_own_fault(tmp_path: Path) -> None:
    (tmp_path / "doubles.py").write_text(DOUBLES)
    result = mark(tmp_path, question(*FILES[:2]), SHOP, reference=SHOP, driver=Driver.LANDLOCK)
    assert set(verdicts(result).values()) == {"internal-error"}
    assert "a case with files needs a folder of its own" in cases(result)["1.1"].message


def test_a_harness_imports_a_module_that_a_rule_keeps_from_the_other(tmp_path: Path) -> None:
    for name, text in {
        "doubles.py": BESIDE,
        "reference/one.py": "def f():\n    return 1\n",
        "reference/two.py": "def f():\n    return 2\n",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    path = tmp_path / "task.yaml"
    path.write_text(RULED)
    two = "import helper\n\n\ndef f():\n    return helper.TWO\n"
    texts = {"one": "def f():\n    return 1\n", "two": two, "helper": "TWO = 2\n", "other": "X = 1\n"}
    files = {name: SourceFile(f"{name}.py", text) for name, text in texts.items()}
    with Marker(prepare_run(load_task(path), Driver.NAMESPACES, "")) as marker:
        result = marker.mark(Submission("ada", "ada", files)).result
    found = {name: case.actual for name, case in cases(result).items()}
    assert found == {"1.1": "3", "1.2": "['doubles', 'helper', 'one', 'other', 'two']"}


BESIDE = """
import sys

import one
import two


def both():
    return one.f() + two.f()


def seen():
    return sorted(name for finder in sys.meta_path for name in getattr(finder, "_texts", ()))
"""
RULED = """
task: ruled
title: Ruled
marks: 1
reference: reference
modules: {one: one.py, two: two.py}
rules: [{forbidden names: {names: eval, modules: [one]}}]
questions:
  - id: "1"
    title: One
    module: one
    marks: 1
    harness: doubles.py
    cases: [{call: both(), returns: 3}, {call: seen(), returns: []}]
"""


# -- the command line ----------------------------------------------------------------------------------

SPEC = """
task: shop
title: Shop
marks: 6
reference: reference
modules: {work: work.py}
let:
  long: {from: data/long.json}
questions:
  - id: "1"
    title: One
    marks: 6
    award: each
    cases:
      - {call: "paid(1, 2)", returns: [1, 2], harness: doubles.py}
      - {call: plain(long), returns: {from: data/long.json}}
      - {call: "write('a.txt', 'b')", files: {a.txt: {from: data/bytes.bin}}, leaves: a.txt}
      - {call: "write('b.txt', 'b')", leaves: {b.txt: same as reference}}
      - {call: secret(), returns: 1, harness: hidden/SECRET_harness.py, visibility: hidden}
      - {call: plain(1), returns: 1, visibility: hidden, files: {SECRET_name.txt: SECRET_text}}
      - {call: plain({SECRET}), returns: {from: data/SECRET.json}, visibility: hidden}
""".replace("plain({SECRET})", "\"plain(['SECRET_value'])\"")


@pytest.fixture
def task(tmp_path: Path) -> Path:
    """A task with a harness and files, public and hidden, and one right work."""
    for name, text in {
        "shop.yaml": SPEC,
        "doubles.py": DOUBLES,
        "hidden/SECRET_harness.py": "def secret():\n    return 1  # SECRET_of_the_harness\n",
        "data/long.json": json.dumps([f"word {number}" for number in range(2_000)]),
        "data/SECRET.json": '["SECRET_value"]',
        "reference/work.py": SHOP,
        "works/ada/work.py": SHOP,
        "works/bob/work.py": SHOP.replace("self.bank.pay(amount)", "self.bank.pay(-amount)"),
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "data" / "bytes.bin").write_bytes(bytes(range(256)) * 20)
    return tmp_path / "shop.yaml"


@pytest.mark.acceptance
def test_a_handout_has_the_public_harness_and_values_and_no_other(task: Path, tmp_path: Path) -> None:
    out = tmp_path / "handout"
    done = grader("bundle", task, "-o", out)
    assert done.returncode == 0, done.stderr
    assert "4 public cases" in done.stderr
    paths = sorted(path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file())
    assert paths == ["README.md", "doubles.py", "shop.yaml", "shop/1.txt", "shop/2.txt"]
    assert not re.search(rb"secret", b"".join((out / path).read_bytes() for path in paths), re.IGNORECASE)
    assert (out / "doubles.py").read_text() == DOUBLES
    (out / "work.py").write_text(SHOP)
    checked = grader("check", cwd=out)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "doubles.py" not in checked.stdout


@pytest.mark.acceptance
def test_a_run_is_marked_again_explained_and_replayed_from_its_record(task: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = grader("mark", task, tmp_path / "works", "-o", out)
    assert done.returncode == 0, done.stderr
    marks = {name: each["mark"] for name, each in submissions(out).items()}
    assert marks == {"ada": "6", "bob": "5.14"}
    for name in ("doubles.py", "data/long.json", "hidden/SECRET_harness.py"):
        (tmp_path / name).write_text("gone")
    assert "doubles.py" in grader("explain", out, "bob").stdout
    replayed = grader("replay", out, "bob", "1.1", "--to", tmp_path / "alone")
    assert "The same verdict as recorded: wrong answer." in replayed.stdout, replayed.stderr
    assert (tmp_path / "alone" / "doubles.py").read_text() == DOUBLES
    line = replayed.stdout.rstrip().rpartition("\n")[2]
    assert "[-1, -2]" in _in_a_shell(line)
    again = grader("replay", out, "ada", "1.3", "--to", tmp_path / "files")
    assert again.returncode == 0, again.stdout
    assert (tmp_path / "files" / "a.txt").read_bytes() == bytes(range(256)) * 20
    remarked = grader("remark", out, "-o", tmp_path / "again")
    assert remarked.returncode == 0, remarked.stderr


def _in_a_shell(line: str) -> str:
    return subprocess.run(line, shell=True, capture_output=True, text=True, check=True).stdout


@pytest.mark.acceptance
def test_a_changed_file_is_another_spec(task: Path, tmp_path: Path) -> None:
    grader("mark", task, tmp_path / "works", "-o", tmp_path / "out")
    harness = tmp_path / "doubles.py"
    harness.write_text(DOUBLES.replace("return bank.paid", "return bank.paid + [0]"))
    done = grader("mark", task, tmp_path / "works", "-o", tmp_path / "out")
    assert done.returncode == 3
    assert "does not pass 1.1" in done.stderr
