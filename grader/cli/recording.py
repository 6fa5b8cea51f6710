"""Following a run to its end: each result is recorded as it comes, then results.json is written.

What the run is about, and what is shown afterwards, is the business of `grader.cli.mark`.
"""

from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from grader.cli.output_folder import refuse_to_write
from grader.cli.progress import Progress
from grader.engine.run import finished
from grader.model.events import Event, RunFinished, RunStarted, SubmissionKept, SubmissionMarked
from grader.model.results import RunInfo, RunResults, TaskHead
from grader.model.task import Task
from grader.store.results_json import write_texts
from grader.store.run_store import RunStore


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
                case SubmissionMarked(result=result, key=key, evidence=evidence):
                    with _refusing_to_write(folder):
                        store.append(result, key, evidence)
                    tally.done += 1
                case RunFinished(finished=time):
                    assert run is not None
                    head = RunResults(finished(run, time), TaskHead.of(task))
                    with _refusing_to_write(folder):
                        # They are durable since an earlier run, so there is no haste to say that they hold.
                        store.keep(kept)
                        write_texts(folder / "results.json", head, store.texts())
            shown.see(event)


def _first_words(run: RunInfo, count: int) -> str:
    return f"marking {counted(count)} with Python {run.python}; sandbox: {run.sandbox.driver}"


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
