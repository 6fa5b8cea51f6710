"""Copies a task of a library into a folder, where it is one's own to change."""

import hashlib
import os
import tempfile
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from grader.authoring.library.library import SHELF, Library, Place
from grader.authoring.library.page import COPIED, LICENCE, UNKNOWN, VERSION, Page
from grader.authoring.library.shipped import library_in, own_library
from grader.model.errors import Fault, UsageError
from grader.model.task import is_task_id

_ENDINGS = (".yaml", ".yml", ".md")
_DIGITS = 16
"""Of the digest that tells one state of a task from another; for people to compare, no proof."""


@dataclass(frozen=True, slots=True)
class TaskName:
    """A task of a library, as it was asked for.  folder: of the library; None for the grader's own."""

    name: str
    folder: Path | None = None

    def library(self) -> AbstractContextManager[Library]:
        """Open its library.  Raises `UsageError`."""
        return own_library() if self.folder is None else library_in(self.folder)


@dataclass(frozen=True, slots=True)
class Copied:
    """A task that was copied.

    spec: its path.  paths: what is new, files and whole folders.
    licence: in the words of its page; empty if it says none.
    """

    spec: Path
    paths: tuple[Path, ...]
    licence: str

    @property
    def is_free(self) -> bool:
        """Whether its page names the licence under which others may take it over."""
        return self.licence.casefold() not in ("", UNKNOWN)


def task_named(text: str) -> TaskName | None:
    """Return the task that `--from` names; None where it names a file or a folder with a reference.

    `NAME` is a task of the grader's own library, `FOLDER/NAME` one of the library in that folder.
    """
    path = Path(text)
    name = path.name.removesuffix(path.suffix) if path.suffix in _ENDINGS else path.name
    if not is_task_id(name):
        return None
    if text == name:
        return None if path.exists() else TaskName(name)
    beside, inside = path.with_name(name), path / name
    if path.exists() and not any(_is_task(each) for each in (beside, inside)):
        return None
    return TaskName(name, path.parent)


def _is_task(stem: Path) -> bool:
    return all(stem.with_name(f"{stem.name}{ending}").is_file() for ending in (".yaml", ".md"))


def copy_task(wanted: TaskName, folder: Path) -> Copied:
    """Copy a task into a folder: all of its files, or none.  Raises `UsageError`.

    Nothing is overwritten.  A file that is there already, and is the same, stays: tasks can share files.
    """
    with wanted.library() as library:
        place = library.place(wanted.name)
        page = library.page(place)
        files = copied_files(library, place, page)
    return Copied(
        folder / SHELF / f"{wanted.name}.yaml",
        write_files(files, folder, wanted.name),
        page.about.get(LICENCE, ""),
    )


def copied_files(library: Library, place: Place, page: Page) -> dict[str, bytes]:
    """Return the files of a task, by their paths in a copy; the page says where it comes from.

    Raises `UsageError`.
    """
    files = library.files(place)
    version = page.about.get(VERSION, library.version)
    origin = f"{place.name} of {library.title}, {f'{version}, ' if version else ''}sha256 {digest_of(files)}"
    files[f"{SHELF}/{place.name}.md"] = page.by_itself().with_more(COPIED, origin).text.encode("utf-8")
    return files


def digest_of(files: Mapping[str, bytes]) -> str:
    """Return a short digest of a task's files."""
    digest = hashlib.sha256()
    for path, content in sorted(files.items()):
        digest.update(f"{path}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()[:_DIGITS]


def write_files(files: Mapping[str, bytes], folder: Path, name: str) -> tuple[Path, ...]:
    """Write the files of a task; return the paths that are new, a folder in place of all that is in it.

    Raises `UsageError`, and then nothing is written.
    """
    new = [path for path, content in files.items() if not _is_there(folder / path, content, path, name)]
    whole = sorted({_outermost(folder, path) for path in new})
    done: list[Path] = []
    made = [each for each in reversed((folder / "-").parents) if not each.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".grader-new-", dir=folder) as work:
            for number, path in enumerate(new):
                Path(work, str(number)).write_bytes(files[path])
            # The spec comes last: without it the others are no task.
            order = sorted(range(len(new)), key=lambda number: new[number] == f"{SHELF}/{name}.yaml")
            for number in order:
                target = folder / new[number]
                made += [each for each in reversed(target.parents) if not each.exists()]
                target.parent.mkdir(parents=True, exist_ok=True)
                if os.path.lexists(target):
                    raise FileExistsError(17, os.strerror(17))
                Path(work, str(number)).rename(target)
                done.append(target)
    except BaseException as error:
        for target in done:
            target.unlink(missing_ok=True)
        for each in reversed(made):
            if each.is_dir() and not any(each.iterdir()):
                each.rmdir()
        if isinstance(error, OSError):
            raise UsageError(Fault(f"the task can't be written: {error.strerror}", str(folder))) from error
        raise
    return tuple(whole)


def _is_there(target: Path, content: bytes, path: str, name: str) -> bool:
    """Tell whether a file of the task is there already.  Raises `UsageError` if it is another one."""
    if not os.path.lexists(target):
        return False
    own = path in (f"{SHELF}/{name}.yaml", f"{SHELF}/{name}.md")
    try:
        is_same = not own and not target.is_symlink() and target.is_file() and target.read_bytes() == content
    except OSError:
        is_same = False
    if is_same:
        return True
    hint = "name another folder: grader new --from NAME FOLDER"
    raise UsageError(Fault("this is there already, and nothing is overwritten", str(target), hint=hint))


def _outermost(folder: Path, path: str) -> Path:
    """Return a file, or the outermost folder around it that is not there yet, below `specs/` or the like."""
    parts = path.split("/")
    for depth in range(2, len(parts)):
        above = folder.joinpath(*parts[:depth])
        if not os.path.lexists(above):
            return above
    return folder / path
