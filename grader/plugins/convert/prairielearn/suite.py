"""Reads the class `Test` of a question: its methods, their points, and what it says of all of them."""

import ast
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from grader.model.errors import Fault, UsageError
from grader.plugins.convert.changes import constants
from grader.plugins.convert.draft import Unconvertible, points_of
from grader.plugins.convert.python.scope import ConvertedScope
from grader.plugins.convert.values import read_value

_DEFINED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass(frozen=True, slots=True)
class Suite:
    """The class `Test`: its methods in the order in which they run, and what it says of all of them."""

    methods: tuple[ast.FunctionDef, ...]
    file: str
    rounds: int
    imports: dict[str, str]
    names: dict[str, Any] = field(default_factory=dict)


def read_suite(text: str, place: str) -> Suite:
    """Return the class `Test` of a file.  Raises `UsageError`."""
    try:
        with warnings.catch_warnings(action="ignore"):
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise UsageError(Fault("Python cannot read this file", place)) from None
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Test"]
    if not classes or not any(ast.unparse(base).startswith("PLTestCase") for base in classes[-1].bases):
        hint = "PrairieLearn's Python autograder looks for `class Test(PLTestCase)`"
        raise UsageError(Fault("there is no class `Test` of a test case", place, hint=hint))
    settings = _constants(classes[-1].body)
    methods = [
        node
        for node in classes[-1].body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test")
    ]
    last = {node.name: node for node in methods}
    rounds = settings.get("total_iters", 1)
    return Suite(
        methods=tuple(last[name] for name in sorted(last)),
        file=str(settings.get("student_code_file", "user_code.py")),
        rounds=rounds if type(rounds) is int and 1 <= rounds <= 1000 else 1,
        imports=dict(_imports(tree)),
        # What a test changes is followed.
        names=constants(ast.Module([node for node in tree.body if not isinstance(node, _DEFINED)], [])),
    )


def _constants(body: list[ast.stmt]) -> dict[str, Any]:
    """Return the literals to which some statements give names."""
    found: dict[str, Any] = {}
    for node in body:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            try:
                found[node.targets[0].id] = read_value(node.value, ConvertedScope())
            except Unconvertible:
                found.pop(node.targets[0].id, None)
    return found


def _imports(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in tree.body:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield (
                    alias.asname or alias.name.partition(".")[0],
                    alias.name if alias.asname else alias.name.partition(".")[0],
                )
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                yield alias.asname or alias.name, f"{node.module}.{alias.name}"


def _decorator(method: ast.FunctionDef, name: str) -> ast.expr | None:
    """Return the only argument of a decorator; None where it has none of this name."""
    for each in method.decorator_list:
        if isinstance(each, ast.Call) and ast.unparse(each.func).rpartition(".")[2] == name and each.args:
            return each.args[0]
    return None


def points_of_test(method: ast.FunctionDef, suite: Suite, place: str) -> Fraction | None:
    """Return the points of a test, in all its rounds; None where it has none of its own."""
    given = _decorator(method, "points")
    if given is None:
        return None
    try:
        value = read_value(given, ConvertedScope())
    except Unconvertible:
        value = None
    points = points_of(value, f"{place}:{method.lineno}")
    once = any(ast.unparse(each).rpartition(".")[2] == "not_repeated" for each in method.decorator_list)
    return points if once else points * suite.rounds


def title_of(method: ast.FunctionDef) -> str:
    given = _decorator(method, "name")
    if isinstance(given, ast.Constant) and isinstance(given.value, str) and given.value.strip():
        return given.value
    return (ast.get_docstring(method) or method.name.replace("_", " ")).strip().splitlines()[0]
