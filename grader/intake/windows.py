"""Names of files on Windows, which has fewer than Linux: what is handed out or copied must have one there.

What students hand in is read whatever it is called; its names are made safe for pages by `safe_id`.
"""

import re
from collections.abc import Iterable

from grader.intake.names import folded, is_device, shown

_NEVER = re.compile(r'[\x00-\x1f"*:<>?\\|]')


def fault_of_name(path: str) -> str:
    """Return why no file of this path can be there on Windows, as a sentence; empty if one can.

    path: with forward slashes, below a folder.
    """
    for part in path.split("/"):
        if is_device(part):
            return f"{shown(part)} is the name of a device on Windows, whatever its ending"
        if part.endswith((".", " ")):
            end = "dot" if part.endswith(".") else "blank"
            return f"Windows leaves out the {end} at the end of the name {shown(part)!r}"
        if found := _NEVER.search(part):
            return f"no name on Windows can hold the character {found[0]!r}, as {shown(part)!r} does"
    return ""


def fault_of_names(paths: Iterable[str]) -> str:
    """Return why files of these paths can't lie below one folder on Windows; empty if they can."""
    seen: dict[str, str] = {}
    for path in sorted(paths):
        if fault := fault_of_name(path):
            return fault
        other = seen.setdefault(folded(path), path)
        if other != path:
            return f"{shown(other)} and {shown(path)} are one file on Windows"
    return ""
