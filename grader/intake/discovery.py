"""Finds the submissions behind the paths of a command, without reading them.

What a user did wrong is raised here; what is wrong with one student's work is left to
`reading`, where it becomes that student's problem.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from pathlib import Path

from grader.intake.candidate import Candidate, SourceKind
from grader.intake.layouts.plain import GIT, PLAIN, Expected, batch_folder, check_one_students, holds_work
from grader.intake.names import (
    Claim,
    folded,
    is_notebook,
    is_other_archive,
    is_python,
    is_zip,
    listed,
    readable,
    safe_id,
    shown,
    stem,
    unique_ids,
    with_other_endings,
)
from grader.intake.nearest import nearest_file
from grader.intake.trees.archive import ZipTree, batch_zip
from grader.intake.trees.folder import FolderTree
from grader.intake.trees.tree import LINK, OTHER_ARCHIVE, Parts, Refused, Tree, Unreadable
from grader.model.errors import Fault, NothingToMark, UsageError

_KINDS = (
    "name a folder of student folders, a folder or zip of one student, a zip of folders, "
    "or a .py or .ipynb file"
)


def ignore(_note: str) -> None:
    """Drop a note."""


@dataclass(frozen=True, slots=True)
class _Found:
    """Candidates of one path; `works`: it is known that there is something to read."""

    candidates: list[Candidate]
    works: bool


def discover(
    paths: Sequence[Path],
    modules: Mapping[str, str],
    on_note: Callable[[str], None] = ignore,
    layout: str = "",
) -> list[Candidate]:
    """Return the submissions behind the paths, in their order, then by name.

    modules: module name -> file name, as in the spec.
    layout: the layout that folders and zips must have, as in `recognise.layout_names`; empty to find out.
    on_note: is told what was left out of the batch; the text may hold hostile names. Raises `UsageError` (no
    such path, not a submission, an unreadable zip, a layout that is not sure) with a fault for each path that
    is wrong, and `NothingToMark`.
    """
    expected = Expected(modules)
    faults: list[Fault] = []
    found: list[_Found] = []
    for path in paths:
        try:
            found.append(_behind(path, expected, on_note, layout))
        except UsageError as error:
            faults += error.faults
    if faults:
        raise UsageError(*faults)
    if not any(part.works for part in found):
        raise NothingToMark(_nothing(paths, [candidate for part in found for candidate in part.candidates]))
    parts = list(map(_with_empty_ones, paths, found))
    named = _real(paths)
    _tell_batches(paths, parts, named, on_note)
    return list(_unique([candidate for part in parts for candidate in part.candidates], named, on_note))


def _tell_batches(
    paths: Sequence[Path], parts: Sequence[_Found], named: set[Path], on_note: Callable[[str], None]
) -> None:
    """Say which paths were taken for many students' where others are one's: a layout of theirs decided it."""
    singles = [any(_is_named(candidate, named) for candidate in part.candidates) for part in parts]
    if not any(singles):
        return
    for path, part, is_single in zip(paths, parts, singles, strict=True):
        if not is_single:
            names = listed(candidate.name for candidate in part.candidates)
            on_note(
                f"{shown(str(path))} was taken for a batch, of {names}; other paths are one student's each"
            )


def are_named_singly(paths: Iterable[Path], candidates: Iterable[Candidate]) -> bool:
    """Tell whether each path is one submission: a batch can have one work alone, and is a batch still.

    candidates: as `discover` gives them.
    """
    return _real(paths) <= {candidate.path for candidate in candidates if not candidate.inside}


def _real(paths: Iterable[Path]) -> set[Path]:
    return {Path(os.path.realpath(path)) for path in paths}


def _is_named(candidate: Candidate, named: set[Path]) -> bool:
    """Tell whether a submission is what a path of the command names."""
    return candidate.path in named and not candidate.inside


def _with_empty_ones(path: Path, part: _Found) -> _Found:
    """Take a folder that was named and holds no work for a student's who handed in nothing to mark."""
    if part.works or not path.is_dir():
        return part
    name = os.path.basename(os.path.abspath(path))
    return replace(
        part, candidates=[Candidate("", readable(name), SourceKind.FOLDER, Path(os.path.realpath(path)))]
    )


