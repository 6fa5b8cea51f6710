"""A zip as a tree: members are read into memory one by one, and nothing is unpacked.

A name that would lead elsewhere when unpacked (`..`, `/etc`, `C:`) is refused.  It could do no harm
here, but no honest tool writes such an archive.
"""

import os
import re
import stat
import struct
import weakref
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO, Self
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from grader.intake.names import is_junk, shown
from grader.intake.trees.tree import (
    CHUNK_B,
    DEPTH_MAX,
    FILES_MAX,
    LINK,
    Contents,
    Level,
    Parts,
    Refused,
    Tree,
    TreeEntry,
    Unreadable,
)
from grader.model.limits import MIB

BATCH_MEMBERS_MAX = 250_000
RATIO_MAX = 200
RATIO_FLOOR_B = 8 * MIB
"""The compression ratio of members up to this size is not limited."""
NAME_MAX_CHARACTERS = 255
"""The longest name that file systems have.  Unicode's normal forms need quadratic time for longer ones."""
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")
_DIRECTORY_B_PER_MEMBER = 400
_LOCAL_HEADER_B = 30
_GONE = "is no longer in the zip"
_ENCRYPTED = "is encrypted"
_TWICE = "is in the zip more than once"
_COMPRESSED = "is compressed in a way that is not read here; only plain zips (deflate) are"
_UTF_8_FLAG, _ENCRYPTED_FLAGS = 0x800, 0x1 | 0x40 | 0x2000
ZIP_ERRORS = (
    BadZipFile,
    EOFError,
    IndexError,
    NotImplementedError,
    OSError,
    OverflowError,
    RuntimeError,
    ValueError,
    struct.error,
    zlib.error,
)
"""All that `zipfile` is known to raise over a malformed archive."""
_OTHER_FORMATS = (
    (b"Rar!", "a RAR archive"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ", "an xz archive"),
    (b"%PDF", "a PDF"),
)


@dataclass(slots=True)
class _Node:
    """A folder of the archive; `unsafe` has the members whose names lead out of here."""

    folders: "dict[str, _Node]" = field(default_factory=dict)
    files: dict[str, list[ZipInfo]] = field(default_factory=dict)
    unsafe: list[TreeEntry] = field(default_factory=list)


class ZipTree(Tree):
    """One archive; its file stays open until the tree is closed."""

    def __init__(self, file: BinaryIO, members_max: int = FILES_MAX, *, is_students_own: bool = True) -> None:
        """Read the archive's directory.  Raises `Refused` if it is no sound zip.

        is_students_own: else no student has made it, so what is damaged or encrypted in it is `Unreadable`.
        """
        self._is_students_own = is_students_own
        try:
            self._zip = ZipFile(_Bounded(file, members_max * _DIRECTORY_B_PER_MEMBER))
        except ZIP_ERRORS as error:
            raise Refused(_what_it_is(file)) from error
        members = self._zip.infolist()
        if len(members) > members_max:
            raise Refused(f"holds more than {members_max} files")
        if _overlap(members):
            raise Refused("has files that share their bytes, as zip bombs do")
        self._root = _Node()
        named = [(member, _name(member)) for member in members]
        for member, name in named:
            if not _unsafe(name):
                self._place(member, name)
        for _, name in named:
            if refusal := _unsafe(name):
                self._place_unsafe(name, refusal)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()

    def level(self, folder: Parts) -> Level:
        node = self._node(folder)
        here = [(_parts(entry.name)[len(folder) :], entry.refusal) for entry in node.unsafe]
        refused = sorted((parts[0], refusal) for parts, refusal in here if len(parts) == 1)
        return Level(tuple(sorted(node.folders)), tuple(sorted(node.files)), refused=tuple(refused))

    def unsafe(self, folder: Parts) -> list[TreeEntry]:
        """Return the members whose names lead out of a folder; in a batch, they belong to no student."""
        return self._node(folder).unsafe

    def entry(self, folder: Parts, name: str) -> TreeEntry:
        """Return a file of a `level`.  Raises `Refused` if the archive was changed since."""
        members = self._node(folder).files.get(name)
        if members is None:
            raise Unreadable(_GONE)
        return self._entry((name,), members)

    def contents(self, folder: Parts) -> Contents:
        entries: list[TreeEntry] = []
        notes: list[str] = []
        pending: list[tuple[Parts, _Node]] = [((), self._node(folder))]
        while pending:
            parts, node = pending.pop()
            if parts and "pyvenv.cfg" in node.files:
                notes.append(f"{shown('/'.join(parts))} is a virtual environment, and was left out")
                continue
            entries += [self._entry((*parts, name), members) for name, members in node.files.items()]
            entries += node.unsafe
            pending += [((*parts, name), inner) for name, inner in node.folders.items()]
            if len(entries) + len(pending) > FILES_MAX:
                raise Refused(f"holds more than {FILES_MAX} files")
        return Contents(sorted(entries, key=lambda entry: (entry.parts, entry.name)), tuple(sorted(notes)))

    def chunks(self, folder: Parts, entry: TreeEntry) -> Iterator[bytes]:
        (member,) = self._node(folder + entry.parts[:-1]).files[entry.parts[-1]]
        damage = (Refused if self._is_students_own else Unreadable)("is damaged in the zip")
        most_b = max(RATIO_FLOOR_B, RATIO_MAX * member.compress_size)
        read_b = 0
        try:
            with self._zip.open(member) as file:
                while chunk := file.read(CHUNK_B):
                    read_b += len(chunk)
                    if read_b > most_b:
                        raise Refused(f"is compressed more than {RATIO_MAX} times, as zip bombs are")
                    yield chunk
        except ZIP_ERRORS as error:
            raise damage from error
        if read_b != member.file_size:
            raise damage

    def _entry(self, parts: Parts, members: list[ZipInfo]) -> TreeEntry:
        refusal = _refusal(members)
        unreadable = refusal in (_TWICE, _ENCRYPTED, _COMPRESSED) and not self._is_students_own
        return TreeEntry("/".join(parts), parts, members[0].file_size, refusal, unreadable)

    def _node(self, folder: Parts) -> _Node:
        node = self._root
        for name in folder:
            if name not in node.folders:
                raise Unreadable(_GONE)
            node = node.folders[name]
        return node

    def _place(self, member: ZipInfo, name: str) -> None:
        parts = _parts(name)
        if any(is_junk(part) for part in parts):
            return
        is_folder = name.endswith("/")
        node = self._root
        for part in parts if is_folder else parts[:-1]:
            node = node.folders.setdefault(part, _Node())
        if parts and not is_folder:
            node.files.setdefault(parts[-1], []).append(member)

    def _place_unsafe(self, name: str, refusal: str) -> None:
        """Keep an unsafe name where its first parts are real folders: it is that student's."""
        node = self._root
        for part in _parts(name)[:-1]:
            if part not in node.folders:
                break
            node = node.folders[part]
        node.unsafe.append(TreeEntry(name, (), 0, refusal))


class _Bounded:
    """A file from which no huge piece is read at once: zipfile trusts the stated sizes."""

    def __init__(self, file: BinaryIO, most_b: int) -> None:
        self._file, self._most_b = file, most_b
        self.seek, self.tell, self.seekable = file.seek, file.tell, file.seekable

    def read(self, size_b: int = -1, /) -> bytes:
        if size_b > self._most_b:
            raise BadZipFile("too much at once")
        try:
            return self._file.read(size_b)
        except OSError as error:
            # `zipfile` does not tell an error of the disk from one of the archive.
            raise Unreadable.by(error) from error


def batch_zip(path: Path) -> ZipTree:
    """Return the tree of a zip with many students; the last one is kept open.

    Raises `Refused`, OSError.
    """
    status = path.stat()
    return _batch_zip(path, status.st_mtime_ns, status.st_size, os.getpid())


@lru_cache(maxsize=1)
def _batch_zip(path: Path, _changed_ns: int, _size_b: int, _process: int) -> ZipTree:
    # By process as well: after a fork, two processes would move one file position.
    file = path.open("rb")
    try:
        tree = ZipTree(file, BATCH_MEMBERS_MAX, is_students_own=False)
    except Refused:
        file.close()
        raise
    weakref.finalize(tree, file.close)
    return tree


def _name(member: ZipInfo) -> str:
    """Return a member's name with forward slashes.

    Without the flag for UTF-8 the name is in code page 437 by the standard, yet often
    UTF-8 all the same; UTF-8 is hard to hit by chance.
    """
    name = member.orig_filename
    if not member.flag_bits & _UTF_8_FLAG:
        with suppress(UnicodeError):
            name = name.encode("cp437").decode("utf-8")
    return name.replace("\\", "/")


def _parts(name: str) -> Parts:
    return tuple(part for part in name.split("/") if part not in ("", "."))


def _unsafe(name: str) -> str:
    if _CONTROL.search(name):
        return "has control characters in its name"
    if name.startswith("/"):
        return "has an absolute path"
    if re.match(r"[A-Za-z]:", name):
        return "has a drive letter in its path"
    parts = _parts(name)
    if ".." in parts:
        return "has a path that leads out of its folder"
    if any(len(part) > NAME_MAX_CHARACTERS for part in parts):
        return f"has a name of more than {NAME_MAX_CHARACTERS} characters in its path"
    if not parts:
        return "" if name in ("./", ".") else "has no name"
    return f"lies more than {DEPTH_MAX} folders deep" if len(parts) > DEPTH_MAX + 1 else ""


def _refusal(members: list[ZipInfo]) -> str:
    if len(members) > 1:
        return _TWICE
    (member,) = members
    kind = stat.S_IFMT(member.external_attr >> 16)
    if kind == stat.S_IFLNK:
        return LINK
    if kind not in (0, stat.S_IFREG):
        return "is no regular file"
    if member.flag_bits & _ENCRYPTED_FLAGS:
        return _ENCRYPTED
    if member.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        return _COMPRESSED
    return ""


def _overlap(members: list[ZipInfo]) -> bool:
    """Tell whether two members lie on the same bytes; lengths are taken at their least."""
    end = -1
    for member in sorted(members, key=lambda member: member.header_offset):
        if member.header_offset < end:
            return True
        end = member.header_offset + _LOCAL_HEADER_B + len(member.orig_filename) + member.compress_size
    return False


def _what_it_is(file: BinaryIO) -> str:
    """Return what is wrong with a file that is no sound zip.  Raises `Unreadable`."""
    try:
        file.seek(0)
        start = file.read(8)
    except OSError as error:
        raise Unreadable.by(error) from error
    except ValueError:
        return "can't be read"
    for mark, kind in _OTHER_FORMATS:
        if start.startswith(mark):
            return f"is {kind} with the name of a zip"
    if not start:
        return "is empty"
    return "is a damaged zip; perhaps its upload was cut off" if start.startswith(b"PK") else "is not a zip"
