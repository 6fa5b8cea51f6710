"""Every file, module and link that a page or a docstring names is there."""

import ast
import contextlib
import os
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "grader"
FOLDERS = ("grader", "docs", "tests", "benchmarks")
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "benchmarks").rglob("*.md")])
SOURCES = sorted(
    path
    for folder in ("grader", "tests", "benchmarks")
    for path in (ROOT / folder).rglob("*.py")
    if not path.is_relative_to(ROOT / "tests" / "data")
    and not path.is_relative_to(ROOT / "tests" / "hostile" / "attacks")
    and path != Path(__file__)
)

_FENCED = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_FROM_ROOT = re.compile(rf"(?<![\w/.~-])(?:{'|'.join(FOLDERS)})/[\w/.-]*\w")
_FROM_PACKAGE = re.compile(r"(?<![\w/.~-])[a-z_]+(?:/[a-z_]+)+\.py")
_IN_SOURCE = re.compile(r"(?<![\w/.~-])(?:docs/[\w/-]+\.md|grader/[\w/]+\.py)")
_INSTALLED = re.compile(
    r"(?:(?:pipx?|uv)(?: tool| pip)? (?:install|add|run|download|wheel) (?:-\S+ )*['\"]?|uvx (?:-\S+ )*"
    r"|GRADER_PACKAGE: |dependencies = \[['\"])(grader(?:-\w+)*)(?![\w/-]|\.\w)"
)
_EXTRA_OF = re.compile(
    r"(?<![\w./-])(grader[\w-]*)\[(?:arrays|cluster|dev|pages|plots|pytest|rules|similar|tables)\b"
)
_BUILT = {
    ".git",
    ".hypothesis",
    ".mypy_cache",
    ".pytest_cache",
    ".ruff_cache",
    ".venv",
    "__pycache__",
    "node_modules",
}
_MADE = {".fuzz", ".import_linter_cache", "build", "dist", "reports", "reviews"}
"""Folders that no commit has."""
_DOTTED = re.compile(r"`(grader(?:\.\w\w+)+)")


def missing_files(text: str, folder: Path = ROOT) -> Iterator[str]:
    """Yield the paths in a page that lead nowhere from the root of the checkout, `grader/` or its folder."""
    for name in _FROM_ROOT.findall(text):
        if not (ROOT / name).exists():
            yield name
    for name in _FROM_PACKAGE.findall(text):
        first = name.partition("/")[0]
        if (PACKAGE / first).is_dir() and not any((base / name).exists() for base in (PACKAGE, ROOT, folder)):
            yield name


def every_text() -> Iterator[tuple[str, str]]:
    """Yield path and text of each file of the tree, but for this one, which has examples."""
    for parent, folders, names in os.walk(ROOT):
        top = Path(parent) == ROOT
        folders[:] = [name for name in folders if name not in _BUILT and not (top and name in _MADE)]
        for path in (Path(parent, name) for name in names):
            if path != Path(__file__):
                with contextlib.suppress(UnicodeDecodeError, FileNotFoundError):
                    yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")


def told_to_install(text: str) -> Iterator[str]:
    """Yield the names of distributions like ours that a text tells people, or pip, to install."""
    yield from _INSTALLED.findall(text)
    yield from _EXTRA_OF.findall(text)


def top_level(module: Path) -> Iterator[str]:
    """Yield the names that a module defines or imports at its top level."""
    for node in ast.parse(module.read_text(encoding="utf-8")).body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                yield from (alias.asname or alias.name for alias in names)
            case ast.Assign() | ast.AnnAssign():
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                yield from (
                    name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)
                )


def missing_modules(text: str) -> Iterator[str]:
    """Yield dotted names, such as `grader.model.limits.wall_for`, that lead to nothing."""
    for dotted in _DOTTED.findall(text):
        path, rest = PACKAGE, dotted.split(".")[1:]
        while rest and (path / rest[0]).is_dir():
            path /= rest.pop(0)
        if rest and (path / f"{rest[0]}.py").exists():
            path /= f"{rest.pop(0)}.py"
        elif path.is_dir():
            path /= "__init__.py"
        if rest and rest[0] not in set(top_level(path)):
            yield dotted


