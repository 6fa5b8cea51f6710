"""Brightspace's download of an assignment's submissions, in folders, and flat.

Brightspace's source is not public.  Public parsers agree: in the archive each submission is a folder
`<id>-<id> - <First Last> - <Oct 10, 2025 1022 AM>`, the time without its colon, and beside the folders lies
an `index.html`.  Read in a test of `zip_grading_utils` (C. Queen, cqc_cpcc:
`39786-640693 - Aiden Rodriguez - Oct 10, 2025 1022 AM/Main.java`).  Where each submission is one file, the
archive is flat: `<id>-<id> - <name> - <time> - <file name>` (from memory).  From memory too: the first
number is the person's id, the second the assignment folder's; the hour has no zero in front; characters that
Windows forbids in names are gone.  Each submission of a person is in it.  The time is the course's, without
a zone.
"""

import html
import re
from collections.abc import Iterable
from pathlib import Path

from support.class_of_40.layouts import canvas, moodle
from support.class_of_40.people import CLASS, Attempt, Student
from support.class_of_40.rendered import Entry, Rendered
from support.class_of_40.zips import zipped

FOLDER_ID = 640693


def stem(student: Student, attempt: Attempt) -> str:
    """Return the name of a submission's folder."""
    at = attempt.at
    name = re.sub(r'[\x00-\x1f/\\:*?"<>|]', "", student.name)
    time = f"{at:%b} {at.day}, {at.year} {at.hour % 12 or 12}{at:%M %p}"
    return f"{student.d2l_id}-{FOLDER_ID} - {name} - {time}"


def render(
    folder: Path, students: Iterable[Student] = CLASS, *, flat: bool = False, unpacked: bool = False
) -> Rendered:
    """Write the download below `folder`.  flat: each submission is one file; several become a zip."""
    files: dict[str, bytes] = {}
    entries, missing, lines = [], [], []
    for student in students:
        if not student.attempts:
            missing.append(student.key)
        for number, attempt in enumerate(student.attempts, 1):
            start = stem(student, attempt)
            uploaded = canvas.uploaded(attempt, 1)
            if attempt.text:
                uploaded["text.html"] = attempt.text.encode()
            if flat and len(uploaded) > 1:
                uploaded = {"homework.zip": zipped(uploaded)}
            files |= {f"{start}{' - ' if flat else '/'}{name}": data for name, data in uploaded.items()}
            lines.append(
                f"<tr><td>{html.escape(student.name)}</td><td>{attempt.at:%b %d, %Y %I:%M %p}</td></tr>"
            )
            late = bool(student.late_s(attempt))
            left_out = ("text.html",) if attempt.text else attempt.left_out
            at, ident = attempt.at.replace(second=0), str(student.d2l_id)
            entries.append(
                Entry(
                    (student.key,),
                    ident,
                    student.name,
                    attempt.work,
                    attempt.mark,
                    at,
                    late,
                    number,
                    left_out,
                )
            )
    files["index.html"] = f"<html><body><table>{''.join(lines)}</table></body></html>".encode()
    path = folder / "Figures Download Nov 2, 2026 900 AM"
    if unpacked:
        moodle.unpack(path, files)
    else:
        path = path.with_name(f"{path.name}.zip")
        path.write_bytes(zipped(files))
    return Rendered(path, tuple(entries), tuple(missing))
