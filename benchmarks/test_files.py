"""Test files of public courses brought along unchanged: what passes, what cannot cross, what tampering earns.

    python benchmarks/test_files.py CLONES [--only NAME ...] [--tamper]

CLONES: a folder with git clones of the courses in `COURSES`, or of some, each named OWNER+NAME, as
`git clone https://github.com/exercism/python CLONES/exercism+python` makes them.  Each file is read at the
commit that is named here.  Marks the course's own solution by its test file.  Prints for each file how many
test functions pass and why others do not, and the wall time for a test function, with the start of the two
sandboxes.

--tamper: marks hostile programs by the same files, and says which tests such a program passes that no program
with a constant answer passes.  Exits with 1 if there is one that is not in `OWN_WORD`.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath

from grader.engine.run_config import prepare_run
from grader.engine.worker import Marker
from grader.model.errors import SpecError
from grader.model.results import CaseResult
from grader.model.submission import SourceFile, Submission
from grader.model.task import Task
from grader.sandbox.driver import Driver
from grader.spec import load_task

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from support.tampering import constants, names_in, tampered


@dataclass(frozen=True)
class Course:
    """A public course.

    tests: test file -> solution; a `*` stands for the same text in both, `MODULE=` before the solution for
    the name of its module if the solution has another.
    """

    repository: str
    licence: str
    commit: str
    tests: dict[str, str] = field(default_factory=dict)


_EDU = {name: f"{name}=src/{name}/func.py" for name in ("atm", "calc", "primes", "sorting")}
_UW = "source/solutions"
COURSES = (
    Course(
        "exercism/python",
        "MIT",
        "9eb657d4507d91efef99f484e7f2a1f4074911b5",
        {"exercises/practice/*/*_test.py": "exercises/practice/*/.meta/example.py"},
    ),
    Course(
        "fmi/python-homework",
        "MIT",
        "26d166f4a74374eeed38ba41f1966c8f45cc0b43",
        {
            **{f"2011/{n}/test.py": f"2011/{n}/solution.py" for n in ("04", "06", "07", "08")},
            "2012/01/test.py": "2012/01/solution.py",
            "2012/03/test.py": "2012/03/solution.py",
            "2013/01/test.py": "2013/01/solution.py",
            "2014/*/test.py": "2014/*/solution.py",
            "2014/challenges/*/test*.py": "2014/challenges/*/solution.py",
        },
    ),
    Course(
        "edu-python-course/problem-sets",
        "MIT",
        "f247e3c3c15edf0f3de9e527159ecf404282f223",
        {
            **{f"tests/{name}/func_test.py": solution for name, solution in _EDU.items()},
            "tests/datasets/func_test.py": "datasets=src/datasets/func.py",
            "tests/datasets/flatten_test.py": "datasets=src/datasets/flatten.py",
        },
    ),
    Course(
        "UWPCE-PythonCert/ProgrammingInPython",
        "CC BY-SA 4.0",
        "fec4aac029bcd9e5a69bbdb16bbf56a8b3e2d310",
        {
            "source/examples/testing/test_codingbat.py": "source/examples/testing/codingbat.py",
            "source/examples/quadratic/test_quadratic.py": "source/examples/quadratic/quadratic.py",
            "source/examples/testing/calculator/test_calculator.py": (
                "source/examples/testing/calculator/calculator_functions.py"
            ),
            "source/examples/testing/calculator/test_calculator_pytest.py": (
                "source/examples/testing/calculator/calculator_functions.py"
            ),
            f"{_UW}/Lesson06/test_walnut_party.py": f"{_UW}/Lesson06/walnut_party.py",
            f"{_UW}/Lesson06/test_kwargs_lab.py": f"{_UW}/Lesson06/kwargs_lab.py",
            f"{_UW}/Lesson07/step_*/test_html_render.py": f"{_UW}/Lesson07/step_*/html_render.py",
            f"{_UW}/Lesson08/test_circle.py": f"{_UW}/Lesson08/circle.py",
            f"{_UW}/Lesson08/sparse_array/test_*.py": f"{_UW}/Lesson08/sparse_array/*.py",
            f"{_UW}/Extras/lambda/test_lambda.py": f"{_UW}/Extras/lambda/lambda_keyword.py",
            f"{_UW}/Extras/trapezoidal/test_frange.py": f"{_UW}/Extras/trapezoidal/frange.py",
            f"{_UW}/trigrams/test_trigrams.py": f"{_UW}/trigrams/trigrams.py",
        },
    ),
    Course(
        "HackBulgaria/Python-101-Forever",
        "MIT",
        "2bfc26431eac09353508af2fe74e1feb9a0b851a",
        {
            "C03-Unit-Testing/05-C03P02/Solution01/interval_tests.py": (
                "C03-Unit-Testing/05-C03P02/Solution01/interval.py"
            )
        },
    ),
    Course(
        "object-oriented-python/object-oriented-programming",
        "CC BY 4.0",
        "8cbfad47ad3db511e4c96252a4fefe303e6c16eb",
        {
            "tests/test_fibonacci.py": "fibonacci=fibonacci/fibonacci.py",
            "tests/test_fibonacci_parametrised.py": "fibonacci=fibonacci/fibonacci.py",
        },
    ),
)
OWN_WORD = {
    "source/solutions/Lesson08/test_circle.py": (
        *("test_equal", "test_greater", "test_less", "test_sort", "test_sphere_sort"),
    ),
}
"""Tests by file that compare the program's own objects alone, of which it may say anything."""
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
      - {{pytest: {tests}, limits: {{time: 5s, wall: 20s}}}}
