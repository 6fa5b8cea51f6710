"""PrairieLearn's own example course, converted and marked: the points of its own Python autograder?

    python benchmarks/prairielearn_course.py CLONE PYTHON

CLONE: a git clone of PrairieLearn/PrairieLearn (AGPL 3), read at the commit named here.  Nothing of it is a
part of this project.  PYTHON: one of at least 3.11 with what its autograder needs (numpy pandas matplotlib
Faker Pygments scipy ipython nbformat).

Each question of `exampleCourse` with `tests/test.py` for the Python autograder is converted.  Where it has a
`server.py` that draws parameters, PYTHON runs it once, and the variant lies beside the question as
`data.json`.  The reference, an empty file, the starter code, mutants of the reference and the samples of the
question are marked by both.  Where a test draws its values, two works that lack points are counted apart.

Prints a line for each question, then what is left out and why.  Exits with 1 if points differ without an
explanation.
"""

import argparse
import ast
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path

import yaml
from foreign import grader, mark_of, marked_by, mutants, points_by, unpack

COMMIT = "88fb8556a7a1768e2082736be9095241b11238d7"
_QUESTIONS, _GRADER = "exampleCourse/questions", "graders/python/python_autograder"
_MOST_MUTANTS = 6
_WAIT_S = 60
_OTHERS = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Pow: ast.Mult, ast.LtE: ast.Lt}
EXPLAINED: dict[str, str] = {}
"""By question and program, why the points are others."""
_VARIANT = """
import json, random, sys
import numpy
random.seed(1)
numpy.random.seed(1)
names = {}
exec(compile(open("server.py").read(), "server.py", "exec"), names)
data = {"params": json.load(sys.stdin), "correct_answers": {}}
names.get("generate", lambda data: None)(data)
print(json.dumps(data, default=lambda value: getattr(value, "item", lambda: str(value))()))
"""


