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
