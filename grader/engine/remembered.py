"""What a folder remembers of the last run into it: the files beside the submissions that made its marks."""

from pathlib import Path

from grader.engine.output_folder import RESULTS, earlier_store
from grader.model.errors import UsageError
from grader.model.results import RunFile
from grader.records.last_run import LastRun, as_they_lie
from grader.store.database import FILE_NAME
from grader.store.reading import stream_results
from grader.store.run_store import RunStore, of_another_task


def remembered(folder: Path, earlier: Path | None, task_id: str) -> LastRun:
    """Return what the last run into a folder was made with; of a new folder: the one that it begins with.

    earlier: the folder of `--from`, or the results in it.  A run that did not end counts, too.
    Raises `UsageError` if the record is damaged, or of another task.
    """
    if _is_there(folder):
        store = RunStore(folder)
    elif earlier is not None:
        store = earlier_store(earlier, folder, task_id)
    else:
        return LastRun(lost=_told_by_results(folder)[0], results=folder / RESULTS)
    with store:
        owner = store.task()
        if owner and owner != task_id:
            raise of_another_task(folder, owner, task_id)
        files, runs = as_they_lie(store.files_of_last_run(), store.folder), store.runs()
    told, run = _told_by_results(store.folder)
    # Results of a run that the record does not know are not its own: somebody replaced one of the two.
    lost = () if run in runs else tuple(one for one in told if one.kind not in {file.kind for file in files})
    return LastRun(files, lost, store.folder / RESULTS)


def _is_there(folder: Path) -> bool:
    """Tell whether there is a record that has begun; an empty file is one that a crash or an editor left."""
    path = folder / FILE_NAME
    return path.is_file() and (path.stat().st_size > 0 or path.with_name(f"{FILE_NAME}-wal").exists())


def _told_by_results(folder: Path) -> tuple[tuple[RunFile, ...], str]:
    """Return the files that the results in a folder name, and the id of their run."""
    try:
        run = stream_results(folder / RESULTS).run
    except UsageError:
        return (), ""
    return run.files, run.id
