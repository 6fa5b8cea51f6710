"""The Python and the third-party packages that submissions can import: their releases and their changes."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from grader.sandbox.interpreter import Interpreter
from grader.sandbox.packages import release, with_needed


def releases(packages: Iterable[str], interpreter: Interpreter) -> list[str]:
    """Return the installed releases of the packages and of their requirements, such as `numpy 2.1.0`."""
    wanted = list(packages)
    return [release(one) for one in with_needed(wanted, interpreter)] if wanted else []


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
