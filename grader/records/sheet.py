"""A sheet as an LMS or a spreadsheet wrote it: read cell by cell, and written back with all else as it came.

UTF-8, UTF-16 and, where a text is neither, the code page of Western Windows; comma, semicolon or tab.  The
standard `csv` reads the cells.  Beside each cell its own bytes are kept, so a sheet that goes back to the LMS
differs in the cells that were set and in nothing else.
"""

import codecs
import csv
import io
import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path

from grader.model.errors import Fault, UsageError
from grader.records.file_text import MAX_FILE_B, read_bytes

_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_DELIMITERS = ",;\t"
_TELLS_DELIMITER = re.compile(r'"?sep=([,;\t|])"?(?:\r\n|\n|\r)', re.IGNORECASE)
"""The first line of a sheet that is made for Excel."""
_LINE_END = re.compile(r"\r\n|\n|\r|\Z")


def heading(text: str) -> str:
    """Return the text of a heading, as headings are compared."""
    straight = text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    return " ".join(unicodedata.normalize("NFC", straight).casefold().split())


@dataclass(slots=True)
class Sheet:
    """Rows of cells.  The first row has the headings.

    where: the file, for messages.  rows: the cells' values.  lines: for each row the line that it begins in.
    _before: byte order mark, and a line that names the delimiter.
    """

    where: str
    rows: list[list[str]]
    lines: list[int]
    delimiter: str
    _before: bytes
    _encoding: str
    _raw: list[list[str]] = field(repr=False)
    _ends: list[str] = field(repr=False)

    @property
    def headings(self) -> list[str]:
        return self.rows[0]

    def cell(self, row: int, column: int) -> str:
        """Return a cell; empty where the row is too short."""
        cells = self.rows[row]
        return cells[column] if 0 <= column < len(cells) else ""

    def needs_one(self, column: int, what: str) -> None:
        """Raise `UsageError` if another column has the same heading and says something else.

        what: names the sheet.
        """
        name = heading(self.headings[column])
        for other, text in enumerate(self.headings):
            if other == column or heading(text) != name:
                continue
            for row in range(1, len(self.rows)):
                if self.cell(row, column).strip() != self.cell(row, other).strip():
                    message = f"{what}: two columns are called `{text.strip()}`, and here they differ"
                    hint = "delete one of them, or rename it"
                    raise UsageError(Fault(message, self.place(row), hint=hint))

    def place(self, row: int) -> str:
        """Return the place of a row, for messages."""
        return f"{self.where}:{self.lines[row]}"

    def set(self, row: int, column: int, text: str) -> None:
        """Put a text into a cell, quoted where the cell was, or where the text needs it."""
        raw, values = self._raw[row], self.rows[row]
        missing = column + 1 - len(values)
        raw += [""] * missing
        values += [""] * missing
        if values[column] == text:
            return
        quoted = raw[column].startswith('"') or any(mark in text for mark in f'"\r\n{self.delimiter}')
        values[column] = text
        raw[column] = '"' + text.replace('"', '""') + '"' if quoted else text

    def content(self, columns: list[int] | None = None, without: Collection[int] = ()) -> bytes:
        """Return the bytes of the whole sheet, or of some columns of it.  without: rows that are left out."""
        rows = self._raw if columns is None else [_some(raw, columns) for raw in self._raw]
        lines = (
            self.delimiter.join(raw) + end
            for row, (raw, end) in enumerate(zip(rows, self._ends, strict=True))
            if row not in without
        )
        return self._before + "".join(lines).encode(self._encoding, "replace")


def _some(raw: list[str], columns: list[int]) -> list[str]:
    # A line without cells stays as it is.
    return [raw[at] if at < len(raw) else "" for at in columns] if len(raw) > 1 else raw


def read_sheet(path: Path, what: str) -> Sheet:
    """Return the sheet in a file.  what: names it in messages.  Raises `UsageError`."""
    return sheet_in(read_bytes(path, what), str(path), what)


