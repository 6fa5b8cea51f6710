"""Public test files brought along unchanged, and what a test costs.

    python benchmarks/test_files.py FOLDER [--only NAME ...]

FOLDER: exercises as the Python track of Exercism has them (`exercises/practice` of its repository): in each
a `*_test.py`, and a solution in `.meta/example.py`.  Marks each solution by its test file.  Prints for each
exercise how many test functions pass and why others do not, and the wall time for a test function, with the
start of the two sandboxes.
"""

import argparse
import tempfile
import time
from pathlib import Path

from grader.engine.run_config import prepare_run
from grader.engine.worker import Marker
from grader.model.results import CaseResult
from grader.model.submission import SourceFile, Submission
from grader.sandbox.driver import Driver
from grader.spec import load_task

_SPEC = """
task: brought-along
title: Brought along
marks: 1
modules: {{{module}: {module}.py}}
reference: reference
questions:
  - id: "1"
    title: its tests
    marks: 1
    award: each
    cases:
      - pytest: tests/{module}_test.py
"""


def main() -> None:
    """Mark every exercise and print a line for each."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", nargs="*", default=[], metavar="NAME")
    options = parser.parse_args()
    whole = count = 0
    for exercise in sorted(path for path in options.folder.iterdir() if path.is_dir()):
        tests, solution = [*exercise.glob("*_test.py")], exercise / ".meta" / "example.py"
        if (options.only and exercise.name not in options.only) or len(tests) != 1 or not solution.is_file():
            continue
        began_s = time.monotonic()
        cases = marked(exercise, tests[0], solution)
        passed = sum(case.verdict == "accepted" for case in cases)
        count, whole = count + 1, whole + (passed == len(cases))
        each_ms = 1000 * (time.monotonic() - began_s) / len(cases)
        print(f"{exercise.name:30} {passed:3} of {len(cases):3}  {each_ms:5.0f} ms a test function")
        for message in dict.fromkeys(case.message for case in cases if case.verdict != "accepted"):
            print(f"    {message[:200]}")
    print(f"{whole} of {count} files pass as a whole")


def marked(exercise: Path, tests: Path, solution: Path) -> list[CaseResult]:
    """Mark a solution by a test file; return the result of each test function."""
    module = tests.stem.removesuffix("_test")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "tests").mkdir()
        (folder / "reference").mkdir()
        for file in exercise.glob("*.py"):
            if file.stem != module:
                (folder / "tests" / file.name).write_bytes(file.read_bytes())
        text = solution.read_text("utf-8")
        (folder / "reference" / f"{module}.py").write_text(text, "utf-8")
        (folder / "spec.yaml").write_text(_SPEC.format(module=module), "utf-8")
        task = load_task(folder / "spec.yaml")
        submission = Submission("solution", "solution", {module: SourceFile(f"{module}.py", text)})
        with Marker(prepare_run(task, Driver.NAMESPACES, "")) as marker:
            result = marker.mark(submission).result
    return [case for question in result.questions for case in question.cases]


if __name__ == "__main__":
    main()
