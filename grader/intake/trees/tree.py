"""A folder or a zip as intake sees it: names, sizes and bytes, with limits on all three.

This module does not decide which part of a tree is whose work; `layouts` do.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import BinaryIO, Protocol, Self, TypeAlias

from grader.model.limits import MIB

SOURCE_MAX_B = 1 * MIB
"""The longest Python file that is read."""
TOTAL_MAX_B = 50 * MIB
"""Bytes read of one submission, all files together."""
FILES_MAX = 10_000
"""Files and folders of one submission."""
DEPTH_MAX = 20
"""Folders inside one another."""
CHUNK_B = 64 * 1024

LINK = "is a link, and links are not followed"
NESTED_ZIP = "is a zip inside a zip, which is not opened"
OTHER_ARCHIVE = "is an archive of a kind that is not read; a zip, a folder or a .py file is"

Parts: TypeAlias = tuple[str, ...]
"""The names of the folders on the way and of the thing itself; `()` is the tree's root."""


class Refused(Exception):
    """Something of a student's is not read; the text goes on after its name ("is a link")."""


class Unreadable(Refused):
    """It could not be read here: the machine's fault, or it changed while it was read."""

    @classmethod
    def by(cls, error: OSError) -> Self:
        """Return it in the system's words."""
        return cls(f"can't be read ({error.strerror or 'unknown error'})")


class TooLarge(Refused):
    """It is beyond the limits on bytes."""


@dataclass(frozen=True, slots=True)
class TreeEntry:
    """A file below some folder of a tree.

    name: path inside that folder, with forward slashes; as handed in, so of any content.
    parts: the same as parts; empty where the name is not a safe path.
    size_b: as the folder or the archive states it; the bytes read are counted, not this.
    refusal: why it is not read, as in `Refused`; empty where it may be.
    unreadable: the refusal is one as in `Unreadable`.
    """

    name: str
    parts: Parts
    size_b: int = 0
    refusal: str = ""
    unreadable: bool = False


@dataclass(frozen=True, slots=True)
class Contents:
    """All files below a folder, and what was left out, in words."""

    entries: list[TreeEntry]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Level:
    """The entries of one folder, sorted, without the junk.

    links: names of links that seem to lead to a folder, a Python file or an archive.
    refused: names of files that are unsafe, each with the reason.
    unread: why more may lie there than this; empty where this is all.
    """

    folders: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    refused: tuple[tuple[str, str], ...] = ()
    unread: str = ""


class Tree(Protocol):
    """A folder or a zip, read-only."""

    def level(self, folder: Parts) -> Level:
        """Return what lies directly in a folder, as far as it can be read."""

    def entry(self, folder: Parts, name: str) -> TreeEntry:
        """Return a file of a `level`, alone."""

    def contents(self, folder: Parts) -> Contents:
        """Return every file below a folder.  Raises `Refused` where there are too many."""

    def chunks(self, folder: Parts, entry: TreeEntry) -> Iterator[bytes]:
        """Yield the bytes of an entry of `contents(folder)`.  Raises `Refused`."""

    def file(self, folder: Parts, entry: TreeEntry, allowance: "Allowance") -> BinaryIO:
        """Return an entry of `contents(folder)` as a file, to open a zip in it.  Raises `Refused`.

        allowance: is charged with what is held in memory for it: all of it, where a tree has no file of it.
        """
        return BytesIO(b"".join(allowance.take(self, folder, entry, TOTAL_MAX_B)))


class Allowance:
    """The bytes that may still be read of one submission.  left_b: their number."""

    def __init__(self, left_b: int = TOTAL_MAX_B) -> None:
        self.left_b = left_b

    def take(self, tree: Tree, folder: Parts, entry: TreeEntry, most_b: int) -> Iterator[bytes]:
        """Yield an entry's bytes, at most `most_b`.

        Raises `Refused`; `TooLarge` before the first byte where the stated size tells, else
        at the first byte beyond a limit: stated sizes may lie.
        """
        if entry.refusal:
            raise (Unreadable if entry.unreadable else Refused)(entry.refusal)
        self._check(entry.size_b, most_b)
        read_b = 0
        try:
            for chunk in tree.chunks(folder, entry):
                read_b += len(chunk)
                self._check(read_b, most_b)
                yield chunk
        finally:
            self.left_b -= read_b  # also where it turns out to be damaged: the work was done

    def _check(self, size_b: int, most_b: int) -> None:
        if size_b > most_b:
            raise TooLarge(f"is larger than {most_b // MIB} MiB, the most that is read")
        if size_b > self.left_b:
            raise TooLarge(f"is beyond the {TOTAL_MAX_B // MIB} MiB that are read of a submission")
