"""Opens what a candidate lies in: a folder, a zip, a commit, or some files among others."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace

from grader.intake.candidate import Candidate, ChosenFile, SourceKind
from grader.intake.layouts.plain import Expected
from grader.intake.names import is_zip, listed, shown
from grader.intake.trees.archive import ZipTree, batch_zip
from grader.intake.trees.chosen import ChosenTree
from grader.intake.trees.folder import FolderTree
from grader.intake.trees.tree import Allowance, Contents, Parts, Refused, Tree, TreeEntry, Unreadable


@dataclass(frozen=True, slots=True)
class Opened:
    """A tree, the folder in it, and what is there.  is_own_zip: the student made it; zips in it stay shut."""

    tree: Tree
    folder: Parts
    contents: Contents
    is_own_zip: bool = False


@contextmanager
def opened(candidate: Candidate, allowance: Allowance, expected: Expected) -> Iterator[Opened]:
    """Open the tree that a candidate lies in.

    A zip that is all of a student's work is opened too, from disk or from another zip, but no zip in that.
    allowance: is charged with the bytes of a zip that is read from another.
    """
    with ExitStack() as stack:
        tree, folder, contents = stack.enter_context(_place(candidate))
        entry = contents.entries[0] if candidate.kind is SourceKind.ZIP else None
        if candidate.kind in (SourceKind.FOLDER, SourceKind.FILES):
            entry = _only_zip(contents, expected)
        if entry is None:
            yield Opened(tree, folder, contents)
            return
        try:
            zipped = stack.enter_context(_zip_in(tree, folder, entry, allowance))
        except Refused as refused:
            if candidate.kind is SourceKind.ZIP:
                raise
            raise type(refused)(f"holds {shown(entry.name)}, which {refused}") from refused
        inside = zipped.contents(())
        # The folder's content is unknown: later work than the zip's may lie there.
        unknown = [
            replace(each, name=f"./{each.name}", parts=()) for each in contents.entries if each.unreadable
        ]
        yield Opened(zipped, (), Contents([*inside.entries, *unknown], inside.notes), is_own_zip=True)


@contextmanager
def _place(candidate: Candidate) -> Iterator[tuple[Tree, Parts, Contents]]:
    """Open where a candidate was found; with it, the folder there, and what is the student's."""
    *above, name = candidate.inside or (candidate.path.name,)
    if candidate.inside:
        try:
            batch = batch_zip(candidate.path)
        except Refused as refused:
            # It was sound when the candidate was found in it.
            raise Unreadable(f"lies in {shown(candidate.path.name)}, which {refused}") from refused
        if candidate.kind is SourceKind.FOLDER:
            yield batch, candidate.inside, batch.contents(candidate.inside)
        else:
            yield _chosen(batch, tuple(above), candidate, name)
    elif candidate.commit:
        from grader.intake.trees.commit import CommitTree

        with CommitTree(candidate.path, candidate.commit) as commit:
            yield commit, (), commit.contents(())
    elif candidate.kind is SourceKind.FOLDER:
        with FolderTree(candidate.path) as tree:
            yield tree, (), tree.contents(())
    else:
        with FolderTree(candidate.path.parent) as tree:
            yield _chosen(tree, (), candidate, name)


def _chosen(tree: Tree, folder: Parts, candidate: Candidate, name: str) -> tuple[Tree, Parts, Contents]:
    files = candidate.files or (ChosenFile(name, name),)
    chosen = ChosenTree(tree, folder, {file.name: file.entry for file in files})
    return chosen, (), chosen.contents(())


@contextmanager
def _zip_in(tree: Tree, folder: Parts, entry: TreeEntry, allowance: Allowance) -> Iterator[Tree]:
    with tree.file(folder, entry, allowance) as file, ZipTree(file) as zipped:
        yield zipped


def _only_zip(contents: Contents, expected: Expected) -> TreeEntry | None:
    """Return the zip that is all of a student's work, as LMS exports have it.

    Raises `Refused` if there are several, since it is not known which one counts.
    """
    names = [entry.parts[-1] for entry in contents.entries if entry.parts]
    if any(map(expected.is_source, names)) or expected.holds(names):
        return None
    zips = [entry for entry in contents.entries if len(entry.parts) in (1, 2) and is_zip(entry.parts[-1])]
    if len(zips) > 1:
        raise Refused(f"holds {len(zips)} zips, {listed(entry.name for entry in zips)}; expected one")
    return zips[0] if zips else None
