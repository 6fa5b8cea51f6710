"""What a format of results is."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from grader.exports.job import Job


@dataclass(frozen=True, slots=True)
class Format:
    """A format that results can be exported to; its name is that of its entry point.

    title: for the help.  file: the name of what it writes, in the folder of exports.
    write: writes an export and returns the files that it wrote; see `Job`.  Raises `UsageError`.
    takes_sheet: whether it fills in a sheet of the LMS's.
    """

    title: str
    file: str
    write: Callable[[Job], list[Path]]
    takes_sheet: bool = False
