"""What the name of one file or folder of a download tells, and how a layout is described.

An LMS makes the names; a student chooses the end of a file's name and, in some, their own name.  So patterns
look for the LMS's part from the left, and the file's name is the rest.
"""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from grader.intake.layouts.plain import Expected
from grader.intake.trees.tree import Allowance, Parts, Tree
from grader.model.person import Person

TYPED = "is text that was typed into a page, and was not read"
LINKED = "is a link to a page, and was not read"


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A file or a folder of a download.

    entry: its name there.
    owner: id of the student or group; all their pieces share it.
    people: who handed it in: one person, or all members of a group.
    assignment: what the LMS calls it; empty where the layout does not tell.
    name: of a file, as it was handed in; empty for a folder.
    attempt: the same for all pieces of one attempt; attempts are in the order of these texts.
    time: without its zone where the layout has none.
    upload: of two files with one name in an attempt, the one with the higher number counts.
    left_out: why it is not read, as in `Refused`; empty where it is.
    login_in: a text that ends in the login, where only what all names have in common tells where it begins:
        the id in `people` is a guess then, and a roster knows better.
    """

    entry: str
    owner: str
    people: tuple[Person, ...]
    assignment: str = ""
    name: str = ""
    attempt: str = ""
    time: datetime | None = None
    is_late: bool = False
    upload: int = 0
    left_out: str = ""
    login_in: str = ""


@dataclass(frozen=True, slots=True)
class Download:
    """The folder of a tree that holds the pieces.  where: for messages."""

    tree: Tree
    folder: Parts
    where: str

    def text(self, name: str, most_b: int) -> str:
        """Return a file's text, of any content.  Raises `Refused`."""
        entry = self.tree.entry(self.folder, name)
        content = b"".join(Allowance().take(self.tree, self.folder, entry, most_b))
        return content.decode("utf-8-sig", "replace")


Complete: TypeAlias = Callable[[list[Piece], Download, Expected], Iterable[Piece]]


def shared_start(names: Collection[str]) -> str:
    """Return the characters with which all names begin."""
    first, last = min(names), max(names)
    same = (place for place, (one, other) in enumerate(zip(first, last, strict=False)) if one != other)
    return first[: next(same, len(first))]


def as_named(pieces: list[Piece], _download: Download, _expected: Expected) -> list[Piece]:
    """Return the pieces as their names tell them."""
    return pieces


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """A layout.

    name: for `--layout`.  title: for messages.  example: of a name in it.
    piece: returns what a name tells, given whether it is a folder's; None for a name that is no such name.
    completed: returns the pieces with what files beside them tell.
    needs: a file that is there in every such download; empty for none.
    times: reads that file, given its text and a place for messages: the times of submissions by the names of
        their folders.  Raises `UsageError`.  None where it has none.
    is_distinct: one name of this kind is no accident.
    """

    name: str
    title: str
    example: str
    piece: Callable[[str, bool], Piece | None]
    completed: Complete = as_named
    needs: str = ""
    times: Callable[[str, str], dict[str, datetime]] | None = None
    is_distinct: bool = True
