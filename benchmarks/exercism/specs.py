"""Writes an exercise as a task: a spec with a case for each test method, and its reference."""

import ast
import json
import re
import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.exercism.reading import Reader
from benchmarks.exercism.things import Unsaid
from benchmarks.exercism.track import Exercise, TestMethod
from grader.model.errors import SpecError
from grader.model.task import Task
from grader.spec import load_task

_LONGEST = 100_000
_HEAD = """\
task: {task}
title: {name}
marks: 1
modules: {modules}
reference: reference
checkers: checkers.py
limits: {{time: {limit}s, wall: {wall}s, memory: 1GiB}}
budget: {{time: 1h, wall: 2h}}
questions:
  - id: "1"
    title: its tests
    module: {module}
    marks: 1
    award: each
    cases:
"""
_PASSES = """

def failure_of(name):
    owner, _, method = name.partition(".")
    result = unittest.TestResult()
    globals()[owner](method).run(result)
    return "".join(text.strip().splitlines()[-1] for _, text in [*result.failures, *result.errors])
"""
_BEFORE_CASES = _HEAD.count("\n")


@dataclass(frozen=True)
class Said:
    """A test method as a case.  case: its keys.  reason: why no call and no step says it."""

    test: str
    case: dict[str, Any]
    reason: str = ""

    @property
    def way(self) -> str:
        """How the case says the test."""
        if "pytest" in self.case or "harness" in self.case:
            return "test file" if "pytest" in self.case else "harness"
        steps = self.case.get("scenario", [self.case])
        if any("check" in step for step in (self.case, *steps)):
            return "checker"
        return "steps" if "scenario" in self.case else "call"


def write(exercise: Exercise, folder: Path, limit_s: int = 1) -> tuple[Task, list[Said]]:
    """Write the task of an exercise into a folder; return it, and how each of its tests is said."""
    (folder / "reference").mkdir(parents=True)
    for given, text in exercise.given.items():
        (folder / "reference" / f"{given}.py").write_text(text, "utf-8")
    (folder / "tests").mkdir()
    (folder / "reference" / f"{exercise.module}.py").write_text(exercise.example, "utf-8")
    for file in (exercise.tests, *exercise.helpers):
        shutil.copy(file, folder / "tests" / file.name)
    shutil.copy(Path(__file__).with_name("checkers.py"), folder)
    return load(exercise, folder, [_said(exercise, method) for method in exercise.methods], limit_s)


def load(exercise: Exercise, folder: Path, said: list[Said], limit_s: int) -> tuple[Task, list[Said]]:
    """Write the spec; return its task, and the cases: those that the spec refuses run by test file."""
    said = said.copy()
    while True:
        path = folder / f"{exercise.name}.yaml"
        path.write_text(_text(exercise, said, limit_s), "utf-8")
        try:
            return load_task(path), said
        except SpecError as error:
            mistakes: dict[int, str] = {}
            for fault in error.faults:
                line = int(fault.where.split(":")[1]) if ":" in fault.where else 0
                mistakes.setdefault(line - _BEFORE_CASES - 1, fault.message)
            wrong = [number for number in mistakes if 0 <= number < len(said) and not said[number].reason]
            if not wrong:
                raise
            for number in wrong:
                method = exercise.methods[number]
                said[number] = _by_test_file(
                    exercise, method, f"the spec refuses: {_plain(mistakes[number])}"
                )


def _said(exercise: Exercise, method: TestMethod) -> Said:
    try:
        reader = Reader(exercise, method)
    except Unsaid as reason:
        return _by_test_file(exercise, method, str(reason))
    steps = [step.keys for step in reader.steps]
    if len(steps) == 1 and "call" in steps[0] and len(steps[0]) > 1:
        case = {key: value for key, value in steps[0].items() if key != "as"}
    else:
        case = {"scenario": steps}
    if reader.unchanged:
        case["unchanged"] = True
    if reader.files:
        case["files"] = reader.files
    if len(_yaml(case)) > _LONGEST:
        return _by_test_file(exercise, method, "a case of more than 100,000 characters")
    return Said(method.name, case)


def _by_test_file(exercise: Exercise, method: TestMethod, reason: str) -> Said:
    return Said(method.name, {"pytest": f"tests/{exercise.tests.name}", "tests": [method.name]}, reason)


def by_harness(exercise: Exercise, folder: Path, each: Said) -> Said:
    """Return a case that runs a test method in the student's process, where its doubles can be used.

    Its word is the student's word, see docs/cases/harness.md.
    """
    parts = [file.read_text("utf-8") for file in (*exercise.helpers, exercise.tests)]
    kept = [
        node
        for part in parts
        for node in ast.parse(part).body
        if not (isinstance(node, ast.ImportFrom) and node.module in [file.stem for file in exercise.helpers])
    ]
    text = ast.unparse(_WithoutPytest().visit(ast.Module(kept, []))) + _PASSES
    (folder / "harness_of_tests.py").write_text(text, "utf-8")
    case = {"harness": "harness_of_tests.py", "call": f"failure_of({each.test!r})", "returns": "''"}
    return replace(each, case=case)


class _WithoutPytest(ast.NodeTransformer):
    """Drops the markers of pytest, which the student's process lacks."""

    def visit_Import(self, node: ast.Import) -> ast.Import | None:
        return None if node.names[0].name == "pytest" else node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        node.decorator_list = [e for e in node.decorator_list if "pytest.mark" not in ast.unparse(e)]
        return node


def _plain(message: str) -> str:
    """Return a message without the names of one exercise, so that equal reasons are counted together."""
    return re.sub(r"`[^`]*`", "`…`", message)


def _text(exercise: Exercise, said: list[Said], limit_s: int = 1) -> str:
    name = exercise.name
    modules = json.dumps({each: f"{each}.py" for each in (exercise.module, *exercise.given)})
    head = _HEAD.format(
        task=name, name=name, module=exercise.module, modules=modules, limit=limit_s, wall=3 * limit_s
    )
    return head + "".join(f"      - {_yaml(each.case)}\n" for each in said)


def _yaml(case: dict[str, Any]) -> str:
    """Return a case on one line: JSON, with the characters beyond the first plane as YAML writes them."""

    def one(pair: re.Match[str]) -> str:
        character = json.loads('"' + pair.group() + '"')
        return f"\\U{ord(character):08x}"

    return re.sub(r"\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}", one, json.dumps(case))


def reading_all(exercise: Exercise, folder: Path) -> Task:
    """Return a task that reads each public name of the example, so that mutants of all of it can be made."""
    steps = [{"read": name} for name in exercise.public]
    path = folder / "all.yaml"
    path.write_text(_text(exercise, [Said("", {"scenario": steps})]), "utf-8")
    return load_task(path)
