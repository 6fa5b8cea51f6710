"""Bytes of a source file become Python's own text, and each repair is told."""

import codecs

import pytest

from grader.intake.source.indentation import CHECK_MAX
from grader.intake.source.text import CARE_MAX_B, Care, Repaired
from grader.intake.source.text import repair as repair_with


def repair(data: bytes) -> Repaired:
    return repair_with(data, Care())


def test_plain_utf_8_needs_no_repair() -> None:
    mended = repair("name = 'Zoë'\n".encode())
    assert (mended.text, mended.repairs, mended.problem) == ("name = 'Zoë'\n", (), "")


def test_empty_file_stays_empty() -> None:
    assert repair(b"").text == ""


@pytest.mark.parametrize(
    ("mark", "codec", "told"),
    [
        (codecs.BOM_UTF8, "utf-8", "byte order mark removed"),
        (codecs.BOM_UTF16_LE, "utf-16-le", "read as UTF-16"),
        (codecs.BOM_UTF16_BE, "utf-16-be", "read as UTF-16"),
        (codecs.BOM_UTF32_LE, "utf-32-le", "read as UTF-32"),
        (codecs.BOM_UTF32_BE, "utf-32-be", "read as UTF-32"),
    ],
)
def test_byte_order_mark_tells_the_encoding(mark: bytes, codec: str, told: str) -> None:
    mended = repair(mark + "é = 1\n".encode(codec))
    assert mended.text == "é = 1\n"
    assert mended.repairs == (told,)


@pytest.mark.parametrize(
    "line", ["# coding: latin-1", "# -*- coding: iso-8859-1 -*-", "# vim: set fileencoding=latin1 :"]
)
def test_coding_line_is_honoured_without_a_note(line: str) -> None:
    mended = repair(f"{line}\nname = 'é'\n".encode("latin-1"))
    assert mended.text == f"{line}\nname = 'é'\n"
    assert mended.repairs == ()


def test_coding_line_counts_after_a_shebang() -> None:
    assert repair("#!/usr/bin/python\n# coding: cp1251\ns = 'ж'\n".encode("cp1251")).text.endswith("'ж'\n")


def test_coding_line_after_code_does_not_count() -> None:
    mended = repair("x = 1\n# coding: cp1251\ns = 'ж'\n".encode())
    assert mended.text.endswith("'ж'\n")


def test_coding_line_wins_over_valid_utf_8_as_in_python() -> None:
    data = "# coding: latin-1\ns = 'é'\n".encode()
    assert repair(data).text == "# coding: latin-1\ns = 'Ã©'\n"


def test_text_with_a_coding_line_compiles_to_the_same_string_again() -> None:
    names: dict[str, str] = {}
    exec(compile(repair("# coding: latin-1\ns = 'é'\n".encode("latin-1")).text, "s.py", "exec"), names)
    assert names["s"] == "é"


@pytest.mark.parametrize(
    "name", ["punycode", "idna", "unicode_escape", "utf-7", "no-such-coding", "os", "..x"]
)
def test_coding_that_computes_or_is_unknown_is_not_used(name: str) -> None:
    mended = repair(f"# coding: {name}\ns = 'é'\n".encode())
    assert mended.text == f"# coding: {name}\ns = 'é'\n"
    assert mended.repairs == (f"its coding line names {name}, which is not known here",)


def test_invalid_utf_8_is_read_as_windows_1252() -> None:
    mended = repair(b"s = '\x80\xe9'\n")
    assert mended.text == "s = '€é'\n"
    assert mended.repairs == ("read as Windows-1252 where it is not valid UTF-8",)


def test_bytes_that_windows_1252_lacks_are_read_as_latin_1() -> None:
    mended = repair(b"s = '\x81\xe9'\n")
    assert mended.text == "s = '\x81é'\n"
    assert mended.repairs == ("read as Latin-1 where it is not valid UTF-8",)


