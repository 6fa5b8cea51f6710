"""How is the tree built?  Counts files, lines, floors, imports among rooms and circles, package by package.

    python benchmarks/house.py [COMMIT ...]

Without a commit it reads the working tree.  Columns:

    files     modules of the package
    lines     their lines
    code      those with code; the others are imports, docstrings, comments and blank lines
    docs      lines of docstrings
    imports   lines of imports
    median    lines of the module in the middle
    short     modules of fewer than 60 lines, in percent
    floors    modules on the longest chain of imports inside the package
    inside    imports of one module by another inside the package
    rooms     those of them that cross from one room (sub-package) into another
    circles   groups of modules, more than one, that import one another
    late      imports of our own modules inside functions
    asks      branches on the kind of a case, outside the packages of the kinds

An import for types alone, under TYPE_CHECKING, does not count: nothing runs by it.  A package without
rooms is one room.
"""

import ast
import statistics
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "grader"
SHORT_LINES = 60

Graph = dict[str, set[str]]


class Row(NamedTuple):
    """The figures of one package."""

    name: str
    files: int
    lines: int
    code: int
    docs: int
    imports: int
    median: int
    short: int
    floors: int
    inside: int
    rooms: int
    circles: int
    late: int
    asks: int


def working_tree() -> dict[str, str]:
    """Return the texts of all modules, by path."""
    return {
        path.relative_to(ROOT).as_posix(): path.read_text("utf-8")
        for path in sorted((ROOT / PACKAGE).rglob("*.py"))
    }


def commit(name: str) -> dict[str, str]:
    """Return the texts of all modules at a commit, by path."""
    listed = git("ls-tree", "-r", "--name-only", name, PACKAGE).splitlines()
    return {path: git("show", f"{name}:{path}") for path in listed if path.endswith(".py")}


def git(*arguments: str) -> str:
    """Return what git prints."""
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout


def module_of(path: str) -> str:
    """Return the dotted name of the module at a path."""
    return ".".join(PurePosixPath(path).with_suffix("").parts).removesuffix(".__init__")


def _for_types(tree: ast.Module) -> Iterator[ast.AST]:
    """Yield the nodes under `if TYPE_CHECKING:`."""
    for node in tree.body:
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            yield from ast.walk(node)


def imported(tree: ast.Module, known: Mapping[str, str]) -> Iterator[str]:
    """Yield our own modules that a module imports, wherever it does, but for types alone."""
    typing = {id(node) for node in _for_types(tree)}
    for node in ast.walk(tree):
        if id(node) in typing:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                longer = f"{node.module}.{alias.name}"
                if longer in known:
                    yield longer
                elif node.module in known:
                    yield node.module


_DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def kinds_of_lines(text: str, tree: ast.Module) -> tuple[int, int, int]:
    """Return the numbers of lines with code, with docstrings, and with imports."""
    docs: set[int] = set()
    imports: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            imports.update(range(node.lineno, (node.end_lineno or 0) + 1))
        elif isinstance(node, _DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            first = node.body[0]
            docs.update(range(first.lineno, (first.end_lineno or 0) + 1))
    lines = enumerate(text.splitlines(), 1)
    code = [at for at, line in lines if line.strip() and not line.lstrip().startswith("#")]
    return len(set(code) - docs - imports), len(docs), len(imports)


def late_imports(tree: ast.Module) -> int:
    """Count imports of our own modules that do not stand at the top of their module."""
    top = {id(node) for node in (*tree.body, *_for_types(tree))}
    found = (node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and id(node) not in top)
    return sum((node.module or "").partition(".")[0] == PACKAGE for node in found)


_OF_KINDS = frozenset(
    {"apart", "generated", "growth", "pace", "program", "rule", "steps", "test", "tried", "what"}
)
"""Attributes of a case that one kind alone has, or had before kinds had records."""
_RECORDS = frozenset({"Calls", "ProgramRun", "Rule", "StudentTests", "TestFunction"})


def _asks(test: ast.AST) -> bool:
    """Tell whether a condition looks at what one kind of case alone has."""
    for node in ast.walk(test):
        match node:
            case ast.Attribute(value=ast.Name(id=name) | ast.Attribute(attr=name), attr=attribute):
                if attribute in _OF_KINDS and (name.endswith("case") or name in ("one", "turn", "what")):
                    return True
            case ast.Attribute(value=ast.Call(func=ast.Name(id="calls_of"))) if node.attr in _OF_KINDS:
                return True
            case ast.Call(func=ast.Name(id="isinstance"), args=[_, classes]):
                names = {each.id for each in ast.walk(classes) if isinstance(each, ast.Name)}
                if names & _RECORDS:
                    return True
    return False


def questions_of_kind(tree: ast.Module) -> int:
    """Count the branches on the kind of a case."""
    found = 0
    for node in ast.walk(tree):
        match node:
            case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test) | ast.Match(subject=test):
                found += _asks(test)
            case ast.comprehension(ifs=conditions):
                found += any(map(_asks, conditions))
    return found


