"""Do right programs get full marks?  All of them, by whole specs, with the cases that take minutes.

    python benchmarks/right_programs.py [TASK ...]

Marks `specs/TASK/right/`, by the command line, for the tasks that are named or all that have such a folder.
Prints for each program its mark, and the CPU seconds of its cases beside those of the longest one.  Exits
with 1 if one of them gets less than what cases can give; the suite does the same without the cases
that may take more than a minute.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from fractions import Fraction
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]


def main() -> int:
    """Mark everything and print the lines."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    known = sorted(path.parent.name for path in ROOT.glob("specs/*/right"))
    parser.add_argument("tasks", nargs="*", metavar="TASK", help=f"of {', '.join(known)}")
    chosen = parser.parse_args().tasks or known
    return max(map(marked, chosen))


def marked(task: str) -> int:
    """Mark the right programs of a task and print a line for each; return 1 if one is below full marks."""
    folders = sorted(path for path in (ROOT / "specs" / task / "right").iterdir() if path.is_dir())
    with tempfile.TemporaryDirectory() as output:
        command = [sys.executable, "-m", "grader", "mark", ROOT / "specs" / f"{task}.yaml", *folders]
        subprocess.run([*command, "-o", output, "-q"], stdout=subprocess.DEVNULL, check=True)
        document = json.loads(Path(output, "results.json").read_text("utf-8"))
    return max([tell(task, submission) for submission in document["submissions"]])


def tell(task: str, submission: dict[str, Any]) -> int:
    """Print the line of a program; return 1 if it has less than cases can give."""
    questions = [question for question in submission["questions"] if question["cases"]]
    full = sum(Fraction(question["max_mark"]) for question in questions)
    mark = sum(Fraction(question["mark"]) for question in questions)
    cases = [case for question in questions for case in question["cases"]]
    longest = max(cases, key=lambda case: float(case["cpu_s"]))
    took_s = sum(case["cpu_s"] for case in cases)
    print(f"{task:20}{submission['id']:18}{mark} of {full}", end="")
    print(f"   {took_s:.1f} s, of which {longest['cpu_s']:.1f} s for {longest['id']}", flush=True)
    return int(mark < full)


if __name__ == "__main__":
    sys.exit(main())
