"""The files that people keep beside the submissions: those that are named, else those of the last run.

A run remembers its roster, times and reviews.  A later run into the same folder takes them again, unless
others are named or the marker says that it shall go without.  Each file is read once, so what is marked is
what is recorded.
"""

import hashlib
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from grader.intake.names import listed
from grader.model.errors import Fault, UsageError
from grader.model.results import RunFile
from grader.model.task import Task
from grader.records.file_text import is_filled, is_there, read_bytes, refuse_dead_link
from grader.records.last_run import (
    KINDS,
    NAMED,
    REVIEWS,
    ROSTER,
    TIMES,
    WITHOUT,
    LastRun,
    each_once,
    places,
    taken_again,
)
from grader.records.reviews.files import (
    are_usual,
    meant_by,
    refuse_lost,
    reviews_again,
    tell_of_others,
    were_named,
)
from grader.store.record_parts import KeptFile
from grader.store.whole_file import replace_bytes


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
    named: kinds whose files the marker named, for this run or an earlier one.
    """

    roster: KeptFile | None = None
    times: tuple[KeptFile, ...] = ()
    reviews: tuple[KeptFile, ...] = ()
    without: Collection[str] = ()
    named: Collection[str] = ()

    @property
    def every(self) -> tuple[KeptFile, ...]:
        """All of them, for the record of the run; see `written_to`."""
        without = (KeptFile(WITHOUT, Path(kind), b"") for kind in sorted(self.without))
        named = (KeptFile(NAMED, Path(kind), b"") for kind in sorted(self.named))
        return (*filter(None, (self.roster,)), *self.times, *self.reviews, *without, *named)


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
    if REVIEWS not in without:
        tell_of_others(reviews, task.spec_path, task.id, note)
    named = sources.named(REVIEWS)
    is_named = were_named(last.files, task.id)
    if named:
        is_named = not are_usual(named, task.spec_path, task.id)
    return RunFiles(next(iter(roster), None), times, reviews, without, [REVIEWS] if is_named else [])


def _of_kind(
    kind: str, task: Task, sources: Sources, last: LastRun, note: Callable[[str], None]
) -> tuple[KeptFile, ...]:
    before = [file for file in last.files if file.kind == kind]
    named = sources.named(kind)
    if kind in sources.without:
        if before:
            note(f"without the {kind} of the last run ({places(before)}), as --without says")
        return ()
    if named:
        if kind == REVIEWS:
            _write_back(named, before, note)
        found = each_once(_named(kind, path, task) for path in named)
        if kind == REVIEWS:
            refuse_lost(before, found)
        else:
            _refuse_emptied(kind, found, before)
        _tell_of_last(kind, found, before, note)
        return found
    if kind == REVIEWS:
        return reviews_again(last.files, task.spec_path, task.id, note)
    return taken_again(kind, before, note)


def _write_back(named: Collection[Path], before: Collection[KeptFile], note: Callable[[str], None]) -> None:
    """Write files of reviews that are named and gone as the last run read them."""
    for path in named:
        meant = meant_by(path, named, before)
        content = meant.content if meant is not None else None
        if is_there(path, "the reviews"):
            if content is not None and not is_filled(read_bytes(path, "the reviews")):
                what = "marks of the last run stood in this file of reviews, and it is empty now"
                hint = "put it back; or delete it, and it is written again as the last run read it"
                raise UsageError(Fault(what, str(path), hint=hint))
            continue
        refuse_dead_link(path, "the reviews")
        if content is not None:
            try:
                # No more than its own folder: a drive that is away must not be made here.
                path.parent.mkdir(exist_ok=True)
                replace_bytes(path, content)
            except OSError as error:
                what = f"it is gone, and can't be written again: {error.strerror}"
                raise UsageError(Fault(what, str(path))) from None
            note(f"{path} was gone, and has what the last run read of it again")


def _refuse_emptied(kind: str, found: Iterable[KeptFile], before: Iterable[KeptFile]) -> None:
    """Raise `UsageError` for a file that is named and empty, and said something in the last run."""
    wrote = {file.path.resolve() for file in before if is_filled(file.content)}
    emptied = [file for file in found if not is_filled(file.content) and file.path.resolve() in wrote]
    if emptied:
        what = f"the {kind} of the last run stood in this file, and it is empty now"
        hint = f"put it back; or say --without {kind} once, if it shall say nothing"
        raise UsageError(*(Fault(what, str(file.path), hint=hint) for file in emptied))


def _says_something(file: KeptFile) -> bool:
    """Tell whether a file of the last run said something, or says it now."""
    if file.content:
        return True
    try:
        return is_there(file.path, f"the {file.kind}") and bool(read_bytes(file.path, f"the {file.kind}"))
    except UsageError:
        # Others are named, so nobody needs to read it.
        return True


def _named(kind: str, path: Path, task: Task) -> KeptFile:
    """Return a named file.  Raises `UsageError`; reviews that await a person need not exist yet."""
    if kind == REVIEWS and not is_there(path, "the reviews"):
        if not any(question.criteria for question in task.questions):
            hint = "this task has no criteria, so no marks await a person; for overrides write [] into it"
            raise UsageError(Fault("the reviews can't be read: there is no such file", str(path), hint=hint))
        return KeptFile(kind, path, b"")
    return KeptFile(kind, path, read_bytes(path, f"the {kind}"))


def _tell_of_last(
    kind: str, found: Sequence[KeptFile], before: Sequence[KeptFile], note: Callable[[str], None]
) -> None:
    """Tell which files of the last run do not count any more: others are named."""
    there, contents = {file.path.resolve() for file in found}, {file.content for file in found}
    others = [
        file
        for file in before
        if file.path.resolve() not in there and file.content not in contents and _says_something(file)
    ]
    if others:
        come = "comes" if kind == "roster" else "come"
        note(f"the {kind} {come} from {places(found)}, not from {places(others)} as in the last run")
