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
    """Return a module's file name with the ending of Python: a reference has no notebooks."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class CriterionMark:
    """A person's mark for one criterion.

    criterion: `<question>.<id>`, as in `Criterion.id`.
    date: as the person wrote it, ISO 8601; empty for none.
    work: the beginning of the digest of the work that it was made for; empty where nobody wrote it.
    """

    criterion: str
    marks: Fraction
    comment: str = ""
    by: str = ""
    date: str = ""
    work: str = ""


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


@dataclass(frozen=True, slots=True)
class Review:
    """All that people decided about a submission."""

    marks: tuple[CriterionMark, ...] = ()
    overrides: tuple[OverridingMark, ...] = ()


@dataclass(frozen=True, slots=True)
class Record:
    """The facts about a submission that people keep; never from its own files.

    submitted: with its time zone; None: unknown.
    extension: what a roster grants beside the spec; None for nothing.
    """

    submitted: datetime | None = None
    review: Review = Review()
    extension: Extension | None = None


@dataclass(frozen=True, slots=True)
class Submission:
    """The work that one student handed in.

    id: name of its folder or file, unique in the batch, safe as a file name.
    name: the student's name for people; the id where nothing better is known.
    files: the modules found, by module name.
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
