"""Blackboard Learn's "Assignment File Download" (Original course view).

Blackboard's source is not public.  Public parsers agree: files are renamed to
`<assignment>_<username>_attempt_<year-month-day-hour-minute-second>_<file name>`, and each attempt has a
receipt `<assignment>_<username>_attempt_<time>.txt`, whose lines are `Name: First Last (username)`,
`Assignment:`, `Date Submitted: Sunday, November 1, 2026 8:00:00 PM GMT`, `Current Mark: Needs Marking`,
`Submission Field:`, `Comments:`, `Files:` with `Original filename:` and `Filename:` for each file, or the
sentences that there are none.  Read in kwurst/bb-file-cleanup (README), timdrysdale/gradex-cli (README, a
receipt in full) and BBGradebookOrganiser (the sentence for no comment).  The times are the server's, without
a zone in file names. All attempts are in the archive where a teacher asks for all, else the last.
"""

from collections.abc import Iterable
from pathlib import Path

from support.class_of_40.layouts import canvas, moodle
from support.class_of_40.people import CLASS, Attempt, Student
from support.class_of_40.rendered import Entry, Rendered
from support.class_of_40.task import TITLE
from support.class_of_40.zips import zipped

NO_TEXT = "There is no student submission text data for this assignment."
NO_COMMENTS = "There are no student comments for this assignment."


def stem(student: Student, attempt: Attempt) -> str:
    """Return the common start of the names of an attempt's files."""
    return f"{TITLE}_{student.login}_attempt_{attempt.at:%Y-%m-%d-%H-%M-%S}"


def render(
    folder: Path, students: Iterable[Student] = CLASS, *, all_attempts: bool = True, unpacked: bool = False
) -> Rendered:
    """Write the download below `folder`."""
    files: dict[str, bytes] = {}
    entries, missing = [], []
    for student in students:
        chosen = student.attempts if all_attempts else student.attempts[-1:]
        if not chosen:
            missing.append(student.key)
        for number, attempt in enumerate(chosen, 1):
            start = stem(student, attempt)
            uploaded = canvas.uploaded(attempt, 1)
            files[f"{start}.txt"] = _receipt(student, attempt, tuple(uploaded)).encode()
            files |= {f"{start}_{name}": data for name, data in uploaded.items()}
            left_out = () if attempt.text else attempt.left_out
            late = bool(student.late_s(attempt))
            keys = (student.key,)
            entries.append(
                Entry(
                    keys,
                    student.login,
                    student.name,
                    attempt.work,
                    attempt.mark,
                    attempt.at,
                    late,
                    number,
                    left_out,
                )
            )
    path = folder / "gradebook_CS101_Homework5f3"
    if unpacked:
        moodle.unpack(path, files)
    else:
        path = path.with_suffix(".zip")
        path.write_bytes(zipped(files))
    return Rendered(path, tuple(entries), tuple(missing))


def _receipt(student: Student, attempt: Attempt, names: tuple[str, ...]) -> str:
    at = attempt.at
    when = f"{at:%A, %B} {at.day}, {at.year} {at.hour % 12 or 12}:{at:%M:%S %p} GMT"
    lines = [
        f"Name: {student.name} ({student.login})",
        f"Assignment: {TITLE}",
        f"Date Submitted: {when}",
        "Current Mark: Needs Marking",
        "",
        "Submission Field:",
        attempt.text or NO_TEXT,
        "",
        "Comments:",
        NO_COMMENTS,
        "",
        "Files:",
    ]
    for name in names:
        lines += [f"\tOriginal filename: {name}", f"\tFilename: {stem(student, attempt)}_{name}", ""]
    if not names:
        lines.append("\tNo files were attached to this submission.")
    return "\n".join(lines) + "\n"
