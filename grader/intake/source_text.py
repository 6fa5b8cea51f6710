"""Makes Python's own text out of the bytes of a source file, and says what it mended.

The text is handed on as `str`, so a coding line that stays in it has no effect any more.
Nothing here parses or runs the source: that is done beside the student's code.
"""

import codecs
import io
import re
import tokenize
from collections.abc import Iterable
from contextlib import suppress
from encodings import normalize_encoding
from encodings.aliases import aliases

from grader.model.frozen import dataclass

TAB_CHECK_MAX = 256 * 1024
"""Characters beyond which mixed indentation is left as it is: the check is not free."""

_BYTE_ORDER_MARKS = (  # UTF-32 first: its little-endian mark begins with UTF-16's
    (codecs.BOM_UTF8, "utf-8", "UTF-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le", "UTF-32"),
    (codecs.BOM_UTF32_BE, "utf-32-be", "UTF-32"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "UTF-16"),
)
_CODING = re.compile(rb"[ \t\f]*#[^\n]*?coding[:=][ \t]*([-\w.]{1,40})", re.ASCII)
_BLANK = re.compile(rb"[ \t\f]*(?:#[^\n]*)?", re.ASCII)
_NAMES = (
    "utf_8 ascii latin_1 gbk gb2312 gb18030 big5 big5hkscs shift_jis euc_jp euc_kr "
    "koi8_r koi8_u mac_roman mac_latin2 mac_cyrillic mac_greek mac_turkish tis_620 "
    "cp437 cp720 cp737 cp775 cp850 cp852 cp855 cp857 cp858 cp860 cp861 cp862 cp863 cp865 cp866 cp869 "
    "cp874 cp932 cp949 cp950 cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 cp1257 cp1258"
)
_PYTHON_CODECS = frozenset(_NAMES.split()) | {f"iso8859_{part}" for part in range(2, 17) if part != 12}
"""Plain character sets.  Codecs that compute (punycode, idna, unicode_escape) stay out."""


@dataclass(frozen=True, slots=True)
class Repaired:
    """A source as text; what was mended; and what Python will refuse in it, or ""."""

    text: str
    repairs: tuple[str, ...] = ()
    problem: str = ""


def repair(data: bytes) -> Repaired:
    """Return the text of a source file as Python should see it.  Never fails."""
    text, repairs = _decoded(data)
    if "\r" in text:
        kind = "Windows" if "\r\n" in text else "old Macintosh"
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        repairs.append(f"{kind} line ends changed to plain ones")
    if "\0" in text:
        return Repaired(text, tuple(repairs), "holds NUL bytes, which Python refuses")
    expanded = _expanded(text)
    if expanded != text:
        repairs.append("tabs in the indentation changed to spaces, eight columns each")
    return Repaired(expanded, tuple(repairs))


def _decoded(data: bytes) -> tuple[str, list[str]]:
    for mark, codec, name in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            try:
                text = data[len(mark) :].decode(codec)
            except UnicodeDecodeError:
                break
            return text, ["byte order mark removed" if name == "UTF-8" else f"read as {name}"]
    data = data.removeprefix(codecs.BOM_UTF8)
    named = _coding(data)
    codec = _python_codec(named)
    repairs = []
    if named and not codec:
        repairs.append(f"its coding line names {named}, which is not known here")
    try:
        return data.decode(codec or "utf-8"), repairs
    except UnicodeDecodeError:
        return _guessed(data, codec or "utf-8", repairs)


def _guessed(data: bytes, failed: str, repairs: list[str]) -> tuple[str, list[str]]:
    """Decode line by line, so that one odd comment does not spoil the rest."""
    lines = []
    used = set()
    for line in data.splitlines(keepends=True):
        text, name = _guessed_line(line)
        lines.append(text)
        used.add(name)
    odd = sorted(used - {"UTF-8"})
    if odd:
        repairs.append(f"read as {' and '.join(odd)} where it is not valid UTF-8")
    else:
        repairs.append(f"read as UTF-8, since it is not valid {failed.replace('_', '-').upper()}")
    return "".join(lines), repairs


def _guessed_line(line: bytes) -> tuple[str, str]:
    for codec, name in (("utf-8", "UTF-8"), ("cp1252", "Windows-1252")):
        with suppress(UnicodeDecodeError):
            return line.decode(codec), name
    return line.decode("latin-1"), "Latin-1"


def _coding(data: bytes) -> str:
    """Return the encoding that a comment on the first two lines names (PEP 263), or ""."""
    for line in re.split(rb"\r\n|\r|\n", data[:4096], maxsplit=2)[:2]:
        found = _CODING.match(line)
        if found:
            return found[1].decode("ascii")
        if not _BLANK.fullmatch(line):
            break
    return ""


def _python_codec(named: str) -> str:
    """Return the codec of a coding line if it is a plain character set, else "".

    Looked up in a table: asking the codec registry would import whatever is named.
    """
    key = normalize_encoding(named).lower()
    if key.startswith("utf_8_"):
        key = "utf_8"  # as Python does: `utf-8-unix` is `utf-8`
    codec = aliases.get(key, key)
    return codec if codec in _PYTHON_CODECS else ""


def _expanded(text: str) -> str:
    """Return the text with its indentation in spaces if Python would raise `TabError`."""
    if (
        len(text) > TAB_CHECK_MAX
        or not re.search(r"^ *\t", text, re.M)
        or not re.search(r"^\t* ", text, re.M)
    ):
        return text
    lines = text.split("\n")
    spaced = [_spaced(line) for line in lines]
    starts = _statement_starts("\n".join(spaced))
    if not starts or _consistent(lines[start] for start in starts):
        return text
    for start in starts:
        lines[start] = spaced[start]
    return "\n".join(lines)


def _spaced(line: str) -> str:
    indent = _indent(line)
    return indent.expandtabs(8) + line[len(indent) :] if "\t" in indent else line


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t\f"))]


def _statement_starts(text: str) -> list[int]:
    """Return the indices of the lines on which a statement starts; none if it has no tokens.

    Lines inside brackets and strings are left out: their indentation means nothing.
    """
    starts = []
    fresh = True
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.NEWLINE:
                fresh = True
            elif fresh and token.type not in _BETWEEN_STATEMENTS:
                starts.append(token.start[0] - 1)
                fresh = False
    except (tokenize.TokenError, SyntaxError, RecursionError):
        return []
    return starts


_BETWEEN_STATEMENTS = (tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)


def _consistent(lines: Iterable[str]) -> bool:
    """Tell whether indentation means the same for tabs of eight columns and of one.

    This is the rule by which Python's tokenizer raises `TabError`.
    """
    stack = [(0, 0)]
    for line in lines:
        wide, narrow = _columns(_indent(line))
        while wide < stack[-1][0]:
            stack.pop()
        if wide == stack[-1][0]:
            if narrow != stack[-1][1]:
                return False
        elif narrow <= stack[-1][1]:
            return False
        else:
            stack.append((wide, narrow))
    return True


def _columns(indent: str) -> tuple[int, int]:
    wide = narrow = 0
    for character in indent:
        if character == "\f":
            wide = narrow = 0
        else:
            wide = wide + 1 if character == " " else wide // 8 * 8 + 8
            narrow += 1
    return wide, narrow
