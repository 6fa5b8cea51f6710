"""Writes the files of a new plugin."""

import re
import tempfile
from collections.abc import Iterator
from importlib.resources import files
from keyword import iskeyword
from pathlib import Path
from string import Template

from grader.model.errors import Fault, UsageError
from grader.registry.groups import Group
from grader.registry.registry import API, registry
from grader.spec.keys.case import CASE

_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")


def start_plugin(folder: Path) -> list[Path]:
    """Write a plugin into a new folder, whose name says what it is called; return its files.

    Raises `UsageError` where the folder is there, or its name is none for a plugin.
    """
    words = _words(folder)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        # Its files are there together or not at all.
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".grader-") as place:
            new = Path(place) / folder.name
            for path, text in _files(words):
                (new / path).parent.mkdir(parents=True, exist_ok=True)
                (new / path).write_text(text, encoding="utf-8")
            new.rename(folder)
    except OSError as error:
        raise UsageError(Fault(f"it can't be written: {error.strerror or error}", str(folder))) from error
    return sorted(path for path in folder.rglob("*") if path.is_file())


def _words(folder: Path) -> dict[str, str]:
    """Return the words for the templates."""
    name = folder.resolve().name
    if folder.exists():
        raise UsageError(Fault("this is there already", str(folder), hint="name a new folder"))
    if not _NAME.fullmatch(name):
        hint = "such as grader-stable: small letters, digits and dashes"
        raise UsageError(Fault(f"{name!r} is no name for a plugin", str(folder), hint=hint))
    key = name.removeprefix("grader-").replace("-", "_")
    package = f"grader_{key}"
    if iskeyword(key) or key in CASE.names or key in registry().entries(Group.KINDS):
        hint = "its name becomes a key of a case; choose another"
        reason = f"`{key}` is a word of Python's or a key of a case already"
        raise UsageError(Fault(reason, str(folder), hint=hint))
    record = "".join(word.capitalize() for word in key.split("_"))
    full = f"grader-{name.removeprefix('grader-')}"
    return {"name": full, "package": package, "key": key, "record": record, "api": API}


def _files(words: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Yield path and text of each file."""
    package, key = words["package"], words["key"]
    for template, path in (
        ("pyproject.toml", "pyproject.toml"),
        ("README.md", "README.md"),
        ("gitignore", ".gitignore"),
        ("package.py", f"{package}/__init__.py"),
        ("subpackage.py", f"{package}/{key}/__init__.py"),
        ("keys.py", f"{package}/{key}/keys.py"),
        ("kind.py", f"{package}/{key}/kind.py"),
        ("test_kind.py", "tests/test_kind.py"),
    ):
        text = (files("grader.authoring.plugin") / "template" / f"{template}.txt").read_text("utf-8")
        yield path, Template(text).substitute(words)
