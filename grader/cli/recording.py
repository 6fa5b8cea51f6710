"""Following a run to its end: each result is recorded as it comes, then results.json is written.

What the run is about, and what is shown afterwards, is the business of `grader.cli.mark`.
"""

import sqlite3
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from grader.cli.output_folder import refuse_to_write
from grader.cli.progress import Progress
from grader.engine.run import finished
from grader.model.events import Event, RunFinished, RunStarted, SubmissionKept, SubmissionMarked
from grader.model.results import RunInfo
from grader.model.task import Task
from grader.reports.account import failed_internally
from grader.store.document import TaskHead, submission_document, to_document, write_json
from grader.store.document_types import SubmissionDocument
from grader.store.run_store import FILE_NAME, RunStore


@dataclass(slots=True)
class Tally:
    """What the exit status and the last words depend on.

    kept: results of earlier runs among those that are done.
    pending: marks that are pending through a failure of our own.
    awaiting: criteria that a person has yet to mark, by submission; its mark is not final.
    """

    total: int
    lowest: Fraction
    done: int = 0
    kept: int = 0
    pending: int = 0
    awaiting: dict[str, list[str]] = field(default_factory=dict)

    def add(self, submission: SubmissionDocument) -> None:
        """Count one submission."""
        self.done += 1
        self.pending += failed_internally(submission)
        if "awaiting" in submission:
            self.awaiting[submission["id"]] = submission["awaiting"]
        else:
            self.lowest = min(self.lowest, Fraction(submission["mark"]))


def existing_store(folder: Path) -> RunStore | None:
    """Open the record of earlier runs into the folder, if there is one.  Raises `UsageError`."""
    return RunStore(folder) if (folder / FILE_NAME).exists() else None


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
    with closing(events):
        for event in events:
            match event:
                case RunStarted(run=run, submissions=tally.total):
                    store.begin(run.id)
                    shown.say(_first_words(run, tally.total))
                case SubmissionKept(id=submission_id):
                    with _refusing_to_write(folder):
                        tally.add(store.keep(submission_id))
                    tally.kept += 1
                    shown.advance(submission_id)
                case SubmissionMarked(result=result, key=key):
                    document = submission_document(result)
                    with _refusing_to_write(folder):
                        store.append(document, key)
                    tally.add(document)
                    shown.advance(result.name)
                case RunFinished(finished=time):
                    assert run is not None
                    whole = to_document(finished(run, time), TaskHead.of(task), [])
                    whole["submissions"] = store.submissions()
                    with _refusing_to_write(folder):
                        write_json(folder / "results.json", whole)


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
    except (OSError, sqlite3.Error) as error:
        refuse_to_write(folder, str(getattr(error, "strerror", None) or error))
