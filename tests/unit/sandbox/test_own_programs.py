"""Our own programs in boxes have each module of ours that they import (`grader.sandbox.own_programs`)."""

import ast
import inspect
from importlib import import_module

import pytest

from grader.sandbox.own_programs import own_sources


@pytest.mark.parametrize("package", ["grader.plugins.tests.cell", "grader.rules"])
def test_what_is_imported_is_sent(package: str) -> None:
    sources = own_sources(package)
    wanted = set()
    for text in sources.values():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("grader."):
                module = import_module(node.module or "")
                values = [getattr(module, alias.name) for alias in node.names]
                wanted |= {module.__name__} | {value.__name__ for value in values if inspect.ismodule(value)}
    assert any(name.startswith("grader.wire.") for name in wanted)
    assert wanted <= sources.keys()
