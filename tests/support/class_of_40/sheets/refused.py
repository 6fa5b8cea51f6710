"""The error of all readers, and what they share: tables, marks, and that nothing else was changed."""

import csv
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction


class Refused(Exception):
    """An LMS would refuse this sheet, or read it in another way than it was meant."""


@dataclass(frozen=True)
class Table:
    """A CSV: the words of its first row, and the others."""

    heading: list[str]
    rows: list[list[str]]

    def place(self, name: str) -> int:
        """Return the number of the one column of that name."""
        if self.heading.count(name) != 1:
            raise Refused(
                f"there are {self.heading.count(name)} columns {name!r}; the columns are {self.heading}"
            )
        return self.heading.index(name)


def table(text: str, *, delimiter: str = ",") -> Table:
    """Read a CSV whose rows all have as many fields as the first."""
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
    except csv.Error as error:
        raise Refused(f"the sheet is no CSV: {error}") from None
    if not rows:
        raise Refused("the sheet is empty")
    for number, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            raise Refused(f"row {number} has {len(row)} fields, the first row has {len(rows[0])}")
    return Table(rows[0], rows[1:])


def utf8(data: bytes) -> str:
    """Decode UTF-8, with or without a byte order mark."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Refused(f"the sheet is not UTF-8: {error}") from None


def mark(text: str, *, maximum: int, where: str) -> Fraction | None:
    """Return a mark with a decimal point; None for an empty cell."""
    if not text.strip():
        return None
    if not re.fullmatch(r"\d+(\.\d+)?", text.strip()):
        raise Refused(f"{where}: {text!r} is no number")
    value = Fraction(text.strip())
    if value > maximum:
        raise Refused(f"{where}: {text} is more than {maximum}")
    return value


def only_changed(before: Table, after: Table, columns: Sequence[str], key: str) -> None:
    """Check that a sheet was filled in place: the same heading and rows, and no other column has changed."""
    if after.heading != before.heading:
        raise Refused(f"the columns were {before.heading} and are {after.heading}")
    place = before.place(key)
    was, now = ([row[place] for row in one.rows] for one in (before, after))
    if was != now:
        raise Refused(f"the rows by {key} were {was} and are {now}")
    for old, new in zip(before.rows, after.rows, strict=True):
        for name, left, right in zip(before.heading, old, new, strict=True):
            if name not in columns and left != right:
                raise Refused(f"{key} {old[place]}: {name} was {left!r} and is {right!r}")


Marks = Mapping[str, Fraction]
"""Marks by the LMS's own id of a person.  A person whose cell is empty is left out."""
