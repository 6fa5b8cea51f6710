"""The files of reviews that a run goes by: those that were named, then or now, else those beside the spec."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from pathlib import Path

from grader.records.file_text import read_bytes
from grader.records.last_run import BESIDE, REVIEWS, are_named, each_once, places, taken_again
from grader.store.record_parts import KeptFile

_SUFFIXES = (".yaml", ".yml")


def usual_reviews(spec: Path, task_id: str) -> tuple[Path, ...]:
    """Return the files of reviews that are taken without being named: one, and those of several markers.

    They lie beside the spec: `reviews/TASK.yaml`, which need not be there, and all in `reviews/TASK/`.
    """
    folder = spec.parent / "reviews"
    alike = (path for path in folder.glob("*") if path.stem == task_id and path.name != f"{task_id}.yaml")
    # A Mac puts `._marker.yaml` beside a file that it copies.
    others = [path for path in (*alike, *(folder / task_id).glob("*")) if not path.name.startswith(".")]
    return (folder / f"{task_id}.yaml", *sorted(path for path in others if path.suffix.lower() in _SUFFIXES))


def were_named(files: Collection[KeptFile], spec: Path, task_id: str) -> bool:
    """Tell whether the reviews of a run are those that a marker named, for it or an earlier run.

    files: those of the run, as its record has them.  Old records do not say it; there, files that lie as
    those beside a spec do were not named.
    """
    if are_named(files, REVIEWS) or any(file.kind == BESIDE for file in files):
        return are_named(files, REVIEWS)
    reviews = [file.path for file in files if file.kind == REVIEWS]
    return any(_folder_of_spec(path, task_id) is None for path in reviews)


def spec_of_reviews(files: Collection[KeptFile], spec: Path, task_id: str) -> Path:
    """Return the spec beside which reviews count that nobody named.

    It is that of the last run, while it or some of its reviews are there.  files: those of the last run.
    spec: of this one.
    """
    was = _spec_then(files, spec, task_id)
    return was if was.is_file() or any(path.exists() for path in usual_reviews(was, task_id)) else spec


def _spec_then(files: Collection[KeptFile], spec: Path, task_id: str) -> Path:
    """Return the spec of the last run; of an old record, one that lies where it did."""
    was = next((file.path for file in files if file.kind == BESIDE), None)
    if was is not None:
        return was
    folders = (_folder_of_spec(file.path, task_id) for file in files if file.kind == REVIEWS)
    return next(filter(None, folders), spec.parent) / spec.name


def _folder_of_spec(path: Path, task_id: str) -> Path | None:
    """Return the folder of the spec beside which a file of reviews lies, by its name; else None."""
    of_task = path if path.stem == task_id else path.parent if path.parent.name == task_id else None
    return of_task.parents[1] if of_task is not None and of_task.parent.name == "reviews" else None


def reviews_again(
    files: Collection[KeptFile],
    spec: Path,
    task_id: str,
    note: Callable[[str], None],
    *,
    tells_all: bool = True,
) -> tuple[KeptFile, ...]:
    """Return the reviews of a run that names none.

    files: those of the last run.  tells_all: those are told, too, that are where they were.
    Raises `UsageError`.
    """
    before = [file for file in files if file.kind == REVIEWS]
    if were_named(files, spec, task_id):
        return taken_again(REVIEWS, before, note, tells_all=tells_all)
    beside = spec_of_reviews(files, spec, task_id)
    before = _moved_to(beside.parent, before, _spec_then(files, spec, task_id).parent)
    again = taken_again(REVIEWS, before, note, tells_all=tells_all)
    usual = (
        KeptFile(REVIEWS, path, read_bytes(path, "the reviews") if path.exists() else b"")
        for path in usual_reviews(beside, task_id)
    )
    first, *others = usual
    return _without_renamed(each_once((first, *again, *others)), again, note)


def _moved_to(folder: Path, before: Iterable[KeptFile], was: Path) -> list[KeptFile]:
    """Return reviews of the last run; those that lay beside its spec, in the folder `was`, as in this one."""
    return [
        replace(file, path=folder / file.path.relative_to(was)) if file.path.is_relative_to(was) else file
        for file in before
    ]


def _without_renamed(
    files: tuple[KeptFile, ...], again: Collection[KeptFile], note: Callable[[str], None]
) -> tuple[KeptFile, ...]:
    """Return files of reviews without those that are gone and whose whole content a new one has.

    again: those of the last run.
    """
    before = {file.path.resolve() for file in again}
    new = {file.content: file.path for file in reversed(files) if file.path.resolve() not in before}
    renamed = [file for file in again if file.content in new and file.content and not file.path.is_file()]
    for file in renamed:
        note(f"{file.path} is gone; {new[file.content].name} says the same and counts for it")
    return tuple(file for file in files if file not in renamed)


def tell_of_others(
    taken: Collection[KeptFile], spec: Path, task_id: str, note: Callable[[str], None]
) -> None:
    """Tell of files that look like reviews of a task and are none of those that a run goes by.

    One in the current folder is told of: a student's checkout may hold it.
    """
    known = {file.path.resolve() for file in taken}
    usual, *of_markers = usual_reviews(spec, task_id)
    for place in (usual, Path("reviews", usual.name), *of_markers):
        if place.resolve() not in known and place.exists():
            known.add(place.resolve())
            note(f"{place} does not count: the reviews come from {places(taken)}")
