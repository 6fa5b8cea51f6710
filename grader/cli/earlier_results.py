"""What an earlier run left in the output folder: whether it can be gone on from, and who would be missing.

Looked at before a run, so that whatever is refused is refused before anything is written.
"""

from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from grader.cli.output import tell
from grader.cli.recording import counted
from grader.intake import Candidate
from grader.model.errors import Fault, UsageError
from grader.reports.escape import plain
from grader.store.reading import stream_results
from grader.store.run_store import FILE_NAME, RunStore, of_another_task


def existing_store(folder: Path) -> RunStore | None:
    """Open the record of earlier runs into the folder, if there is one.  Raises `UsageError`."""
    return RunStore(folder) if (folder / FILE_NAME).exists() else None


def new_store(folder: Path, task_id: str) -> RunStore:
    """Make the record of a folder that had none when this command began.  Raises `UsageError`."""
    store = RunStore(folder)
    try:
        store.claim(task_id)
        if store.keys():
            # Its results are not among those that were looked at, and so they would be left out.
            what = "another grader marked into this folder meanwhile"
            raise UsageError(Fault(what, str(folder), hint="run the same command again"))
    except BaseException:
        store.close()
        raise
    return store


def check_task(folder: Path, task_id: str) -> None:
    """Raises `UsageError` where the results in the folder are another task's, also without a record."""
    try:
        owner = stream_results(folder / "results.json").task.id
    except UsageError:
        return
    if owner != task_id:
        raise of_another_task(folder, owner, task_id)


def without(known: Mapping[str, str], only: Collection[str]) -> dict[str, str]:
    """Return what is known of the others where some are to be marked anew; of nobody where all are."""
    return {name: key for name, key in known.items() if name not in only} if only else {}


def tell_unmarked(
    folder: Path, candidates: Iterable[Candidate], only: Collection[str], known: Mapping[str, str]
) -> None:
    """Say how many submissions will not be in the report: not to be marked, and nothing is known of them.

    Raises `UsageError` where the report of an earlier run, whose record is gone, has some of them.
    """
    unmarked = {candidate.id for candidate in candidates} - set(only) - known.keys()
    if not only or not unmarked:
        return
    path = folder / "results.json"
    lost = [one.id for one in stream_results(path).submissions if one.id in unmarked] if path.exists() else []
    if lost:
        reason = f"{counted(len(lost))} would no longer be in the results, such as {plain(lost[0])}'s"
        hint = "the record of that run is gone: mark all of them, or choose another folder with -o"
        raise UsageError(Fault(reason, str(path), hint=hint))
    tell(f"note: {counted(len(unmarked))} not marked yet, and not in the report")


def tell_absent(folder: Path, candidates: Iterable[Candidate], known: Collection[str]) -> None:
    """Say how many of those who were marked into the folder before are not handed in now.

    known: those in the record of earlier runs; where that is gone, their report tells.
    """
    before = set(known)
    if not before:
        with suppress(UsageError):
            before = {one.id for one in stream_results(folder / "results.json").submissions}
    absent = sorted(before - {candidate.id for candidate in candidates})
    if absent:
        others = len(absent) > 1
        who = f"{', such as' if others else ':'} {plain(absent[0])}'s"
        what = f"{counted(len(absent))} of earlier runs {'are' if others else 'is'}"
        tell(f"note: {what} not handed in now and not in the report{who}")
