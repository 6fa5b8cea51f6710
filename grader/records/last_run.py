"""What the last run into a folder was made with: files that people keep beside the submissions.

The record keeps each file with its path and content.  Where the whole folder of the results was copied or
moved since, a file is looked for where it lies to them as it did then.
"""

import os
import stat
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from grader.model.results import RunFile
from grader.records.file_text import is_filled, is_there, read_bytes
from grader.store.record_parts import KeptFile

ROSTER, TIMES, REVIEWS = KINDS = ("roster", "times", "reviews")
WITHOUT = "without"
"""What a record keeps for a kind of files that shall not count: an empty file that is called like the kind.

A kind can have files that nobody names: reviews beside the spec, times in the roster.
"""
NAMED = "named"
"""What a record keeps for a kind whose files were named, as `WITHOUT`: others of that kind do not count."""
LEFT = "left"
"""What a record keeps for each name whose marks by hand a run did not take in, as `WITHOUT`."""
GROUPS = "groups"
"""Who was in which group, by the results; see `grader.records.groups.works_before`."""
OUTPUT = "output"
"""What a record keeps for the folder of the results, as `WITHOUT`."""
INSTEAD = "instead"
"""Files that are marked in place of single works, see `grader.records.instead`."""


@dataclass(frozen=True, slots=True)
class LastRun:
    """What the last run into a folder was made with.

    files: as it read them, see `as_they_lie`.  lost: those that the results name and no record holds.
    results: the file of its results; None for a new folder.
    """

    files: tuple[KeptFile, ...] = ()
    lost: tuple[RunFile, ...] = ()
    results: Path | None = None


NO_RUN = LastRun()


def written_to(folder: Path, files: Iterable[KeptFile]) -> tuple[KeptFile, ...]:
    """Return the files of a run for its record, with the folder of its results."""
    others = (replace(file, path=file.path.absolute()) for file in files if file.kind not in (OUTPUT, LEFT))
    left = (file for file in files if file.kind == LEFT)
    return (*others, *left, KeptFile(OUTPUT, folder.absolute(), b""))


def as_they_lie(files: Iterable[KeptFile], folder: Path) -> tuple[KeptFile, ...]:
    """Return the files of a record, each where it lies now.  folder: where the record lies now."""
    files = tuple(files)
    return tuple(replace(file, path=lies_now(file.path, files, folder)) for file in files)


def lies_now(path: Path, files: Iterable[KeptFile], folder: Path) -> Path:
    """Return where a file of a record lies now.

    files: of that record.  folder: where the record lies now.  If that is another folder than then, and
    a file lies to it as this one did, all of it was copied or moved.  One that is nowhere would lie there.
    """
    here = beside_now(path, files, folder)
    return here if here == path or _may_be_file(here) or not _may_be_file(path) else path


def beside_now(path: Path, files: Iterable[KeptFile], folder: Path) -> Path:
    """Return the place that lies to a record as a file did then, be it there or not.  See `lies_now`."""
    was = next((file.path for file in files if file.kind == OUTPUT), None)
    # Some entries are a name and no path.
    if was is None or not path.is_absolute() or folder.resolve() == was.resolve():
        return path
    return Path(os.path.normpath(folder.absolute() / os.path.relpath(path, was)))


def _may_be_file(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        # Whoever reads it says why nobody can.
        return True


def are_named(files: Iterable[KeptFile], kind: str) -> bool:
    """Tell whether the marker named the files of a kind.  files: those of a record."""
    return any(file.kind == NAMED and file.path.name == kind for file in files)


def taken_again(
    kind: str, before: Iterable[KeptFile], note: Callable[[str], None], *, tells_all: bool = True
) -> tuple[KeptFile, ...]:
    """Return files of the last run as they are now; as they were, where they are gone or emptied.

    An empty file of reviews is another thing: see `reviews_again`.
    tells_all: those are told, too, that are where they were.
    """
    found, told = [], []
    for file in before:
        # Only a plain file is read: a record can come from elsewhere and name anything.
        is_here = is_there(file.path, f"the {kind}")
        content = read_bytes(file.path, f"the {kind}") if is_here else b""
        is_emptied = is_here and kind != REVIEWS and is_filled(file.content) and not is_filled(content)
        is_lost = is_emptied or not is_here
        now = file if is_lost else replace(file, path=from_here(file.path), content=content)
        found.append(now)
        if not (now.content or file.content) or not (is_lost or tells_all):
            continue
        if is_lost:
            became = "empty now" if is_emptied else "gone"
            told.append(f"{file.path} (it is {became}, so the content in the record counts)")
        else:
            is_other = now.content != file.content and file.content
            told.append(f"{now.path}{' (changed since)' if is_other else ''}")
    if told and tells_all:
        note(f"{kind} taken again from the last run: {', '.join(told)}; --without {kind} leaves them out")
    elif told:
        note(f"{kind} of the last run: {', '.join(told)}")
    return tuple(found)


def each_once(files: Iterable[KeptFile]) -> tuple[KeptFile, ...]:
    """Return files, of several at one place the last one."""
    return tuple({file.path.resolve(): file for file in files}.values())


def places(files: Iterable[KeptFile]) -> str:
    """Return where files lie, for people."""
    return ", ".join(str(from_here(file.path)) for file in files)


def from_here(path: Path) -> Path:
    """Return a path as one would type it: from the current folder, if it lies below."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path