def sheet_in(content: bytes, where: str, what: str) -> Sheet:
    """Return the sheet in a file's content.  Raises `UsageError`."""
    if content.startswith((b"PK\3\4", b"\xd0\xcf\x11\xe0")):
        hint = "save it as CSV"
        raise UsageError(Fault(f"{what} can't be read: this is a workbook or a zip", where, hint=hint))
    return sheet_of(content, where, what)


def sheet_of(content: bytes, where: str, what: str) -> Sheet:
    """Return the sheet in bytes.  Raises `UsageError`."""
    try:
        before, encoding, text = _decoded(content)
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise UsageError(Fault(f"{what} can't be read: this is not text", where))
    told = _TELLS_DELIMITER.match(text)
    if told is not None:
        before, text = before + told.group().encode(encoding), text[told.end() :]
    heading = text.split("\n", 1)[0].split("\r", 1)[0]
    bare = re.sub(r'"[^"]*"', "", heading)
    delimiter = told[1] if told is not None else max(_DELIMITERS, key=bare.count)
    raw, ends = _cells(text, delimiter, where, what)
    lines, line = [], 1 if told is None else 2
    for cells, end in zip(raw, ends, strict=True):
        lines.append(line)
        line += sum(cell.count("\n") or cell.count("\r") for cell in cells) + bool(end)
    values = _values(text, delimiter, raw, where, what)
    if not values or not any(map(str.strip, values[0])):
        raise UsageError(Fault(f"{what} can't be read: its first line has no headings", where))
    return Sheet(where, values, lines, delimiter, before, encoding, raw, ends)


def _decoded(content: bytes) -> tuple[bytes, str, str]:
    """Return byte order mark, encoding and text."""
    for bom, encoding in _BOMS:
        if content.startswith(bom):
            return bom, encoding, content[len(bom) :].decode(encoding, "surrogatepass")
    for encoding in ("utf-8", "cp1252"):
        try:
            return b"", encoding, content.decode(encoding)
        except UnicodeDecodeError:
            continue
    return b"", "latin-1", content.decode("latin-1")


def _cells(text: str, delimiter: str, where: str, what: str) -> tuple[list[list[str]], list[str]]:
    """Return the cells of each line as they are written, and the ends of the lines.  Raises `UsageError`.

    A quote that closes lines below, with a text behind it, was never closed: another one begins there.
    """
    outside = rf"[^{delimiter}\r\n]*"
    pattern = re.compile(rf'("[^"]*(?:""[^"]*)*")({outside})|(?!"){outside}')
    rows: list[list[str]] = []
    ends: list[str] = []
    at, row = 0, list[str]()
    while at < len(text) or row:
        found = pattern.match(text, at)
        if found is None or ((found[2] or "").strip() and len(found[1].splitlines()) > 1):
            line = text.count("\n", 0, at) + 1
            raise UsageError(Fault(f"{what} can't be read: a quote is never closed", f"{where}:{line}"))
        row.append(found.group())
        at = found.end()
        if text.startswith(delimiter, at):
            at += 1
            continue
        end = _LINE_END.match(text, at)
        assert end is not None
        rows.append(row)
        ends.append(end.group())
        at, row = end.end(), []
    return rows, ends


def _values(text: str, delimiter: str, raw: list[list[str]], where: str, what: str) -> list[list[str]]:
    """Return the values of the cells, as the standard reader finds them.  Raises `UsageError`."""
    before = csv.field_size_limit(MAX_FILE_B)
    try:
        values = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    except csv.Error as error:
        raise UsageError(Fault(f"{what} can't be read: this is not CSV ({error})", where)) from None
    finally:
        csv.field_size_limit(before)
    values = [row or [""] for row in values]
    if [len(row) for row in values] != [len(row) for row in raw]:
        raise UsageError(Fault(f"{what} can't be read: its quotes can be read in two ways", where))
    return values