def test_one_odd_line_leaves_the_others_alone() -> None:
    mended = repair("s = 'é'\n".encode() + b"# \x80\n")
    assert mended.text == "s = 'é'\n# €\n"


def test_coding_line_that_lies_falls_back_to_utf_8() -> None:
    mended = repair("# coding: ascii\ns = 'é'\n".encode())
    assert mended.text == "# coding: ascii\ns = 'é'\n"
    assert mended.repairs == ("read as UTF-8, since it is not valid ASCII",)


def test_broken_utf_16_still_gives_text() -> None:
    assert repair(codecs.BOM_UTF16_LE + b"\x00\xd8").problem != ""


@pytest.mark.parametrize(("ends", "kind"), [("\r\n", "Windows"), ("\r", "old Macintosh")])
def test_line_ends_become_plain(ends: str, kind: str) -> None:
    mended = repair(f"a = 1{ends}b = 2{ends}".encode())
    assert mended.text == "a = 1\nb = 2\n"
    assert mended.repairs == (f"{kind} line ends changed to plain ones",)


def test_nul_bytes_are_kept_and_said() -> None:
    mended = repair(b"a = 1\x00\n")
    assert mended.text == "a = 1\0\n"
    assert "NUL" in mended.problem


MIXED = "def f(x):\n        if x:\n\t\treturn 1\n\treturn 2\n"


def test_mixed_indentation_that_python_rejects_is_expanded() -> None:
    with pytest.raises(TabError):
        compile(MIXED, "f.py", "exec")
    mended = repair(MIXED.encode())
    names: dict[str, object] = {}
    exec(compile(mended.text, "f.py", "exec"), names)
    assert [names["f"](x) for x in (1, 0)] == [1, 2]  # type: ignore[operator]
    assert mended.repairs == ("tabs in the indentation changed to spaces, eight columns each",)


@pytest.mark.parametrize(
    "text",
    [
        "if 1:\n\tx = 1\n\ty = 2\n",  # tabs alone
        "if 1:\n\tx = 1\nif 2:\n    y = 2\n",  # each block with its own
        "if 1:\n\tif 2:\n\t    x = 1\n",  # tab, then spaces, as Python allows
        "s = '''\n\ttabbed\n        spaced\n'''\n",  # inside a string
        "x = [\n\t1,\n        2,\n]\n",  # inside brackets
        "if 1:\n\tx = (1,\n        2)\n",
        "if 1:\n        x = 1\n\t# a comment only\n        y = 2\n",
        "if 1:\n        x = 1\\\n\t+ 2\n",
    ],
)
def test_tabs_that_python_accepts_stay(text: str) -> None:
    compile(text, "t.py", "exec")
    assert repair(text.encode()).text == text


def test_tabs_inside_a_string_survive_the_expansion() -> None:
    text = MIXED + "s = '''\n\tkept\n'''\n"
    assert repair(text.encode()).text.endswith("s = '''\n\tkept\n'''\n")


def test_source_that_has_no_tokens_is_left_as_it_is() -> None:
    text = MIXED + "x = (\n"
    assert repair(text.encode()).text == text


def test_very_long_source_is_not_checked_for_tabs() -> None:
    text = MIXED + "#" * CHECK_MAX
    assert repair(text.encode()).text == text


def test_care_is_for_a_whole_submission() -> None:
    care = Care()
    filler = b"# " + b"x" * (CHECK_MAX - len(MIXED) - 2)
    files = [repair_with(MIXED.encode() + filler, care) for _ in range(CARE_MAX_B // CHECK_MAX + 1)]
    assert [bool(file.repairs) for file in files] == [True] * (CARE_MAX_B // CHECK_MAX) + [False]


def test_without_care_a_file_is_decoded_as_a_whole() -> None:
    mended = repair_with("s = 'é'\n".encode() + b"# \x80\n", Care(0))
    assert mended.text == "s = 'Ã©'\n# €\n"
    assert mended.repairs == ("read as Windows-1252 where it is not valid UTF-8",)
