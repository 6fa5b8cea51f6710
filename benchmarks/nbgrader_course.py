"""nbgrader's own example course, converted and marked: the same points for the same cells?

    python benchmarks/nbgrader_course.py CLONE

CLONE: a git clone of jupyter/nbgrader (BSD 3-Clause), read at the commit named here.  Nothing of it is a
part of this project.  Each notebook of its assignment `ps1` is converted, with that very notebook as the
reference, and the two submissions of its documentation are marked.  nbgrader's own verdicts stand in the
autograded notebooks beside them: a test cell passes if it has no error among its outputs.

Prints a line for each cell with points: whether it is said, left out or for a person, and both tools' marks;
then the totals.  Exits with 1 if a mark differs.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

COMMIT = "207a8e544968092c93af807cce6f002552c628fa"
_GUIDE = "nbgrader/docs/source/user_guide"
_STUDENTS = ("bitdiddle", "hacker")
_BY_HAND, _LEFT_OUT = "for a person", "left out"


def main() -> int:
    """Convert, mark and compare; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("clone", type=Path)
    clone = parser.parse_args().clone
    said, left, by_hand = Fraction(0), Fraction(0), Fraction(0)
    differing = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in ("problem1", "problem2"):
            results = marked(clone, name, Path(folder, name))
            for cell in cells(notebook(clone, f"source/ps1/{name}.ipynb")):
                points = Fraction(str(cell["points"]))
                ours = [results[student].get(cell["grade_id"], _LEFT_OUT) for student in _STUDENTS]
                theirs = [judged(clone, student, name, cell["grade_id"]) for student in _STUDENTS]
                told = ours if ours[0] in (_BY_HAND, _LEFT_OUT) else [f"{each} of {points}" for each in ours]
                print(f"{name}  {cell['grade_id']:28} {points!s:>4}  {told[0]:14} {told[-1]:14}", *theirs)
                if ours[0] == _BY_HAND:
                    by_hand += points
                elif ours[0] == _LEFT_OUT:
                    left += points
                else:
                    said += points
                    differing += sum(
                        Fraction(mark) != points * passes for mark, passes in zip(ours, theirs, strict=True)
                    )
    print(f"said {said}, left out {left}, for a person {by_hand}; {differing} marks differ")
    return 1 if differing else 0


def notebook(clone: Path, path: str) -> Any:
    """Return a notebook of the guide."""
    return json.loads(shown(clone, path))


def shown(clone: Path, path: str) -> bytes:
    command = ["git", "-C", str(clone), "show", f"{COMMIT}:{_GUIDE}/{path}"]
    return subprocess.run(command, check=True, capture_output=True).stdout


def cells(content: Any) -> Iterator[dict[str, Any]]:
    """Yield what nbgrader says of each cell with points."""
    for cell in content["cells"]:
        about = cell["metadata"].get("nbgrader") or {}
        if about.get("points"):
            yield about


def judged(clone: Path, student: str, name: str, grade_id: str) -> bool:
    """Tell whether a cell passed in nbgrader."""
    for cell in notebook(clone, f"autograded/{student}/ps1/{name}.ipynb")["cells"]:
        if (cell["metadata"].get("nbgrader") or {}).get("grade_id") == grade_id:
            return not any(each["output_type"] == "error" for each in cell.get("outputs", []))
    return False


def marked(clone: Path, name: str, folder: Path) -> dict[str, dict[str, str]]:
    """Return the marks of each student, by the ids of the cells."""
    (folder / "source").mkdir(parents=True)
    (folder / "source" / f"{name}.ipynb").write_bytes(shown(clone, f"source/ps1/{name}.ipynb"))
    for student in _STUDENTS:
        (folder / "in" / student).mkdir(parents=True)
        work = shown(clone, f"submitted/{student}/ps1/{name}.ipynb")
        (folder / "in" / student / f"{name}.ipynb").write_bytes(work)
    grader(
        folder, "convert", f"source/{name}.ipynb", "--from", "nbgrader", "-o", "spec.yaml", "--module", name
    )
    spec = folder / "spec.yaml"
    spec.write_text(spec.read_text("utf-8").replace("\nmodules:", "\nreference: source\nmodules:"), "utf-8")
    grader(folder, "mark", "spec.yaml", "in", "-o", "out", "-q")
    document = json.loads((folder / "out" / "results.json").read_text("utf-8"))
    return {
        one["id"]: {
            each["id"]: _BY_HAND if each.get("criteria") else each["mark"] for each in one["questions"]
        }
        for one in document["submissions"]
    }


def grader(folder: Path, *arguments: str) -> None:
    command = [str(Path(sys.executable).with_name("grader")), *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{arguments[0]}: {done.stderr}")


if __name__ == "__main__":
    sys.exit(main())
