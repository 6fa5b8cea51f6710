"""One student's work as it was handed in, read into memory once and never changed."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from pathlib import Path

from grader.model.person import Person
from grader.model.policy import Extension


class Repairs(StrEnum):
    """The repairs that a submission's sources get before they are imported."""

    USUAL = "usual"
    """Encodings, line ends, and tabs where Python would refuse them; each is told."""
    NONE = "none"
    """Nothing: a file is as Python itself takes it."""


class ImportPolicy(StrEnum):
    """What counts of a module that raises while it is imported."""

    WHOLE = "whole"
    """Nothing: it does not load."""
    KEEP = "keep"
    """What it defined before it raised."""


AS_BYTES = "\udc00"
"""Begins the text of a file that Python itself is to decode; the rest are its bytes, by `surrogateescape`."""


NOTEBOOK = "\udc01"
"""Begins the text of a notebook's code, see `grader.wire.notebook`."""


@dataclass(frozen=True, slots=True)
class Cells:
    """The code cells that are read of a notebook; without any of these, all.

    tags: those with one of these.  numbers: those in these places, from 1.  define: those that define one of
    these names.
    """

    tags: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()
    define: tuple[str, ...] = ()


ALL_CELLS = Cells()


def as_python(file: str) -> str:
    """Return a module's file name with the ending of Python: a notebook of the reference stands for it."""
    return f"{file[: -len('.ipynb')]}.py" if file.casefold().endswith(".ipynb") else file


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file of a submission.

    name: path inside the submission, with forward slashes.
    text: the source as Python will see it (UTF-8, no byte order mark, `\\n` line ends), or see `AS_BYTES`
        and `NOTEBOOK`.
    repairs: what intake had to mend, in words ("read as latin-1"), for the report.
    """

    name: str
    text: str
    repairs: tuple[str, ...] = ()

    @property
    def bare(self) -> str:
        """The text without what tells its kind."""
        return self.text.removeprefix(AS_BYTES).removeprefix(NOTEBOOK)

    @property
    def line_count(self) -> int:
        """The number of its lines."""
        return len(_lines(self.bare))

    def line(self, number: int) -> str:
        """Return a line for people, counted from one; empty where there is none."""
        lines = _lines(self.bare)
        if not 1 <= number <= len(lines):
            return ""
        return lines[number - 1].encode("utf-8", "replace").decode()


@lru_cache(maxsize=2)
def _lines(text: str) -> list[str]:
    """Return the lines of a text; kept, since many places in one file are asked for one after another."""
    return text.split("\n")


class MarkRole(StrEnum):
    """The part of a mark where two people mark the same criterion."""

    FIRST = "first"
    SECOND = "second"
    AGREED = "agreed"
    """It counts where the other two differ by more than the task lets stand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CriterionMark:
    """A person's mark for one criterion.

    criterion: `<question>.<id>`, as in `Criterion.id`.
    date: as the person wrote it, ISO 8601; empty for none.
    level: the id of the level that was chosen; empty where the marks were written.
    uses: ids of shared comments.
    work: the beginning of the digest of the work that it was made for; empty where nobody wrote it.
    """

    criterion: str
    marks: Fraction
    comment: str = ""
    by: str = ""
    date: str = ""
    work: str = ""
    level: str = ""
    uses: tuple[str, ...] = ()
    role: MarkRole = MarkRole.FIRST


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkGiven:
    """One of the marks that people gave for a criterion: the first, the second, or the agreed one."""

    role: str
    mark: Fraction
    by: str
    date: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OverridingMark:
    """A person's mark, which replaces an automatic one.

    question: its id; empty: the mark of the whole submission, as it is to be handed out.
    work: see `CriterionMark`.
    """

    question: str
    marks: Fraction
    reason: str
    by: str
    date: str = ""
    work: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """A person's words on a line of a source, on a question, or on the whole work.

    file, line: the line, counted from 1; without them, and without a question, it is about the whole.
    text: the line as it was when the remark was written, by which it is found again.
    """

    comment: str
    by: str
    date: str = ""
    question: str = ""
    file: str = ""
    line: int = 0
    text: str = ""


