"""Sheets: whatever an LMS wrote is read, and stays byte for byte but for the cells that are set."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.model.errors import UsageError
from grader.records.sheet import read_sheet, sheet_of

ODD = 'Name;"Grade ""x""";Note\r\n"Zoë; ""Z""";;\r\n\r\nBob;"7";"two\nlines"'


@pytest.mark.parametrize(
    ("encoding", "bom"),
    [
        ("utf-8", b""),
        ("utf-8", b"\xef\xbb\xbf"),
        ("utf-16-le", b"\xff\xfe"),
        ("utf-16-be", b"\xfe\xff"),
        ("cp1252", b""),
    ],
)
def test_all_but_the_set_cell_stays(encoding: str, bom: bytes) -> None:
    content = bom + ODD.encode(encoding)
    sheet = sheet_of(content, "sheet.csv", "the sheet")
    assert sheet.rows[1] == ['Zoë; "Z"', "", ""]
    assert sheet.lines == [1, 2, 3, 4]
    assert sheet.content() == content
    sheet.set(1, 1, "4,5")
    sheet.set(3, 1, "8")
    expected = ODD.replace('"Zoë; ""Z""";;', '"Zoë; ""Z""";4,5;').replace('"7"', '"8"')
    assert sheet.content() == bom + expected.encode(encoding)


def test_a_cell_beyond_the_end_of_a_short_row_is_added() -> None:
    sheet = sheet_of(b"a,b,c\r\n1\r\n", "sheet.csv", "the sheet")
    sheet.set(1, 2, "x")
    assert sheet.content() == b"a,b,c\r\n1,,x\r\n"


def test_a_line_that_names_the_delimiter_for_excel_is_no_heading() -> None:
    content = b"\xef\xbb\xbfsep=;\r\na;b,c\r\n1;2\r\n"
    sheet = sheet_of(content, "sheet.csv", "the sheet")
    assert (sheet.headings, sheet.place(1), sheet.content()) == (["a", "b,c"], "sheet.csv:3", content)


def test_columns_can_be_left_out() -> None:
    sheet = sheet_of(b'a,"b",c\n1,2,"3"\n', "sheet.csv", "the sheet")
    assert sheet.content([2, 0]) == b'c,a\n"3",1\n'


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'a,b\n"1,2\n', "sheet.csv:2: the sheet can't be read: a quote is never closed"),
        (b"PK\x03\x04rest", "this is a workbook or a zip"),
        (b"\xff\xfea", "this is not text"),
        (b"a,b\0\n", "this is not text"),
        (b"\n", "its first line has no headings"),
        (b"", "its first line has no headings"),
    ],
)
def test_what_is_no_sheet_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "sheet.csv").write_bytes(content)
    with pytest.raises(UsageError, match=message):
        read_sheet(tmp_path / "sheet.csv", "the sheet")


CELLS = st.lists(st.lists(st.text(st.sampled_from('ab,;"\n\r \té')), min_size=2, max_size=3), min_size=1)


@given(CELLS, st.data())
def test_any_cell_can_be_set_and_is_read_back(rows: list[list[str]], data: st.DataObject) -> None:
    quoted = [",".join('"' + cell.replace('"', '""') + '"' for cell in row) for row in [["x", "y"], *rows]]
    sheet = sheet_of("\r\n".join(quoted).encode(), "sheet.csv", "the sheet")
    assert sheet.rows[1:] == rows
    row = data.draw(st.integers(1, len(rows)))
    sheet.set(row, 1, 'new, "text"')
    again = sheet_of(sheet.content(), "sheet.csv", "the sheet").rows
    assert again[row][1] == 'new, "text"'
    assert [r for n, r in enumerate(again) if n != row] == [r for n, r in enumerate(sheet.rows) if n != row]