def main() -> int:
    """Convert, mark twice and compare; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("clone", type=Path)
    parser.add_argument("python", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--no-variants", action="store_true")
    given = parser.parse_args()
    left: Counter[str] = Counter()
    said = offered = Fraction(0)
    marks = differing = drawn = 0
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for question in questions(given.clone, root):
            if given.only not in str(question):
                continue
            if not given.no_variants:
                draw(question, given.python)
            spec = root / "spec" / "work.yaml"
            shutil.rmtree(spec.parent, ignore_errors=True)
            spec.parent.mkdir()
            done = grader("convert", question, "--from", "prairielearn", "-o", spec)
            if "Traceback" in done.stderr:
                sys.exit(f"{question}: {done.stderr}")
            worth = points(question)
            offered += sum(worth.values())
            kept = kept_of(spec) if spec.exists() else {}
            said += sum(kept.values())
            for line in re.findall(r":\d+: left out: (.*)", done.stdout + done.stderr):
                method, _, reason = line.partition(": ")
                left[reason if method in worth else line] += int(worth.get(method, sum(worth.values())))
            unlike = []
            submitted = dict(programs(question, spec.with_suffix(""))) if kept else {}
            ours = marked(spec, submitted)
            for name, file in submitted.items():
                theirs = judged(given.python, root, question, file)
                for test, mine in ours[name].items():
                    marks += 1
                    other = theirs.get(test, Fraction(0))
                    if mine == other:
                        continue
                    if f"{test}: its values are drawn" in done.stdout and worth[test] not in (mine, other):
                        drawn += 1
                    else:
                        why = EXPLAINED.get(f"{question.name}/{name}", "")
                        differing += not why
                        unlike.append(f"{name} {test}: {other} there, {mine} here {why}")
            told = f"{question.name:26} {sum(kept.values())!s:>3} of {sum(worth.values())} points"
            print(told, f"{len(submitted)} programs", *unlike, sep="  ", flush=True)
    for reason, number in left.most_common():
        print(f"{number:4} points left out: {reason}")
    print(f"said {said} of {offered} points; {marks} marks compared, {differing} unlike", end="")
    print(f", and {drawn} of tests that draw have another part of the points")
    return 1 if differing else 0


def questions(clone: Path, folder: Path) -> Iterator[Path]:
    """Unpack the course and the autograder; yield the folders of the questions that it marks."""
    unpack(clone, COMMIT, folder, _QUESTIONS, _GRADER)
    for tests in sorted((folder / _QUESTIONS).rglob("tests/test.py")):
        if "PLTestCase" in tests.read_text() and tests.with_name("ans.py").exists():
            yield tests.parents[1]


def draw(question: Path, python: Path) -> None:
    """Write one variant of a question whose server draws parameters."""
    if not (question / "server.py").exists():
        return
    done = subprocess.run(
        [python, "-c", _VARIANT], input="{}", cwd=question, capture_output=True, text=True, check=False
    )
    if not done.returncode:
        (question / "data.json").write_text(done.stdout)


def points(question: Path) -> dict[str, Fraction]:
    """Return the points of each test."""
    tree = ast.parse((question / "tests" / "test.py").read_text())
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test"):
            for each in node.decorator_list:
                if isinstance(each, ast.Call) and ast.unparse(each.func) == "points":
                    found[node.name] = Fraction(ast.literal_eval(each.args[0]))
    return found


def kept_of(spec: Path) -> dict[str, Fraction]:
    """Return the marks of each test that a spec has."""
    read = yaml.safe_load(spec.read_text())["questions"]
    return {f"test_{one['id']}": Fraction(one["marks"]) for one in read}


def programs(question: Path, beside: Path) -> Iterator[tuple[str, Path]]:
    """Yield the programs that both mark, by names; none where the question has no reference."""
    if not (beside / "reference").exists():
        return
    [right] = [each for each in (beside / "reference").iterdir() if each.stem not in helpers(question)]
    folder = beside / "programs"
    text = right.read_text()
    if right.suffix == ".ipynb":
        text = json.loads(text)["cells"][0]["source"]
    texts = {"right": text, "empty": ""}
    if (beside / "handout" / right.name).exists():
        texts["starter"] = (beside / "handout" / right.name).read_text()
    texts |= {
        f"mutant-{number}": mutant for number, mutant in enumerate(mutants(text, _OTHERS, _MOST_MUTANTS), 1)
    }
    # The other samples attack the machine, which the autograder by itself does not shut in.
    for sample in sorted(question.glob("submitted_code_samples/*_success_*/*.py")):
        texts[sample.parent.name.replace("_", "-")] = sample.read_text()
    for name, content in texts.items():
        path = folder / name / right.name
        path.parent.mkdir(parents=True)
        if right.suffix == ".ipynb":
            cell = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
            cell["source"] = f"#grade\n{content}"
            content = json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 4})
        path.write_text(content)
        yield name, path


def helpers(question: Path) -> set[str]:
    return {each.stem for each in (question / "tests").glob("*.py")}


def judged(python: Path, root: Path, question: Path, program: Path) -> dict[str, Fraction]:
    """Return the points that PrairieLearn's autograder gives, by tests."""
    run = root / "run"
    shutil.rmtree(run, ignore_errors=True)
    shutil.copytree(root / _GRADER, run, ignore=shutil.ignore_patterns("tests", "run.sh"))
    shutil.copytree(question / "tests", run, dirs_exist_ok=True)
    shutil.copy(program, run / program.name)
    filenames = run / "filenames"
    filenames.mkdir()
    for name in ("ans.py", "setup_code.py", "test.py", "leading_code.py", "trailing_code.py"):
        if (run / name).exists():
            (run / name).rename(filenames / name)
    feedback = run / "code_feedback.py"
    feedback.write_text(feedback.read_text().replace('"/grade/run/"', repr(f"{run}/")))
    drawn = question / "data.json"
    data = json.loads(drawn.read_text()) if drawn.exists() else {"params": {}}
    for key, names in stated(question).items():
        data["params"].setdefault(key, [{"name": name} for name in names])
    data["params"].setdefault("names_from_user", [])
    (filenames / "data.json").write_text(json.dumps(data))
    result = run / "result.json"
    (filenames / "output-fname.txt").write_text(str(result))
    environment = {**os.environ, "MERGE_DIR": str(run), "FILENAMES_DIR": str(filenames), "MPLBACKEND": "Agg"}
    try:
        command = [python, run / "pl_main.py"]
        subprocess.run(command, env=environment, cwd=run, capture_output=True, check=False, timeout=_WAIT_S)
    except subprocess.TimeoutExpired:
        print(f"{question.name}/{program.parent.name}: no answer there within {_WAIT_S} s", flush=True)
        return {}
    told = json.loads(result.read_text())
    if not told.get("succeeded"):
        print(f"{question.name}/{program.parent.name}: {told.get('output', '')[-300:]}", flush=True)
    return {
        each["filename"]: Fraction(each["points"]).limit_denominator(1000) for each in told.get("tests", ())
    }


def stated(question: Path) -> dict[str, list[str]]:
    """Return the names that the question's page states, as PrairieLearn's element puts them into its data."""
    found: dict[str, list[str]] = {}

    class Page(HTMLParser):
        table = ""

        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            given = dict(attrs)
            if tag == "pl-external-grader-variables":
                self.table = given.get("params-name") or ""
            elif tag == "pl-variable":
                found.setdefault(self.table, []).append(given.get("name") or "")

    Page().feed((question / "question.html").read_text())
    return found


def marked(spec: Path, submitted: dict[str, Path]) -> dict[str, dict[str, Fraction]]:
    """Return the marks here, by programs and tests."""
    if not submitted:
        return {}
    folder = spec.with_suffix("") / "programs"
    found = points_by(marked_by(spec, folder, spec.parent / "out"), "id", mark_of)
    return {one: {f"test_{each}": mark for each, mark in marks.items()} for one, marks in found.items()}


if __name__ == "__main__":
    sys.exit(main())
