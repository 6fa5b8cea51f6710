"""One student's work as it was handed in, read into memory once and never changed."""

from dataclasses import field
from pathlib import Path

from grader.model.frozen import dataclass
from grader.model.review import Record


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file of a submission.

    name: path inside the submission, with forward slashes.
    text: the source as Python will see it (UTF-8, no byte order mark, `\\n` line ends).
    repairs: what intake had to mend, in words ("read as latin-1"), for the report.
    """

    name: str
    text: str
    repairs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Submission:
    """What one student handed in.

    id: name of its folder or file, unique in the batch, safe as a file name.
    name: the student's name for people; the id where nothing better is known.
    files: the modules found, by module name.
    problems: what is wrong with it as a whole, one clear sentence each ("unsafe path in zip").
    unreadable: the one of the problems that may be the machine's fault, and by which nobody is to be marked.
    notes: what a student should know and what costs nothing.
    sha256: digest over all names and bytes handed in, and over what reading them remarked.
    content_sha256: digest over the names and bytes alone, for people; empty where they were not read.
    origin: where it was read from.
    record: what people know and decide about it; None where nobody was asked, as in a self-check.
    """

    id: str
    name: str
    files: dict[str, SourceFile] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
    unreadable: str = ""
    notes: tuple[str, ...] = ()
    sha256: str = ""
    content_sha256: str = ""
    origin: Path = Path()
    record: Record | None = None
