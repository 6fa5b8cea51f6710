"""otter-grader's own test notebooks, converted and marked: the points of otter?

    python benchmarks/otter_notebooks.py CLONE OTTER

CLONE: a git clone of ucbds-infra/otter-grader (BSD 3-Clause), read at the commit named here.  Nothing of it
is a part of this project.  OTTER: the command of otter-grader 7.0.0, in an environment with ipykernel, NumPy,
pandas, matplotlib and tqdm, which this checkout's Python needs too.

The tests of `test_grade` are converted, and its notebooks marked here and by `otter run`, which runs them
without a sandbox.  The notebook that passes everything is the reference, without its lines for otter.  The
other folders of tests, which come without notebooks, are only converted.

Prints a line for each folder and notebook, then what is left out and why.  Exits with 1 if points differ
without an explanation.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from fractions import Fraction
from pathlib import Path

from foreign import grader, mark_of, marked_by, points_by, unpack

COMMIT = "4059e7ae536b64a9d9b18c0d693a4a88dc3e255a"
_GRADED = "test/test_grade/files"
_FOLDERS = (
    f"{_GRADED}/tests",
    "test/test_check/files/tests",
    "test/test_assign/files/example-autograder-correct/tests",
    "test/test_assign/files/exception-correct/autograder/tests",
    "test/test_assign/files/gs-autograder-correct/tests",
)
_RIGHT = "passesAll"
_REBOUND = "`x` has another value at the end than where the notebook calls the check"
EXPLAINED = {"q3": _REBOUND, "q4": _REBOUND}
"""By test, why the points are others."""


def main() -> int:
    """Convert, mark twice and compare; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("clone", type=Path)
    parser.add_argument("otter", type=Path)
    given = parser.parse_args()
    left: Counter[str] = Counter()
    said = offered = Fraction(0)
    marks = differing = explained = 0
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        unpack(given.clone, COMMIT, root, *_FOLDERS, f"{_GRADED}/notebooks")
        for tests in _FOLDERS:
            spec = root / "spec" / "nb.yaml"
            shutil.rmtree(spec.parent, ignore_errors=True)
            spec.parent.mkdir()
            done = grader("convert", root / tests, "--from", "otter", "-o", spec, "--module", "nb")
            if "Traceback" in done.stderr:
                sys.exit(f"{tests}: {done.stderr}")
            reasons = re.findall(r":\d+: left out: (.*)", done.stdout)
            left.update(re.sub(r"^\w+: case \d+", "a case", each) for each in reasons)
            kept = Fraction(re.findall(r"^marks: (.*)", spec.read_text(), re.MULTILINE)[0])
            lost = re.search(r"worth ([\d./]+) of ([\d./]+) points", done.stderr)
            total = Fraction(lost[2]) if lost else kept
            said, offered = said + kept, offered + total
            print(f"{tests:60} {float(kept):g} of {float(total):g} points", flush=True)
            if not tests.startswith(_GRADED):
                continue
            ours = marked(spec, root / _GRADED / "notebooks", root)
            archive = root / "autograder.zip"
            otter(given.otter, "generate", "-t", root / tests, "-o", archive, cwd=root)
            for name, mine in ours.items():
                theirs = judged(given.otter, archive, root / _GRADED / "notebooks" / f"{name}.ipynb", root)
                unlike = []
                for test, mark in mine.items():
                    marks += 1
                    if theirs[test] != mark:
                        why = EXPLAINED.get(test, "")
                        differing += not why
                        explained += bool(why)
                        unlike += [f"{test}: {theirs[test]} there, {mark} here"] if not why else []
                print(f"  {name:58} {sum(mine.values())}", *unlike, sep="  ", flush=True)
    for test, why in EXPLAINED.items():
        print(f"{test} explained: {why}")
    for reason, number in left.most_common():
        print(f"{number:4} left out: {reason}")
    print(f"said {float(said):g} of {float(offered):g} points; {marks} marks compared, ", end="")
    print(f"{differing} unlike, {explained} more are explained")
    return 1 if differing else 0


def otter(command: Path, *words: object, cwd: Path) -> None:
    path = f"{command.absolute().parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [command.absolute(), *map(str, words)],
        cwd=cwd,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
    )
    if done.returncode:
        sys.exit(done.stderr)


def judged(command: Path, archive: Path, notebook: Path, root: Path) -> dict[str, Fraction]:
    """Return otter's points, by tests."""
    results = root / "results"
    shutil.rmtree(results, ignore_errors=True)
    results.mkdir()
    otter(command, "run", "-a", archive, "-o", results, notebook, cwd=root)
    told = json.loads((results / "results.json").read_text())["tests"]
    return {each["name"]: Fraction(each["score"]).limit_denominator(1000) for each in told if "score" in each}


def marked(spec: Path, notebooks: Path, root: Path) -> dict[str, dict[str, Fraction]]:
    """Return the marks here, by notebooks and tests."""
    batch, reference = root / "batch", spec.parent / "reference"
    reference.mkdir()
    for each in notebooks.glob("*.ipynb"):
        (batch / each.stem).mkdir(parents=True)
        shutil.copy(each, batch / each.stem / "nb.ipynb")
    cells = json.loads((notebooks / f"{_RIGHT}.ipynb").read_text())["cells"]
    lines = [line for each in cells if each["cell_type"] == "code" for line in [*each["source"], "\n"]]
    kept = [line.rstrip("\n") for line in lines if not re.match(r"%|import otter|grader\b", line)]
    (reference / "nb.py").write_text("\n".join(kept))
    packages = "packages: [matplotlib, numpy, pandas, tqdm]"
    text = spec.read_text().replace("{nb: nb.py}", f"{{nb: nb.ipynb}}\n{packages}")
    spec.write_text(text.replace("\nmodules:", "\nreference: reference\nmodules:", 1))
    return points_by(marked_by(spec, batch, root / "out", "--anyway"), "id", mark_of)


if __name__ == "__main__":
    sys.exit(main())
