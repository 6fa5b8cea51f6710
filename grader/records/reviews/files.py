"""The files of reviews that a run goes by: those that were named, then or now, else those beside the spec.

A record can come from anywhere, so a file is written only where it was named, or beside the spec that is.
"""

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from pathlib import Path

from grader.model.errors import Fault, UsageError
from grader.records.file_text import entries_of, is_there, read_bytes
from grader.records.last_run import OUTPUT, REVIEWS, are_named, each_once, from_here, places, taken_again
from grader.records.reviews.template import is_blank, says_all
from grader.store.record_parts import KeptFile

_SUFFIXES = (".yaml", ".yml")
_WHAT = "the reviews"


def usual_reviews(spec: Path, task_id: str) -> tuple[Path, ...]:
    """Return the files of reviews that are taken without being named: one, and those of several markers.

    They lie beside the spec: `reviews/TASK.yaml`, which need not be there, and all in `reviews/TASK/`.
    Raises `UsageError` where a folder can't be listed.
    """
    folder = spec.parent / "reviews"
    alike = [
        path for path in entries_of(folder, _WHAT) if path.stem == task_id and path.name != f"{task_id}.yaml"
    ]
    # A Mac puts `._marker.yaml` beside a file that it copies.
    others = [
        path for path in (*alike, *entries_of(folder / task_id, _WHAT)) if not path.name.startswith(".")
    ]
    return (folder / f"{task_id}.yaml", *sorted(path for path in others if path.suffix.lower() in _SUFFIXES))


def were_named(files: Collection[KeptFile], task_id: str) -> bool:
    """Tell whether the reviews of a run are those that a marker named, for it or an earlier run.

    files: those of the run, as its record has them.  Records of 0.1.0 do not say it; there, files that lie as
    those beside a spec do were not named.
    """
    if are_named(files, REVIEWS) or any(file.kind == OUTPUT for file in files):
        return are_named(files, REVIEWS)
    reviews = [file.path for file in files if file.kind == REVIEWS]
    return any(_folder_of_spec(path, task_id) is None for path in reviews)


def reviews_again(
    files: Collection[KeptFile],
    spec: Path,
    task_id: str,
    note: Callable[[str], None],
    *,
    tells_all: bool = True,
    keeps_lost: bool = False,
) -> tuple[KeptFile, ...]:
    """Return the reviews of a run that names none.

    They are those that were named before, else those beside the spec and those of the last run, which can
    lie beside a spec in another folder.  What awaits a person is added to the first, beside this spec.
    files: those of the last run.  tells_all: those are told, too, that are where they were.
    One that is gone was moved or renamed, if a file beside this spec says all that it said.
    keeps_lost: any other that is gone or empty, and said something, counts as the last run read it; for what
    marks nothing anew.  Else it is refused.
    Raises `UsageError`.
    """
    before = [file for file in files if file.kind == REVIEWS]
    usual = () if were_named(files, task_id) else (*_beside_spec(before, spec, task_id),)
    lost = [file for file in before if is_lost(file)]
    moved = {file.path: _heir(file, usual, spec, task_id) for file in lost}
    lost = [file for file in lost if moved[file.path] is None]
    if lost and not keeps_lost:
        raise _refused(lost, before, usual)
    for file in lost:
        became = f"{_what_became(file)}, so the content in the record counts"
        note(f"reviews of the last run: {from_here(file.path)} ({became})")
    for path, heir in moved.items():
        if heir is not None and heir.name != path.name:
            note(f"{from_here(path)} is gone; {heir.name} says the same and counts for it")
    here = [replace(file, path=moved.get(file.path) or file.path) for file in before if file not in lost]
    # A blank one that is gone holds nobody up, unless it was named: then it is made again.
    here = [file for file in here if not usual or is_there(file.path, _WHAT)]
    again = taken_again(REVIEWS, here, note, tells_all=tells_all)
    known = {file.path.resolve() for file in again}
    others = (file for file in usual[1:] if file.path.resolve() not in known)
    return each_once((*usual[:1], *again, *others, *lost))


