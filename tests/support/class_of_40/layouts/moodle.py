"""Moodle's download of all submissions, and of its predecessors.

The rules are those of moodle/moodle:
- `mod/assign/classes/downloader.php` (2a6fd313547a, after 4.1): `get_student_prefix` makes
  `<name>_<participant id>`, in which underscores of the name are spaces, and of a team
  `<group's name>_<group's id>`, or the default team's name without an id.
  `load_submissionplugin_filelist` adds `_assignsubmission_file`, then the student's own folders (the user's
  preference `assign_downloadasfolders`, on by default) or `_<file name>` in one flat list.
- `lib/classes/param.php` (021406c8b8b4): `clean_filename` is PARAM_FILE, which takes away control characters
  and any of ``& < > " ` | ' : \\ /``.
- `mod/assign/feedback/file/importziplib.php` (0203d8f26027) names both folders: `…_assignsubmission_file` of
  Moodle 4.1 and later, `…_assignsubmission_file_` of earlier ones.
Under blind marking the name is the word `Participant`.  No time stands in the archive: the worksheet has it.
Moodle keeps the latest attempt in this download.
"""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from support.class_of_40.people import CLASS, TEAM, TEAM_ID, Attempt, Student
from support.class_of_40.rendered import Entry, Rendered
from support.class_of_40.zips import zipped

_UNWANTED = re.compile(r"""[\x00-\x1f\x7f-\x9f&<>"`|':\\/]""")
DEFAULT_TEAM = "Default group"


def clean_filename(name: str) -> str:
    """Return a file name as Moodle cleans it."""
    cleaned = _UNWANTED.sub("", name)
    return "" if cleaned in (".", "..") else cleaned


def prefix(student: Student, *, blind: bool = False, team: bool = False) -> str:
    """Return the part of a name that says whose file it is."""
    if team:
        name, ending = (TEAM, f"_{TEAM_ID}") if student.group else (DEFAULT_TEAM, "")
    else:
        name, ending = "Participant" if blind else student.name, f"_{student.participant}"
    return clean_filename(name.replace("_", " ") + ending)


def render(
    folder: Path,
    students: Iterable[Student] = CLASS,
    *,
    flat: bool = False,
    underscore: bool = False,
    blind: bool = False,
    team: bool = False,
    unpacked: bool = False,
) -> Rendered:
    """Write the download below `folder`.

    flat: without folders.  underscore: as before Moodle 4.1.  unpacked: a folder, not a zip.
    team: by groups.  Of the default team Moodle keeps one submission, so only the group of three is rendered.
    """
    files: dict[str, bytes] = {}
    entries, missing = [], []
    for student in students:
        attempt = student.counted()
        if team and not student.group:
            missing.append(student.key)
            continue
        if attempt is None:
            if not team:
                missing.append(student.key)
            continue
        whose = prefix(student, blind=blind, team=team)
        files |= _of_one(whose, attempt, flat=flat, underscore=underscore)
        members = tuple(one.key for one in CLASS if one.group == TEAM) if team else (student.key,)
        lms_id = str(TEAM_ID if team else student.participant)
        name = whose.rpartition("_")[0]
        entries.append(
            Entry(
                members,
                lms_id,
                None if blind else name,
                attempt.work,
                attempt.mark,
                None,
                None,
                left_out=attempt.left_out,
            )
        )
    path = folder / f"CS101-{clean_filename('Figures')}-4711"
    if unpacked:
        unpack(path, files)
    else:
        path = path.with_suffix(".zip")
        path.write_bytes(zipped(files))
    return Rendered(path, tuple(entries), tuple(missing))


def _of_one(whose: str, attempt: Attempt, *, flat: bool, underscore: bool) -> dict[str, bytes]:
    parts = {f"assignsubmission_file/{name}": data for name, data in attempt.upload.items()}
    if attempt.text:
        parts["assignsubmission_onlinetext/onlinetext.html"] = attempt.text.encode()
    found = {}
    for path, data in parts.items():
        plugin, _, inner = path.partition("/")
        if flat:
            found[clean_filename(f"{whose}_{plugin}_{inner.rpartition('/')[2]}")] = data
        else:
            steps = [f"{whose}_{plugin}" + "_" * underscore, *inner.split("/")]
            found["/".join(clean_filename(step) for step in steps)] = data
    return found


def unpack(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files below a folder, as a person does who unpacks the download."""
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
