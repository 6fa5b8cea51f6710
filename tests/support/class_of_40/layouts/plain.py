"""Folders that people lay out by hand: a folder for each student, a zip for each, a zip of the folders.

There is no LMS behind it, so no source.  A folder is named after the student where the file system allows it.
The second of two people of one name gets a number, the one without a name their login.
"""

from collections.abc import Iterable
from pathlib import Path

from support.class_of_40.layouts import moodle
from support.class_of_40.people import CLASS, Student
from support.class_of_40.rendered import Entry, Rendered
from support.class_of_40.zips import zipped


def names(students: Iterable[Student]) -> dict[str, str]:
    """Return the names of the folders by the students' keys."""
    found: dict[str, str] = {}
    for student in students:
        name = student.name.replace("/", "-") or student.login
        found[student.key] = f"{name} (2)" if name in found.values() else name
    return found


def render(folder: Path, students: Iterable[Student] = CLASS, *, how: str = "folders") -> Rendered:
    """Write the latest attempts below `folder`.

    how: `folders`, `zip of folders`, or `zips`: a folder with one zip of each student.
    A person who handed in nothing has an empty folder, if folders can be seen at all.
    """
    chosen = list(students)
    called = names(chosen)
    files: dict[str, bytes] = {}
    entries, missing = [], []
    for student in chosen:
        name, attempt = called[student.key], student.counted()
        if attempt is None or not attempt.upload:
            missing.append(student.key)
            continue
        if how == "zips":
            files[f"{name}.zip"] = zipped(attempt.upload)
        else:
            files |= {f"{name}/{path}": data for path, data in attempt.upload.items()}
        entries.append(
            Entry(
                (student.key,), name, name, attempt.work, attempt.mark, None, None, left_out=attempt.left_out
            )
        )
    path = folder / "class"
    if how == "zip of folders":
        path = path.with_suffix(".zip")
        path.write_bytes(zipped({f"class/{name}": data for name, data in files.items()}))
    else:
        moodle.unpack(path, files)
        for key in missing if how == "folders" else ():
            (path / called[key]).mkdir()
    return Rendered(path, tuple(entries), tuple(missing))


def one_file(folder: Path, student: Student) -> Path:
    """Write a student's first Python file alone, and return its path."""
    attempt = student.counted()
    assert attempt is not None
    name, data = next(iter(attempt.work.items()))
    path = folder / name
    path.write_bytes(data)
    return path
