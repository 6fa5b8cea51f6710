"""Moodle: a folder `<name>_<participant id>_assignsubmission_file[_]` for each student.

In a flat download that stands before the name of each file.  Moodle makes spaces of underscores in names.  A
team's folder has the group's name and id, and the default team no id.  Under blind marking the name is the
word for a participant, in the site's language.  Only the latest attempt of a student is in the download, and
no time.
"""

import re

from grader.api.layouts import TYPED, Layout, Person, Piece

_PREFIX = r"(?P<who>.*?)(?:_(?P<number>[0-9]{1,20}))?_assignsubmission_(?P<plugin>[a-z]+)"
_FOLDER = re.compile(_PREFIX + "_?", re.DOTALL)
_FLAT = re.compile(_PREFIX + "_(?P<file>.+)", re.DOTALL)


def _piece(name: str, is_folder: bool) -> Piece | None:
    match = (_FOLDER if is_folder else _FLAT).fullmatch(name)
    if match is None:
        return None
    who, number = match["who"], match["number"]
    return Piece(
        entry=name,
        owner=f"moodle-{number}" if number else f"/{who}",
        # A slash stands in no name of a file, so a team called `moodle-7` is nobody's number.
        people=(Person(name=who, ids={"moodle": number} if number else {}),),
        name="" if is_folder else match["file"],
        left_out="" if match["plugin"] == "file" else TYPED,
    )


MOODLE = Layout(
    name="moodle",
    title="a Moodle download",
    example="Amy Adams_1234_assignsubmission_file",
    piece=_piece,
)
