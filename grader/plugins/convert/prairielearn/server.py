"""Reads the names that a question's `server.py` states; it is not run."""

import ast
import warnings
from typing import Any

from grader.plugins.convert.draft import Unconvertible
from grader.plugins.convert.python.scope import ConvertedScope
from grader.plugins.convert.values import read_value


def names_in_server(text: str) -> dict[str, tuple[str, ...]]:
    """Return the names of `data["params"]["names_…_user"] = […]`, where they are literals."""
    found: dict[str, tuple[str, ...]] = {}
    try:
        with warnings.catch_warnings(action="ignore"):
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return found
    for node in ast.walk(tree):
        match node:
            case ast.Assign(
                targets=[
                    ast.Subscript(
                        value=ast.Subscript(value=ast.Name(id="data"), slice=ast.Constant(value="params")),
                        slice=ast.Constant(value=str() as key),
                    )
                ],
                value=ast.List(elts=entries),
            ):
                found[key] = tuple(name for name in map(_name, entries) if name.isidentifier())
    return found


def _name(entry: ast.expr) -> str:
    """Return the name of an entry; empty where it is no literal."""
    if isinstance(entry, ast.Dict):
        for key, value in zip(entry.keys, entry.values, strict=True):
            if isinstance(key, ast.Constant) and key.value == "name":
                try:
                    name: Any = read_value(value, ConvertedScope())
                except Unconvertible:
                    return ""
                return name if isinstance(name, str) else ""
    return ""
