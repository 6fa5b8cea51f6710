"""Finds the exercises of a checkout of Exercism's Python track, and parses their test files."""

import ast
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

PARTS = ("concept", "practice")
NAMES = Path(__file__).with_name("names.txt")


@dataclass(frozen=True)
class TestMethod:
    """A test method of a test file, in the order of the file."""

    owner: ast.ClassDef
    node: ast.FunctionDef

    @property
    def name(self) -> str:
        return f"{self.owner.name}.{self.node.name}"


@dataclass(frozen=True)
class Exercise:
    """An exercise.

    module: the name that students hand in.  helpers: the other modules beside its tests.
    """

    name: str
    module: str
    tests: Path
    example: str
    stub: str
    helpers: tuple[Path, ...]

    @cached_property
    def beside(self) -> dict[str, str]:
        """The texts of the helpers by their names."""
        return {file.stem: file.read_text("utf-8") for file in self.helpers}

    @cached_property
    def given(self) -> dict[str, str]:
        """The helpers that the example imports; a submission has them too."""
        imports = [
            node.module for node in ast.walk(ast.parse(self.example)) if isinstance(node, ast.ImportFrom)
        ]
        return {name: text for name, text in self.beside.items() if name in imports}

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.tests.read_text("utf-8"))

    @cached_property
    def methods(self) -> list[TestMethod]:
        return [
            TestMethod(owner, node)
            for owner in self.tree.body
            if isinstance(owner, ast.ClassDef)
            for node in owner.body
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test") and not _is_skipped(node)
        ]

    @cached_property
    def classes(self) -> frozenset[str]:
        """The names of the example that are classes, also those that namedtuple makes."""
        found = set()
        for node in ast.parse(self.example).body:
            if isinstance(node, ast.ClassDef):
                found.add(node.name)
            elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
                found |= {
                    t.id
                    for t in node.targets
                    if isinstance(t, ast.Name) and t.id[:1].isupper() and not t.id.isupper()
                }
        return frozenset(found)

    @cached_property
    def public(self) -> list[str]:
        """The functions and classes at the top of the example."""
        defined = (ast.FunctionDef, ast.ClassDef)
        return [node.name for node in ast.parse(self.example).body if isinstance(node, defined)]


def _is_skipped(node: ast.FunctionDef) -> bool:
    return any(ast.unparse(each).startswith("unittest.skip") for each in node.decorator_list)


def exercises(folder: Path, only: list[str]) -> list[Exercise]:
    """Return the exercises of a track's folder by name.  only: the names wanted; all without."""
    paths = [path for part in PARTS for path in sorted((folder / part).glob("*"))]
    found = [read(path) for path in paths if path.is_dir() and (not only or path.name in only)]
    return [exercise for exercise in found if exercise is not None]


def read(path: Path) -> Exercise | None:
    """Return the exercise in a folder; None if it has no test file or no example."""
    tests = [*path.glob("*_test.py")]
    examples = [file for name in ("example", "exemplar") if (file := path / ".meta" / f"{name}.py").is_file()]
    if len(tests) != 1 or not examples:
        return None
    module = tests[0].stem.removesuffix("_test")
    stub = path / f"{module}.py"
    return Exercise(
        name=path.name,
        module=module,
        tests=tests[0],
        example=examples[0].read_text("utf-8"),
        stub=stub.read_text("utf-8") if stub.is_file() else "",
        helpers=tuple(sorted(file for file in path.glob("*.py") if file not in (stub, tests[0]))),
    )


def known_names() -> list[str]:
    """Return the names of the exercises that the track had when this list was written."""
    return [line for line in NAMES.read_text("utf-8").splitlines() if line and not line.startswith("#")]
