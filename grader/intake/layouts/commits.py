"""Clones of git, as GitHub Classroom gives them: which commit of each counts.

Of a clone the last commit before the student's deadline is taken; if there is none, the newest, which is
late.  The time of a commit is the student's own claim.  Where the time of the last push is known, the newest
commit is taken, with that time.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from grader.intake.candidate import Candidate, SourceKind
from grader.intake.layouts.piece import shared_start
from grader.intake.layouts.plain import GIT
from grader.intake.names import listed, shown
from grader.intake.trees.clone import Clone, Commit, has_git, is_clone
from grader.intake.trees.tree import Refused, Unreadable
from grader.model.errors import Fault, UsageError
from grader.model.person import Person
from grader.model.submission import Record

CLAIMED = (
    "the times of commits are what the students' machines said; give --times for the times of their pushes"
)


def as_clones(
    candidates: Sequence[Candidate], layout: str, on_note: Callable[[str], None], *, has_deadline: bool = True
) -> list[Candidate] | None:
    """Return the candidates with what their folders' names tell, where they are clones; else None.

    has_deadline: commits will be read, so git is needed.
    Unless the layout is said, all must be clones, and several: a student can put a repository into an upload.
    Raises `UsageError`.
    """
    if layout not in ("", GIT):
        return None
    clones = [each for each in candidates if _is_clone(each)]
    if layout == GIT and len(clones) < len(candidates):
        others = listed(each.name for each in candidates if each not in clones)
        raise UsageError(Fault(f"not all of these are clones of git: {others}"))
    if not layout and not 1 < len(clones) == len(candidates):
        if clones and has_deadline:
            which = f"{len(clones)} of {len(candidates)} folders are clones of git"
            on_note(f"{which}; files were read as they lie there, not as of the deadline (see --layout git)")
        return None
    if has_deadline:
        if not has_git():
            raise UsageError(
                Fault("these are clones of git, and git is not installed", hint="or give --layout plain")
            )
        on_note(CLAIMED)
    start = _start_of_names(clones)
    return [replace(each, person=_person(each, start), login_in=each.path.name) for each in clones]


def with_commits(
    candidates: Iterable[Candidate],
    end_for: Callable[[Candidate], datetime],
    pushed: Collection[str],
    *,
    every_attempt: bool,
) -> list[Candidate]:
    """Return the candidates, each clone with the commit that counts.

    end_for: returns the deadline of a student, with the time of grace.
    pushed: the ids of those whose time of the last push is known.
    every_attempt: take the newest commit too, where it is another.  Raises `UsageError`.
    """
    found: list[Candidate] = []
    for candidate in candidates:
        if not _is_clone(candidate):
            found.append(candidate)
            continue
        try:
            found += _attempts(candidate, end_for(candidate), candidate.id in pushed, every_attempt)
        except Refused as refused:
            problem = f"{shown(candidate.path.name)} {refused}"
            doubtful = isinstance(refused, Unreadable)
            found.append(replace(candidate, kind=SourceKind.UNREAD, problem=problem, is_doubtful=doubtful))
    return found


def _is_clone(candidate: Candidate) -> bool:
    return candidate.kind is SourceKind.FOLDER and not candidate.inside and is_clone(candidate.path)


def _person(candidate: Candidate, start: str) -> Person | None:
    """Return who it is by a name such as `homework-amy`; start: that of all names, `homework-`."""
    if not start:
        return None
    return Person(name=candidate.name, ids={"github": candidate.path.name.removeprefix(start)})


def _attempts(
    candidate: Candidate, deadline: datetime, is_pushed: bool, every_attempt: bool
) -> Iterable[Candidate]:
    with Clone(candidate.path) as clone:
        history = clone.history()
        newest = next(history, None)
        if newest is None:
            raise Unreadable("lacks the commit that is checked out")
        if is_pushed:
            return [replace(candidate, commit=newest.id)]
        commit: Commit | None = newest
        last = newest
        while commit is not None and commit.time > deadline:
            commit = next(history, None)
            last = commit or last
    if commit is None and last.parents:
        if not clone.is_cut:
            raise Unreadable("lacks commits of its history")
        cut = Fault("this clone has a cut history", str(candidate.path), hint="git fetch --unshallow")
        raise UsageError(cut)
    counts = commit or newest
    taken = [_of(candidate, counts)]
    if every_attempt and counts != newest:
        taken.append(_of(candidate, newest))
        taken = [
            replace(each, student=candidate.id, attempt=f"attempt-{number}")
            for number, each in enumerate(taken, 1)
        ]
    return taken


def _of(candidate: Candidate, commit: Commit) -> Candidate:
    return replace(
        candidate, commit=commit.id, record=replace(candidate.record or Record(), submitted=commit.time)
    )


def _start_of_names(clones: Sequence[Candidate]) -> str:
    """Return `homework-` for `homework-amy` and `homework-bob`, as GitHub Classroom names repositories."""
    names = [clone.path.name for clone in clones]
    shared = shared_start(names) if len(names) > 1 else ""
    return shared[: shared.rfind("-") + 1]
