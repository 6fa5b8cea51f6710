"""The files that people keep beside the submissions: those that are named, else those of the last run.

A run remembers its roster, times and reviews.  A later run into the same folder takes them again, unless
others are named or the marker says that it shall go without.  Each file is read once, so what is marked is
what is recorded.
"""

import hashlib
import os
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from grader.intake.discovery import ignore
from grader.intake.names import listed
from grader.model.errors import Fault, UsageError
from grader.model.results import RunFile
from grader.model.task import Task
from grader.records.file_text import read_bytes
from grader.store.record_parts import KeptFile

ROSTER, TIMES, REVIEWS = KINDS = ("roster", "times", "reviews")
WITHOUT = "without"
"""What a record keeps for a kind of files that shall not count: an empty file that is called like the kind.

A kind can have files that nobody names: reviews beside the spec, times in the roster.
"""
NAMED = "named"
"""What a record keeps for a kind whose files were named, as `WITHOUT`: others of that kind do not count."""
LEFT = "left"
"""What a record keeps for each name whose marks by hand a run did not take in, as `WITHOUT`."""
BESIDE = "beside"
"""What a record keeps for the folder of the spec, as `WITHOUT`: reviews that lay beside it may have moved."""
OUTPUT = "output"
"""What a record keeps for the folder of the results, as `WITHOUT`: it may have moved along with the spec."""
INSTEAD = "instead"
"""Files that are marked in place of single works, see `grader.records.instead`."""


@dataclass(frozen=True, slots=True)
class LastRun:
    """What the last run into a folder was made with.

    files: as it read them.  lost: those that the results name and no record holds.
    """

    files: tuple[KeptFile, ...] = ()
    lost: tuple[RunFile, ...] = ()


NO_RUN = LastRun()
_SUFFIXES = (".yaml", ".yml")
_EMPTY = "it is empty now, so what it said in the last run does not count"


@dataclass(frozen=True, slots=True)
class GivenFile:
    """A file that a person gives in place of what a student handed in.

    student: a name as `Whose` knows it.  path: None to mark what the student handed in, after all.
    """

    student: str
    path: Path | None
    by: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Sources:
    """What the marker names beside the submissions.

    layout: the layout that they must have; empty to find out.
    roster: the list of the class.  without: kinds of files that shall not count.
    instead: what is marked in place of single works.
    """

    layout: str = ""
    roster: Path | None = None
    times: Path | tuple[Path, ...] | None = None
    reviews: Path | tuple[Path, ...] | None = None
    without: Collection[str] = ()
    instead: tuple[GivenFile, ...] = ()

    def named(self, kind: str) -> tuple[Path, ...]:
        """Return the files of a kind that are named."""
        found = {ROSTER: self.roster, TIMES: self.times, REVIEWS: self.reviews}[kind]
        return found if isinstance(found, tuple) else () if found is None else (found,)


NO_SOURCES = Sources()


@dataclass(frozen=True, slots=True)
class RunFiles:
    """The files of a run.  reviews: what awaits a person is added to the first; none if none shall count.

    without: kinds that shall not count, in this run or since an earlier one.
    named: kinds whose files the marker named, for this run.
    folder: of the spec.
    """

    roster: KeptFile | None = None
    times: tuple[KeptFile, ...] = ()
    reviews: tuple[KeptFile, ...] = ()
    without: Collection[str] = ()
    named: Collection[str] = ()
    folder: Path | None = None

    @property
    def every(self) -> tuple[KeptFile, ...]:
        """All of them, for the record of the run."""
        without = (KeptFile(WITHOUT, Path(kind), b"") for kind in sorted(self.without))
        named = (KeptFile(NAMED, Path(kind), b"") for kind in sorted(self.named))
        folder = () if self.folder is None else (KeptFile(BESIDE, self.folder, b""),)
        found = (*filter(None, (self.roster,)), *self.times, *self.reviews, *without, *named, *folder)
        return tuple(replace(file, path=file.path.absolute()) for file in found)


def run_files(files: Iterable[KeptFile]) -> tuple[RunFile, ...]:
    """Return what results tell of the files of their run."""
    return tuple(
        RunFile(file.kind, file.path.name, hashlib.sha256(file.content).hexdigest())
        for file in files
        if file.content
    )


