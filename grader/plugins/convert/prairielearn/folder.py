"""Reads the files of a question's folder: what it is called, which names it gives and takes, and its code."""

import json
import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from grader.model.errors import Fault, UsageError
from grader.plugins.convert.prairielearn.server import names_in_server
from grader.records.file_text import read_bytes, read_text

_OWN = {"test.py", "ans.py", "setup_code.py", "leading_code.py", "trailing_code.py", "initial_code.py"}
_MOST_FILES = 200
_MOST_IN_ALL_B = 32 << 20
_MOST_TEXT_B = 1 << 20


@dataclass(frozen=True, slots=True)
class QuestionFolder:
    """A question.

    for_user, from_user: the names that the setup gives to students, and those that are taken from them.
    starter: what students begin with; empty for nothing.
    params: what the question's server drew for one student; None where nothing is known of it.
    data, modules: the other files of `tests`, by name: data, and Python.
    """

    title: str
    tests: str
    reference: str
    setup: str
    leading: str
    trailing: str
    starter: str
    for_user: tuple[str, ...]
    from_user: tuple[str, ...]
    params: dict[str, Any] | None
    data: dict[str, bytes] = field(default_factory=dict)
    modules: dict[str, str] = field(default_factory=dict)


def read_folder(path: Path) -> QuestionFolder:
    """Return what the folder of a question holds.  Raises `UsageError`."""
    about = _mapping(path / "info.json")
    method = about.get("gradingMethod")
    if method != "External":
        hint = "only questions with `gradingMethod: External` have tests of this kind"
        raise UsageError(Fault("this question has no external grading", str(path / "info.json"), hint=hint))
    tests = path / "tests"
    if not (tests / "test.py").is_file() or not (tests / "ans.py").is_file():
        hint = "PrairieLearn's Python autograder needs both"
        raise UsageError(Fault("this question has no tests/test.py and tests/ans.py", str(path), hint=hint))
    page = _Page()
    page.feed(_text(path / "question.html"))
    stated = names_in_server(_text(path / "server.py"))
    params = _params(path / "data.json")
    names = {
        key: _names((params or {}).get(key)) or stated.get(key) or tuple(page.names.get(key, ()))
        for key in ("names_for_user", "names_from_user")
    }
    data, modules = _others(tests)
    return QuestionFolder(
        title=str(about.get("title", "")),
        tests=_text(tests / "test.py"),
        reference=_text(tests / "ans.py"),
        setup=_text(tests / "setup_code.py"),
        leading=_text(tests / "leading_code.py"),
        trailing=_text(tests / "trailing_code.py"),
        starter=_starter(path, page.starter),
        for_user=names["names_for_user"],
        from_user=names["names_from_user"],
        params=params,
        data=data,
        modules=modules,
    )


class _Page(HTMLParser):
    """Finds the tables of names and the file that the editor begins with."""

    def __init__(self) -> None:
        super().__init__()
        self.names: dict[str, list[str]] = {}
        self.starter = ""
        self._table = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        match tag:
            case "pl-external-grader-variables":
                self._table = given.get("params-name") or ""
            case "pl-variable" | "pl-external-grader-variable" if self._table and given.get("name"):
                self.names.setdefault(self._table, []).append(str(given["name"]))
            case "pl-file-editor":
                self.starter = self.starter or given.get("source-file-name") or ""

    def handle_endtag(self, tag: str) -> None:
        if tag == "pl-external-grader-variables":
            self._table = ""


def _mapping(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(_text(path))
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise UsageError(Fault("this file is no mapping in JSON", str(path)))
    return found


def _params(path: Path) -> dict[str, Any] | None:
    """Return the parameters of one variant, as PrairieLearn hands them to a grader; None without the file."""
    if not path.is_file():
        return None
    found = _mapping(path)
    params = found.get("params", found)
    return params if isinstance(params, dict) else None


def _names(value: Any) -> tuple[str, ...]:
    """Return the names of a list of `{"name": …}`."""
    entries = value if isinstance(value, list) else []
    names = [str(each.get("name", "")) for each in entries if isinstance(each, dict)]
    return tuple(name for name in names if name.isidentifier())


def _text(path: Path) -> str:
    if not path.is_file():
        return ""
    if path.stat().st_size > _MOST_TEXT_B:
        raise UsageError(Fault("this file has more than 1 MiB", str(path)))
    return read_text(path, "the file")


def _starter(path: Path, name: str) -> str:
    for each in (name, "tests/initial_code.py"):
        file = path / each
        if each and file.is_file() and file.resolve().is_relative_to(path.resolve()):
            return _text(file)
    return ""


def _others(tests: Path) -> tuple[dict[str, bytes], dict[str, str]]:
    """Return the data and the modules among the tests, which lie beside students' code as it runs."""
    data: dict[str, bytes] = {}
    modules: dict[str, str] = {}
    left = _MOST_IN_ALL_B
    for file in sorted(tests.iterdir())[:_MOST_FILES]:
        if file.name in _OWN or file.is_symlink() or not file.is_file() or file.name.startswith("."):
            continue
        if file.suffix == ".py":
            if re.fullmatch(r"[A-Za-z]\w*", file.stem, flags=re.ASCII):
                modules[file.stem] = _text(file)
            continue
        content = read_bytes(file, "the file")
        left -= len(content)
        if left < 0:
            raise UsageError(Fault("the files of its tests have more than 32 MiB", str(tests)))
        data[file.name] = content
    return data, modules