def _behind(path: Path, expected: Expected, on_note: Callable[[str], None], layout: str) -> _Found:
    """Return what lies behind one path.  Raises `UsageError`."""
    where = readable(str(path))
    try:
        real = Path(os.path.realpath(path, strict=True))
        name = os.path.basename(os.path.abspath(path))
        if real.is_dir():
            return _behind_folder(real, name, where, expected, on_note, layout)
        if not real.is_file():
            raise UsageError(Fault("this is neither a folder nor a file", where, hint=_KINDS))
        if is_zip(name):
            return _behind_zip(real, name, where, expected, on_note, layout)
    except (FileNotFoundError, NotADirectoryError):
        raise UsageError(Fault("there is no such file or folder", where, hint=_nearest(path))) from None
    except Unreadable as refused:
        raise UsageError(Fault(f"this {refused}", where)) from None
    except Refused as refused:
        raise UsageError(Fault(f"this file {refused}", where, hint=_KINDS)) from None
    except OSError as error:
        raise UsageError(Fault(f"this can't be read ({error.strerror})", where)) from None
    if expected.is_source(name) or expected.holds([name]):
        return _Found([Candidate("", readable(stem(name)), SourceKind.FILE, real)], works=True)
    if is_other_archive(name):
        raise UsageError(Fault(f"this {OTHER_ARCHIVE}", where, hint="unpack it, and name the folder"))
    meant = expected.nearest(name) or (stem(name) if is_python(stem(name)) else "")
    hint = (
        f"rename it to {shown(meant)}: an editor or a mail may have changed the ending" if meant else _KINDS
    )
    raise UsageError(Fault("this file is no submission", where, hint=hint))


def _behind_folder(
    path: Path, name: str, where: str, expected: Expected, on_note: Callable[[str], None], layout: str
) -> _Found:
    with FolderTree(path) as tree:
        download = _download(tree, path, name, where, expected, on_note, layout)
        if download is not None:
            return download
        folder = batch_folder(tree, expected)
        if folder is None:
            if not layout:
                check_one_students(tree.level(()), expected, where)
            return _Found([Candidate("", readable(name), SourceKind.FOLDER, path)], works=True)
        return _Batch(tree, folder, path, expected).found(on_note)


def _behind_zip(
    path: Path, name: str, where: str, expected: Expected, on_note: Callable[[str], None], layout: str
) -> _Found:
    tree = batch_zip(path)
    download = _download(tree, path, name, where, expected, on_note, layout)
    if download is not None:
        return download
    folder = batch_folder(tree, expected, is_zip_file=True)
    if folder is None:
        if not layout:
            check_one_students(tree.level(()), expected, where)
        return _Found([Candidate("", readable(stem(name)), SourceKind.ZIP, path)], works=True)
    _note_unsafe(tree, folder, name, on_note)
    return _Batch(tree, folder, path, expected, is_zip_file=True).found(on_note)


def _note_unsafe(tree: ZipTree, folder: Parts, name: str, on_note: Callable[[str], None]) -> None:
    for depth in range(len(folder) + 1):
        for entry in tree.unsafe(folder[:depth]):
            on_note(f"{shown(entry.name)} in {shown(name)} {entry.refusal}; it was left out")


def _download(
    tree: Tree,
    path: Path,
    name: str,
    where: str,
    expected: Expected,
    on_note: Callable[[str], None],
    layout: str,
) -> _Found | None:
    """Return the candidates of an LMS's download; None if the tree is none."""
    if layout in (PLAIN, GIT):
        return None
    # A student's check asks for no layout, so it does not pay for them.
    from grader.intake.layouts.gather import gather
    from grader.intake.layouts.recognise import recognise

    download = recognise(tree, expected, where, layout)
    if download is None:
        return None
    if isinstance(tree, ZipTree):
        _note_unsafe(tree, download.folder, name, on_note)
    candidates = list(gather(download, path, is_zip_file=isinstance(tree, ZipTree), where=where))
    students = len({candidate.id for candidate in candidates})
    count = f"{students} student" + ("s" if students != 1 else "")
    on_note(f"{shown(path.name)} was taken for {download.layout.title} of {count}")
    if download.strangers:
        be = "was" if len(download.strangers) == 1 else "were"
        on_note(
            f"{listed(download.strangers)} {be} left out, since they are no part of {download.layout.title}"
        )
    return _Found(candidates, works=any(candidate.kind is not SourceKind.UNREAD for candidate in candidates))


