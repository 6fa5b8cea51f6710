"""The control groups around this process, of either version of the kernel's interface."""

import os
from collections.abc import Iterator
from pathlib import Path

_MOUNTS, _GROUPS = "/proc/self/mountinfo", "/proc/self/cgroup"


def groups_around(controller: str, root: Path) -> Iterator[Path]:
    """Yield the folder of each control group around us that `controller` may bound, the outermost last.

    root: the folder that stands for `/`.
    """
    for mount in _mounts(controller, root):
        for group in _groups(controller, root):
            # In a container the path can be that of the host, which is not there; the mount is its own group.
            folder = Path(os.path.normpath(f"{mount}/{group}"))
            while folder != mount and mount in folder.parents:
                yield folder
                folder = folder.parent
        yield mount


def read_text(path: Path) -> str:
    """Return the text of a file of the kernel's; nothing if there is none."""
    try:
        return path.read_text("ascii", "replace")
    except OSError:
        return ""


def _mounts(controller: str, root: Path) -> Iterator[Path]:
    for line in read_text(root / _MOUNTS[1:]).splitlines():
        before, _, after = line.partition(" - ")
        kind, _, *options = [*after.split(), "", ""]
        if kind == "cgroup2" or (kind == "cgroup" and controller in options[0].split(",")):
            yield root / before.split()[4].lstrip("/")


def _groups(controller: str, root: Path) -> Iterator[str]:
    for line in read_text(root / _GROUPS[1:]).splitlines():
        _, kinds, path = line.split(":", 2)
        if not kinds or controller in kinds.split(","):
            yield path.strip("/")
