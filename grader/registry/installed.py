"""Reads which plugins are installed, from the metadata that installers write; nothing of theirs is imported.

Each distribution has a folder `NAME-VERSION.dist-info` beside its packages.  `importlib.metadata` reads one,
but to import it takes as long as a tenth of `grader check`, and it raises where metadata are damaged.  The
little that is needed of them is read here.
"""

import os
import re
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
_HEAD = "METADATA"
_HEADER = re.compile(r"^(Name|Version):(.*)$", re.MULTILINE)
_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9])?")
_VERSION = re.compile(r"[0-9][A-Za-z0-9._+!-]{0,98}")
_GROUPS = frozenset(map(str, Group))


@dataclass(frozen=True, slots=True)
class Plugin:
    """An installed distribution that brings something.

    name, version: of the distribution.
    api: the version of `grader.api` that it is made for; empty if it says none.
    package: its top package, as it says.  place: the folder in which it is installed.
    problem: what is wrong with its metadata; empty if they can be read.
    """

    name: str
    version: str
    api: str = ""
    package: str = ""
    place: str = field(default="", compare=False)
    problem: str = ""

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
                found.setdefault(_canonical(entries[0].plugin.name), entries)
    return [entry for name in sorted(found) for entry in found[name]]


def _canonical(name: str) -> str:
    """Return the name by which installers know a distribution."""
    return re.sub(r"[-_.]+", "-", name).lower()


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
        # An installer that was interrupted leaves folders with a tilde.
        names = sorted(n for n in os.listdir(folder) if n.endswith(_ENDING) and not n.startswith("~"))
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
    """Return what a distribution brings, given the folder of its metadata.

    Metadata can be damaged: an installer was interrupted, or a person wrote them.  Then what it seems to
    bring comes with the reason why it cannot be used.
    """
    points, problem = _text(folder, _FILE)
    head, problem_of_head = _text(folder, _HEAD)
    about = dict(reversed(_HEADER.findall(head.partition("\n\n")[0])))  # of two the first counts
    name, version = about.get("Name", "").strip(), about.get("Version", "").strip()
    stated = list(_stated(points))
    problem = problem or problem_of_head
    if not _NAME.fullmatch(name):
        problem = problem or f"its {_HEAD} does not state a name of a distribution"
        name = os.path.basename(folder).partition("-")[0]
    if not _VERSION.fullmatch(version):
        problem = problem or f"its {_HEAD} does not state a version"
        version = "without a version"
    made_for = [(entry, value) for group, entry, value in stated if group == API_GROUP]
    if len(made_for) > 1:
        problem = problem or f"it says {len(made_for)} times for which grader.api it is made"
    api, package = made_for[0] if made_for else ("", "")
    plugin = Plugin(name, version, api, package, os.path.dirname(folder), problem)
    found = [each for each in stated if each[0] in _GROUPS]
    return [Entry(Group(group), entry, value, plugin) for group, entry, value in sorted(found)]


def _text(folder: str, name: str) -> tuple[str, str]:
    """Return the text of a file of metadata, as far as it is one, and what is wrong with it."""
    try:
        with open(os.path.join(folder, name), "rb") as file:
            content = file.read()
    except OSError as error:
        return "", f"its {name} cannot be read: {error.strerror or error}"
    text = content.decode(errors="replace").replace("\r\n", "\n")
    return text, "" if _is_utf8(content) else f"its {name} is not UTF-8"


def _is_utf8(content: bytes) -> bool:
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


def _stated(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield group, name and value of each entry point; a line that is none has no value."""
    group = ""
    for line in filter(None, map(str.strip, text.splitlines())):
        if line.startswith("[") and line.endswith("]"):
            group = line[1:-1].strip()
        elif group and line[0] not in "#;":
            name, _, value = line.partition("=")
            yield group, name.strip(), value.partition("[")[0].strip()  # without extras
