"""The task's own files: those that every case finds in its folder."""

import os
from collections.abc import Iterator
from pathlib import Path

from grader.model.task import DataFile
from grader.runtime.folders import walked
from grader.spec.decode.answers.files import MOST_FILES, content_of, is_file_name, named_files
from grader.spec.expressions.context import Context
from grader.spec.keys.answers import DATA_KIND
from grader.spec.reference.files import read_attached_at
from grader.yamlfile.nodes import Scalar
from grader.yamlfile.source import shown
from grader.yamlfile.table import Fields
from grader.yamlfile.unusable import Unusable, collecting

MIB = 1024 * 1024
MOST_B = 128 * MIB
"""The most bytes of all of a task's files: they are part of its digest, and are held in memory."""


def decode_data_files(fields: Fields, context: Context) -> tuple[DataFile, ...]:
    """Return the files that every case finds in its folder.  Raises Unusable."""
    if not fields.has("files"):
        return ()
    inner = named_files(fields, "files", DATA_KIND, context)
    with collecting() as take:
        found = [file for name in inner.table.names for file in take(_files_of, inner, name, context) or ()]
    if len(found) > MOST_FILES:
        fields.report("files", f"a task can have at most {MOST_FILES} files, and these are {len(found)}")
        raise Unusable
    if sum(len(file.content) for file in found) > MOST_B:
        fields.report("files", f"the files are larger than {MOST_B // MIB} MiB together")
        raise Unusable
    return tuple(sorted(found, key=lambda file: file.name))


def _files_of(inner: Fields, name: str, context: Context) -> list[DataFile]:
    """Return the file of that name, or the files of that folder.  Raises Unusable."""
    stated: Fields | Scalar = inner.needed(name)
    if not isinstance(stated, Fields):
        return [DataFile(name, content_of(inner, name, stated))]
    written: str = stated.needed("from")
    attached = context.attached
    folder = Path(os.path.normpath(attached.path / written))
    if not folder.is_dir():
        return [DataFile(name, read_attached_at(stated, "from", written, attached, MOST_B))]
    found = []
    try:
        paths = [*_inside(stated, folder)]
    except OSError as error:
        place = shown(os.path.relpath(error.filename, folder.parent))
        stated.report("from", f"the folder {place} can't be listed ({error.strerror})")
        raise Unusable from None
    for path in paths:
        inside = path.relative_to(folder).as_posix()
        if not is_file_name(f"{name}/{inside}"):
            stated.report("from", f"`{shown(inside)}` in it can't be the name of a file in a case's folder")
            raise Unusable
        content = read_attached_at(stated, "from", os.path.join(written, inside), attached, MOST_B)
        found.append(DataFile(f"{name}/{inside}", content))
    if not found:
        stated.report("from", f"the folder {shown(written)} holds no files")
        raise Unusable
    return found


def _inside(stated: Fields, folder: Path) -> Iterator[Path]:
    """Yield the files in a folder, in order; hidden ones are left out.  Raises Unusable, `OSError`."""
    number = 0
    for inner, folders, files in walked(folder):
        folders[:] = sorted(each for each in folders if not each.startswith("."))
        for each in sorted(files):
            if each.startswith("."):
                continue
            number += 1
            if number > MOST_FILES:
                stated.report("from", f"this folder holds more than {MOST_FILES} files")
                raise Unusable
            yield Path(inner, each)
