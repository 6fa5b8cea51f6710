"""Files that a person gives to be marked in place of what single students handed in.

A run keeps such a file with its content, its author and the reason, and a later run into the same folder goes
by it again: by what was given, whatever became of the file since.  A change of the file, or of the work in
whose place it is marked, is told in the results.
"""

import json
import stat
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path

from grader.intake import Candidate, read_for
from grader.intake.names import is_archive, listed, shown
from grader.intake.reading import work_digest
from grader.intake.trees.folder import FolderTree
from grader.intake.trees.tree import TOTAL_MAX_B, Allowance, Refused
from grader.marking.attempts import last_in_time
from grader.marking.lateness import late_s
from grader.model.errors import Fault, UsageError
from grader.model.policy import Attempts
from grader.model.submission import FileState, Record, Replacement
from grader.model.task import Task
from grader.records.beside import GivenFile, Sources
from grader.records.file_text import read_bytes
from grader.records.last_run import INSTEAD, LastRun
from grader.records.whose import Whose
from grader.store.record_parts import KeptFile

_FORMAT = "grader-instead/1"
_WHAT = "the file given instead"
_MOST_NAMED = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kept:
    """A file that stands for the works of some students.

    path: absolute; where it was given from.  students: for each, the digest of the work in whose place it was
    given.  files: names and bytes, the name of a single file as the task asks for it.
    """

    path: Path
    by: str
    reason: str
    students: Mapping[str, str]
    files: tuple[tuple[str, bytes], ...]

    def kept(self) -> KeptFile:
        """Return it as the record of a run keeps it."""
        content = {
            "schema": _FORMAT,
            "by": self.by,
            "reason": self.reason,
            "students": dict(self.students),
            "files": {name: b64encode(data).decode() for name, data in self.files},
        }
        return KeptFile(INSTEAD, self.path, json.dumps(content).encode())


def with_instead(
    task: Task,
    candidates: Sequence[Candidate],
    sources: Sources,
    last: LastRun,
    note: Callable[[str], None],
) -> tuple[list[Candidate], tuple[KeptFile, ...]]:
    """Return the candidates with what is marked in their place, and the files for the record of the run.

    last: what the last run into the folder was made with.  Raises `UsageError`.
    """
    before = [_of_record(file) for file in last.files if file.kind == INSTEAD]
    if INSTEAD in sources.without:
        if sources.instead:
            raise UsageError(Fault(f"--{INSTEAD} and --without {INSTEAD} contradict each other"))
        if before:
            note(f"without what was marked instead in the last run ({_told(before)}), as --without says")
        return list(candidates), ()
    lost = [file.name for file in last.lost if file.kind == INSTEAD]
    if lost and not sources.instead:
        what = (
            f"the results here were made with files given instead ({listed(lost)}), and their record is gone"
        )
        hint = f"give them again with --{INSTEAD}, or say --without {INSTEAD}"
        raise UsageError(Fault(what, hint=hint))
    if lost:
        note(f"what was marked instead in the last run ({listed(lost)}) counts no more: the record is gone")
    named = _students_named(candidates, sources.instead)
    for file in sources.instead:
        _refuse_detours(file.path, candidates)
    given = [
        _given(task, file, students)
        for file, students in zip(sources.instead, named, strict=True)
        if file.path
    ]
    anew = {each.id for students in named for each in students}
    again = [_without(each, anew) for each in before]
    again = [each for each in again if each.students]
    by_id = {each.id: each for each in candidates}
    _tell(again, by_id, note)
    replacements = {
        student: _replacement(each, student, FileState.SAME if each in given else _state(task, each))
        for each in (*again, *given)
        for student in each.students
    }
    replaced = [
        _replaced(task, each, replacements[each.id]) if each.id in replacements else each
        for each in candidates
    ]
    _check_read(task, replaced, [each for each in given if each.students])
    return replaced, tuple(each.kept() for each in (*again, *given))


# -- what is given now -------------------------------------------------------------------------------