def dead_links(page: Path, text: str) -> Iterator[str]:
    """Yield the links of a page that lead to no file or no heading."""
    for target in _LINK.findall(text):
        if "://" in target:
            continue
        path, _, anchor = target.partition("#")
        file = Path(os.path.normpath(page.parent / path)) if path else page
        if not file.exists():
            yield target
        elif anchor:
            titles = re.findall(r"^#+ (.*)$", file.read_text(encoding="utf-8"), re.MULTILINE)
            if anchor not in {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}:
                yield target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_names_what_is_there(page: Path) -> None:
    text = _FENCED.sub("", page.read_text(encoding="utf-8"))
    assert [*missing_files(text, page.parent), *missing_modules(text), *dead_links(page, text)] == []


def test_sources_name_what_is_there() -> None:
    missing = {}
    for path in SOURCES:
        text = path.read_text(encoding="utf-8")
        names = [name for name in _IN_SOURCE.findall(text) if not (ROOT / name).exists()]
        if names := [*names, *missing_modules(text)]:
            missing[str(path.relative_to(ROOT))] = names
    assert missing == {}


def test_nobody_is_told_to_install_a_package_of_another_name() -> None:
    """The package `grader` on PyPI is another project.  `grader-stable` is a plugin that a reader makes."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named: dict[str, set[str]] = {}
    for path, text in every_text():
        for name in told_to_install(text):
            named.setdefault(name, set()).add(path)
    assert project["name"] == "grader-harness"
    assert {
        name: paths for name, paths in named.items() if name not in ("grader-harness", "grader-stable")
    } == {}
    # The search finds what is there: in a page, a message, a template and a file for CI.
    assert {path.partition("/")[0] for path in named["grader-harness"]} >= {
        "docs",
        "grader",
        "tests",
        ".gitlab",
    }


@pytest.mark.parametrize(
    "text",
    [
        "pip install grader",
        "python -m pip install --upgrade 'grader[arrays]'",
        'pip install -q "grader==0.1.0"',
        "pip install grader, then",
        "Say `pip install grader`.",
        "Say pip install grader.",
        "pipx install grader",
        "uv tool install grader",
        "uv add grader",
        "uvx grader check",
        'dependencies = ["grader"]',
        "hint: install grader[pages]",
        "pip install other grader[rules]",
    ],
)
def test_a_package_of_another_name_is_found(text: str) -> None:
    assert set(told_to_install(text)) == {"grader"}


@pytest.mark.parametrize(
    "text", ["pip install ./grader", "pip install grader/", "call grader[0]", "pip install -e ."]
)
def test_what_names_no_package_is_none(text: str) -> None:
    assert list(told_to_install(text)) == []


def test_the_index_of_designs_has_every_page() -> None:
    folder = ROOT / "docs" / "design"
    listed = _LINK.findall((folder / "README.md").read_text(encoding="utf-8"))
    assert sorted([*listed, "README.md"]) == sorted(path.name for path in folder.glob("*.md"))


def test_the_page_on_architecture_has_the_layers_that_are_enforced() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    enforced = [re.findall(r"[a-z_]+", layer) for layer in contracts["contracts"][0]["layers"]]
    there = [[name for name in layer if (PACKAGE / name).is_dir()] for layer in enforced]
    text = (ROOT / "docs" / "design" / "architecture.md").read_text(encoding="utf-8")
    shown = [line.split() for line in text.split("## ")[1].splitlines() if line.startswith("    ")]
    packages = [layer for layer in there if layer]
    assert [words[: len(layer)] for words, layer in zip(shown, packages, strict=True)] == packages


@pytest.mark.parametrize(
    "text",
    ["`grader/no/such.py`", "`docs/design/gone.md`", "see `engine/no_such.py`.", "`tests/unit/gone/`"],
)
def test_a_missing_file_is_found(text: str) -> None:
    assert list(missing_files(text))


@pytest.mark.parametrize("text", ["`grader.no`", "`grader.model.no`", "`grader.model.limits.no_such_name`"])
def test_a_missing_module_is_found(text: str) -> None:
    assert list(missing_modules(text))


@pytest.mark.parametrize("target", ["gone.md", "#no-such-heading", "docs/guide.md#no-such-heading"])
def test_a_dead_link_is_found(target: str) -> None:
    assert list(dead_links(ROOT / "README.md", f"[here]({target})"))


def test_what_is_there_is_not_missing() -> None:
    text = "`grader/model/limits.py`, `model/limits.py`, `docs/guide.md`, `grader.model.limits.wall_for`"
    assert list(missing_files(text)) == list(missing_modules(text)) == []
