"""Gradescope's export of a programming assignment: a folder for each submission, and
`submission_metadata.yml`.

Gradescope's source is not public.  Public parsers agree on the layout: `assignment_<n>_export/`, with the
folders `submission_<id>` already unpacked, and a YAML file whose keys are those folders' names and whose
inner keys are Ruby symbols: `:submitters` with `:name`, `:sid`, `:email`, `:created_at`, `:score`, `:status`,
`:results`, and `:history` with `:id`, `:created_at`, `:score` of the earlier submissions.  The parsers are
Otter-Grader's `GradescopeParser` (ucbds-infra/otter-grader), which reads `[":submitters"]`, and scripts that
read `[":created_at"]`, `[":score"]` and `[":history"]`.  Files of earlier submissions are not in the export.
A person can have no `:sid`.  From memory: times end with a Z; uploaded zips are unpacked by Gradescope.
"""

import json
import zipfile
from collections.abc import Iterable
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

from support.class_of_40.layouts import moodle
from support.class_of_40.people import CLASS, Attempt, Student
from support.class_of_40.rendered import Entry, Rendered
from support.class_of_40.zips import zipped

EXPORT = "assignment_8046601_export"
FIRST_SUBMISSION = 320001


def submission_id(student: Student, number: int) -> int:
    """Return the id of a person's submission with that number."""
    return FIRST_SUBMISSION + 10 * student.number + number


def render(folder: Path, students: Iterable[Student] = CLASS, *, packed: bool = True) -> Rendered:
    """Write the export below `folder`.  packed: as the zip that is downloaded."""
    everybody = list(students)
    files: dict[str, bytes] = {}
    records, entries, missing = [], [], []
    for student in everybody:
        attempt = student.counted()
        if attempt is None or not attempt.upload:
            if not student.group:
                missing.append(student.key)
            continue
        members = [one for one in everybody if one.group == student.group] if student.group else [student]
        ident = submission_id(student, len(student.attempts))
        name = f"submission_{ident}"
        files |= {f"{EXPORT}/{name}/{path}": data for path, data in _unpacked(attempt).items()}
        records.append(_record(name, members, student, attempt))
        late = bool(student.late_s(attempt))
        keys = tuple(one.key for one in members)
        entries.append(
            Entry(
                keys,
                name,
                student.name,
                attempt.work,
                attempt.mark,
                attempt.at,
                late,
                left_out=attempt.left_out,
            )
        )
    files[f"{EXPORT}/submission_metadata.yml"] = ("---\n" + "".join(records)).encode()
    if packed:
        path = folder / f"{EXPORT}.zip"
        path.write_bytes(zipped(files))
    else:
        moodle.unpack(folder, files)
        path = folder / EXPORT
    return Rendered(path, tuple(entries), tuple(missing))


def _unpacked(attempt: Attempt) -> dict[str, bytes]:
    """Return the files with zips of the first level opened."""
    found: dict[str, bytes] = {}
    for path, data in attempt.upload.items():
        if path.endswith(".zip") and "/" not in path:
            with zipfile.ZipFile(BytesIO(data)) as archive:
                found |= {name: archive.read(name) for name in archive.namelist()}
        else:
            found[path] = data
    return found


def _record(name: str, members: list[Student], uploader: Student, attempt: Attempt) -> str:
    lines = [f"{name}:", "  :submitters:"]
    for member in members:
        lines.append(f"  - :name: {_scalar(member.name)}")
        lines.append(f"    :sid: {_scalar(member.sis_id)}")
        lines += [f"    :email: {_scalar(member.mail)}"] if member.mail else []
    lines += [f"  :created_at: {_time(attempt.at)}", "  :score: 0.0", "  :status: processed", "  :results:"]
    lines += ["    tests: []", "  :history:" if len(uploader.attempts) > 1 else "  :history: []"]
    for number, earlier in enumerate(uploader.attempts[:-1], 1):
        lines.append(f"  - :id: {submission_id(uploader, number)}")
        lines += [f"    :created_at: {_time(earlier.at)}", "    :score: 0.0"]
    return "\n".join(lines) + "\n"


def _scalar(text: str) -> str:
    """Return a text as a double-quoted YAML scalar, which every YAML reader takes."""
    return json.dumps(text, ensure_ascii=False)


def _time(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M:%S}.123456789 Z"