def _beside_spec(before: Collection[KeptFile], spec: Path, task_id: str) -> Iterator[KeptFile]:
    """Yield the files that lie beside a spec.  before: those of the last run."""
    first, *of_markers = usual_reviews(spec, task_id)
    yield KeptFile(REVIEWS, first, read_bytes(first, _WHAT) if is_there(first, _WHAT) else b"")
    known = {file.path for file in before}
    for path in of_markers:
        if is_there(path, _WHAT):
            yield KeptFile(REVIEWS, path, read_bytes(path, _WHAT))
        elif path not in known:
            raise UsageError(Fault(f"{_WHAT} can't be read: this link leads nowhere", str(path)))


def is_lost(file: KeptFile) -> bool:
    """Tell whether a file of the last run is gone or empty, and said something."""
    return not is_blank(file.content) and not (is_there(file.path, _WHAT) and file.path.stat().st_size)


def _what_became(file: KeptFile) -> str:
    return "it is empty now" if is_there(file.path, _WHAT) else "it is gone"


def _refused(
    lost: Collection[KeptFile], before: Collection[KeptFile], usual: Collection[KeptFile]
) -> UsageError:
    """Return what to say of files that are lost.  usual: those beside the spec, one of which may be meant."""
    known = {file.path.resolve() for file in before}
    said = [file for file in before if not is_blank(file.content)]
    others = [file for file in usual if file.content and file.path.resolve() not in known]
    names = " ".join(f"--reviews {from_here(file.path)}" for file in others or said)
    again = "" if others else " (one that is gone is written again)"
    hint = f"put it back; or say what counts: {names}{again}, or --without reviews"
    what = "marks of the last run stood in this file of reviews, and "
    return UsageError(*(Fault(what + _what_became(file), str(file.path), hint=hint) for file in lost))


def _heir(file: KeptFile, usual: Collection[KeptFile], spec: Path, task_id: str) -> Path | None:
    """Return the file beside a spec that says all that a file said which is gone; None for none."""
    beside = _beside(file.path, spec, task_id)
    found = [each.path for each in usual if says_all(each.content, file.content)]
    return next((path for path in found if path == beside), next(iter(found), None))


def _beside(path: Path, spec: Path, task_id: str) -> Path | None:
    """Return where a file of reviews lies, if it moved along with its spec to this one."""
    folder = _folder_of_spec(path, task_id)
    return spec.parent / path.relative_to(folder) if folder is not None else None


def _folder_of_spec(path: Path, task_id: str) -> Path | None:
    """Return the folder of the spec beside which a file of reviews lies, by its name; else None."""
    if path.parent.name == task_id and path.parents[1].name == "reviews":
        return path.parents[2]
    return path.parents[1] if path.stem == task_id and path.parent.name == "reviews" else None


def are_usual(paths: Collection[Path], spec: Path, task_id: str) -> bool:
    """Tell whether files are all that lie beside a spec, and no others: then it says nothing to name them."""
    usual = usual_reviews(spec, task_id)
    here = {path.resolve() for path in usual if is_there(path, _WHAT)}
    named = {path.resolve() for path in paths}
    return bool(here) and here <= named <= {path.resolve() for path in usual}


def tell_of_others(
    taken: Collection[KeptFile], spec: Path, task_id: str, note: Callable[[str], None]
) -> None:
    """Tell of files that look like reviews of a task and are none of those that a run goes by.

    One in the current folder is told of: a student's checkout may hold it.
    """
    known = {file.path.resolve() for file in taken}
    usual, *of_markers = usual_reviews(spec, task_id)
    for place in (usual, Path("reviews", usual.name), *of_markers):
        if place.resolve() not in known and is_there(place, _WHAT):
            known.add(place.resolve())
            note(f"{place} does not count: the reviews come from {places(taken)}")
