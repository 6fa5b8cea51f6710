"""Brightspace's download of an assignment's submissions, in folders, and flat.

Brightspace's source is not public.  Public parsers agree: in the archive each submission is a folder
`<number>-<number> - <First Last> - <time>`, several of one person if they handed in several times, and an
`index.html` lies beside the folders.  Three spellings of the time are known: `Sep 12, 2015 6:31 PM`, on
Windows `Jan 9, 2012 11_55 AM`, and `Oct 10, 2025 1022 AM`.  A name can hold ` - ` too.  Read in cgmb/d2lmf
(2e0f8aa56f14, `d2lmf.py` and its tests), and in a test of `zip_grading_utils` (C. Queen, cqc_cpcc).

No source says what the two numbers are.  In most samples both differ from person to person; a public script
(`rename_and_move.sh`) shows one pair for two people, which `shared_numbers` renders.  From memory: where each
submission is one file, the archive is flat, `<numbers> - <name> - <time> - <file name>`; the first number is
the person's id; characters that Windows forbids in names are gone.  The time is the course's, without a zone.
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
SHARED_ID = 397063


def stem(student: Student, attempt: Attempt, *, colon: str = "", shared_numbers: bool = False) -> str:
    """Return the name of a submission's folder."""
    at = attempt.at
    name = re.sub(r'[\x00-\x1f/\\:*?"<>|]', "", student.name)
    time = f"{at:%b} {at.day}, {at.year} {at.hour % 12 or 12}{colon}{at:%M %p}"
    number = SHARED_ID if shared_numbers else student.d2l_id
    return f"{number}-{FOLDER_ID} - {name} - {time}"


def render(
    folder: Path,
    students: Iterable[Student] = CLASS,
    *,
    flat: bool = False,
    unpacked: bool = False,
    colon: str = "",
    shared_numbers: bool = False,
) -> Rendered:
    """Write the download below `folder`.

    flat: each submission is one file; several become a zip.  colon: the sign in the time: none, `:` or `_`.
    shared_numbers: all folders begin with the same two numbers, so that only names tell people apart.
    """
    files: dict[str, bytes] = {}
    entries, missing, lines = [], [], []
    for student in students:
        if not student.attempts:
            missing.append(student.key)
        for number, attempt in enumerate(student.attempts, 1):
            start = stem(student, attempt, colon=colon, shared_numbers=shared_numbers)
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
            at, ident = attempt.at.replace(second=0), str(SHARED_ID if shared_numbers else student.d2l_id)
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
