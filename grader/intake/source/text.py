"""Makes Python's own text out of the bytes of a source file, and says what it mended.

The text is handed on as `str`, so a coding line that stays in it has no effect any more.
Nothing here parses or runs the source: that is done beside the student's code.  The cost of each step grows
with the length of the file alone; `Care` bounds the steps that cost more than reading it does.
"""

import codecs
import re
from contextlib import suppress
from dataclasses import dataclass
from encodings import normalize_encoding
from encodings.aliases import aliases

from grader.intake.source.indentation import expanded, may_mix
from grader.model.limits import MIB
from grader.model.submission import AS_BYTES

CARE_MAX_B = 1 * MIB
"""Bytes of one submission's sources that are decoded line by line or checked for mixed indentation."""
_CODING_MAX_B = 4096
"""The first two lines of a file are looked at up to here."""

_BYTE_ORDER_MARKS = (  # UTF-32 first: its little-endian mark begins with UTF-16's
    (codecs.BOM_UTF8, "utf-8", "UTF-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le", "UTF-32"),
    (codecs.BOM_UTF32_BE, "utf-32-be", "UTF-32"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "UTF-16"),
)
_CODING = re.compile(rb"[ \t\f]*#[^\n]*?coding[:=][ \t]*([-\w.]{1,40})", re.ASCII)
_LINE_END = re.compile(rb"\r\n|\r|\n")
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


class Care:
    """Bytes of one submission that may still be repaired with care.  left_b: their number."""

    def __init__(self, left_b: int = CARE_MAX_B) -> None:
        self.left_b = left_b

    def take(self, size_b: int) -> bool:
        """Tell whether a file of that size may be repaired with care, and take it off."""
        if size_b > self.left_b:
            return False
        self.left_b -= size_b
        return True


def repair(data: bytes, care: Care) -> Repaired:
    """Return the text of a source file as Python should see it.  Never fails.

    care: where it is used up, a file is decoded as a whole, and mixed indentation stays.
    """
    text, repairs = decoded(data, care)
    if "\r" in text:
        kind = "Windows" if "\r\n" in text else "old Macintosh"
        text = _with_plain_line_ends(text)
        repairs.append(f"{kind} line ends changed to plain ones")
    problem = _problem(text)
    if not problem and may_mix(text) and care.take(len(data)):
        spaced = expanded(text)
        if spaced != text:
            text = spaced
            repairs.append("tabs in the indentation changed to spaces, eight columns each")
    return Repaired(text, tuple(repairs), problem)


def as_text(data: bytes) -> Repaired:
    """Return the text of a source file in another language: UTF-8, else latin-1, with plain line ends."""
    body = data.removeprefix(codecs.BOM_UTF8)
    try:
        return Repaired(_with_plain_line_ends(body.decode()))
    except UnicodeDecodeError:
        return Repaired(_with_plain_line_ends(body.decode("latin-1")), ("read as latin-1",))


def as_python_reads(data: bytes) -> Repaired:
    """Return the text of a source file as Python itself decodes it, with nothing mended.

    What Python may refuse to decode is handed on as bytes (`AS_BYTES`): its import says why.
    """
    body = data.removeprefix(codecs.BOM_UTF8)
    named = _coding(body)
    codec = _python_codec(named) if named else "utf_8"
    contradicts = len(body) < len(data) and codec != "utf_8"
    if codec and not contradicts and _has_short_start(body):
        with suppress(UnicodeDecodeError):
            text = _with_plain_line_ends(body.decode(codec))
            return Repaired(text, problem=_problem(text))
    return Repaired(AS_BYTES + data.decode("utf-8", "surrogateescape"))


def _with_plain_line_ends(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _problem(text: str) -> str:
    return "holds NUL bytes, which Python refuses" if "\0" in text else ""


def _has_short_start(data: bytes) -> bool:
    """Tell whether the lines that may name an encoding end where they are looked at."""
    start = data[:_CODING_MAX_B]
    return len(data) <= _CODING_MAX_B or len(_LINE_END.split(start, maxsplit=2)) > 2


def decoded(data: bytes, care: Care) -> tuple[str, list[str]]:
    """Return the text of a file, and what was mended.  Never fails."""
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
        return _guessed(data, codec or "utf-8", repairs, care)


def _guessed(data: bytes, failed: str, repairs: list[str], care: Care) -> tuple[str, list[str]]:
    """Decode line by line, so that one odd comment does not spoil the rest."""
    lines = []
    used = set()
    for line in data.splitlines(keepends=True) if care.take(len(data)) else [data]:
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
    for line in _LINE_END.split(data[:_CODING_MAX_B], maxsplit=2)[:2]:
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
