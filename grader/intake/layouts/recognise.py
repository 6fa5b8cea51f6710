"""Tells which LMS's download a folder or a zip is, by all names in it.

If every name that can be work fits one layout, the download has that layout.  If only some names fit, the
download is refused and the others are listed.  If none fits, it is not a download.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from grader.intake.layouts.piece import Download, Layout, Piece
from grader.intake.layouts.plain import GIT, PLAIN, Expected
from grader.intake.names import listed
from grader.intake.trees.tree import Level, Parts, Tree
from grader.model.errors import Fault, UsageError
from grader.registry.groups import Group
from grader.registry.registry import PluginFailed, registry
from grader.registry.shapes import misfit

_NAME_MOST = 300
"""Characters of a name that is looked at; patterns can need quadratic time."""


@dataclass(frozen=True, slots=True)
class Recognised:
    """A download.  folder: where in its tree the pieces are.  strangers: names that are no pieces."""

    layout: Layout
    folder: Parts
    pieces: tuple[Piece, ...]
    strangers: tuple[str, ...]


def layout_names() -> list[str]:
    """Return all names that `--layout` takes."""
    return [*registry().names(Group.LAYOUTS), GIT, PLAIN]


def recognise(tree: Tree, expected: Expected, where: str, forced: str = "") -> Recognised | None:
    """Return the download that a tree is; None if it is none.

    where: for messages.  forced: the name of the layout that it must have; empty to find out.
    Raises `UsageError` where that is not sure, or where it has not the layout that it must have.
    """
    for folder, level in _places(tree, expected):
        for name, layout in registry().all_of(Group.LAYOUTS).items():
            if forced not in ("", name):
                continue
            if registry().is_foreign(Group.LAYOUTS, name):
                layout = _checked(layout)
            found = registry().attempt(Group.LAYOUTS, name, partial(_as, layout, folder, level, expected))
            if found is None or not found.pieces or not (forced or _is_likely(found, level, expected)):
                continue
            if found.strangers and not forced:
                raise UsageError(_unsure(found, where))
            pieces = layout.completed(list(found.pieces), Download(tree, folder, where), expected)
            return replace(found, pieces=tuple(pieces))
    if forced:
        raise UsageError(_not(forced, tree, where))
    return None


def _checked(layout: Layout) -> Layout:
    """Return a plugin's layout that gives pieces or raises `PluginFailed`."""

    def piece(name: str, is_folder: bool) -> Piece | None:
        found = layout.piece(name, is_folder)
        if found is not None and (not _is_piece(found) or found.entry != name):
            raise PluginFailed(f"{type(found).__name__} is no piece of the name {name!r}")
        return found

    def completed(pieces: list[Piece], download: Download, expected: Expected) -> list[Piece]:
        found: object = layout.completed(pieces, download, expected)
        if not isinstance(found, Iterable):
            found = [found]
        every = list(found)
        if not all(map(_is_piece, every)):
            plugin = registry().plugin_of(Group.LAYOUTS, layout.name)
            raise PluginFailed(f"plugin {plugin}: its layout {layout.name} gave what is no piece")
        return every

    return replace(layout, piece=piece, completed=completed)


def _is_piece(found: object) -> bool:
    return type(found) is Piece and not misfit(found) and bool(found.owner)


def _places(tree: Tree, expected: Expected) -> Iterator[tuple[Parts, Level]]:
    """Yield the tree's root and, where a single folder is all that it holds, that one."""
    level = tree.level(())
    yield (), level
    if len(level.folders) == 1 and not any(map(expected.is_work, level.files)):
        yield level.folders, tree.level(level.folders)


def _as(layout: Layout, folder: Parts, level: Level, expected: Expected) -> Recognised | None:
    if layout.needs and layout.needs not in level.files:
        return None
    pieces, strangers = [], []
    names = [(name, True) for name in level.folders] + [(name, False) for name in level.files]
    for name, is_folder in names + [(name, True) for name in level.links]:
        piece = layout.piece(name, is_folder)
        if piece is None and name in level.links:
            piece = layout.piece(name, False)
        if piece is not None:
            pieces.append(piece)
        elif is_folder or expected.is_work(name):
            strangers.append(name)
    for name, refusal in level.refused:
        piece = layout.piece(name, False) if len(name) <= _NAME_MOST else None
        if piece is not None:
            # Else a student all of whose files have such names would be missing.
            pieces.append(replace(piece, left_out=refusal))
    return Recognised(layout, folder, tuple(pieces), tuple(strangers))


def _is_likely(found: Recognised, level: Level, expected: Expected) -> bool:
    """Tell whether the names are no accident.

    A file that the task asks for, under its own name, lies in no download: it is one student's folder.
    """
    if not found.strangers:
        return True
    if found.layout.needs or expected.among(level):
        return False
    return found.layout.is_distinct or len({piece.owner for piece in found.pieces}) > 1


def _unsure(found: Recognised, where: str) -> Fault:
    title, name = found.layout.title, found.layout.name
    ours, others = len(found.pieces), len(found.strangers)
    be = "is" if others == 1 else "are"
    return Fault(
        f"it is not sure whose work lies here: {ours} of {ours + others} names are as in {title}, such as "
        f"{found.pieces[0].entry[:80]}; {listed(found.strangers)} {be} not",
        where,
        hint=f"move away what is no part of the download, or give --layout {name} to leave it out",
    )


def _not(forced: str, tree: Tree, where: str) -> Fault:
    layout: Layout = registry().load(Group.LAYOUTS, forced)
    level = tree.level(())
    seen = listed([*level.folders, *level.files]) or "nothing"
    besides = f" with a file {layout.needs} beside it" if layout.needs else ""
    return Fault(
        f"this is not {layout.title}: expected names such as {layout.example}{besides}; found {seen}", where
    )
