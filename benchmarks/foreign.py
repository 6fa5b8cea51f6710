"""Runs this checkout's `grader` for the scripts that compare it with other graders on their own tests."""

import ast
import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any


def grader(*words: object) -> subprocess.CompletedProcess[str]:
    """Return the end of a command of this checkout's."""
    return subprocess.run(
        [sys.executable, "-m", "grader", *map(str, words)], capture_output=True, text=True, check=False
    )


def marked_by(spec: Path, batch: Path, out: Path, *options: str) -> list[dict[str, Any]]:
    """Mark a batch into a folder; return its submissions as `results.json` has them, or end the script."""
    done = grader("mark", spec, batch, "-o", out, "--no-cache", *options)
    if not (out / "results.json").exists():
        sys.exit(done.stderr)
    submissions: list[dict[str, Any]] = json.loads((out / "results.json").read_text())["submissions"]
    return submissions


def points_by(
    submissions: list[dict[str, Any]], name: str, read: Callable[[dict[str, Any]], Any]
) -> dict[str, dict[str, Any]]:
    """Return what `read` makes of each question, by submissions and by the questions' ids or titles."""
    return {one["id"]: {each[name]: read(each) for each in one["questions"]} for one in submissions}


def mark_of(question: dict[str, Any]) -> Fraction:
    return Fraction(question["mark"] or 0)


def unpack(clone: Path, commit: str, folder: Path, *paths: str) -> None:
    """Write paths of a commit into a folder."""
    command = ["git", "-C", str(clone), "archive", commit, *paths]
    packed = subprocess.run(command, check=True, capture_output=True).stdout
    subprocess.run(["tar", "x", "-C", folder], input=packed, check=True)


def mutants(text: str, others: Mapping[type, type], most: int, *, texts: bool = False) -> list[str]:
    """Return a few programs that differ from a right one by a number or an operator.

    others: by operator, the one that takes its place.  texts: a text without its first character, too.
    """
    found: list[str] = []
    for index in range(sum(1 for _ in ast.walk(ast.parse(text)))):
        tree = ast.parse(text)
        node = [*ast.walk(tree)][index]
        if isinstance(node, ast.Constant) and type(node.value) in (int, float):
            node.value += 1  # type: ignore[operator]
        elif texts and isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value:
            node.value = node.value[1:]
        elif isinstance(node, ast.BinOp) and type(node.op) in others:
            node.op = others[type(node.op)]()
        elif isinstance(node, ast.Compare) and type(node.ops[0]) in others:
            node.ops = [others[type(node.ops[0])]()]
        else:
            continue
        found.append(ast.unparse(ast.fix_missing_locations(tree)))
    return found[:: max(1, len(found) // most)][:most]