def files_beside(task: Task, sources: Sources, last: LastRun, note: Callable[[str], None]) -> RunFiles:
    """Return the files of a run.  Raises `UsageError`."""
    faults = []
    for kind in KINDS:
        is_named, goes_without = bool(sources.named(kind)), kind in sources.without
        if is_named and goes_without:
            faults.append(Fault(f"--{kind} and --without {kind} contradict each other"))
        lost = [file.name for file in last.lost if file.kind == kind]
        if lost and not (is_named or goes_without):
            what = f"the results here were made with {kind} ({listed(lost)}), and their record is gone"
            hint = f"name them with --{kind}, or say --without {kind}"
            faults.append(Fault(what, hint=hint))
    if faults:
        raise UsageError(*faults)
    before = {file.path.name for file in last.files if file.kind == WITHOUT}
    without = {
        kind for kind in KINDS if kind in sources.without or (kind in before and not sources.named(kind))
    }
    for kind in sorted(without.difference(sources.without)):
        note(f"still without {kind}, as --without said before; --{kind} names some")
    roster, times, reviews = (
        _of_kind(kind, task, replace(sources, without=without), last, note) for kind in KINDS
    )
    named = [REVIEWS] if sources.named(REVIEWS) else []
    return RunFiles(next(iter(roster), None), times, reviews, without, named, task.spec_path.parent)


def _of_kind(
    kind: str, task: Task, sources: Sources, last: LastRun, note: Callable[[str], None]
) -> tuple[KeptFile, ...]:
    before = [file for file in last.files if file.kind == kind]
    if kind == REVIEWS:
        before = _beside_now(before, last.files, task.spec_path.parent)
    named = sources.named(kind)
    if kind in sources.without:
        if before:
            note(f"without the {kind} of the last run ({_places(before)}), as --without says")
        return ()
    if named:
        found = _each_once(_named(kind, path, task) for path in named)
        _tell_of_others(kind, found, before, note)
    else:
        found = _taken_again(kind, before, note)
    if kind != REVIEWS:
        return found
    usual = usual_reviews(task.spec_path, task.id)
    return _with_usual_reviews(usual, found, before, are_named=bool(named), note=note)


def _named(kind: str, path: Path, task: Task) -> KeptFile:
    """Return a named file.  Raises `UsageError`; reviews that await a person need not exist yet."""
    if kind == REVIEWS and not path.exists():
        if not any(question.criteria for question in task.questions):
            hint = "this task has no criteria, so there is nothing to write into a new file"
            raise UsageError(Fault("the reviews can't be read: there is no such file", str(path), hint=hint))
        return KeptFile(kind, path, b"")
    return KeptFile(kind, path, read_bytes(path, f"the {kind}"))


def _each_once(files: Iterable[KeptFile]) -> tuple[KeptFile, ...]:
    return tuple({file.path.resolve(): file for file in files}.values())


def _tell_of_others(
    kind: str, found: Sequence[KeptFile], before: Sequence[KeptFile], note: Callable[[str], None]
) -> None:
    """Tell which files of the last run do not count any more: others are named, or they are empty now."""
    places, contents = {file.path.resolve() for file in found}, {file.content for file in found}
    others = [
        file
        for file in before
        if file.path.resolve() not in places and file.content not in contents and file.content
    ]
    wrote = {file.path.resolve() for file in before if file.content}
    for file in found:
        if not file.content and file.path.resolve() in wrote:
            note(f"{kind} of the last run: {file.path} ({_EMPTY})")
    if others:
        come = "comes" if kind == "roster" else "come"
        note(f"the {kind} {come} from {_places(found)}, not from {_places(others)} as in the last run")


def _places(files: Iterable[KeptFile]) -> str:
    return ", ".join(str(_from_here(file.path)) for file in files)