@dataclass(frozen=True, slots=True)
class Review:
    """All that people decided about a submission."""

    marks: tuple[CriterionMark, ...] = ()
    overrides: tuple[OverridingMark, ...] = ()
    remarks: tuple[Remark, ...] = ()


@dataclass(frozen=True, slots=True)
class Record:
    """The facts about a submission that people keep; never from its own files.

    submitted: with its time zone; None: unknown.
    extension: what a roster grants beside the spec; None for nothing.
    """

    submitted: datetime | None = None
    review: Review = Review()
    extension: Extension | None = None


NO_WORK = "none"
"""Stands for the digest of a work where nothing was handed in."""


class FileState(StrEnum):
    """What became of a file since a person gave it."""

    SAME = ""
    CHANGED = "changed"
    GONE = "gone"


@dataclass(frozen=True, slots=True, kw_only=True)
class Replacement:
    """A person's file, or folder, that is marked in place of what a student handed in.

    file: its name.  by: who gave it.  reason: why, for the student.
    given_for: the digest of the work in whose place it was given.
    state: whether the file is still as it was given; what was given counts in any case.
    files: names and bytes; of a submission, which has read them, none.
    work: of a submission, the digest of what was handed in; empty until that is read.
    """

    file: str
    by: str
    reason: str
    given_for: str
    state: FileState = FileState.SAME
    files: tuple[tuple[str, bytes], ...] = field(default=(), repr=False)
    work: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Instead:
    """A person's file that was marked in place of what the student handed in.

    file: its name, or its folder's.  by: who gave it.  reason: why, for the student.
    work: the digest of what the student handed in, or `none`.
    given_for: where it was given for another work than is there now, the digest of that one, or `none`.
    state: `changed` or `gone` where the file is no longer as it was given.  What was given was marked.
    attempt: of several attempts of the student, the one in whose place it was marked.
    """

    file: str
    by: str
    reason: str
    work: str
    given_for: str = ""
    state: FileState = FileState.SAME
    attempt: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkAside:
    """A mark by hand of an earlier run that is not in the reviews now, with the work that it was made for.

    If it is there again, what became of the work meanwhile can be told.
    of: the question, or the criterion; empty: the whole submission.  is_override: a mark over others.
    by, date: as in the review.  work: the digest of the work, or `none`.
    """

    of: str
    is_override: bool
    mark: Fraction
    by: str
    date: str = ""
    work: str = ""


@dataclass(frozen=True, slots=True)
class Submission:
    """The work that one student handed in.

    id: name of its folder or file, unique in the batch, safe as a file name.
    name: the student's name for people; the id where nothing better is known.
    files: the modules found, by module name.
    unread: by the name of a module that was found and could not be read, why, as in `problems`.
    found: where no module was found, the names of what was handed in instead, within bounds.
    problems: what is wrong with it as a whole, one clear sentence each ("unsafe path in zip").
    unreadable: the problem that may be this machine's fault; with one, the mark is pending.
    notes: what a student should know and what costs nothing.
    sha256: digest over all names and bytes handed in, and over what reading them remarked.
    content_sha256: digest over the names and bytes alone, for people; empty where they were not read.
    origin: where it was read from.
    record: the facts and decisions that people keep about it; None without any, as in a self-check.
    attempt: the attempt's name, where it is one of several.
    attempts: where several attempts of one student are marked, these in their order; it has no files itself.
    person: the student, as far as an export or a roster tells; None for nothing.
    instead: whose the files are, where they are not those that the student handed in; else None.
    is_doubtful: `unreadable` is a doubt, as to whose work it is, and no failure of this machine.
    """

    id: str
    name: str
    files: dict[str, SourceFile] = field(default_factory=dict)
    found: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    unreadable: str = ""
    notes: tuple[str, ...] = ()
    sha256: str = ""
    content_sha256: str = ""
    origin: Path = Path()
    record: Record | None = None
    attempt: str = ""
    attempts: tuple["Submission", ...] = ()
    person: Person | None = None
    instead: Replacement | None = None
    is_doubtful: bool = False
    unread: dict[str, str] = field(default_factory=dict)