def circles(graph: Graph) -> list[set[str]]:
    """Return the groups of modules that reach one another."""
    reached = {name: reach(graph, name) for name in graph}
    groups = {frozenset(b for b in reached[a] if a in reached[b]) for a in graph if a in reached[a]}
    return [set(group) for group in groups if len(group) > 1]


def reach(graph: Graph, start: str) -> set[str]:
    """Return all that can be reached from a module."""
    found: set[str] = set()
    waiting = list(graph[start])
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting.extend(graph[name])
    return found


def floors(graph: Graph) -> int:
    """Return the length of the longest chain; modules of a circle count as one."""
    member = {name: min(group) for group in circles(graph) for name in group}
    above: Graph = defaultdict(set)
    for name, targets in graph.items():
        above[member.get(name, name)] |= {member.get(target, target) for target in targets}
    heights: dict[str, int] = {}

    def height(name: str) -> int:
        if name not in heights:
            heights[name] = 1 + max((height(each) for each in above[name] if each != name), default=0)
        return heights[name]

    return max((height(name) for name in list(above)), default=0)


def room(module: str) -> str:
    """Return the room of a module: the sub-package that it stands in, or the package itself."""
    parts = module.split(".")
    return ".".join(parts[:3]) if len(parts) > 3 else ".".join(parts[:2])


def figures(texts: Mapping[str, str]) -> list[Row]:
    """Return a row for each package, and one for all."""
    names = {module_of(path): path for path in texts}
    trees = {name: ast.parse(texts[path]) for name, path in names.items()}
    whole: Graph = {name: set(imported(trees[name], names)) - {name} for name in names}
    packages = sorted(
        {name.split(".")[1] for name in names if name.count(".") and not name.endswith("__main__")}
    )
    rows = []
    for package in [*packages, "all"]:
        inner = [name for name in names if package == "all" or name.split(".")[1:2] == [package]]
        graph = {name: whole[name] & set(inner) for name in inner}
        edges = [(one, other) for one, others in graph.items() for other in others]
        lengths = [len(texts[names[name]].splitlines()) for name in inner]
        kinds = [kinds_of_lines(texts[names[name]], trees[name]) for name in inner]
        rows.append(
            Row(
                package,
                len(inner),
                sum(lengths),
                *(sum(each) for each in zip(*kinds, strict=True)),
                round(statistics.median(lengths)),
                round(100 * sum(each < SHORT_LINES for each in lengths) / len(lengths)),
                floors(graph),
                len(edges),
                sum(room(one) != room(other) for one, other in edges),
                len(circles(graph)),
                sum(late_imports(trees[name]) for name in inner),
                sum(questions_of_kind(trees[name]) for name in inner if name.split(".")[1:2] != ["kinds"]),
            )
        )
    return rows


def main() -> None:
    """Print a table for the working tree, or for each commit that is named."""
    for name in sys.argv[1:] or [""]:
        print(name or "working tree")
        print("".join(f"{title:>9}" if at else f"{title:<12}" for at, title in enumerate(Row._fields)))
        for row in figures(commit(name) if name else working_tree()):
            print("".join(f"{value:>9}" if at else f"{value:<12}" for at, value in enumerate(row)))
        print()


if __name__ == "__main__":
    main()
