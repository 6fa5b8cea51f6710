"""`repairs: none`: a file is what Python itself takes it for, or is refused by its import."""

import codecs

import pytest

from grader.intake.source.text import as_python_reads
from grader.model import submission
from grader.wire import source_text


def compiled(source: str | bytes) -> object:
    """Return what the import of a file comes to; an exception as its class and words."""
    try:
        return compile(source, "s.py", "exec")
    except (SyntaxError, ValueError) as error:
        return type(error), str(error)


@pytest.mark.parametrize(
    "data",
    [
        "s = 'é'\n".encode(),
        codecs.BOM_UTF8 + "s = 'é'\n".encode(),
        codecs.BOM_UTF8 + "# coding: utf-8\ns = 'é'\n".encode(),
        codecs.BOM_UTF8 + b"# coding: latin-1\ns = 1\n",
        "# coding: latin-1\ns = 'é'\n".encode("latin-1"),
        b"# coding: utf-7\ns = '+AOk-'\n",
        b"# coding: no-such\ns = 1\n",
        b"# coding: ascii\ns = '\xe9'\n",
        b"#" + b" " * 5000 + b"coding: latin-1\ns = '\xc3\xa9'\n",
        b"s = '\xe9'\n",
        b"s = 1\n# \xff\n",
        codecs.BOM_UTF16_LE + "s = 1\n".encode("utf-16-le"),
        b"s = '''a\r\nb\rc'''\r\nt = 1\r",
        b"if 1:\n        s = 1\n\ts = 2\n",
        b"s = 1\x00\n",
        b"",
    ],
)
def test_a_file_is_what_python_takes_it_for(data: bytes) -> None:
    read = as_python_reads(data)
    assert compiled(source_text.source_of(read.text)) == compiled(data)
    assert read.repairs == ()


def test_the_box_and_the_reader_mean_the_same_by_bytes() -> None:
    assert submission.AS_BYTES == source_text.AS_BYTES


def test_lines_for_people_hold_no_stand_ins_for_bytes() -> None:
    file = submission.SourceFile("s.py", as_python_reads(b"x = 1\ny = '\xe9'\n").text)
    assert [file.line(number) for number in (0, 1, 2, 9)] == ["", "x = 1", "y = '?'", ""]
