"""HumanEval's problems as test files and as calls: whether both give a program the same verdict.

    python benchmarks/humaneval.py CLONE [--only NUMBER ...] [--wrong N]

CLONE: a git clone of openai/human-eval (MIT), read at the commit that is named here.  Nothing of it is part
of this project.  Of each problem its checks become a test file, unchanged, and each assert that is one call
becomes a case with a call.  The published solution is marked by both, and wrong programs: the solution with
one constant or operator changed, one that returns None, and liars that say yes to everything.  A plain Python
process is the judge of all: it runs the checks as HumanEval does.  A liar may pass there, and must not here.

Prints a line for each difference and the totals; exits with 1 if there is a difference that is no refusal.
"""

import argparse
import ast
import copy
import gzip
import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from grader.engine.run_config import prepare_run
from grader.engine.worker import Marker
from grader.model.errors import SpecError
from grader.model.submission import SourceFile, Submission
from grader.model.task import Task
from grader.sandbox.driver import Driver
from grader.spec import load_task

COMMIT = "6d43fb980f9fee3c892a914eda09951f772ad10d"
_SECONDS = 20
_HEAD = """
task: problems
title: Problems
marks: {count}
modules: {{{modules}}}
reference: reference
budget: {{time: 3600s, wall: 7200s}}
limits: {{time: 3s, wall: 60s}}
questions:
"""
_QUESTION = """
  - id: "{name}"
    title: problem {name}
    marks: 1
    module: {module}
    award: all
    cases:
"""
_LIAR = """
class Liar{of}:
    def __call__(self, *_, **__): return self
    def __getattr__(self, name):
        if name.startswith("__"): raise AttributeError(name)
        return lambda *_, **__: True
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    __lt__ = __le__ = __gt__ = __ge__ = __contains__ = __eq__
    def __sub__(self, other): return 0.0
    __rsub__ = __sub__
    def __abs__(self): return 0.0
    def __hash__(self): return 0
"""
_LIARS = {
    "liar": "",
    "liar(int)": "(int)",
    "liar(str)": "(str)",
    "liar(list)": "(list)",
    "liar(tuple)": "(tuple)",
}


class Problem:
    """One problem, with its programs by name."""

    def __init__(self, plain: dict[str, str], most_wrong: int) -> None:
        self.name = plain["task_id"].rpartition("/")[2]
        self.module = f"p{self.name}"
        self.entry = plain["entry_point"]
        self.right = plain["prompt"] + plain["canonical_solution"]
        self.checks = plain["test"]
        self.programs = {
            "right": self.right,
            "None": f"{self.right}\n\ndef {self.entry}(*_, **__):\n    pass\n",
        }
        for number, text in enumerate(_mutants(self.right, self.entry, most_wrong)):
            self.programs[f"wrong {number}"] = text
        for name, of in _LIARS.items():
            give = f"\n\ndef {self.entry}(*_, **__):\n    return Liar()\n"
            self.programs[name] = self.right + "\n" + _LIAR.format(of=of) + give

    def tests(self) -> str:
        """Return the checks as a test file."""
        imports = f"from {self.module} import *\nfrom {self.module} import {self.entry}\n"
        return f"{imports}{self.checks}\n\ndef test_it():\n    check({self.entry})\n"

    def calls(self) -> list[str]:
        """Return the cases of the asserts that are a call of the candidate with an expected literal."""
        found = []
        tree = ast.parse(self.checks)
        (check,) = (node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "check")
        for node in check.body:
            match node:
                case ast.Assert(
                    test=ast.Compare(
                        left=ast.Call(func=ast.Name(id="candidate")) as call,
                        ops=[ast.Eq()],
                        comparators=[value],
                    )
                ):
                    call.func = ast.Name(id=self.entry)
                    wanted = f"returns: {json.dumps(ast.unparse(value))}"
                    found.append(
                        f"      - {{call: {json.dumps(ast.unparse(call))}, {wanted}, equality: python}}\n"
                    )
                case ast.Assert(test=ast.Constant()) | ast.Expr(value=ast.Constant()):
                    pass
                case _:
                    return []
        return found