@dataclass(frozen=True, slots=True)
class _Batch:
    """A folder, on disk or in a zip, in which everything is one student's."""

    tree: Tree
    folder: Parts
    path: Path
    expected: Expected
    is_zip_file: bool = False

    def found(self, on_note: Callable[[str], None]) -> _Found:
        """Return a candidate for everything that can be a student's work, by name.

        Raises `Unreadable` if a part cannot be listed, since a student could be left out.
        """
        level = self.tree.level(self.folder)
        if level.unread:
            raise Unreadable(level.unread)
        # In a zip, a folder and a file can have one name.
        named = [(name, self._candidate(name, readable(name), SourceKind.FOLDER)) for name in level.folders]
        named += [(name, self._unread(name, LINK)) for name in level.links]
        doubles = [
            name
            for name in level.files
            if is_notebook(name) and not {*with_other_endings(name)[1:]}.isdisjoint(level.files)
        ]
        if doubles:
            on_note(f"{listed(doubles)} beside the same work as a Python file: left out")
        works_here = [name for name in level.files if self.expected.is_work(name) and name not in doubles]
        named += [(name, self._file(name)) for name in works_here]
        loose = [name for name in level.files if not self.expected.is_work(name)]
        if loose:
            be = "was" if len(loose) == 1 else "were"
            on_note(f"{listed(loose)} beside the submissions {be} left out")
        works = len(named) > len(level.folders) or any(
            holds_work(self.tree, (*self.folder, name), self.expected) for name in level.folders
        )
        return _Found([candidate for _, candidate in sorted(named, key=itemgetter(0))], works)

    def _file(self, name: str) -> Candidate:
        if self.expected.is_source(name):
            return self._candidate(name, readable(stem(name)), SourceKind.FILE)
        if is_zip(name):
            return self._candidate(name, readable(stem(name)), SourceKind.ZIP)
        return self._unread(name, OTHER_ARCHIVE)

    def _unread(self, name: str, refusal: str) -> Candidate:
        candidate = self._candidate(name, readable(stem(name)), SourceKind.UNREAD)
        return replace(candidate, problem=f"{shown(name)} {refusal}")

    def _candidate(self, file_name: str, name: str, kind: SourceKind) -> Candidate:
        parts = (*self.folder, file_name)
        if self.is_zip_file:
            return Candidate("", name, kind, self.path, parts)
        return Candidate("", name, kind, self.path.joinpath(*parts))


def _unique(
    candidates: list[Candidate], named: set[Path], on_note: Callable[[str], None]
) -> Iterator[Candidate]:
    """Yield the candidates with ids; what was named twice comes once.

    Candidates of a download have the ids that it gives them, and those that name one student there share one.
    Paths named on the command line keep theirs: a file in another student's folder cannot take one.
    """
    seen: set[tuple[Path, Parts, bool, str]] = set()
    once = []
    for candidate in candidates:
        # Those who handed in one work together are in the same place.
        key = (candidate.path, candidate.inside, candidate.kind is SourceKind.FOLDER, candidate.id)
        if key in seen:
            on_note(f"{shown(candidate.name)} was given twice; it is marked once")
            continue
        seen.add(key)
        once.append(replace(candidate, claimed=candidate.id or candidate.name))
    claims: dict[tuple[Path, str] | int, Claim] = {}
    for place, candidate in enumerate(once):
        claims.setdefault(_key_of_id(candidate, place), _claim(candidate, named))
    given = dict(zip(claims, unique_ids(list(claims.values())), strict=True))
    _tell_twins([(claim.name, given[key]) for key, claim in claims.items()], on_note)
    for place, candidate in enumerate(once):
        unique = given[_key_of_id(candidate, place)]
        notes = candidate.notes
        if unique != safe_id(candidate.claimed):
            notes = (*notes, f"another submission has nearly the same name; the id of this one is {unique}")
        yield replace(candidate, id=unique, student=unique if candidate.student else "", notes=notes)


def _claim(candidate: Candidate, named: set[Path]) -> Claim:
    parts = (*candidate.path.parts, *candidate.inside)
    own = candidate.id or parts[-1]
    about = f"{candidate.kind}\0{candidate.id}"
    return Claim(candidate.claimed, own, parts, about, _is_named(candidate, named))


def _tell_twins(ids: Iterable[tuple[str, str]], on_note: Callable[[str], None]) -> None:
    """Say who has another id than their name's, since others have the same name."""
    groups: dict[str, list[str]] = {}
    for name, own_id in ids:
        if own_id != safe_id(name):
            groups.setdefault(folded(safe_id(name)), []).append(f"{shown(name)} ({own_id})")
    for group in groups.values():
        on_note(f"others have the same name on some systems, so a digest tells them apart: {listed(group)}")


def _key_of_id(candidate: Candidate, place: int) -> tuple[Path, str] | int:
    """Return the same for all candidates that share an id: the attempts of one student in one download."""
    folder = candidate.path if candidate.inside else candidate.path.parent
    return (folder, candidate.student) if candidate.student else place


def _nearest(path: Path) -> str:
    near = nearest_file(path)
    return f"did you mean {readable(str(near))}?" if near else ""


def _nothing(paths: Sequence[Path], candidates: list[Candidate]) -> Fault:
    where = readable(str(paths[0])) if len(paths) == 1 else ""
    seen = f"the {len(candidates)} folders here hold" if len(candidates) > 1 else "this holds"
    return Fault(f"there is nothing to mark: {seen} no Python file and no zip", where, hint=_KINDS)
