"""The files of reviews that a run goes by: those that were named, then or now, else those beside the spec.

A record can come from anywhere, so a file is written only where it was named, or beside the spec that is.
"""

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from pathlib import Path

from grader.records.file_text import read_bytes
from grader.records.last_run import REVIEWS, are_named, each_once, places, taken_again
from grader.records.reviews.template import is_blank
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


def were_named(files: Collection[KeptFile], task_id: str) -> bool:
    """Tell whether the reviews of a run are those that a marker named, for it or an earlier run.

    files: those of the run, as its record has them.  Old records do not say it; there, files that lie as
    those beside a spec do were not named.
    """
    reviews = [file.path for file in files if file.kind == REVIEWS]
    return are_named(files, REVIEWS) or any(_folder_of_spec(path, task_id) is None for path in reviews)


def reviews_again(
    files: Collection[KeptFile],
    spec: Path,
    task_id: str,
    note: Callable[[str], None],
    *,
    tells_all: bool = True,
) -> tuple[KeptFile, ...]:
    """Return the reviews of a run that names none.

    They are those that were named before, else those beside the spec and those of the last run, which can
    lie beside a spec in another folder.  What awaits a person is added to the first, beside this spec.
    files: those of the last run.  tells_all: those are told, too, that are where they were.
    Raises `UsageError`.
    """
    before = [file for file in files if file.kind == REVIEWS]
    if were_named(files, task_id):
        return taken_again(REVIEWS, before, note, tells_all=tells_all)
    usual = [
        KeptFile(REVIEWS, path, read_bytes(path, "the reviews") if path.exists() else b"")
        for path in usual_reviews(spec, task_id)
    ]
    kept = _still_counting(before, usual, spec, task_id, note)
    again = taken_again(REVIEWS, kept, note, tells_all=tells_all)
    return each_once((usual[0], *again, *usual[1:]))


def _still_counting(
    before: Collection[KeptFile],
    usual: Collection[KeptFile],
    spec: Path,
    task_id: str,
    note: Callable[[str], None],
) -> Iterator[KeptFile]:
    """Yield the reviews of the last run that count on, each where it lies now.

    One that is gone was moved to this spec, if a file of its name lies beside it; and renamed, if a new file
    there has its content.  Without a mark it counts no more.  usual: the files beside this spec.
    """
    there = {file.path.resolve() for file in usual if file.path.is_file()}
    known = {file.path.resolve() for file in before}
    new = {file.content: file.path for file in usual if file.path.resolve() not in known}
    for file in before:
        beside = _beside(file.path, spec, task_id)
        if file.path.is_file():
            yield file
        elif beside is not None and beside.resolve() in there:
            yield replace(file, path=beside)
        elif file.content in new and not is_blank(file.content):
            note(f"{file.path} is gone; {new[file.content].name} says the same and counts for it")
        elif not is_blank(file.content):
            yield file


def _beside(path: Path, spec: Path, task_id: str) -> Path | None:
    """Return where a file of reviews lies, if it moved along with its spec to this one."""
    folder = _folder_of_spec(path, task_id)
    return spec.parent / path.relative_to(folder) if folder is not None else None


def _folder_of_spec(path: Path, task_id: str) -> Path | None:
    """Return the folder of the spec beside which a file of reviews lies, by its name; else None."""
    of_task = path if path.stem == task_id else path.parent if path.parent.name == task_id else None
    return of_task.parents[1] if of_task is not None and of_task.parent.name == "reviews" else None


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
