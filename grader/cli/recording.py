"""Following a run to its end: each result is recorded as it comes, then results.json is written.

What the run is about, and what is shown afterwards, is the business of `grader.cli.mark`.
"""

from collections.abc import Collection, Generator, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from grader.cli.output import tell
from grader.cli.output_folder import refuse_to_write
from grader.cli.progress import Progress
from grader.engine.run import finished
from grader.intake import Candidate
from grader.model.errors import Fault, UsageError
from grader.model.events import Event, RunFinished, RunStarted, SubmissionKept, SubmissionMarked
from grader.model.run_info import RunInfo
from grader.model.task import Task
from grader.reports.escape import plain
from grader.store.document import TaskHead, submission_document, to_document, write_texts
from grader.store.reading import stream_document
from grader.store.run_store import FILE_NAME, RunStore, of_another_task


@dataclass(slots=True)
class Tally:
    """How far a run has come.

    starts_anew: it keeps nothing of earlier runs.  kept: results of earlier runs among those that are done.
    """

    total: int
    starts_anew: bool = False
    done: int = 0
    kept: int = 0

    def interrupted(self) -> str:
        """Return what to tell of a run that was interrupted."""
        report_is_due = 0 < self.done == self.total
        at = (
            " while the report was written"
            if report_is_due
            else f": {self.done} of {counted(self.total)} marked"
        )
        command = "the same command without --no-cache" if self.starts_anew else "the same command"
        return f"interrupted{at}; {command} goes on from there"


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
        owner = stream_document(folder / "results.json")["task"]["id"]
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
    lost = (
        [one["id"] for one in stream_document(path)["submissions"] if one["id"] in unmarked]
        if path.exists()
        else []
    )
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
            before = {one["id"] for one in stream_document(folder / "results.json")["submissions"]}
    absent = sorted(before - {candidate.id for candidate in candidates})
    if absent:
        others = len(absent) > 1
        who = f"{', such as' if others else ':'} {plain(absent[0])}'s"
        what = f"{counted(len(absent))} of earlier runs {'are' if others else 'is'}"
        tell(f"note: {what} not handed in now and not in the report{who}")


def record(
    events: Generator[Event, None, None],
    store: RunStore,
    task: Task,
    folder: Path,
    tally: Tally,
    shown: Progress,
) -> None:
    """Follow a run to its end.  Raises `UsageError` where the results cannot be written."""
    run: RunInfo | None = None
    kept: list[str] = []
    with closing(events):
        for event in events:
            match event:
                case RunStarted(run=run, submissions=count):
                    tally.total = count
                    store.begin(run.id)
                    shown.say(_first_words(run, tally.total))
                case SubmissionKept(id=submission_id):
                    kept.append(submission_id)
                    tally.done += 1
                    tally.kept += 1
                    shown.advance(submission_id)
                case SubmissionMarked(result=result, key=key, evidence=evidence):
                    with _refusing_to_write(folder):
                        store.append(submission_document(result), key, evidence)
                    tally.done += 1
                    shown.advance(result.name)
                case RunFinished(finished=time):
                    assert run is not None
                    head = to_document(finished(run, time), TaskHead.of(task), [])
                    with _refusing_to_write(folder):
                        # They are durable since an earlier run, so there is no haste to say that they hold.
                        store.keep(kept)
                        write_texts(folder / "results.json", head, store.texts())


def _first_words(run: RunInfo, count: int) -> str:
    return f"marking {counted(count)} with Python {run.python}; sandbox: {run.driver}"


def counted(number: int) -> str:
    """Return the number with its noun."""
    return f"{number} submission" + ("s" if number != 1 else "")


@contextmanager
def _refusing_to_write(folder: Path) -> Iterator[None]:
    """Turn a full disk in the middle of a run into one message."""
    try:
        yield
    except OSError as error:
        refuse_to_write(folder, error.strerror or str(error))
