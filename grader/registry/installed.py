"""Reads which plugins are installed, from the metadata that installers write; nothing of theirs is imported.

Each distribution has a folder `NAME-VERSION.dist-info` beside its packages.  `importlib.metadata` reads one,
but to import it takes as long as a tenth of `grader check`.  So the bytes of the folders' files are looked at
first, and it is imported where a distribution has a group of ours.
"""

import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from grader.registry.groups import Group

API_GROUP = "grader.api"
"""In this group a plugin says for which version of `grader.api` it is made, with its top package."""
OFF = "GRADER_PLUGINS"
"""The environment variable that leaves all plugins out where it is `none`."""
_ENDING = ".dist-info"
_FILE = "entry_points.txt"
_GROUPS = frozenset(map(str, Group))


@dataclass(frozen=True, slots=True)
class Plugin:
    """An installed distribution that brings something.

    name, version: of the distribution.
    api: the version of `grader.api` that it is made for; empty if it says none.
    package: its top package, as it says.  place: the folder in which it is installed.
    """

    name: str
    version: str
    api: str = ""
    package: str = ""
    place: str = field(default="", compare=False)

    def __str__(self) -> str:
        return f"{self.name} {self.version}"


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry point: where one thing of a family is found.

    value: `module:object`, or `module`.  plugin: None for ours.
    """

    group: Group
    name: str
    value: str
    plugin: Plugin | None = None

    def __str__(self) -> str:
        return f"{self.name} ({self.group.removeprefix('grader.')})"


def installed_entries(folders: Iterable[str] | None = None) -> list[Entry]:
    """Return the entry points of all installed plugins, in the order of the plugins' names.

    folders: where to look; None for those from which this Python imports.
    A distribution that is installed twice is the one that would be imported.
    """
    if os.environ.get(OFF) == "none":
        return []
    found: dict[str, list[Entry]] = {}
    for folder in _import_folders() if folders is None else folders:
        for metadata in _with_groups_of_ours(folder):
            entries = _entries(metadata)
            if entries and entries[0].plugin is not None:
                found.setdefault(entries[0].plugin.name, entries)
    return [entry for name in sorted(found) for entry in found[name]]


def _import_folders() -> Iterator[str]:
    """Yield the folders of `sys.path` in which distributions are installed, each once.

    The current folder is left out: it can be a student's, who could lay metadata there.
    """
    try:
        here = os.path.realpath(os.getcwd())
    except OSError:  # it is gone
        here = ""
    for folder in dict.fromkeys(sys.path):
        if os.path.isabs(folder) and os.path.realpath(folder) != here:
            yield folder


def _with_groups_of_ours(folder: str) -> Iterator[str]:
    """Yield the folders of metadata in a folder that may name a group of ours, sorted."""
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(_ENDING))
    except OSError:
        return
    for name in names:
        try:
            with open(os.path.join(folder, name, _FILE), "rb") as file:
                content = file.read()
        except OSError:
            continue
        if b"[grader." in content:
            yield os.path.join(folder, name)


def _entries(folder: str) -> list[Entry]:
    """Return what a distribution brings, given the folder of its metadata."""
    from importlib.metadata import PathDistribution  # for the few who have plugins
    from pathlib import Path

    metadata = Path(folder)
    distribution = PathDistribution(metadata)
    try:
        points = distribution.entry_points
    except (TypeError, ValueError):  # no installer wrote this
        return []
    made_for = next((point for point in points if point.group == API_GROUP), None)
    plugin = Plugin(
        name=distribution.metadata["Name"] or metadata.name.partition("-")[0],
        version=distribution.version or "without a version",
        api=made_for.name if made_for is not None else "",
        package=made_for.value if made_for is not None else "",
        place=str(metadata.parent),
    )
    return [
        Entry(Group(point.group), point.name, point.value, plugin)
        for point in sorted(points, key=lambda point: (point.group, point.name))
        if point.group in _GROUPS
    ]
