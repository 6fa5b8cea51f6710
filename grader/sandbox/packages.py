"""The third-party packages that submissions can import: those that a task names, and what these need.

An environment mostly has more.  What else is installed on a host must not decide a mark, so boxes do not
see it.  A task names a package by its import name, which may differ from the name of its distribution.
"""

import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from grader.sandbox.interpreter import Interpreter

if TYPE_CHECKING:
    from importlib.metadata import Distribution


@dataclass(frozen=True, slots=True)
class Packages:
    """Packages that are installed for an interpreter.

    folders: of the interpreter, to look in; none if the task names no package.  names: modules that can be
    imported from them; None: all.  paths: their files and folders there.
    """

    folders: tuple[str, ...] = ()
    names: tuple[str, ...] | None = ()
    paths: tuple[str, ...] = ()


def importable(modules: Iterable[str], interpreter: Interpreter) -> Packages:
    """Return the packages among `modules`, and those that they need.  Modules of the library do not count."""
    tops = dict.fromkeys(module.partition(".")[0] for module in modules)
    wanted = [name for name in tops if name not in sys.stdlib_module_names]
    if not wanted:
        return Packages()
    found = [entry for one in with_needed(wanted, interpreter) for entry in _entries(one)]
    # A package that was copied into the folder has no record.
    known = dict.fromkeys((*found, *wanted, *(f"{name}.py" for name in wanted)))
    paths = [f"{folder}/{entry}" for folder in interpreter.packages for entry in known]
    names = dict.fromkeys(entry.partition(".")[0] for entry in known if not entry.endswith("-info"))
    present = tuple(path for path in paths if Path(path).exists())
    return Packages(interpreter.packages, tuple(names), present)


def all_installed(interpreter: Interpreter) -> Packages:
    """Return all packages of the interpreter, for programs that are not a student's."""
    present = tuple(folder for folder in interpreter.packages if Path(folder).is_dir())
    return Packages(present, None, present)


def with_needed(modules: Iterable[str], interpreter: Interpreter) -> list["Distribution"]:
    """Return the installed distributions of modules, and those that they need, by name.

    Extras do not count.  Requirements for other systems are not installed, and so do not count.
    """
    from importlib.metadata import distributions

    installed: dict[str, Distribution] = {}
    by_module: dict[str, list[str]] = {}
    for one in distributions(path=list(interpreter.packages)):
        name = _normal(one.metadata["Name"] or "")
        installed.setdefault(name, one)
        for module in {entry.partition(".")[0] for entry in _entries(one)}:
            by_module.setdefault(module, []).append(name)
    left = [name for module in modules for name in (_normal(module), *by_module.get(module, ()))]
    found: dict[str, Distribution] = {}
    while left:
        name = left.pop()
        if name in installed and name not in found:
            found[name] = installed[name]
            needed = (text for text in installed[name].requires or () if "extra ==" not in text)
            left += [_normal(_first_name(text)) for text in needed]
    return [one for _, one in sorted(found.items())]


def release(distribution: "Distribution") -> str:
    """Return name and version, such as `numpy 2.1.0`."""
    return f"{_normal(distribution.metadata['Name'] or '')} {distribution.version}"


def _entries(distribution: "Distribution") -> set[str]:
    """Return what a distribution has at the top of its folder, by its record or its list of modules."""
    record = distribution.read_text("RECORD") or ""
    listed = (distribution.read_text("top_level.txt") or "").split()
    firsts = {line.partition(",")[0].partition("/")[0].strip('"') for line in record.splitlines()}
    # Programs lie elsewhere, and the compiled files of all modules together.
    return (firsts | set(listed)) - {"", ".", "..", "__pycache__"}


def _first_name(requirement: str) -> str:
    found = re.match(r"[\w.-]+", requirement)
    return found[0] if found else ""


def _normal(name: str) -> str:
    """Return a distribution's name in the form for comparison (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()
