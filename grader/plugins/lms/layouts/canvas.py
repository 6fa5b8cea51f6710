"""Canvas: `<name>[_LATE]_<user id>_<attachment id>_<file>`, all files of all students in one flat list.

A group's name may stand for the name, and its representative's id for the id.  An anonymous assignment has
`anon_<id>` instead of both.  Canvas adds `-1`, `-2` to the name of a file that comes again.  Only the latest
attempt of a student is in the download, and no time.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from grader.api.layouts import (
    LINKED,
    MIB,
    TYPED,
    Download,
    Expected,
    Layout,
    Person,
    Piece,
    Refused,
    folded,
)

_WHO = r"(?P<who>[^\s.]*?)(?P<late>_LATE|_late)?_(?P<user>[0-9]{1,20})"
_ANONYMOUS = r"(?P<late>LATE_|late_)?anon_(?P<anonymous>[A-Za-z0-9]{1,40})"
_FILE = r"_(?P<attachment>[0-9]{1,20})_(?P<file>.+)"
_TEXT = r"_(?P<text>text|link)\.html"
_NAMES = tuple(re.compile(whose + what, re.DOTALL) for what in (_FILE, _TEXT) for whose in (_ANONYMOUS, _WHO))
_IMPORTED = re.compile(r"""(?<=["'`</])[^\s"'`<>/]{1,255}(?=["'`>])""")
"""The last part of a path in quotes or angle brackets."""
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


def _as_asked_for(pieces: list[Piece], download: Download, expected: Expected) -> Iterator[Piece]:
    """Yield the pieces with `utils-1.py` as `utils.py`, as it was handed in.

    A source that the task does not ask for keeps its name where a source of the same student's has it as it
    is: it is the student's own, such as `require("./part-1.js")`.  So does a file of another kind.
    """
    names = {(piece.owner, folded(piece.name)) for piece in pieces}
    before = {piece.entry: _before(piece.name) for piece in pieces}
    count = Counter((piece.owner, folded(before[piece.entry])) for piece in pieces)
    asked, helpers = set[str](), list[Piece]()
    for piece in pieces:
        name = before[piece.entry]
        own = piece.owner, folded(name)
        if not name or folded(piece.name) in expected.folded:
            continue
        if folded(name) in expected.folded:
            asked.add(piece.entry)
        elif expected.is_code(name) and own not in names and count[own] == 1:
            helpers.append(piece)
    kept = _named_in_sources(helpers, pieces, download, expected)
    renamed = asked.union(piece.entry for piece in helpers).difference(kept)
    for piece in pieces:
        yield replace(piece, name=before[piece.entry]) if piece.entry in renamed else piece


def _named_in_sources(
    helpers: Sequence[Piece], pieces: Sequence[Piece], download: Download, expected: Expected
) -> set[str]:
    """Return the entries of those helpers that another source of the same student's names as they are."""
    by_owner: dict[str, list[tuple[str, str]]] = {}
    for one in helpers:
        by_owner.setdefault(one.owner, []).append((one.name.rpartition(".")[0], one.entry))
    found = set[str]()
    for piece in pieces:
        if piece.owner in by_owner and expected.is_code(piece.name) and not piece.left_out:
            # What can't be read now is told when the work is read.
            with suppress(Refused):
                names = _names_of_files(download.text(piece.entry, MIB))
                mine = by_owner[piece.owner]
                found.update(entry for stem, entry in mine if stem in names and entry != piece.entry)
    return found


def _names_of_files(source: str) -> set[str]:
    """Return what a source may import or include: `part-1`, for `"./part-1.js"`, and `part-1.js`."""
    found = set[str]()
    for name in set(_IMPORTED.findall(source)):
        parts = name.split(".")
        found.update(".".join(parts[:count]) for count in range(1, len(parts) + 1))
    return found


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
