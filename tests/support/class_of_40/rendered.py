"""The path of a layout, and what an intake has to find in it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path


@dataclass(frozen=True)
class Entry:
    """One attempt as a layout shows it.  None: the layout does not say.

    students: the keys of the people whose work it is, in the layout's order.
    lms_id: the id that the layout gives, by which the sheet is filled in.
    name: the person's or group's name as the layout spells it, which may have lost characters.
    work: the Python files with their names as the task wants them; empty where there are none.
    mark: what the work is worth of 10, before any penalty; None where there is nothing to mark.
    number: counts the attempts of one person that are in this layout, from 1.
    left_out: names of files beside the work that are no work, as the student named them.
    """

    students: tuple[str, ...]
    lms_id: str
    name: str | None
    work: Mapping[str, bytes]
    mark: int | None
    at: datetime | None
    late: bool | None
    number: int = 1
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True)
class Rendered:
    """A layout on disk.  missing: the keys of those whom it does not name at all."""

    path: Path
    entries: tuple[Entry, ...]
    missing: tuple[str, ...]

    def of(self, key: str) -> list[Entry]:
        """Return the entries of one person, in the order of their numbers."""
        return sorted((entry for entry in self.entries if key in entry.students), key=lambda e: e.number)

    def marks(self) -> dict[str, int | None]:
        """Return the marks of the latest attempts by key; None for those whom the layout does not name."""
        there = {key: self.of(key)[-1].mark for entry in self.entries for key in entry.students}
        return {**dict.fromkeys(self.missing), **there}
