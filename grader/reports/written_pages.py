"""The files of a report: their paths, and which of them are unchanged since they were written.

The list of an earlier report (`pages.txt`) has for each file the digest of its sources, its size and the time
of its last change.  A file for which all three are the same is not made again.  A file that a person changed,
or that is incomplete after a crash, is made again.

A file is in the list before it is written, so the next report knows it even if this one is killed.
Until then its entry has no digest, and the size and time of the file that was there before, if any.

Only files in the list of an earlier run are ever removed, and only pages in their places.  A forged list
can name no file outside of them.
"""

import hashlib
import os
import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from urllib.parse import quote

from grader.store.whole_file import remove_remains, replace_text

INDEX = "index.html"
STAFF_FOLDER = "staff"
STUDENT_FOLDER = "students"

_UNSAFE = re.compile(r'[\x00-\x1f\x7f-\x9f/\\:*?"<>|%\ud800-\udfff\u200b-\u200f\u2028-\u202e]|^[. ]|[. ]$|^$')
_LONGEST_NAME_B = 200

FILE_NAME = "pages.txt"
_LONGEST_LIST_B = 1 << 28
_FURTHER = re.compile(r"index-[0-9]+\.html")
_PAGE = re.compile(rf"(?:{STAFF_FOLDER}|{STUDENT_FOLDER})/[^/\\\0]+\.html|{_FURTHER.pattern}")


class PageList:
    """The files of one report, by their paths below its folder."""

    def __init__(self, directory: Path, held: str = "") -> None:
        """held: a folder of pages that this report leaves as they are; empty for none."""
        self._directory = directory
        self._earlier = _read(directory / FILE_NAME)
        self._now = {path: found for path, found in self._earlier.items() if held and _lies_in(path, held)}

    def stands(self, path: str, made_from: str) -> bool:
        """Tell whether a file is unchanged since it was written from the same data; if so, keep it.

        made_from: digest of all data that the file depends on.
        """
        found = self._earlier.get(path)
        if not found or found != self._described(path, made_from):
            return False
        self._now[path] = found
        return True

    def announce(self, paths: Iterable[str]) -> None:
        """Note files that are about to be written, unless they are known already."""
        due = {path: self._described(path, "") for path in paths if path not in self._earlier}
        if due:
            self._earlier |= due
            self._keep(_lines(self._earlier))

    def add(self, path: str, made_from: str) -> None:
        self._now[path] = self._described(path, made_from)

    def finish(self) -> None:
        """Remove files that an earlier run wrote or began and this one did not write; keep the new list.

        The list first has both kinds: if this process ends in between, the next run still knows all of them.
        """
        stale = [
            path
            for path, found in self._earlier.items()
            if path not in self._now and _PAGE.fullmatch(path) and not self._is_foreign(path, found)
        ]
        if stale:
            self._keep([*_lines(self._now), *_lines({path: self._earlier[path] for path in stale})])
        for path in stale:
            (self._directory / path).unlink(missing_ok=True)
        for folder in (".", STAFF_FOLDER, STUDENT_FOLDER):
            remove_remains(self._directory / folder)
        self._keep(_lines(self._now))

    def _is_foreign(self, path: str, found: str) -> bool:
        """Tell whether a file was announced but is still the one that was there before, which is not ours."""
        return found.startswith("\t") and found == self._described(path, "")

    def _described(self, path: str, made_from: str) -> str:
        try:
            # There are two for each student, and joining paths as objects costs more than the look itself.
            status = os.stat(f"{self._directory}/{path}")
        except OSError:
            return ""
        return f"{made_from}\t{status.st_size}\t{status.st_mtime_ns}"

    def _keep(self, lines: Iterable[str]) -> None:
        replace_text(self._directory / FILE_NAME, "".join(f"{line}\n" for line in lines))


def _lies_in(path: str, folder: str) -> bool:
    return path.startswith(f"{folder}/")


def listed_in(directory: Path, folder: str) -> dict[str, str]:
    """Return the entries of the pages in a folder of a report, by their paths."""
    return {path: found for path, found in _read(directory / FILE_NAME).items() if _lies_in(path, folder)}


def relist(directory: Path, folder: str, entries: dict[str, str]) -> None:
    """Replace the entries of the pages in a folder of a report."""
    others = {
        path: found for path, found in _read(directory / FILE_NAME).items() if not _lies_in(path, folder)
    }
    replace_text(
        directory / FILE_NAME, "".join(f"{line}\n" for line in _lines(others | entries) if line.strip())
    )


def _lines(files: dict[str, str]) -> Iterable[str]:
    return (f"{path}\t{described}" for path, described in files.items())


def entries(directory: Path) -> dict[str, str]:
    """Return the entry of each file in the list of a report: digest, size and time; none without a list."""
    return _read(directory / FILE_NAME)


def _read(path: Path) -> dict[str, str]:
    """Return the entry of each file in a list; none if the list cannot be read."""
    try:
        with path.open(encoding="utf-8") as file:
            lines = file.read(_LONGEST_LIST_B).split("\n")
    except (OSError, UnicodeDecodeError):
        return {}
    return {name: described for name, _, described in (line.partition("\t") for line in lines)}


# -- where pages lie --------------------------------------------------------------------------------


def page_file(student_id: str) -> str:
    """Return the file name of a student's page; different ids have different ones."""
    name = student_id
    if _UNSAFE.search(name):
        name = "%" + quote(name, safe="", errors="surrogatepass").replace(".", "%2E")
    if len(name.encode()) > _LONGEST_NAME_B:
        digest = hashlib.sha256(name.encode()).hexdigest()[:32]
        name = f"%{quote(name[:40], safe='%')[:120]}%{digest}"
    return f"{name}.html"


def index_file(number: int) -> str:
    """Return the file name of a page of the cohort; the first is 1."""
    return INDEX if number == 1 else f"index-{number}.html"


def is_further(name: str) -> bool:
    """Tell whether a file is a page of the cohort beyond the first, by its name."""
    return _FURTHER.fullmatch(name) is not None


@lru_cache(256)
def page_link(folder: str, student_id: str) -> str:
    """Return the link to a student's page from the folder of the report."""
    return f"{folder}/{quote(page_file(student_id), safe='')}"


def page_path(folder: str, student_id: str) -> str:
    """Return the path of a student's page below the folder of the report."""
    return f"{folder}/{page_file(student_id)}"


def question_anchor(number: int) -> str:
    """Return the anchor of a question on a student's pages; the first of the task is 1."""
    return f"q{number}"
