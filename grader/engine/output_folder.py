"""The folder for results: checks that it can take them, and finds the results of earlier runs in it.

All checks come before a run, so that a refusal comes before any file is written.
"""

import os
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NoReturn

from grader.intake import Candidate
from grader.model.errors import Fault, UsageError
from grader.reports.escape import plain
from grader.reports.written_pages import STAFF_FOLDER, STUDENT_FOLDER
from grader.store.database import FILE_NAME
from grader.store.reading import stream_results
from grader.store.results_json import RESULTS_FILE
from grader.store.run_store import RunStore, marked_meanwhile, of_another_task

RESULTS = RESULTS_FILE


def check_apart(folder: Path, handed_in: Iterable[Path]) -> None:
    """Raise `UsageError` if results would lie among the submissions, or submissions among the pages."""
    try:
        place = folder.resolve()
        of_pages = [(folder / name).resolve() for name in (STAFF_FOLDER, STUDENT_FOLDER)]
    except (OSError, RuntimeError):  # before Python 3.13, a circle of links raises RuntimeError
        refuse_to_write(folder, "its path leads in a circle")
    named = [path.resolve() for path in handed_in]
    # A later run may name the folder of students that were named one by one; it would find the pages there.
    among = sum(path.parent == place for path in named) > 1
    for path in named:
        among = among or any(each.is_relative_to(path) for each in (place, *of_pages))
        among = among or any(path.is_relative_to(each) for each in of_pages)
    if among:
        refuse_to_write(folder, "they would lie among the submissions")


def check_writable(folder: Path) -> None:
    """Raise `UsageError` if the folder cannot be made, or cannot be written to."""
    try:
        existing = next(place for place in (folder, *folder.absolute().parents) if place.exists())
    except OSError as error:
        refuse_to_write(folder, error.strerror or str(error))
    if not existing.is_dir():
        refuse_to_write(
            folder, f"{existing} is a file" if existing != folder else "there is a file of that name"
        )
    if not os.access(existing, os.W_OK | os.X_OK):
        refuse_to_write(folder, "permission denied")


def check_task(folder: Path, task_id: str) -> None:
    """Raise `UsageError` if the results in the folder belong to another task, with or without a record."""
    try:
        owner = stream_results(folder / RESULTS).task.id
    except UsageError:
        return
    if owner != task_id:
        raise of_another_task(folder, owner, task_id)


def make_folder(folder: Path) -> None:
    """Make the folder and those above it.  Raises `UsageError`."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        refuse_to_write(folder, error.strerror or str(error))


def refuse_to_write(folder: Path, reason: str) -> NoReturn:
    hint = "choose another folder with -o"
    raise UsageError(Fault(f"cannot write the results: {reason}", str(folder), hint=hint)) from None


@contextmanager
def refusing_to_write(folder: Path) -> Iterator[None]:
    """Turn a full disk in the middle of a run into one message."""
    try:
        yield
    except OSError as error:
        refuse_to_write(folder, error.strerror or str(error))


def existing_store(folder: Path) -> RunStore | None:
    """Open the record of earlier runs in the folder; return None if there is none.  Raises `UsageError`."""
    return RunStore(folder) if (folder / FILE_NAME).exists() else None


def new_store(folder: Path, task_id: str) -> RunStore:
    """Make the record of a folder that had none when the session began.  Raises `UsageError`."""
    store = RunStore(folder)
    try:
        store.claim(task_id)
        if store.keys():
            # This session has not read those results, so its report would leave them out.
            raise marked_meanwhile(folder)
    except BaseException:
        store.close()
        raise
    return store


def earlier_store(path: Path, folder: Path, task_id: str) -> RunStore:
    """Open the record of another output folder for reading.  Raises `UsageError`.

    path: the folder, or the results in it.  folder: where this session writes.
    """
    earlier = path.parent if path.name == RESULTS else path
    hint = "--from takes the folder that an earlier `grader mark` wrote its results to"
    if not (earlier / FILE_NAME).is_file():
        raise UsageError(Fault("there is no record of an earlier run to take over", str(path), hint=hint))
    if earlier.resolve() == folder.resolve():
        what = "the results go to this very folder, and what is known in it is kept anyway"
        raise UsageError(Fault(what, str(path), hint="leave out --from, or choose another folder with -o"))
    store = RunStore.reading(earlier)
    try:
        owner = store.task()
        if owner != task_id:
            what = f"the earlier run is of the task {owner!r}, not of {task_id!r}"
            raise UsageError(Fault(what, str(path), hint=hint))
    except BaseException:
        store.close()
        raise
    return store


def note_unmarked(
    folder: Path,
    candidates: Iterable[Candidate],
    only: Collection[str],
    known: Collection[str],
    note: Callable[[str], None],
) -> None:
    """Note how many submissions the report will lack, because they are neither marked now nor known.

    only: the submissions to mark.  known: those with a result in the record.
    Raises `UsageError` if a report whose record is gone has some of them.
    """
    unmarked = {candidate.id for candidate in candidates} - set(only) - set(known)
    if not only or not unmarked:
        return
    path = folder / RESULTS
    lost = [name for name in _reported(path) if name in unmarked] if path.exists() else []
    if lost:
        reason = f"{submissions(len(lost))} would no longer be in the results, such as {plain(lost[0])}'s"
        hint = "the record of that run is gone: mark all of them, or choose another folder with -o"
        raise UsageError(Fault(reason, str(path), hint=hint))
    note(f"{submissions(len(unmarked))} not marked yet, and not in the report")


def note_absent(
    folder: Path, candidates: Iterable[Candidate], known: Collection[str], note: Callable[[str], None]
) -> None:
    """Note how many submissions were marked into the folder before and are not handed in now.

    known: those in the record.  Without a record, the report's submissions count.
    """
    before = set(known)
    if not before:
        with suppress(UsageError):
            before = set(_reported(folder / RESULTS))
    absent = sorted(before - {candidate.id for candidate in candidates})
    if absent:
        several = len(absent) > 1
        example = f"{', such as' if several else ':'} {absent[0]}'s"
        what = f"{submissions(len(absent))} of earlier runs {'are' if several else 'is'}"
        note(f"{what} not handed in now and not in the report{example}")


def _reported(path: Path) -> list[str]:
    """Return the ids of the submissions in a results file.  Raises `UsageError`."""
    return [submission.id for submission in stream_results(path).submissions]


def submissions(count: int) -> str:
    """Return `1 submission`, `2 submissions`."""
    return f"{count} submission" + ("s" if count != 1 else "")