def _students_named(candidates: Sequence[Candidate], given: Sequence[GivenFile]) -> list[list[Candidate]]:
    """Return the submissions that each file is given for: one, or all of one work that several handed in."""
    whose, faults, found = Whose(candidates), [], []
    taken: dict[str, str] = {}
    for file in given:
        own, sure = whose.of(file.student), list(whose.sure(file.student))
        found.append(sure)
        name, option = shown(file.student), f"--{INSTEAD} {shown(file.student)}=…"
        if own and not sure:
            ids = listed(each.id for each in own)
            faults.append(Fault(f"`{name}` may be {ids}", option, hint="name one by its id"))
        elif not own:
            hint = _nearest(file.student, candidates)
            faults.append(Fault(f"there is no submission `{name}`", option, hint=hint))
        twice = [each.id for each in sure if each.id in taken]
        if twice:
            faults.append(Fault(f"two files are given instead of the work of {twice[0]}", option))
        taken |= {each.id: file.student for each in sure}
    if faults:
        raise UsageError(*faults)
    return found


def _nearest(name: str, candidates: Sequence[Candidate]) -> str:
    ids = [each.id for each in candidates]
    near = get_close_matches(name, ids, 1)
    more = ", …" if len(ids) > _MOST_NAMED else ""
    return f"did you mean {near[0]}?" if near else f"there is {', '.join(ids[:_MOST_NAMED])}{more}"


def _given(task: Task, file: GivenFile, students: Iterable[Candidate]) -> _Kept:
    """Return a file that is named now, read.  Raises `UsageError`."""
    assert file.path is not None
    works = {each.id: work_digest(_target(task, each), task.asked) for each in students}
    path, files = file.path.absolute(), _files_at(task, file.path)
    return _Kept(path=path, by=file.by, reason=file.reason, students=works, files=files)


def _files_at(task: Task, path: Path) -> tuple[tuple[str, bytes], ...]:
    """Return the files at a path; a single one has the name that the task asks for, if it asks for one.

    Raises `UsageError`.
    """
    _refuse_links(path)
    if path.is_dir():
        return _files_in(path)
    if is_archive(path.name):
        hint = "unpack it, and name the folder"
        raise UsageError(Fault(f"{_WHAT} can't be an archive", str(path), hint=hint))
    name = path.name
    if len(task.modules) == 1:
        ((_, wanted),) = task.modules
        name = f"{Path(wanted).stem}{path.suffix}"
    return ((name, read_bytes(path, _WHAT)),)


def _refuse_links(path: Path) -> None:
    """Raise `UsageError` for a link: in a student's folder it could lead to a file of the marker's."""
    try:
        mode = path.lstat().st_mode
    except OSError:
        return  # reading it says why
    if stat.S_ISLNK(mode):
        hint = "name the file that it leads to, if that is meant"
        raise UsageError(Fault(f"{_WHAT} is a link, and links are not followed", str(path), hint=hint))
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise UsageError(Fault(f"{_WHAT} is neither a file nor a folder", str(path)))


def _refuse_detours(path: Path | None, candidates: Iterable[Candidate]) -> None:
    """Raise `UsageError` for a path by way of a link that a student handed in."""
    works = [each.path for one in candidates for each in (one, *one.attempts) if not each.inside]
    for step in path.absolute().parents if path is not None else ():
        if step.is_symlink() and any(step.parent.resolve().is_relative_to(work) for work in works):
            what = f"{_WHAT} lies behind a link that was handed in, and links are not followed"
            raise UsageError(Fault(what, str(path)))


def _files_in(path: Path) -> tuple[tuple[str, bytes], ...]:
    allowance = Allowance()
    try:
        with FolderTree(path.resolve()) as tree:
            entries = [each for each in tree.contents(()).entries if each.parts]
            return tuple(
                (each.name, b"".join(allowance.take(tree, (), each, TOTAL_MAX_B))) for each in entries
            )
    except Refused as refused:
        raise UsageError(Fault(f"{_WHAT} can't be read: it {refused}", str(path))) from None
    except OSError as error:
        raise UsageError(Fault(f"{_WHAT} can't be read: {error.strerror}", str(path))) from None


