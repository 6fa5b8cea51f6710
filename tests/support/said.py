"""Finds every text that pages and terminal say, in the code and in the templates."""

import ast
from collections.abc import Iterator
from pathlib import Path

from jinja2 import Environment, nodes

PACKAGE = Path(__file__).parents[2] / "grader"
_LAST = {"say": 1, "word": 1, "many": 3}
"""The functions that say a text, and the argument up to which theirs are texts, from 1."""


def said() -> dict[str, str]:
    """Return every text that is said, and where."""
    found: dict[str, str] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        source = path.read_text("utf-8")
        if "grader.reports.words import" not in source:
            continue
        # Exports count marks for the staff.
        for text, line in _in_code(ast.parse(source), counts="exports" not in path.parts):
            found.setdefault(text, f"{path.relative_to(PACKAGE)}:{line}")
    for path in sorted(PACKAGE.rglob("*.j2")):
        for text, line in _in_template(path):
            found.setdefault(text, f"{path.relative_to(PACKAGE)}:{line}")
    return found


def _in_code(tree: ast.Module, *, counts: bool) -> Iterator[tuple[str, int]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            name, arguments = node.func.id, node.args
            for argument in arguments[name == "many" : _LAST.get(name, 0)]:
                for text in _texts(argument):
                    yield text, node.lineno
            if counts and name == "counted" and all(isinstance(one, ast.Constant) for one in arguments[1:]):
                nouns = [ast.literal_eval(one) for one in arguments[1:]]
                one, several = nouns[0], nouns[1] if nouns[1:] else f"{nouns[0]}s"
                yield f"{{n}} {one}", node.lineno
                yield f"{{n}} {several}", node.lineno


def _texts(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.IfExp(body=one, orelse=other):
            yield from _texts(one)
            yield from _texts(other)


def _in_template(path: Path) -> Iterator[tuple[str, int]]:
    tree = Environment().parse(path.read_text("utf-8"))
    for call in tree.find_all(nodes.Call):
        if isinstance(call.node, nodes.Name) and call.node.name in _LAST:
            name = call.node.name
            for argument in call.args[name == "many" : _LAST[name]]:
                if isinstance(argument, nodes.Const):
                    yield str(argument.value), call.lineno
