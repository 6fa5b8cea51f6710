"""What pytest sets up around a file of tests: by `conftest.py`, by modules beside it, by its settings."""

import ast
import re
from collections.abc import Collection, Iterator
from fnmatch import fnmatch
from pathlib import Path

from grader.plugins.convert.python.imports import Imported, imports_in, is_foreign, students_modules
from grader.plugins.convert.python.lines import lines_of
from grader.plugins.convert.python.names import bound_by
from grader.plugins.convert.python.top import effects
from grader.records.file_text import read_text

_TOP_OF_PROJECT = ("pytest.ini", ".git")
"""Files in the folder above which pytest takes no `conftest.py` for a test."""
_OF_HELPERS = {"pytest", "unittest", "builtins"}
"""Modules that those of a student seldom import."""
_IGNORING = ("collect_ignore", "collect_ignore_glob")
_SETTINGS = ("pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg")
_SECTION = re.compile(r"\s*\[(?:pytest|tool:pytest|tool\.pytest(?:\.ini_options)?)\]\s*")
_CHOOSING = re.compile(
    r"\s*(?:testpaths|norecursedirs|collect_imported_tests|python_(?:files|classes|functions))\s*="
)
_CHOOSING_OPTION = re.compile(r"(?:^|[\s\"'=])(?:--ignore|--deselect|-k\b|-m\b)")
_MOST_MODULES = 100


def folders_around(file: Path) -> Iterator[Path]:
    """Yield the folders whose `conftest.py` and settings pytest takes for a file, the nearest first."""
    for folder in file.resolve().parents:
        yield folder
        if any((folder / name).exists() for name in _TOP_OF_PROJECT):
            return


def set_up_around(file: Path) -> str:
    """Return a reason if something around a file of tests sets something up for it; empty if nothing does."""
    tree = _tree(file)
    if tree is None:
        return ""
    tested = students_modules(tree)
    for folder in folders_around(file):
        conftest = folder / "conftest.py"
        if conftest.is_file():
            found = _tree(conftest)
            if found is None or _sets_up(found):
                return "`conftest.py` sets something up, on which it may rely"
            if _ignores(found, conftest, file):
                return "`conftest.py` has pytest ignore it"
            if name := _helper(found, conftest, tested):
                return f"`conftest.py` imports `{name}`, which may set something up, on which it may rely"
    name = _helper(tree, file, tested)
    return f"`{name}` may set something up, on which it may rely" if name else ""


def choosing_settings(file: Path) -> Iterator[tuple[Path, int]]:
    """Yield the lines of pytest's settings for a file that may choose which tests run."""
    for folder in folders_around(file):
        for path in (folder / name for name in _SETTINGS):
            if path.is_file():
                inside = where = ""
                for number, line in enumerate(lines_of(read_text(path, "the file")), 1):
                    if line.lstrip().startswith("[") and not where:
                        inside = line if _SECTION.fullmatch(line) else ""
                    if key := re.match(r"\s*(\w+)\s*=", line):
                        where = key[1] if key[1] == "addopts" else ""
                    if inside and (_CHOOSING.match(line) or (where and _CHOOSING_OPTION.search(line))):
                        yield path, number


def _tree(file: Path) -> ast.Module | None:
    try:
        return ast.parse(read_text(file, "the file"))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _sets_up(tree: ast.Module) -> bool:
    """Tell whether a module may do more than to name values, and fixtures that a test asks for."""
    hooks = any(name.startswith("pytest_") for name in bound_by(tree.body))
    autouse = any(isinstance(node, ast.keyword) and node.arg == "autouse" for node in ast.walk(tree))
    return hooks or autouse or next(effects(tree), 0) > 0


def _ignores(tree: ast.Module, conftest: Path, file: Path) -> bool:
    """Tell whether a `conftest.py` may have pytest ignore a file."""
    inner = file.resolve().relative_to(conftest.resolve().parent).as_posix()
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Name) and node.id in _IGNORING):
            continue
        given = [each.value for each in tree.body if isinstance(each, ast.Assign) and node in each.targets]
        try:
            patterns = [str(one) for value in given for one in ast.literal_eval(value)]
        except (ValueError, TypeError):
            return True
        if not given or any(fnmatch(f"{inner}/", f"{one.rstrip('/')}/*") for one in patterns):
            return True
    return False


def _helper(tree: ast.Module, file: Path, tested: Collection[str]) -> str:
    """Return the name of a module beside some code that may set something up; empty if there is none.

    tested: the modules that the tests import.  A module of theirs is a helper if it imports one of them, or
    what is for tests; what any other does is the student's own.
    """
    ahead, seen = [(tree, file)], {file.resolve()}
    while ahead and len(seen) < _MOST_MODULES:
        tree, file = ahead.pop()
        for each in sorted({*imports_in(tree)}, key=lambda one: (one.module, one.name)):
            if is_foreign(each.module):
                continue
            paths = [*_files_of(each, file)]
            if not paths and each.attribute == "*" and file.name == "conftest.py":
                return each.module
            for path in paths:
                found = None if path.resolve() in seen else _tree(path)
                seen.add(path.resolve())
                if found is None or not _is_helper(found, tested):
                    continue
                if _sets_up(found):
                    return path.stem
                ahead.append((found, path))
    return ""


def _is_helper(tree: ast.Module, tested: Collection[str]) -> bool:
    return any(
        each.module.partition(".")[0] in _OF_HELPERS or each.module.lstrip(".") in tested
        for each in imports_in(tree)
    )


def _files_of(imported: Imported, file: Path) -> Iterator[Path]:
    """Yield the files of a module that are found from the folder of another file, or from above it."""
    parts = imported.module.lstrip(".").split(".")
    for folder in folders_around(file):
        for end in ((*parts,), (*parts, imported.attribute or "__init__")):
            for path in (folder.joinpath(*end).with_suffix(".py"), folder.joinpath(*end, "__init__.py")):
                if path.is_file():
                    yield path
