"""Tests of other tools, converted and marked: the marks that those tools give."""

from fractions import Fraction
from pathlib import Path

from support.command_line import grader, submissions


def marks(folder: Path, tool: str, tests: Path, works: dict[str, str], name: str) -> dict[str, Fraction]:
    """Convert tests, and return the marks of works, each the text of a module."""
    grader("convert", tests, "--from", tool, "-o", folder / "spec.yaml", "--module", name)
    for work, text in works.items():
        (folder / "in" / work).mkdir(parents=True)
        (folder / "in" / work / f"{name}.py").write_text(text)
    grader("mark", folder / "spec.yaml", folder / "in", "-o", folder / "out")
    return {work: Fraction(one["mark"]) for work, one in submissions(folder / "out").items()}


def test_examples_of_otter_that_are_no_calls(tmp_path: Path) -> None:
    """Every notebook earns `None`, and a function of the test's own sees the notebook's names."""
    twice = ">>> def twice(n):\n...     return 2 * n\n>>> twice(x)\n4\n"
    codes = (">>> None\n", twice, ">>> str(print(x))\n2\n'None'\n")
    cases = ", ".join(f'{{"code": {code!r}, "hidden": {number == 2}}}' for number, code in enumerate(codes))
    tests = tmp_path / "q1.py"
    tests.write_text(f'test = {{"name": "q1", "points": 3, "suites": [{{"cases": [{cases}]}}]}}')
    works = {"right": "x = 2\n", "wrong": "x = 3\n", "lacking": ""}
    assert marks(tmp_path, "otter", tests, works, "nb") == {"right": 3, "wrong": 1, "lacking": 1}
    # A student's code can read the harness of its case.
    assert "str(print" not in (tmp_path / "spec" / "otter_cases.py").read_text()


CHECKS = """
import check50
import re
from datetime import date

LIMIT = 9


@check50.check()
def exists():
    check50.exists("work.py")
    check50.include("driver.py", "wanted.txt")


@check50.check(exists)
def drives():
    set_day("3")
    check50.run("python3 driver.py").stdin("5", prompt=True).stdout("8").exit(0)


@check50.check(exists)
def looks():
    output = check50.run("python3 work.py").stdin("5", prompt=True).stdout()
    judge(output, open("wanted.txt").read())


@check50.check(exists)
def leaves():
    check50.run("python3 work.py log").stdin("7", prompt=False).exit(0)
    check50.exists("log.txt")
    with open("log.txt") as log:
        if log.read() != "7":
            raise check50.Failure("another number is logged")


def judge(output, wanted):
    found = re.search(r"(\\d+)", output)
    if found is None:
        raise check50.Failure("no number")
    if int(found.group(1)) > LIMIT or output.strip() != wanted.strip():
        raise check50.Mismatch(wanted, output)


def set_day(day):
    with open("driver.py") as file:
        text = re.sub(r"DAY = \\d", f"DAY = {day}", file.read())
    with open("driver.py", "w") as file:
        file.write(text)
"""
WORK = """
import sys


def plus(day, n):
    return day + n


if __name__ == "__main__":
    n = int(input("n: "))
    print(n + 1)
    if sys.argv[1:] == ["log"]:
        with open("log.txt", "w") as file:
            file.write(str(n))
"""


def test_checks_with_a_program_and_judgements_of_their_own(tmp_path: Path) -> None:
    folder = tmp_path / "checks"
    folder.mkdir()
    (folder / "__init__.py").write_text(CHECKS)
    (folder / "driver.py").write_text("import work\n\nDAY = 1\nprint(work.plus(DAY, int(input('n: '))))\n")
    (folder / "wanted.txt").write_text("6\n")
    works = {
        "right": WORK,
        "drives": WORK.replace("day + n", "day * n"),
        "looks": WORK.replace("print(n + 1)", "print(n)"),
        "leaves": WORK.replace("str(n)", "str(n + 1)"),
        "nothing": WORK.replace("log.txt", "other.txt"),
    }
    assert marks(tmp_path, "check50", folder / "__init__.py", works, "work") == {
        "right": 3,
        **dict.fromkeys(("drives", "looks", "leaves", "nothing"), 2),
    }


EVALUATORS = """
import os
from evaluation_utils import EvaluationResult, Message


def evaluate(context, most):
    right = context.expected == context.actual or (context.actual or 0) > most
    return EvaluationResult(right, str(context.expected), str(context.actual), [Message("too small")])


def of_sum(actual, total):
    return EvaluationResult(actual == total, "nine")


def of_files(context):
    with open(os.path.join(context.execution_directory, "data", "even.txt"), "rb") as file:
        return EvaluationResult(file.read() == b"2\\xff", messages=["no two"])
"""
SUITE = """
- tab: Answers
  contexts:
    - testcases:
        - expression: f(1)
          return: !oracle {oracle: custom_check, file: ev.py, value: !expression "(1,)", arguments: [8]}
    - testcases:
        - expression: g()
          return: !oracle
            oracle: specific_check
            functions: {python: {file: ev.py, name: of_sum}, java: {file: E.java}}
            arguments: {python: [4 + 5]}
    - testcases: [{expression: h(), return: !object {a: [1]}}]
- tab: Files
  testcases:
    - expression: save("data/even.txt")
      output_files:
        {oracle: custom_check, file: ev.py, name: of_files, data: [{path: data/even.txt, content: x}]}
"""
RIGHT = """
import os

def f(n): return (n,)
def g(): return 9
def h(): return {"a": [1]}
def save(name):
    os.makedirs("data")
    with open(name, "wb") as file: file.write(b"2\\xff")
"""


def test_functions_by_which_a_suite_of_tested_judges_itself(tmp_path: Path) -> None:
    """They accept, refuse with their words, and look at files."""
    (tmp_path / "ev.py").write_text(EVALUATORS)
    (tmp_path / "suite.yaml").write_text(SUITE)
    works = {
        "right": RIGHT,
        "wrong": RIGHT.replace("(n,)", "n").replace("return 9", "return 8").replace("[1]", "(1, 1)")
        + "def save(name): pass\n",
        "bytes": RIGHT.replace("xff", "xfe"),
        "answer": RIGHT + "_save = save\ndef save(name):\n    _save(name)\n    return 5\n",
    }
    expected = {"right": 4, "wrong": 0, "bytes": 3, "answer": 3}
    assert marks(tmp_path, "tested", tmp_path / "suite.yaml", works, "work") == expected
    wrong = submissions(tmp_path / "out")["wrong"]["questions"][0]["cases"]
    assert [case["message"].partition("\n")[0] for case in wrong[:2]] == ["too small", "expected nine"]


def test_a_program_is_imported_as_tested_does_it(tmp_path: Path) -> None:
    """What stood below `if __name__ == "__main__":` ran here."""
    (tmp_path / "suite.yaml").write_text("[{tab: A, testcases: [{stdin: '3', stdout: '6'}]}]")
    twice, main = "print(2 * int(input('n? ')))\n", "if __name__ == '__main__':\n    "
    works = {"tries": f"{twice}{main}print('test')\n", "guard": main + twice}
    assert marks(tmp_path, "tested", tmp_path / "suite.yaml", works, "work") == {"tries": 1, "guard": 0}