def _mutants(text: str, entry: str, most: int) -> Iterator[str]:
    """Yield programs with one constant or operator of the solution changed, some of them, spread evenly."""
    tree = ast.parse(text)
    swapped: dict[type, Any] = {
        ast.Add: ast.Sub,
        ast.Sub: ast.Add,
        ast.Mult: ast.Add,
        ast.Lt: ast.GtE,
        ast.Gt: ast.LtE,
    }
    swapped |= {
        ast.Eq: ast.NotEq,
        ast.NotEq: ast.Eq,
        ast.LtE: ast.Gt,
        ast.GtE: ast.Lt,
        ast.And: ast.Or,
        ast.Or: ast.And,
    }
    found = []
    places = [number for number, node in enumerate(ast.walk(tree)) if _may_change(node, swapped)]
    for number in places:
        made = copy.deepcopy(tree)
        node: Any = list(ast.walk(made))[number]
        if isinstance(node, ast.Constant):
            node.value = not node.value if isinstance(node.value, bool) else node.value + 1
        elif isinstance(node, ast.Compare):
            node.ops[0] = swapped[type(node.ops[0])]()
        else:
            node.op = swapped[type(node.op)]()
        found.append(ast.unparse(made))
    step = max(1, -(-len(found) // most)) if most else 1
    yield from found[::step][:most]


def _may_change(node: ast.AST, swapped: dict[type, Any]) -> bool:
    match node:
        case ast.Constant(value=int() | float()):
            return True
        case ast.Compare(ops=[op]) | ast.BinOp(op=op) | ast.BoolOp(op=op):
            return type(op) in swapped
    return False


def in_python(problem: Problem, text: str) -> str:
    """Return what HumanEval's own way to run a program says: "accepted", or "not"."""
    code = f"{text}\n{problem.checks}\ncheck({problem.entry})\n"
    try:
        done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, timeout=_SECONDS)
    except subprocess.TimeoutExpired:
        return "not"
    return "not" if done.returncode else "accepted"


def question(problem: Problem, cases: Iterable[str]) -> str:
    return _QUESTION.format(name=problem.name, module=problem.module) + "".join(cases)


def task_of(problems: Sequence[Problem], questions: Sequence[str], folder: Path) -> Task:
    """Write a spec with its files; return the task.  Raises `SpecError`."""
    for name in ("reference", "tests"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    for problem in problems:
        (folder / "reference" / f"{problem.module}.py").write_text(problem.right, "utf-8")
        (folder / "tests" / f"test_{problem.module}.py").write_text(problem.tests(), "utf-8")
    modules = ", ".join(f"{problem.module}: {problem.module}.py" for problem in problems)
    text = _HEAD.format(count=len(problems), modules=modules) + "".join(questions)
    (folder / "spec.yaml").write_text(text, "utf-8")
    return load_task(folder / "spec.yaml")


def marked(problems: Sequence[Problem], task: Task) -> dict[tuple[str, str], str]:
    """Return the verdict on each program of each problem."""
    found = {}
    with Marker(prepare_run(task, Driver.NAMESPACES, "")) as marker:
        for name in sorted({name for problem in problems for name in problem.programs}):
            files = {
                problem.module: SourceFile(f"{problem.module}.py", problem.programs.get(name, problem.right))
                for problem in problems
            }
            result = marker.mark(Submission("one", "one", files)).result
            for each in result.questions:
                verdicts = {str(case.verdict) for case in each.cases}
                found[each.id, name] = _verdict(verdicts)
            print(f"# {name}: marked", file=sys.stderr, flush=True)
    return found


def _verdict(verdicts: set[str]) -> str:
    if "internal-error" in verdicts:
        return "pending"
    return "accepted" if verdicts == {"accepted"} else "not"


def sayable(problems: Sequence[Problem], folder: Path, total: Counter[str]) -> dict[str, str]:
    """Return the question with calls of each problem that has one, by name; tell of the others."""
    found = {}
    for problem in problems:
        calls = problem.calls()
        why = "" if calls else "a check that is not one call"
        if calls:
            try:
                task_of([problem], [question(problem, calls)], folder)
            except SpecError as error:
                why = str(error).splitlines()[0].partition(" ")[2]
        if why:
            total["refused as calls"] += 1
            print(f"{problem.name}: refused as calls: {why}", flush=True)
        else:
            found[problem.name] = question(problem, calls)
    return found


def main() -> int:
    """Compare; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("clone", type=Path)
    parser.add_argument("--only", nargs="*", default=[], metavar="NUMBER")
    parser.add_argument("--wrong", type=int, default=4, metavar="N", help="changed programs of each problem")
    options = parser.parse_args()
    total: Counter[str] = Counter()
    command = ["git", "-C", str(options.clone), "show", f"{COMMIT}:data/HumanEval.jsonl.gz"]
    packed = subprocess.run(command, check=True, capture_output=True).stdout
    problems = [Problem(json.loads(line), options.wrong) for line in gzip.decompress(packed).splitlines()]
    problems = [problem for problem in problems if not options.only or problem.name in options.only]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        tests = [question(each, [f"      - {{pytest: tests/test_{each.module}.py}}\n"]) for each in problems]
        by_tests = marked(problems, task_of(problems, tests, folder / "tests"))
        said = sayable(problems, folder / "tried", total)
        few = [problem for problem in problems if problem.name in said]
        by_calls = marked(few, task_of(few, [*said.values()], folder / "calls"))
    for problem in problems:
        _compare(problem, by_tests, by_calls, total)
    for what, count in sorted(total.items()):
        print(f"{count:6} {what}")
    return 1 if any(what.startswith("DIFFERS") for what in total) else 0


def _compare(
    problem: Problem,
    by_tests: dict[tuple[str, str], str],
    by_calls: dict[tuple[str, str], str],
    total: Counter[str],
) -> None:
    total["problems"] += 1
    for name, text in problem.programs.items():
        key = problem.name, name
        kind = name.partition(" ")[0].partition("(")[0]
        known = in_python(problem, text)
        expected = "not" if kind == "liar" else known
        for way, found in {"test file": by_tests.get(key), "calls": by_calls.get(key)}.items():
            if found is None:
                continue
            total[f"{way}, {kind}: compared"] += 1
            if found != expected:
                total[f"DIFFERS: {way}, {kind}: {found} for {expected}"] += 1
                print(f"{problem.name}: {name}: {way} says {found}, Python {known}", flush=True)
        if by_calls.get(key, by_tests[key]) != by_tests[key]:
            total["DIFFERS: test file from calls"] += 1
            print(f"{problem.name}: {name}: test file {by_tests[key]}, calls {by_calls[key]}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
