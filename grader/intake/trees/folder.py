"""A folder on disk as a tree: never follows a link, never blocks, never leaves the folder.

Each file is opened relative to the descriptor of the folder that was listed, so a link put
there meanwhile is refused by the kernel.  Where the system has no such calls (Windows),
paths are used, and links are refused by what the listing says.
"""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Self, TypeAlias

from grader.intake.names import is_junk, is_work
from grader.intake.trees import tree

_Handle: TypeAlias = int | Path
_BY_DESCRIPTOR = os.open in os.supports_dir_fd and os.scandir in os.supports_fd
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_FOLDER_FLAGS = os.O_RDONLY | _NO_FOLLOW | getattr(os, "O_DIRECTORY", 0)
_FILE_FLAGS = (
    os.O_RDONLY
    | _NO_FOLLOW
    | getattr(os, "O_NONBLOCK", 0)  # the opening of a pipe must not wait for a writer
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_BINARY", 0)
)
_VENV_MARK = "pyvenv.cfg"


class FolderTree(tree.Tree):
    """One folder, open for reading; the last name of `path` must not be a link."""

    def __init__(self, path: Path) -> None:
        """Open the folder.  Raises OSError."""
        self._root: _Handle = os.open(path, _FOLDER_FLAGS) if _BY_DESCRIPTOR else path

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if isinstance(self._root, int):
            os.close(self._root)

    def level(self, folder: tree.Parts) -> tree.Level:
        folders, files, links = [], [], []
        unread = ""
        try:
            with self._opened(folder) as handle, os.scandir(handle) as found:
                for item in found:
                    if is_junk(item.name):
                        continue
                    if item.is_symlink():
                        if is_work(item.name) or _leads_to_a_folder(item):
                            links.append(item.name)
                    elif item.is_dir(follow_symlinks=False):
                        folders.append(item.name)
                    else:
                        files.append(item.name)
        except OSError as error:
            unread = str(_refused(error))
        return tree.Level(tuple(sorted(folders)), tuple(sorted(files)), tuple(sorted(links)), unread=unread)

    def entry(self, folder: tree.Parts, name: str) -> tree.TreeEntry:
        """Return a file of a `level`; its size and kind are looked at when it is read."""
        return tree.TreeEntry(name, (name,))

    def contents(self, folder: tree.Parts) -> tree.Contents:
        """Return every file below a folder.  Raises `Refused` where there are too many, OSError."""
        walk = _Walk()
        with self._opened(folder) as handle:
            walk.look(handle, ())
        return tree.Contents(sorted(walk.entries, key=lambda entry: entry.parts), tuple(sorted(walk.notes)))

    def chunks(self, folder: tree.Parts, entry: tree.TreeEntry) -> Iterator[bytes]:
        descriptor = self._descriptor(folder, entry)
        try:
            # Without a file object, whose own buffer would cost more than most submissions' reading.
            while chunk := os.read(descriptor, tree.CHUNK_B):
                yield chunk
        except OSError as error:
            raise _refused(error) from error
        finally:
            os.close(descriptor)

    def file(self, folder: tree.Parts, entry: tree.TreeEntry, allowance: tree.Allowance) -> BinaryIO:
        """Open an entry, which must be a regular file.  Raises `Refused`."""
        return open(self._descriptor(folder, entry), "rb")

    def _descriptor(self, folder: tree.Parts, entry: tree.TreeEntry) -> int:
        try:
            with self._opened(folder + entry.parts[:-1]) as handle:
                descriptor = _open(handle, entry.parts[-1], _FILE_FLAGS)
        except OSError as error:
            raise _refused(error) from error
        refusal = _refusal(os.fstat(descriptor).st_mode)
        if refusal:
            os.close(descriptor)
            raise tree.Refused(refusal)
        return descriptor

    @contextmanager
    def _opened(self, folder: tree.Parts) -> Iterator[_Handle]:
        """Open a folder below the root, one name at a time.  Raises OSError."""
        handle = self._root
        try:
            for name in folder:
                inner = _open_folder(handle, name)
                if handle is not self._root:
                    _close(handle)
                handle = inner
            yield handle
        finally:
            if handle is not self._root:
                _close(handle)


class _Walk:
    """Collects the files below a folder."""

    def __init__(self) -> None:
        self.entries: list[tree.TreeEntry] = []
        self.notes: list[str] = []
        self._seen = 0

    def look(self, handle: _Handle, parts: tree.Parts) -> None:
        """Collect what lies in an open folder and below it."""
        before = len(self.entries)
        folders = []
        with os.scandir(handle) as found:
            for item in found:
                self._seen += 1
                if self._seen > tree.FILES_MAX:
                    raise tree.Refused(f"holds more than {tree.FILES_MAX} files")
                if item.name == _VENV_MARK and parts:
                    del self.entries[before:]
                    self.notes.append(f"{'/'.join(parts)} is a virtual environment, and was left out")
                    return
                if is_junk(item.name):
                    continue
                if item.is_dir(follow_symlinks=False):
                    folders.append(item.name)
                else:
                    self._add((*parts, item.name), item)
        for name in folders:
            self._look_below(handle, (*parts, name))

    def _look_below(self, handle: _Handle, parts: tree.Parts) -> None:
        if len(parts) > tree.DEPTH_MAX:
            self._refuse(parts, tree.Refused(f"lies more than {tree.DEPTH_MAX} folders deep"))
            return
        try:
            inner = _open_folder(handle, parts[-1])
        except OSError as error:
            self._refuse(parts, _refused(error))
            return
        try:
            self.look(inner, parts)
        except OSError as error:
            self._refuse(parts, _refused(error))
        finally:
            _close(inner)

    def _add(self, parts: tree.Parts, item: os.DirEntry[str]) -> None:
        try:
            status = item.stat(follow_symlinks=False)
        except OSError as error:
            self._refuse(parts, _refused(error))
            return
        self.entries.append(tree.TreeEntry("/".join(parts), parts, status.st_size, _refusal(status.st_mode)))

    def _refuse(self, parts: tree.Parts, refused: tree.Refused) -> None:
        unreadable = isinstance(refused, tree.Unreadable)
        self.entries.append(tree.TreeEntry("/".join(parts), parts, 0, str(refused), unreadable))


def _leads_to_a_folder(link: "os.DirEntry[str]") -> bool:
    try:
        return link.is_dir()
    except OSError:
        # One that leads in a circle, say: who looks for its work is told what became of it.
        return True


def _open_folder(handle: _Handle, name: str) -> _Handle:
    if isinstance(handle, int):
        return os.open(name, _FOLDER_FLAGS, dir_fd=handle)
    return handle / name


def _open(handle: _Handle, name: str, flags: int) -> int:
    if isinstance(handle, int):
        return os.open(name, flags, dir_fd=handle)
    return os.open(handle / name, flags)


def _close(handle: _Handle) -> None:
    if isinstance(handle, int):
        os.close(handle)


def _refusal(mode: int) -> str:
    if stat.S_ISREG(mode):
        return ""
    if stat.S_ISLNK(mode):
        return tree.LINK
    if stat.S_ISFIFO(mode):
        return "is a pipe, not a file"
    return "is a socket, not a file" if stat.S_ISSOCK(mode) else "is a device, not a file"


def _refused(error: OSError) -> tree.Refused:
    if error.errno == errno.ELOOP:  # O_NOFOLLOW met a link
        return tree.Refused(tree.LINK)
    return tree.Unreadable.by(error)
