"""TESTed's own exercises, converted and marked: the verdicts of its own judge?

    python benchmarks/tested_suites.py CLONE PYTHON

CLONE: a git clone of dodona-edu/universal-judge (MIT), read at the commit named here.  Nothing of it is a
part of this project.  PYTHON: one of at least 3.12 with what TESTed needs (psutil pydantic pyyaml jsonschema
attrs cattrs typing-inspect python-i18n pyhumps marko Pygments pylint).

Each suite in YAML is converted.  Each Python solution beside it is judged by TESTed and marked here, and the
verdicts are compared context by context.  Contexts count apart where an exercise has no solution in Python,
or TESTed says an internal error of each: its own tests have such, to see that error.  Prints a line for each
suite, then what is left out and why.  Exits with 1 if a verdict differs without an explanation.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

COMMIT = "7dbcd24cb93c611f44a99b0a37fb01092c5d468c"
_EXERCISES = "tests/exercises"
EXPLAINED = {
    "top-level-output.py": "it prints while it is imported, which is not compared here",
    "unknown-return-type.py": "an object of its own class is no answer here, whatever a check says",
}
"""By a solution's name, why a verdict is another one."""


def main() -> int:
    """Convert, judge twice and compare; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("clone", type=Path)
    parser.add_argument("python", type=Path)
    parser.add_argument("--only", default="", metavar="NAME", help="exercises whose names begin so")
    given = parser.parse_args()
    left: Counter[str] = Counter()
    said = contexts = verdicts = differing = apart = 0
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        unpack(given.clone, root)
        for suite in sorted((root / _EXERCISES).glob("*/evaluation/*.y*ml")):
            exercise, spec = suite.parents[1], root / "converted" / "spec.yaml"
            if "tab:" not in suite.read_text() or not exercise.name.startswith(given.only):
                # A configuration of a linter's.
                continue
            shutil.rmtree(spec.parent, ignore_errors=True)
            spec.parent.mkdir()
            module = next(
                (
                    line.split()[1].strip('"')
                    for line in suite.read_text().splitlines()
                    if line.startswith("namespace:")
                ),
                "submission",
            )
            done = grader("convert", suite, "--from", "tested", "-o", spec, "--module", module)
            reasons = [
                line.rpartition(": ")[2]
                for line in (done.stdout + done.stderr).splitlines()
                if "left out: " in line
            ]
            lost = len(reasons)
            kept = int(done.stderr.partition(" of ")[0].split()[-1]) if not done.returncode else 0
            solutions = sorted((exercise / "solution").glob("*.py"))
            heard = {each: told(given.python, root, suite, each) for each in solutions}
            if all(map(fails_itself, heard.values())) and (solutions or not kept):
                apart += kept + lost
                print(f"{exercise.name}/{suite.name:44} apart: {kept + lost}, not judged in Python by TESTed")
                continue
            left.update(reasons)
            said, contexts = said + kept, contexts + kept + lost
            solutions = solutions if kept else []
            unlike = []
            for solution in solutions:
                theirs = dict(judged(heard[solution]))
                ours = marked(spec, module, solution, root)
                for name, verdict in ours.items():
                    verdicts += 1
                    if theirs and theirs[name] != verdict:
                        why = EXPLAINED.get(solution.name, "")
                        differing += not why
                        unlike.append(f"{solution.name} {name}: {theirs[name]}, here {verdict} {why}")
            print(
                f"{exercise.name}/{suite.name:44} {kept} of {kept + lost}, {len(solutions)} solutions",
                *unlike,
            )
    for reason, number in left.most_common():
        print(f"{number:4} left out: {reason}")
    print(f"{said} of {contexts} contexts said, and {apart} apart", end="; ")
    print(f"{verdicts} verdicts compared, {differing} unlike")
    return 1 if differing else 0


def unpack(clone: Path, folder: Path) -> None:
    """Write the exercises and the judge of the commit."""
    for name in git(clone, "ls-tree", "-r", "--name-only", "-z", COMMIT, _EXERCISES, "tested").split(b"\0"):
        if name:
            path = folder / name.decode()
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(git(clone, "cat-file", "blob", f"{COMMIT}:{name.decode()}"))


def git(clone: Path, *words: str) -> bytes:
    return subprocess.run(["git", "-C", str(clone), *words], check=True, capture_output=True).stdout


def grader(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "grader", *map(str, words)], capture_output=True, text=True, check=False
    )


def told(python: Path, root: Path, suite: Path, solution: Path) -> list[dict[str, Any]]:
    """Return what TESTed says of a solution, line by line."""
    work = root / "work"
    shutil.rmtree(work, ignore_errors=True)
    beside = suite.parents[1] / "workdir"
    if beside.is_dir():
        shutil.copytree(beside, work)
    work.mkdir(exist_ok=True)
    config: dict[str, Any] = {
        "resources": str(suite.parent),
        "source": str(solution),
        "plan_name": suite.name,
    }
    config |= {"time_limit": 20, "memory_limit": 1 << 29, "natural_language": "en", "options": {}}
    config |= {"programming_language": "python", "workdir": str(work), "judge": str(root)}
    command = [str(python), "-m", "tested"]
    done = subprocess.run(command, input=json.dumps(config), capture_output=True, text=True, cwd=root)
    return [json.loads(line) for line in done.stdout.splitlines()]


def fails_itself(lines: list[dict[str, Any]]) -> bool:
    """Tell whether TESTed says an internal error of a solution."""
    return any(line.get("status", {}).get("enum") == "internal error" for line in lines)


def judged(lines: list[dict[str, Any]]) -> Iterator[tuple[tuple[int, int], bool]]:
    """Yield the numbers of each context's tab and its own, and whether TESTed finds all of it right."""
    tab = context = 0
    right = True
    is_broken = any(line.get("status", {}).get("enum") == "compilation error" for line in lines)
    for line in lines:
        match line["command"]:
            case "start-tab":
                tab, context = tab + 1, 0
            case "start-context":
                context, right = context + 1, True
            case "close-test":
                right &= line["status"]["enum"] == "correct"
            case "close-context":
                yield (tab, context), right and not is_broken


def marked(spec: Path, module: str, solution: Path, root: Path) -> dict[tuple[int, int], bool]:
    """Return whether each context is accepted here, by the numbers of its tab and its own."""
    batch = root / "batch"
    shutil.rmtree(batch, ignore_errors=True)
    (batch / "student-01").mkdir(parents=True)
    shutil.copy(solution, batch / "student-01" / f"{module}.py")
    grader("mark", spec, batch, "-o", root / "out", "--no-cache")
    results = json.loads((root / "out" / "results.json").read_text())
    shutil.rmtree(root / "out")
    return {
        (number, int(case["id"].rpartition("-")[2])): case["verdict"] == "accepted"
        for number, question in enumerate(results["submissions"][0]["questions"], 1)
        for case in question["cases"]
    }


if __name__ == "__main__":
    sys.exit(main())
