"""The files of one commit as a tree."""

from collections.abc import Iterator
from pathlib import Path
from typing import Self

from grader.intake.names import is_junk, shown
from grader.intake.trees import tree
from grader.intake.trees.clone import Clone
from grader.model.limits import MIB

_FOLDER, _LINK, _SUBMODULE = b"40000", b"120000", b"160000"
_FILES = (b"100644", b"100755", b"100664")
_ID_B = 20
_LISTING_MOST_B = 10 * MIB


class CommitTree(tree.Tree):
    """The files of a commit.  Use it as a context manager."""

    def __init__(self, path: Path, commit: str) -> None:
        """Read the names of all files.  Raises `Refused`."""
        self._ids: dict[tree.Parts, str] = {}
        self._entries: dict[tree.Parts, tree.TreeEntry] = {}
        self._notes: list[str] = []
        self._seen = 0
        self._clone = Clone(path)
        try:
            found = self._clone.commit(commit)
            if found is None:
                raise tree.Unreadable("lacks the commit that was found in it")
            self._look(found.tree, ())
        except BaseException:
            self._clone.__exit__()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._clone.__exit__()

    def level(self, folder: tree.Parts) -> tree.Level:
        depth = len(folder)
        below = [parts for parts in self._entries if parts[:depth] == folder]
        folders = {parts[depth] for parts in below if len(parts) > depth + 1}
        files = {parts[depth] for parts in below if len(parts) == depth + 1}
        return tree.Level(tuple(sorted(folders)), tuple(sorted(files)))

    def entry(self, folder: tree.Parts, name: str) -> tree.TreeEntry:
        return self._entries[(*folder, name)]

    def contents(self, folder: tree.Parts) -> tree.Contents:
        """Return every file of the commit.  folder: the root alone."""
        return tree.Contents(
            [self._entries[parts] for parts in sorted(self._entries)], tuple(sorted(self._notes))
        )

    def chunks(self, folder: tree.Parts, entry: tree.TreeEntry) -> Iterator[bytes]:
        content = self._clone.content(self._ids[folder + entry.parts], b"blob", tree.TOTAL_MAX_B)
        if content is None:
            raise tree.Unreadable("is missing in its repository")
        yield content

    def _look(self, tree_id: str, parts: tree.Parts) -> None:
        listing = self._clone.content(tree_id, b"tree", _LISTING_MOST_B)
        if listing is None:
            raise tree.Unreadable("lacks files of its commit")
        items = list(_items(listing))
        if parts and any(name == "pyvenv.cfg" for _, name, _ in items):
            self._notes.append(f"{shown('/'.join(parts))} is a virtual environment, and was left out")
            return
        for mode, name, object_id in items:
            self._seen += 1
            if self._seen > tree.FILES_MAX:
                raise tree.Refused(f"holds more than {tree.FILES_MAX} files")
            if is_junk(name):
                continue
            here = (*parts, name)
            if mode == _FOLDER and len(here) <= tree.DEPTH_MAX:
                self._look(object_id, here)
            else:
                self._ids[here] = object_id
                self._entries[here] = tree.TreeEntry("/".join(here), here, 0, _refusal(mode))


def _items(listing: bytes) -> Iterator[tuple[bytes, str, str]]:
    """Yield mode, name and id of all that is in a folder.  Raises `Refused`."""
    names: set[str] = set()
    place = 0
    while place < len(listing):
        space, end = listing.find(b" ", place), listing.find(b"\0", place)
        if not place < space < end or end + _ID_B >= len(listing) + 1:
            raise tree.Refused("has a damaged folder")
        name = listing[space + 1 : end].decode("utf-8", "surrogateescape")
        if name in names or name in ("", ".", "..") or "/" in name:
            raise tree.Refused("has a folder with unsafe names")
        names.add(name)
        yield listing[place:space], name, listing[end + 1 : end + 1 + _ID_B].hex()
        place = end + 1 + _ID_B


def _refusal(mode: bytes) -> str:
    if mode in _FILES:
        return ""
    if mode == _FOLDER:
        return f"lies more than {tree.DEPTH_MAX} folders deep"
    if mode == _SUBMODULE:
        return "is a submodule, and submodules are not read"
    return tree.LINK if mode == _LINK else "is no regular file"
