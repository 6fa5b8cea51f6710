"""Canvas's download of all submissions.

The rules are those of instructure/canvas-lms, `lib/content_zipper.rb` (05e9653c12ef): an entry is
`<name>[_LATE]_<user id>_<attachment id>_<file name>`.  The name is the sortable one in lower case, of which
everything but letters, marks, digits and underscores is gone; `_<digits>_` in it loses its underscores.  An
anonymous assignment has `anon_<anonymous id>` instead, in a group assignment the group's name stands for its
representative.  Text entries end `_text.html`.  Folders do not exist.
`Attachment.make_unique_filename` (app/models/attachment.rb) numbers files of one name: `shapes-1.py` is a
resubmission of `shapes.py`.  The archive has the latest submission of each person, and no time.

rubyzip marks no name as UTF-8 unless `Zip.unicode_names` is set (rubyzip, README).  No source was found that
Canvas sets it, so `utf8_flag` renders both.  From memory: Canvas has no user without a name, it is `User`.
"""

import re
import unicodedata
from collections.abc import Iterable
from pathlib import Path

from support.class_of_40.layouts import moodle
from support.class_of_40.people import CLASS, TEAM, Attempt, Student
from support.class_of_40.rendered import Entry, Rendered
from support.class_of_40.zips import zipped

NO_NAME = "User"
FIRST_ATTACHMENT = 90001


def sanitize_user_name(sortable: str) -> str:
    """Return the name as `sanitize_user_name` leaves it."""
    return re.sub(r"_(\d+)_", r"\1", sortable).lower()


def sanitize_file_name(name: str) -> str:
    """Return a name without what is not a letter, mark, digit or underscore: Ruby's [[:word:]]."""
    return "".join(
        c for c in name if unicodedata.category(c) in ("Nd", "Pc") or unicodedata.category(c)[0] in "LM"
    )


def anonymous_id(student: Student) -> str:
    """Return the five characters by which an anonymous assignment names a person."""
    return f"aB{student.number:02}z"


def prefix(student: Student, *, late: bool, anonymous: bool = False, group: bool = False) -> str:
    """Return the part of a name that says whose file it is."""
    shown = TEAM if group else student.sortable or NO_NAME
    name = None if anonymous else sanitize_user_name(shown)
    ident = f"anon_{anonymous_id(student)}" if anonymous else str(student.canvas_id)
    return sanitize_file_name(
        "_".join(part for part in (name, "LATE" if late else None, ident) if part is not None)
    )


def uploaded(attempt: Attempt, number: int) -> dict[str, bytes]:
    """Return the files of the attempt with that number, without folders, as Canvas names them."""
    found: dict[str, bytes] = {}
    for path, data in attempt.upload.items():
        folder, _, name = path.rpartition("/")
        if folder:
            name, data = f"{folder}.zip", zipped({path: data})
        stem, dot, ending = name.rpartition(".")
        found[f"{stem}-{number - 1}{dot}{ending}" if number > 1 else name] = data
    return found


def render(
    folder: Path,
    students: Iterable[Student] = CLASS,
    *,
    anonymous: bool = False,
    groups: bool = False,
    utf8_flag: bool = True,
    unpacked: bool = False,
) -> Rendered:
    """Write the download below `folder`.  groups: a group assignment; the group's name stands for the
    member."""
    files: dict[str, bytes] = {}
    entries, missing = [], []
    for student in students:
        attempt = student.counted()
        if attempt is None:
            if not (groups and student.group):
                missing.append(student.key)
            continue
        together = groups and bool(student.group)
        late = bool(student.late_s(attempt))
        whose = prefix(student, late=late, anonymous=anonymous, group=together)
        for name, data in uploaded(attempt, len(student.attempts)).items():
            clean = re.sub(r'[\x00/\\:*?"<>|]+', "_", name)
            files[f"{whose}_{FIRST_ATTACHMENT + len(files)}_{clean}"] = data
        if attempt.text:
            files[f"{whose}_text.html"] = f"<html><body>{attempt.text}</body></html>\n".encode()
        members = tuple(one.key for one in CLASS if one.group == TEAM) if together else (student.key,)
        lms_id = anonymous_id(student) if anonymous else str(student.canvas_id)
        shown = None if anonymous else prefix(student, late=False, group=together).rpartition("_")[0]
        left_out = (f"{whose}_text.html",) if attempt.text else attempt.left_out
        entries.append(
            Entry(members, lms_id, shown, attempt.work, attempt.mark, None, late, left_out=left_out)
        )
    path = folder / "submissions"
    if unpacked:
        moodle.unpack(path, files)
    else:
        path = path.with_suffix(".zip")
        path.write_bytes(zipped(files, utf8_flag=utf8_flag))
    return Rendered(path, tuple(entries), tuple(missing))