def _from_here(path: Path) -> Path:
    """Return a path as one would type it: from the current folder, if it lies below."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def _taken_again(kind: str, before: Iterable[KeptFile], note: Callable[[str], None]) -> tuple[KeptFile, ...]:
    """Return files of the last run as they are now; as they were, where they are gone."""
    found, told = [], []
    for file in before:
        # Only a plain file is read: a record can come from elsewhere and name anything.
        is_there = file.path.is_file()
        content = read_bytes(file.path, f"the {kind}") if is_there else b""
        now = replace(file, path=_from_here(file.path), content=content) if is_there else file
        found.append(now)
        if not (now.content or file.content):
            continue
        if not is_there:
            told.append(f"{file.path} (it is gone, so the content in the record counts)")
        elif not now.content:
            told.append(f"{now.path} ({_EMPTY})")
        else:
            is_other = now.content != file.content and file.content
            told.append(f"{now.path}{' (changed since)' if is_other else ''}")
    if told:
        note(f"{kind} taken again from the last run: {', '.join(told)}; --without {kind} leaves them out")
    return tuple(found)


def are_named(files: Iterable[KeptFile], kind: str) -> bool:
    """Tell whether the marker named the files of a kind.  files: those of a record."""
    return any(file.kind == NAMED and file.path.name == kind for file in files)


def spec_now(files: Iterable[KeptFile], spec: Path, folder: Path) -> Path:
    """Return where the spec of a run lies now.

    files: those of the run, as its record has them.  spec: where it lay then.  folder: of the results.
    Where the results lie in another folder than then, and a spec lies as it did to them, the whole was copied
    or moved.
    """
    was = next((file.path for file in files if file.kind == OUTPUT), None)
    if was is None or folder.resolve() == was.resolve():
        return spec
    here = Path(os.path.normpath(folder.absolute() / os.path.relpath(spec, was)))
    return here if here.is_file() else spec


def written_to(folder: Path, files: Iterable[KeptFile]) -> tuple[KeptFile, ...]:
    """Return the files of a run for its record, with the folder of its results."""
    others = (file for file in files if file.kind != OUTPUT)
    return (*others, KeptFile(OUTPUT, folder.absolute(), b""))


def reviews_now(files: Collection[KeptFile], spec: Path, task_id: str) -> tuple[KeptFile, ...]:
    """Return the reviews of a run as a person left them: those that the next run takes if none are named.

    files: those of the run, as its record has them.  spec: where it lies now.
    Where the marker named its reviews, they are all.  Raises `UsageError`.
    """
    before = [file for file in files if file.kind == REVIEWS]
    if are_named(files, REVIEWS) or not before:
        return _taken_again(REVIEWS, before, ignore)
    before = _beside_now(before, files, spec.parent)
    found = _taken_again(REVIEWS, before, ignore)
    return _with_usual_reviews(usual_reviews(spec, task_id), found, before, are_named=False, note=ignore)


# -- reviews that nobody named ----------------------------------------------------------------------


def usual_reviews(spec: Path, task_id: str) -> tuple[Path, ...]:
    """Return the files of reviews that are taken without being named: one, and those of several markers.

    They lie beside the spec: `reviews/TASK.yaml`, which need not be there, and all in `reviews/TASK/`.
    """
    folder = spec.parent / "reviews"
    alike = (path for path in folder.glob("*") if path.stem == task_id and path.name != f"{task_id}.yaml")
    # A Mac puts `._marker.yaml` beside a file that it copies.
    others = [path for path in (*alike, *(folder / task_id).glob("*")) if not path.name.startswith(".")]
    return (folder / f"{task_id}.yaml", *sorted(path for path in others if path.suffix.lower() in _SUFFIXES))


def _beside_now(before: Iterable[KeptFile], files: Iterable[KeptFile], parent: Path) -> list[KeptFile]:
    """Return the reviews of the last run; those that lay beside its spec as they lie beside this one.

    files: all of that run.  parent: the folder of this spec.  The whole may have been moved or copied since.
    One that is not beside this spec stays where it was, unless it was never written.
    """
    was = next((file.path / "reviews" for file in files if file.kind == BESIDE), None)
    if was is None:
        return [*before]
    folder = parent.absolute() / "reviews"
    found = []
    for file in before:
        here = folder / file.path.relative_to(was) if file.path.is_relative_to(was) else file.path
        is_here = here.exists() or not (file.content or file.path.exists())
        found.append(replace(file, path=here) if is_here else file)
    return found


def _with_usual_reviews(
    those: tuple[Path, ...],
    found: tuple[KeptFile, ...],
    before: Iterable[KeptFile],
    *,
    are_named: bool,
    note: Callable[[str], None],
) -> tuple[KeptFile, ...]:
    """Return the reviews with the files that are taken without being named: those beside the spec.

    those: see `usual_reviews`.  One in the current folder is told of: a student's checkout may hold it.
    """
    usual, *of_markers = those
    # Where those of the last run were moved away, the usual file may be what became of them.
    is_moved = not are_named and not all(file.path.is_file() or not file.content for file in before)
    if not found or (is_moved and usual.exists()):
        content = read_bytes(usual, "the reviews") if usual.exists() else b""
        found = _each_once((KeptFile(REVIEWS, usual, content), *found))
    if not are_named:
        further = (KeptFile(REVIEWS, path, read_bytes(path, "the reviews")) for path in of_markers)
        found = _each_once((*found, *further))
    found = _without_renamed(found, note)
    taken = {file.path.resolve() for file in found}
    for place in (usual, Path("reviews", usual.name), *of_markers):
        if place.resolve() not in taken and place.exists():
            taken.add(place.resolve())
            note(f"{place} does not count: the reviews come from {_places(found)}")
    return found


def _without_renamed(files: tuple[KeptFile, ...], note: Callable[[str], None]) -> tuple[KeptFile, ...]:
    """Return files of reviews without those that are gone and whose whole content another one has."""
    there = {file.content: file.path for file in reversed(files) if file.path.is_file()}
    gone = [file for file in files if file.content and not file.path.is_file()]
    renamed = [file for file in gone if file.content in there]
    for file in renamed:
        note(f"{file.path} is gone; {there[file.content].name} says the same and counts for it")
    return tuple(file for file in files if file not in renamed)