"""


@dataclass(frozen=True)
class Clone:
    """A course's files, as git has them."""

    course: Course
    git: Path

    def listed(self) -> list[str]:
        return self._said("ls-tree", "-r", "--name-only", self.course.commit).splitlines()

    def text(self, path: str) -> str:
        return self._said("show", f"{self.course.commit}:{path}")

    def _said(self, *arguments: str) -> str:
        command = ["git", f"--git-dir={self.git}", *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def main() -> int:
    """Mark every file that is there; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("clones", type=Path)
    parser.add_argument("--only", nargs="*", default=[], metavar="NAME", help="parts of paths")
    parser.add_argument("--tamper", action="store_true")
    options = parser.parse_args()
    faults = 0
    for course in COURSES:
        clone = _clone(options.clones, course)
        if clone is None:
            print(f"{course.repository}: no clone")
            continue
        print(f"{course.repository} ({course.licence}) at {course.commit[:12]}")
        files = whole = 0
        for tests, module, solution in sorted(brought(clone)):
            if options.only and not any(part in f"{course.repository}/{tests}" for part in options.only):
                continue
            with tempfile.TemporaryDirectory() as name:
                files += 1
                try:
                    file = File(clone, tests, module, solution, Path(name))
                except SpecError as error:
                    print(f"  {tests:60} {str(error).splitlines()[0].partition(' ')[2]}", flush=True)
                    continue
                whole += file.tell_what_passes()
                if options.tamper:
                    faults += file.tell_what_tampering_earns()
        print(f"  {whole} of {files} files pass as a whole", flush=True)
    return 1 if faults else 0


def _clone(folder: Path, course: Course) -> Clone | None:
    for git in (
        folder / course.repository.replace("/", "+") / ".git",
        folder / course.repository.replace("/", "+"),
    ):
        if (git / "HEAD").is_file():
            return Clone(course, git)
    return None


def brought(clone: Clone) -> Iterator[tuple[str, str, str]]:
    """Yield each test file with the name of its module and the path of the solution."""
    paths = clone.listed()
    for pattern, named in clone.course.tests.items():
        module, _, solution = named.rpartition("=")
        for tests in (
            path for path in paths if fnmatch(path, pattern) and path.count("/") == pattern.count("/")
        ):
            for path in paths:
                here = _filled(pattern, tests, solution)
                if path == here:
                    yield tests, module or _module(tests, path), path


def _filled(pattern: str, path: str, other: str) -> str:
    """Return `other` with each `*` as in `path`, part for part."""
    stars = [
        part.removeprefix(known.split("*")[0]).removesuffix(known.split("*")[-1])
        for known, part in zip(pattern.split("/"), path.split("/"), strict=True)
        if "*" in known
    ]
    pieces = other.split("*")
    return "".join(piece + star for piece, star in zip(pieces, [*stars[: len(pieces) - 1], ""], strict=True))


def _module(tests: str, solution: str) -> str:
    """Return the name of the module: the solution's, or that of the tests where the solution is hidden."""
    stem = PurePosixPath(solution).stem
    return PurePosixPath(tests).stem.removesuffix("_test") if stem == "example" else stem


class File:
    """A test file with a task for it, below `folder`."""

    def __init__(self, clone: Clone, tests: str, module: str, solution: str, folder: Path) -> None:
        self._tests, self._module = tests, module
        self._source = clone.text(solution)
        (folder / "tests").mkdir()
        (folder / "reference").mkdir()
        here = PurePosixPath(tests).parent
        for path in clone.listed():
            beside = PurePosixPath(path)
            if beside.parent == here and beside.suffix == ".py" and beside.stem != module:
                (folder / "tests" / beside.name).write_text(clone.text(path), "utf-8")
        (folder / "reference" / f"{module}.py").write_text(self._source, "utf-8")
        spec = _SPEC.format(module=module, tests=f"tests/{PurePosixPath(tests).name}")
        (folder / "spec.yaml").write_text(spec, "utf-8")
        self._task: Task = load_task(folder / "spec.yaml")

    def tell_what_passes(self) -> bool:
        """Print how many tests the course's solution passes; return whether all."""
        began_s = time.monotonic()
        (cases,) = self._marked(self._source)
        passed = sum(case.verdict == "accepted" for case in cases)
        each_ms = 1000 * (time.monotonic() - began_s) / len(cases)
        print(
            f"  {self._tests:60} {passed:3} of {len(cases):3}  {each_ms:5.0f} ms a test function", flush=True
        )
        for case in cases:
            if case.verdict != "accepted":
                print(f"      {case.call.rpartition('::')[2]}: {case.verdict}: {case.message[:160]}")
        return passed == len(cases)

    def tell_what_tampering_earns(self) -> int:
        """Print which tests are passed by lies alone; return how many of them may not be."""
        names = names_in(self._source)
        ways = tampered(names)
        found = self._marked(*constants(names).values(), *ways.values())
        known = {test for cases in found[: -len(ways)] for test in _accepted(cases)}
        own, count = set(OWN_WORD.get(self._tests, ())), 0
        for way, cases in zip(ways, found[-len(ways) :], strict=True):
            gained = _accepted(cases) - known
            count += len(gained - own)
            if gained:
                print(f"      {way}: {', '.join(sorted(gained))}")
        print(f"      {len(ways)} ways to tamper, {count} tests passed by a lie", flush=True)
        return count

    def _marked(self, *sources: str) -> list[list[CaseResult]]:
        found = []
        with Marker(prepare_run(self._task, Driver.NAMESPACES, "")) as marker:
            for source in sources:
                files = {self._module: SourceFile(f"{self._module}.py", source)}
                result = marker.mark(Submission("one", "one", files)).result
                found.append([case for question in result.questions for case in question.cases])
        return found


def _accepted(cases: list[CaseResult]) -> set[str]:
    return {case.call.partition("::")[2] for case in cases if case.score > 0}


if __name__ == "__main__":
    sys.exit(main())