def _check_read(task: Task, candidates: Iterable[Candidate], given: Sequence[_Kept]) -> None:
    """Raise `UsageError` for a file that is no work of the task: nothing in it is what the task asks for."""
    faults, by_id = [], {each.id: each for each in candidates}
    for each in given:
        own = by_id[next(iter(each.students))]
        work = read_for(task, next((one for one in (own, *own.attempts) if one.instead is not None), own))
        if not any(module in work.files for module, _ in task.modules):
            why = f" ({work.problems[0]})" if work.problems else ""
            hint = f"the task asks for {listed(file for _, file in task.modules)}"
            faults.append(Fault(f"{_WHAT} is no work of {task.id}{why}", str(each.path), hint=hint))
    if faults:
        raise UsageError(*faults)


# -- what the last run was made with -----------------------------------------------------------------


def _of_record(file: KeptFile) -> _Kept:
    """Return what a record keeps.  Raises `UsageError` where it is damaged."""
    try:
        content = json.loads(file.content)
        if content["schema"] != _FORMAT:
            raise ValueError
        return _Kept(
            path=file.path,
            by=str(content["by"]),
            reason=str(content["reason"]),
            students={str(student): str(work) for student, work in content["students"].items()},
            files=tuple((str(name), b64decode(data)) for name, data in content["files"].items()),
        )
    except (ValueError, KeyError, TypeError, AttributeError):
        raise UsageError(Fault(f"the record of {_WHAT} is damaged", str(file.path))) from None


def _without(kept: _Kept, students: Iterable[str]) -> _Kept:
    left = {student: work for student, work in kept.students.items() if student not in students}
    return replace(kept, students=left)


def _state(task: Task, kept: _Kept) -> FileState:
    """Tell what became of a file since it was given."""
    if not (kept.path.is_file() or kept.path.is_dir()):
        return FileState.GONE
    try:
        return FileState.SAME if _files_at(task, kept.path) == kept.files else FileState.CHANGED
    except UsageError:
        return FileState.CHANGED


def _tell(again: Sequence[_Kept], here: Mapping[str, Candidate], note: Callable[[str], None]) -> None:
    if again:
        note(f"marked {INSTEAD} again as in the last run: {_told(again)}; --without {INSTEAD} ends that")
    absent = [student for each in again for student in each.students if student not in here]
    if absent:
        note(f"a file is given instead of the work of {listed(absent)}, who {_is(absent)} not in this batch")


def _is(names: Sequence[str]) -> str:
    return "is" if len(names) == 1 else "are"


def _told(kept: Iterable[_Kept]) -> str:
    return listed(f"{each.path.name} for {', '.join(each.students)}, by {each.by}" for each in kept)


# -- the candidates ----------------------------------------------------------------------------------


def _replacement(kept: _Kept, student: str, state: FileState) -> Replacement:
    return Replacement(
        file=kept.path.name,
        by=kept.by,
        reason=kept.reason,
        given_for=kept.students[student],
        state=state,
        files=kept.files,
    )


def _replaced(task: Task, candidate: Candidate, instead: Replacement) -> Candidate:
    """Return a candidate with what is marked in its place; of several attempts, in place of one."""
    if not candidate.attempts:
        return replace(candidate, instead=instead, is_apart=True)
    target = _target(task, candidate)
    attempts = tuple(
        replace(each, instead=instead) if each is target else each for each in candidate.attempts
    )
    return replace(candidate, attempts=attempts, is_apart=True)


def _target(task: Task, candidate: Candidate) -> Candidate:
    """Return the candidate, or the attempt that counts by its time; which is the best is not known yet."""
    if not candidate.attempts:
        return candidate
    if task.attempts is Attempts.LAST_BEFORE_DEADLINE:
        return candidate.attempts[last_in_time([_is_in_time(task, each) for each in candidate.attempts])]
    return candidate.attempts[-1]


def _is_in_time(task: Task, attempt: Candidate) -> bool:
    record = attempt.record or Record()
    if task.late is None or record.submitted is None:
        return True
    deadline = task.late.deadline_of(attempt.id, record.extension)
    return late_s(deadline, record.submitted) <= task.late.grace_s
