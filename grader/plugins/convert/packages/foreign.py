"""Files of a package, as they are found in its folder."""

import os
from pathlib import Path
from typing import Any

import yaml

from grader.model.errors import Fault, UsageError
from grader.plugins.convert.draft import Unconvertible
from grader.records.file_text import read_text


def inside(folder: Path, path: Path) -> bool:
    """Tell whether a file lies in a folder, also behind its links."""
    root = os.path.join(os.path.realpath(folder), "")
    return path.is_file() and os.path.realpath(path).startswith(root)


def mapping_in(path: Path) -> dict[str, Any]:
    """Return a mapping that a YAML file holds; empty where there is no file.  Raises `UsageError`."""
    if not path.is_file():
        return {}
    try:
        found = yaml.safe_load(read_text(path, "the file"))
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f"{path}:{mark.line + 1}" if mark is not None else str(path)
        raise UsageError(Fault("this is not valid YAML", where, hint=str(error).partition("\n")[0])) from None
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise UsageError(Fault("this must be a mapping, lines of `key: value`", str(path)))
    return {str(key): value for key, value in found.items()}


def check_text(content: bytes) -> None:
    """Raise `Unconvertible` for an input that is no text."""
    try:
        content.decode()
    except UnicodeDecodeError:
        raise Unconvertible("its input is no UTF-8 text") from None


def words_of(value: object) -> list[str]:
    """Return words that stand in one text or in a list."""
    if isinstance(value, str):
        return value.split()
    return [str(word) for word in value] if isinstance(value, list) else []


def number_of(value: object) -> float | None:
    """Return a number above zero; None for anything else."""
    try:
        number = float(str(value))
    except ValueError:
        return None
    return number if 0 < number < float("inf") else None
