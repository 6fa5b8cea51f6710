"""The Python and the third-party packages that submissions can import: their releases and their changes.

A task names a package by its import name, which may differ from the name of its distribution.  A submission
can also import the packages that those packages need.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from grader.sandbox.interpreter import Interpreter

if TYPE_CHECKING:
    from importlib.metadata import Distribution


def releases(packages: Iterable[str], interpreter: Interpreter) -> list[str]:
    """Return the installed releases of the packages and of their requirements, such as `numpy 2.1.0`."""
    wanted = list(packages)
    if not wanted:
        return []
    from importlib.metadata import distributions

    installed: dict[str, Distribution] = {}
    by_import: dict[str, list[str]] = {}
    for one in distributions(path=list(interpreter.packages)):
        name = _normal(one.metadata["Name"] or "")
        installed.setdefault(name, one)
        for module in _modules(one):
            by_import.setdefault(module, []).append(name)
    due = [name for package in wanted for name in (_normal(package), *by_import.get(package, ()))]
    found: dict[str, str] = {}
    while due:
        name = due.pop()
        if name in installed and name not in found:
            found[name] = installed[name].version
            # Requirements for other systems are not installed, and so do not count.
            needed = (text for text in installed[name].requires or () if "extra ==" not in text)
            due += [_normal(_first_name(text)) for text in needed]
    return [f"{name} {version}" for name, version in sorted(found.items())]


def stamps(packages: Iterable[str], interpreter: Interpreter) -> list[str]:
    """Return texts that change with any installation for the interpreter, and with any file of the packages.

    Without packages there are no texts, because submissions then cannot import from these folders.
    """
    wanted = sorted(packages)
    if not wanted:
        return []
    folders = [Path(folder) for folder in interpreter.packages if Path(folder).is_dir()]
    return [stamp for folder in folders for stamp in (*_of_releases(folder), *_of_packages(folder, wanted))]


def stamps_of_python(interpreter: Interpreter) -> list[str]:
    """Return texts that change when the interpreter is replaced, even by one of the same version.

    Systems install security fixes in this way.  Of its library, only the files at the top are read.
    """
    program = Path(interpreter.executable)
    folders = [Path(folder) for folder in interpreter.library if Path(folder).is_dir()]
    files = [file for folder in folders for file in sorted(folder.glob("*.py")) if file.is_file()]
    return [_stamp(file) for file in (program, *files) if file.is_file()]


def _of_releases(folder: Path) -> Iterator[str]:
    for entry in sorted(folder.iterdir()):
        if entry.name.endswith(("-info", ".egg", ".pth")):
            record = entry / "RECORD"
            yield _stamp(record if record.is_file() else entry)


def _of_packages(folder: Path, packages: Iterable[str]) -> Iterator[str]:
    for package in packages:
        for place in sorted((*folder.glob(package), *folder.glob(f"{package}.*"))):
            files = place.rglob("*") if place.is_dir() else (place,)
            yield from sorted(_stamp(file) for file in files if file.suffix != ".pyc" and file.is_file())


def _stamp(path: Path) -> str:
    found = path.stat()
    return f"{path} {found.st_size} {found.st_mtime_ns}"


def _modules(distribution: "Distribution") -> set[str]:
    """Return the names under which the modules of a distribution can be imported."""
    files = {file.parts[0] for file in distribution.files or ()}
    listed = (distribution.read_text("top_level.txt") or "").split()
    return {name.partition(".")[0] for name in files if not name.endswith("-info")} | set(listed)


def _first_name(requirement: str) -> str:
    found = re.match(r"[\w.-]+", requirement)
    return found[0] if found else ""


def _normal(name: str) -> str:
    """Return a distribution's name in the form for comparison (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()
