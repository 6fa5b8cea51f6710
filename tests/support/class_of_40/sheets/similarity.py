"""The layout that JPlag, Dolos and compare50 take: one folder for each student, the starter code apart.

Sources: jplag/JPlag, `docs/1.-How-to-Use-JPlag.md` (0249b53b4c70): submissions are direct children of the
root, single files or folders, which are read with their own folders; `-bc` takes the path of the base code.
dodona-edu/dolos, release 2.3.0 and pull request 1174: all files of an archive are read, also in folders, and
those of another language than most are left out with a warning.  From memory: `compare50 */ -d starter/*`,
each argument one submission, and JPlag leaves out a submission that it cannot parse.
"""

import re
from pathlib import Path

from support.class_of_40.sheets.refused import Refused

_SAFE = re.compile(r"[\w][\w.-]*", re.ASCII)
_DEVICE = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)


def read(
    submissions: Path, starter: Path | None = None, *, ending: str = ".py"
) -> dict[str, dict[str, bytes]]:
    """Return the files of each student by the folder's name; refuse what one of the three would misread."""
    if starter is not None and (not starter.is_dir() or starter.is_relative_to(submissions)):
        raise Refused(f"the starter code has to be a folder outside {submissions}: {starter}")
    found: dict[str, dict[str, bytes]] = {}
    for path in sorted(submissions.iterdir()):
        if path.is_symlink() or not path.is_dir():
            raise Refused(f"{path.name} is no folder, so JPlag takes it for a submission of its own")
        if not _SAFE.fullmatch(path.name) or _DEVICE.fullmatch(path.name):
            raise Refused(f"{path.name!r} is no safe name for a folder")
        if path.name.casefold() in {name.casefold() for name in found}:
            raise Refused(f"{path.name!r} differs from another only in case")
        found[path.name] = _sources(path, ending)
    if not found:
        raise Refused("there is no submission")
    return found


def _sources(folder: Path, ending: str) -> dict[str, bytes]:
    files = {}
    for path in sorted(folder.rglob("*")):
        if path.is_symlink():
            raise Refused(f"{path} is a link")
        if path.is_file():
            if path.suffix != ending:
                raise Refused(f"{path} is no source")
            files[path.relative_to(folder).as_posix()] = path.read_bytes()
    if not any(data.strip() for data in files.values()):
        raise Refused(f"{folder.name} holds nothing to compare")
    return files
