"""Canvas: `<name>[_LATE]_<user id>_<attachment id>_<file>`, all files of all students in one flat list.

A group's name may stand for the name, and its representative's id for the id.  An anonymous assignment has
`anon_<id>` instead of both.  Canvas adds `-1`, `-2` to the name of a file that comes again.  Only the latest
attempt of a student is in the download, and no time.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from grader.api.layouts import LINKED, TYPED, Download, Expected, Layout, Person, Piece, folded

_WHO = r"(?P<who>[^\s.]*?)(?P<late>_LATE|_late)?_(?P<user>[0-9]{1,20})"
_ANONYMOUS = r"(?P<late>LATE_|late_)?anon_(?P<anonymous>[A-Za-z0-9]{1,40})"
_FILE = r"_(?P<attachment>[0-9]{1,20})_(?P<file>.+)"
_TEXT = r"_(?P<text>text|link)\.html"
_NAMES = tuple(re.compile(whose + what, re.DOTALL) for what in (_FILE, _TEXT) for whose in (_ANONYMOUS, _WHO))
_AGAIN = re.compile(r"(.+)-[0-9]{1,4}(\.[A-Za-z0-9]+)", re.DOTALL)


def _piece(name: str, is_folder: bool) -> Piece | None:
    match = next(filter(None, (pattern.fullmatch(name) for pattern in _NAMES)), None)
    if match is None or is_folder:
        return None
    found = match.groupdict()
    if anonymous := found.get("anonymous"):
        owner, person = f"canvas-anon-{anonymous}", Person(ids={"canvas-anonymous": anonymous})
    else:
        owner = f"canvas-{found['user']}"
        person = Person(name=found["who"], ids={"canvas": found["user"]})
    text = found.get("text")
    return Piece(
        entry=name,
        owner=owner,
        people=(person,),
        name=found.get("file") or name,
        is_late=bool(found["late"]),
        upload=int(found.get("attachment") or 0),
        left_out="" if text is None else TYPED if text == "text" else LINKED,
    )


def _as_asked_for(pieces: list[Piece], _download: Download, expected: Expected) -> Iterator[Piece]:
    """Yield the pieces with `utils-1.py` as `utils.py`, by which alone a program can import or include it.

    So it is where it was handed in, also where the library has a module of that name.  A file that is no
    source is renamed where the task asks for it; else its name may be the student's own.
    """
    names = {(piece.owner, folded(piece.name)) for piece in pieces}
    before = [_before(piece.name) for piece in pieces]
    count = Counter((piece.owner, folded(name)) for piece, name in zip(pieces, before, strict=True))
    for piece, name in zip(pieces, before, strict=True):
        own = piece.owner, folded(name)
        is_asked_for = folded(name) in expected.folded
        is_helper = expected.is_code(name) and own not in names and count[own] == 1
        is_renamed = name and (is_asked_for or is_helper) and folded(piece.name) not in expected.folded
        yield replace(piece, name=name) if is_renamed else piece


def _before(name: str) -> str:
    """Return the name of a file before Canvas added to it; empty if it has nothing added."""
    again = _AGAIN.fullmatch(name)
    return again[1] + again[2] if again else ""


CANVAS = Layout(
    name="canvas",
    title="a Canvas download",
    example="adamsamy_LATE_1234_56789_knight1.py",
    piece=_piece,
    completed=_as_asked_for,
    is_distinct=False,
)
