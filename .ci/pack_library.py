"""Packs the library of tasks into the wheel, as one file: a hook of the build.

Five hundred small files, many of them nearly alike, take 391 KiB in a wheel, and packed together 136.  The
archive is made by each build and lies in no checkout, where `grader` reads the folders themselves.
"""

import gzip
import io
import os
import tarfile
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKED = "grader/authoring/library/tasks.tar.gz"
FOLDERS = ("specs", "reference", "docs/cookbook")
LICENCE = "LICENSE"
_LEFT_OUT = {"__pycache__", "reviews"}
_DATE_S = 1580601600
"""That of all files of a release; see release.py."""


class LibraryHook(BuildHookInterface[Any]):
    """Adds the archive to a wheel; an editable installation reads the checkout."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        handle, self._path = tempfile.mkstemp(suffix=".tar.gz")
        with os.fdopen(handle, "wb") as file:
            file.write(packed(Path(self.root)))
        os.chmod(self._path, 0o644)
        build_data["force_include"][self._path] = PACKED

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if version != "editable":
            os.unlink(self._path)


def packed(tree: Path) -> bytes:
    """Return the archive of a tree's library: the same bytes for the same files."""
    content = io.BytesIO()
    with (
        gzip.GzipFile("", "wb", 9, content, mtime=0) as stream,
        tarfile.open(fileobj=stream, mode="w", format=tarfile.USTAR_FORMAT) as archive,
    ):
        for name in [LICENCE, *sorted(files_of(tree))]:
            text = (tree / name).read_bytes()
            entry = tarfile.TarInfo(name)
            entry.size, entry.mtime, entry.mode = len(text), _DATE_S, 0o644
            archive.addfile(entry, io.BytesIO(text))
    return content.getvalue()


def files_of(tree: Path) -> list[str]:
    """Return the paths of the files of all tasks."""
    found = []
    for folder in FOLDERS:
        for parent, folders, names in os.walk(tree / folder):
            folders[:] = [name for name in folders if name not in _LEFT_OUT and name[0] != "."]
            found += [Path(parent, name).relative_to(tree).as_posix() for name in names if name[0] != "."]
    return found
