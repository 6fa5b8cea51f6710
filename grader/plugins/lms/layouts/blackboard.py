"""Blackboard: `<assignment>_<login>_attempt_<time>_<file>`, and a receipt for each attempt.

The receipt is `…_attempt_<time>.txt`.  The assignment and the login can hold underscores.  The first line of
a receipt, `Name: Amy Adams (aadams)`, is Blackboard's own, and tells where the login begins; the rest of it
holds text of the student and is not read. Without receipts, the login is guessed to be what follows the
beginning that all names share.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
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
    told = dict(_told(pieces, download))
    start = _start({piece.owner for piece in pieces}, told)
    for piece in pieces:
        name, head, is_sure = "", piece.owner, bool(told)
        if head in told:
            name, login = told[head]
        elif start and head.startswith(start):
            login = head.removeprefix(start)
        else:
            # It is one of another assignment, and nothing tells how long the name of that is.
            login, is_sure = head.rpartition("_")[2], False
        yield replace(
            piece,
            owner=f"blackboard-{login}",
            people=(Person(name=name or login, ids={"blackboard": login}),),
            assignment=head.removesuffix(f"_{login}"),
            login_in="" if is_sure else head,
        )


def _told(pieces: Iterable[Piece], download: Download) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield name and login for each beginning of names, `<assignment>_<login>`, that has a receipt."""
    receipts = {piece.owner: piece.entry for piece in pieces if piece.left_out == _IS_RECEIPT}
    for head, receipt in receipts.items():
        with suppress(Refused):
            match = _RECEIPT.match(download.text(receipt, MIB))
            if match is not None and head.endswith(f"_{match['login']}"):
                yield head, (match["name"], match["login"])


def _start(heads: Collection[str], told: Mapping[str, tuple[str, str]]) -> str:
    """Return `<assignment>_`; empty where the names do not begin with that of one assignment."""
    starts = {head.removesuffix(login) for head, (_, login) in told.items()}
    if not starts:
        shared = shared_start(heads) if len(heads) > 1 else min(heads)
        return shared[: shared.rfind("_") + 1]
    return min(starts) if len(starts) == 1 else ""


BLACKBOARD = Layout(
    name="blackboard",
    title="a Blackboard download",
    example="Homework 1_aadams_attempt_2026-11-20-18-30-00_knight1.py",
    piece=_piece,
    completed=_with_logins,
)
