"""What runs beside student code imports its own layer and the library; scripts find what they import."""

import ast
import importlib
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

import grader

PACKAGE = Path(grader.__file__).parent


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield node.module or ""


@pytest.mark.parametrize("layer", ["wire", "worker", "rules"])
def test_nothing_third_party_beside_student_code(layer: str) -> None:
    names = {name for path in (PACKAGE / layer).rglob("*.py") for name in imported(path)}
    assert names, "the layer has moved"
    foreign = {name for name in names if name.split(".")[0] not in {*sys.stdlib_module_names, "grader"}}
    assert foreign == set()


def test_pandas_and_matplotlib_are_imported_in_boxes_alone() -> None:
    files = {path.relative_to(PACKAGE).as_posix(): path for path in PACKAGE.rglob("*.py")}
    heavy = {name for path in files.values() for name in imported(path)} & {"pandas", "matplotlib", "numpy"}
    assert heavy == set()
    texts = {name: path.read_text(encoding="utf-8") for name, path in files.items()}
    assert [name for name in texts if 'import_module("pandas")' in texts[name]] == ["wire/tables.py"]
    assert [name for name in texts if "tables.made(" in texts[name]] == ["worker/box/records.py"]


def test_tornado_is_imported_by_what_serves_alone() -> None:
    files = (path for path in PACKAGE.rglob("*.py") if any(n.startswith("tornado") for n in imported(path)))
    serving = ("grader/serving/", "grader/reports/live/", "grader/reviewing/application.py")
    found = [path.relative_to(ROOT).as_posix() for path in files]
    assert found, "it is imported somewhere"
    assert [path for path in found if not path.startswith(serving)] == []


@pytest.mark.parametrize("command", ["mark", "check", "review"])
def test_a_command_imports_no_server_before_it_serves(command: str) -> None:
    program = f"import sys, grader.cli.commands.{command}; print('tornado' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


ROOT = PACKAGE.parent
SCRIPTS = sorted((ROOT / "benchmarks").rglob("*.py"))


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_a_script_finds_what_it_imports_of_us(path: Path) -> None:
    # Neither the type checker nor a test reads these.
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    absent = []
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "grader":
            module = importlib.import_module(node.module or "")
            names = [alias.name for alias in node.names if not hasattr(module, alias.name)]
            absent += [f"{node.module}.{name}" for name in names if not find_spec(f"{node.module}.{name}")]
    assert absent == []
