"""Turns Python source into short codes, so that renamed and re-laid-out copies look alike.

It runs in a box over hostile text, and its source is all that the box gets.  The pattern matches at every
position and never looks back, so the time is linear.  It needs no valid Python: works with a syntax error
are copied too, and every version of Python gives the same codes.

A code is one byte.  Operators are their own characters.  Words that cannot be renamed (keywords, built-in
functions, methods of built-in types) have codes of their own; all other names share one.
"""

import hashlib
import re
from collections.abc import Iterator, Sequence
from typing import TypeAlias

NAME, NUMBER, TEXT, OTHER = 1, 2, 3, 4

_WORDS = """
    False None True and as assert async await break case class continue def del elif else except finally for
    from global if import in is lambda match nonlocal not or pass raise return try while with yield
    abs all any bool dict enumerate filter float input int isinstance len list map max min next open print
    range reversed round set sorted str sum super tuple type zip
"""
_METHODS = """
    add append clear copy count extend find format get index insert items join keys lower pop remove
    replace reverse sort split strip update upper values
"""
_CODES = {word: 128 + number for number, word in enumerate(_WORDS.split())}
_METHOD_CODES = {word: 128 + len(_CODES) + number for number, word in enumerate(_METHODS.split())}

_STRING = (
    r"[rRbBuUfFtT]{0,2}(?:"
    r"'''(?:[^'\\]|\\.|'(?!''))*+(?:'''|\\?\Z)"
    r'|"""(?:[^"\\]|\\.|"(?!""))*+(?:"""|\\?\Z)'
    r"|'(?:[^'\\\n]|\\.)*+'?"
    r'|"(?:[^"\\\n]|\\.)*+"?)'
)
_TOKEN = re.compile(
    rf"(?P<end>\n)|(?P<space>[^\S\n]+|\\\n)|(?P<comment>\#[^\n]*)|(?P<text>{_STRING})"
    r"|(?P<number>\d[\w.]*)|(?P<name>\w+)|(?P<sign>.)",
    re.DOTALL,
)
_Token: TypeAlias = tuple[str, str, int]
"""Kind, text and line."""
_STARTS = frozenset({"def", "class", "async", "@"})


def scan(text: str, longest: int, starts: Sequence[int] = ()) -> tuple[bytes, bytes, list[int], str]:
    """Return codes, line numbers, starts of parts, and digest of a source.

    lines: four bytes for each code: its line, from one on.  parts: positions at which a function, a class or
    other code begins.  digest: equal for sources that differ in names, comments and layout alone.
    Codes beyond `longest` are left out, and the digest is empty then.  starts: the first lines of pieces of
    the text; no string goes on from one into the next.
    """
    codes, lines, parts = bytearray(), bytearray(), [0]
    whole, columns = hashlib.sha256(), [0]
    names: dict[str, int] = {}
    in_part = False
    for column, tokens in _statements_of(text, starts):
        is_start = tokens[0][1] in _STARTS
        if (is_start or (in_part and column == 0)) and len(codes) > parts[-1]:
            parts.append(len(codes))
        in_part = is_start or (in_part and column > 0)
        while column < columns[-1]:
            columns.pop()
        if column > columns[-1]:
            columns.append(column)
        whole.update(b"\n%d\n" % len(columns))
        before = ""
        for kind, found, line in tokens:
            code = _code(kind, found, _METHOD_CODES if before == "." else _CODES)
            before = found
            codes.append(code)
            lines += line.to_bytes(4, "big")
            if code == NAME:
                found = str(names.setdefault(found, len(names)))
            whole.update(b"%d %s\0" % (code, found.encode("utf-8", "surrogatepass")))
        if len(codes) > longest:
            return bytes(codes[:longest]), bytes(lines[: 4 * longest]), parts, ""
    return bytes(codes), bytes(lines), parts, whole.hexdigest()


def _statements_of(text: str, starts: Sequence[int]) -> Iterator[tuple[int, list[_Token]]]:
    if not starts:
        return _statements(text)
    lines = text.split("\n")
    spans = zip(starts, [*(start - 1 for start in starts[1:]), len(lines) + 1], strict=True)
    return (
        each for first, end in spans for each in _statements("\n".join(lines[first - 1 : end - 1]), first)
    )


def _statements(text: str, line: int = 1) -> Iterator[tuple[int, list[_Token]]]:
    """Yield column and tokens of each logical line; not comments, nor lines of text alone (docstrings)."""
    tokens: list[_Token] = []
    column, depth = 0, 0
    for match in _TOKEN.finditer(text):
        kind, found = match.lastgroup or "", match.group()
        if kind == "end" and not depth:
            if any(each[0] != "text" for each in tokens):
                yield column, tokens
            tokens, column = [], 0
        elif kind == "space" and not tokens and found != "\\\n":
            column = len(found.expandtabs())
        elif kind not in ("end", "space", "comment"):
            depth = max(0, depth + (found in ("(", "[", "{")) - (found in (")", "]", "}")))
            tokens.append((kind, found, line))
        line += found.count("\n")
    if any(each[0] != "text" for each in tokens):
        yield column, tokens


def _code(kind: str, found: str, words: dict[str, int]) -> int:
    if kind == "name":
        return words.get(found, NAME)
    if kind == "sign":
        return ord(found) if " " < found < "\x7f" else OTHER
    return NUMBER if kind == "number" else TEXT
