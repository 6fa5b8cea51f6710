"""A submission that `discovery` found and `reading` reads, perhaps in another process.

It is small and picklable, so ten thousand fit in memory and travel to other processes.
"""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from grader.intake.trees.tree import Parts
from grader.model.person import Person
from grader.model.submission import Record, Replacement

NO_FILE = "no file was handed in"
"""The problem of a student of a download of whom nothing is there."""


class SourceKind(StrEnum):
    """The kind of file or folder that a submission lies in."""

    FOLDER = "folder"
    ZIP = "zip"
    FILE = "file"
    """A single Python file."""
    FILES = "files"
    """Some files of a folder that holds others' too."""
    RECORDED = "recorded"
    """The work in the record of an earlier run."""
    ABSENT = "absent"
    """Nothing: the student is on the roster and handed in nothing."""
    UNREAD = "unread"
    """Something that isn't read; `problem` says why."""


@dataclass(frozen=True, slots=True)
class ChosenFile:
    """A file among those of others.  entry: its name there.  name: as it was handed in."""

    entry: str
    name: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """One submission that was found and not yet read.

    id: unique in the batch, safe as a file name on every system.
    name: as it was handed in, for people; hostile text, like all names here.
    path: the folder or file, absolute; of a zip of many students, that zip.  Of several files, the first.
    inside: the folder or file in the zip of many students; empty elsewhere.  Of several files, the first.
    is_doubtful: the problem may be that of this machine or of the download, so the mark is pending.
    notes: what to tell the student, at no cost.
    record: what people know and decide about it, from files of theirs; never from its own.
    recorded: the work as an earlier run read it, packed; see `grader.store.record_parts`.
    student: the id of the student whose attempt it is, where a student can have several; else empty.
    attempt: the attempt's name, such as `attempt-2`.
    attempts: of a candidate that stands for several attempts, these in their order, the latest last.
    left_out: how many earlier attempts there are, which are not marked.
    files: of some files among those of others, these.
    person: the student, as far as an LMS's download or a roster tells.
    is_late: the download says that it came late.
    roster_ids: the student's own id on the roster, and the ids that it would give a student who has none.
    members: of one candidate that stands for all who handed in this work, the others.
    instead: what is marked in its place; None for nothing.
    is_apart: it is marked by itself, whoever else handed in this work.
    claimed: the name that the id is made of: the folder's or file's own, or what a download says.
    login_in: as in `Piece`: the person's only id is a guess at how it ends.
    commit: of a clone, the commit to read; empty for the files that lie there.
    """

    id: str
    name: str
    kind: SourceKind
    path: Path
    inside: Parts = ()
    problem: str = ""
    notes: tuple[str, ...] = ()
    record: Record | None = None
    recorded: bytes = b""
    student: str = ""
    attempt: str = ""
    attempts: tuple["Candidate", ...] = ()
    files: tuple[ChosenFile, ...] = ()
    person: Person | None = None
    roster_ids: tuple[str, ...] = ()
    is_late: bool = False
    members: tuple["Candidate", ...] = ()
    commit: str = ""
    is_doubtful: bool = False
    claimed: str = ""
    login_in: str = ""
    left_out: int = 0
    instead: Replacement | None = None
    is_apart: bool = False

    @property
    def work(self) -> str:
        """As in `Person`."""
        return self.person.work if self.person is not None else ""

    @property
    def commits(self) -> tuple[str, ...]:
        """The commits of a clone that are read."""
        return (self.commit, *(each.commit for each in self.attempts))
