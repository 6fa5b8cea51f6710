"""ILIAS: the download of an exercise, and a file of marks."""

import csv
import io
import re
from pathlib import Path

from grader.api.exports import Format, Job, csv_cell, rows
from grader.api.layouts import Layout, Person, Piece

_FOLDER = re.compile(r"(?P<last>[^_]+)_(?P<first>[^_]+)_(?P<login>[^_]+)_(?P<number>\d+)")


def _piece(name: str, is_folder: bool) -> Piece | None:
    """Return who handed in a folder such as `Doe_Jo_jdoe_1234`."""
    found = _FOLDER.fullmatch(name) if is_folder else None
    if found is None:
        return None
    person = Person(name=f"{found['first']} {found['last']}", ids={"login": found["login"]})
    return Piece(entry=name, owner=found["login"], people=(person,))


LAYOUT = Layout(
    name="ilias", title="a download of ILIAS", example="Doe_Jo_jdoe_1234", piece=_piece, is_distinct=False
)


def _write(job: Job) -> list[Path]:
    """Write a line for each student: login, mark."""
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer)
    writer.writerow(["login", "mark"])
    for row in rows(job):
        login = row.person.ids.get("login", "") if row.person is not None else ""
        writer.writerow([csv_cell(login or row.id), row.cell(job.zeros)])
    return [job.write(job.target, buffer.getvalue().encode())]


FORMAT = Format("login and mark for each student", "ilias.csv", _write)
