"""Gradescope's own Python sample, converted and marked: the points of gradescope-utils?

    python benchmarks/gradescope_samples.py CLONE PYTHON

CLONE: a git clone of gradescope/autograder_samples (no licence is stated), read at the commit named here.
Nothing of it is a part of this project.  PYTHON: one with gradescope-utils 0.5.0.

The tests of the sample `python`, a calculator, are converted, and the solution and the four other programs
beside it are marked here and by gradescope-utils.  Then each file of tests is run as it is, by a case with
`pytest`.  The samples in other languages are not read.  Prints a line for each program, then what is left out
and why.  Exits with 1 if points differ.
"""

import argparse
import ast
import json
import re
import shutil
import subprocess
import sys
import tempfile
from fractions import Fraction
from pathlib import Path
from typing import Any

from foreign import grader, mark_of, marked_by, points_by, unpack

COMMIT = "af5dee4cf9b2c930c47dc0e4320c7e5ab2580564"
_SAMPLE = "python/src"
_HIDDEN = re.compile(r"title: (Hidden test \d+)\n(?:.*\n)+?      # .*, line \d+ of [^:]+: (.*)")
"""A question of a hidden test, and its own title, which stands in a comment at its end."""
_PROGRAMS = ("solution", "incorrect_1", "incorrect_2", "incorrect_3", "incomplete_1")
_RUN = """
import sys, unittest
from gradescope_utils.autograder_utils.json_test_runner import JSONTestRunner
suite = unittest.defaultTestLoader.discover("tests")
with open(sys.argv[1], "w") as stream:
    JSONTestRunner(visibility="visible", stream=stream).run(suite)
"""
_SPEC = """\
task: calculator
title: Calculator
marks: 1
reference: reference
modules: {{calculator: calculator.py}}
questions:
  - id: all
    title: All
    marks: 1
    award: each
    cases: [{{pytest: tests/{file}}}]
"""


def main() -> int:
    """Convert, mark twice and compare; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("clone", type=Path)
    parser.add_argument("python", type=Path)
    given = parser.parse_args()
    marks = differing = 0
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        unpack(given.clone, COMMIT, root, _SAMPLE)
        sample = root / _SAMPLE
        for name in _PROGRAMS:
            shutil.copytree(sample / name, root / "in" / name)
        shutil.copytree(sample / "solution", root / "reference")
        shutil.copytree(sample / "tests", root / "tests")
        theirs = {name: judged(given.python, sample, root / "in" / name, root) for name in _PROGRAMS}
        spec = root / "calculator.yaml"
        done = grader("convert", root / "tests", "--from", "gradescope-utils", "-o", spec)
        text = spec.read_text()
        spec.write_text(text.replace("\nmodules:", "\nreference: reference\nmodules:", 1))
        hidden = dict(_HIDDEN.findall(text))
        ours = {
            name: {hidden.get(title, title): points for title, points in each.items()}
            for name, each in marked(spec, root).items()
        }
        for name in _PROGRAMS:
            unlike = [each for each in ours[name] if ours[name][each] != theirs[name][each]]
            marks, differing = marks + len(ours[name]), differing + len(unlike)
            print(f"{name:16} {sum(ours[name].values())} points", *unlike)
        print(done.stdout, *done.stderr.splitlines()[:2], sep="\n")
        for name, points in by_chance(root / "tests").items():
            print(f"apart: {name} draws its {points} points by chance, so none of them are right or wrong")
        for file in sorted((root / "tests").glob("test_*.py")):
            spec = root / f"as_it_is_{file.stem}.yaml"
            spec.write_text(_SPEC.format(file=file.name))
            done = grader("mark", spec, root / "in", "-o", root / file.stem, "--no-cache")
            results = root / file.stem / "results.json"
            if not results.exists():
                print(
                    f"{file.name:24} not run as it is: {done.stderr.partition(chr(10))[0].partition(': ')[2]}"
                )
                continue
            document = json.loads(results.read_text())
            compared = unlike_as_it_is(document, theirs, docstrings(file))
            marks, differing = marks + compared[0], differing + len(compared[1])
            print(f"{file.name:24} run as it is: {compared[0]} verdicts", *compared[1])
    print(f"{marks} marks and verdicts compared, {differing} unlike")
    return 1 if differing else 0


def judged(python: Path, sample: Path, program: Path, root: Path) -> dict[str, Fraction]:
    """Return the points that gradescope-utils gives, by the first line of each test's docstring."""
    work, told = root / "work", root / "told.json"
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(program, work)
    shutil.copytree(sample / "tests", work / "tests")
    subprocess.run([python.absolute(), "-c", _RUN, told], cwd=work, capture_output=True, timeout=120)
    return {
        re.sub(r"^[\d.]+\) ", "", each["name"]): Fraction(each.get("score", 0)).limit_denominator(1000)
        for each in json.loads(told.read_text())["tests"]
    }


def marked(spec: Path, root: Path) -> dict[str, dict[str, Fraction]]:
    """Return the marks here, by programs and titles."""
    return points_by(marked_by(spec, root / "in", root / "out"), "title", mark_of)


def unlike_as_it_is(
    results: dict[str, Any], theirs: dict[str, dict[str, Fraction]], named: dict[str, str]
) -> tuple[int, list[str]]:
    """Return how many verdicts there are, and those that differ from the points of gradescope-utils.

    named: by function, the first line of its docstring.
    """
    number, unlike = 0, []
    for one in results["submissions"]:
        for case in one["questions"][0]["cases"]:
            title = re.sub(r"^[\d.]+\)? ", "", case.get("title") or case["call"])
            title = named.get(title.rpartition("::")[2], title)
            points = theirs[one["id"]].get(title)
            number += 1
            if points is None or (case["verdict"] == "accepted") != (points > 0):
                unlike.append(f"{one['id']} {title}")
    return number, unlike


def by_chance(tests: Path) -> dict[str, Fraction]:
    """Return the points of the tests that draw them, by name."""
    found: dict[str, Fraction] = {}
    for file in sorted(tests.glob("test_*.py")):
        for each in ast.walk(ast.parse(file.read_text())):
            if isinstance(each, ast.FunctionDef) and "random." in ast.unparse(each):
                stated = re.search(r"partial_credit\(([\d.]+)\)", ast.unparse(each))
                found |= {each.name: Fraction(stated[1])} if stated else {}
    return found


def docstrings(file: Path) -> dict[str, str]:
    """Return the first line of each test's docstring, by functions."""
    nodes = [each for each in ast.walk(ast.parse(file.read_text())) if isinstance(each, ast.FunctionDef)]
    return {each.name: (ast.get_docstring(each) or each.name).partition("\n")[0] for each in nodes}


if __name__ == "__main__":
    sys.exit(main())
