"""Files that lie where reports go and that the grader did not write: they are never written over.

A file is ours if the list of an earlier report has it as it is now, or if it looks like what any version of
the grader wrote in its place.  An empty one, as a crash leaves of ours, holds nothing that could be lost.
"""

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from grader.model.errors import Fault, UsageError
from grader.reports.written_pages import FILE_NAME, INDEX, STAFF_FOLDER, STUDENT_FOLDER, entries, page_file

_PAGE = re.compile(
    rb'<!doctype html>\s<html lang="[\w-]+">\s<head>\s<meta charset="utf-8">\s'
    rb'<meta http-equiv="Content-Security-Policy" content="[^"]*">\s<meta name="viewport" content="[^"]*">\s'
    rb'<meta name="referrer" content="no-referrer">\s<meta name="robots" content="noindex">'
)
_KINDS = {
    ".html": _PAGE,
    "marks.csv": re.compile(rb"(?:\xef\xbb\xbf)?student,name,mark,max_mark,status[,\r\n]"),
    "junit.xml": re.compile(
        rb'<\?xml version="1\.0" encoding="utf-8"\?>\s<testsuites name="[^"]*" tests="\d+" failures="\d+"'
    ),
    "results.json": re.compile(rb'\s*\{\s*"schema":\s*"grader-results/'),
    FILE_NAME: re.compile(rb"(?:(?:(?:staff|students)/[^\t\n]+|[\w.-]+)(?:\t[^\n]*)?\n)+"),
    "similar.json": re.compile(rb'\s*\{\s*"schema":\s*"grader-similar'),
}
"""How a file begins that the grader wrote, by its name or its ending."""
FOLDERS = (STAFF_FOLDER, STUDENT_FOLDER)
_READ_B = 4096
_MOST_NAMED = 8


def check_ours(
    directory: Path, ids: Iterable[str], folders: Iterable[str] = FOLDERS, *, repairs: bool = False
) -> None:
    """Raise `UsageError` if writing a run's results and pages would take the place of a file of others.

    ids: of the students.  folders: of the pages that are written.
    repairs: what an earlier report wrote is ours whatever became of it.
    """
    listed = entries(directory)
    known = {path for path, found in listed.items() if repairs and found[:1] != "\t"}
    # The index is in no list; it is written last of all.
    known |= {INDEX} if known else set()
    there = _in_the_way(directory, list(ids), folders)
    refuse_foreign(
        directory, [path for path in there if path not in known and not _is_ours(directory, path, listed)]
    )


def refuse_foreign(directory: Path, names: list[str]) -> None:
    """Raise `UsageError` if there are files that are not ours."""
    if names:
        more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
        over = "it" if len(names) == 1 else "them"
        what = f"grader did not write {', '.join(names[:_MOST_NAMED])}{more}, and would write over {over}"
        hint = "choose another folder with -o, or move them away"
        raise UsageError(Fault(what, str(directory), hint=hint))


def check_file(path: Path) -> None:
    """Raise `UsageError` if a single page or list is there that is not ours."""
    if os.path.lexists(path) and not _looks_ours(path):
        refuse_foreign(path.parent, [path.name])


def _in_the_way(directory: Path, ids: list[str], folders: Iterable[str]) -> Iterator[str]:
    """Yield what lies where a report writes."""
    of_cohort = re.compile(r"index-[0-9]+\.html")
    for name in _names_in(directory):
        if name in (INDEX, "marks.csv", "junit.xml", "results.json", FILE_NAME) or of_cohort.fullmatch(name):
            yield name
    for folder in folders:
        place = directory / folder
        if os.path.lexists(place) and not place.is_dir():
            yield folder
            continue
        there = _names_in(place)
        yield from (f"{folder}/{page}" for page in map(page_file, ids if there else ()) if page in there)


def _names_in(folder: Path) -> set[str]:
    try:
        return set(os.listdir(folder))
    except OSError:
        return set()


def _is_ours(directory: Path, path: str, listed: dict[str, str]) -> bool:
    if path not in listed:
        return _looks_ours(directory / path)
    digest, *described = listed[path].split("\t")
    try:
        status = os.stat(directory / path)
    except OSError:
        return False
    # An entry without a digest was announced alone: the file may still be the one that was there before.
    is_as_listed = bool(digest) and described == [str(status.st_size), str(status.st_mtime_ns)]
    return is_as_listed or _looks_ours(directory / path)


def _looks_ours(path: Path) -> bool:
    kind = _KINDS.get(path.name) or _KINDS.get(path.suffix)
    try:
        if kind is None or not path.is_file():
            return False
        with path.open("rb") as file:
            begins = file.read(_READ_B)
        return not begins or kind.match(begins) is not None
    except OSError:
        return False
