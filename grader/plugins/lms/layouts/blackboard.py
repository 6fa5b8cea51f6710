"""Blackboard: `<assignment>_<login>_attempt_<time>_<file>`, and a receipt for each attempt.

The receipt is `…_attempt_<time>.txt`.  The assignment and the login can hold underscores.  The first line of
a receipt, `Name: Amy Adams (aadams)`, is Blackboard's own, and tells where the login begins; the rest of it
holds text of the student and is not read. Without receipts, the login is what follows the beginning that all
names share.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import datetime

from grader.api.layouts import MIB, Download, Expected, Layout, Person, Piece, Refused, shared_start

_ATTEMPT = r"(?P<head>.+?_.+?)_attempt_(?P<time>[0-9]{4}(?:-[0-9]{2}){5})"
_NAME = re.compile(_ATTEMPT + r"(?:_(?P<file>.+)|(?P<receipt>\.txt))", re.DOTALL)
_RECEIPT = re.compile(r"Name:[ \t]*(?P<name>[^\n]*?)[ \t]*\((?P<login>[^()\n]+)\)[ \t]*\r?(?:\n|\Z)")
_IS_RECEIPT = "is Blackboard's receipt"


def _piece(name: str, is_folder: bool) -> Piece | None:
    match = _NAME.fullmatch(name)
    if match is None or is_folder:
        return None
    time = None
    with suppress(ValueError):
        time = datetime.strptime(match["time"], "%Y-%m-%d-%H-%M-%S")
    return Piece(
        entry=name,
        owner=match["head"],  # until it is known where the login begins
        people=(),
        name=match["file"] or name,
        attempt=match["time"],
        time=time,
        left_out=_IS_RECEIPT if match["receipt"] else "",
    )


def _with_logins(pieces: list[Piece], download: Download, _expected: Expected) -> Iterator[Piece]:
    people = dict(_people(pieces, download))
    for piece in pieces:
        person = people[piece.owner]
        yield replace(piece, owner=f"blackboard-{person.ids['blackboard']}", people=(person,))


def _people(pieces: Iterable[Piece], download: Download) -> Iterator[tuple[str, Person]]:
    """Yield the person for each beginning of names, `<assignment>_<login>`."""
    receipts = {piece.owner: piece.entry for piece in pieces if piece.left_out}
    heads = {piece.owner for piece in pieces}
    shared = shared_start(heads) if len(heads) > 1 else min(heads)
    start = shared.rfind("_") + 1
    for head in heads:
        name, login = "", head[start:]
        if head in receipts:
            with suppress(Refused):
                match = _RECEIPT.match(download.text(receipts[head], MIB))
                if match is not None and head.endswith(f"_{match['login']}"):
                    name, login = match["name"], match["login"]
        yield head, Person(name=name or login, ids={"blackboard": login})


BLACKBOARD = Layout(
    name="blackboard",
    title="a Blackboard download",
    example="Homework 1_aadams_attempt_2026-11-20-18-30-00_knight1.py",
    piece=_piece,
    completed=_with_logins,
)
