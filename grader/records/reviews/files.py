"""The files of reviews that a run goes by: those that were named, then or now, else those beside the spec.

A record can come from anywhere, so a file is written only where it was named, or beside the spec that is.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from shlex import quote

from grader.model.errors import Fault, UsageError
from grader.records.file_text import entries_of, is_filled, is_there, read_bytes, refuse_dead_link
from grader.records.last_run import OUTPUT, REVIEWS, are_named, each_once, from_here, places, taken_again
from grader.records.reviews.same import says_all
from grader.records.reviews.template import is_blank
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
    lost = [file for file in before if is_lost(file)]
    is_named = were_named(files, task_id)
    beside = (*_beside_spec(spec, task_id),) if lost or not is_named else ()
    moved = {file.path: _heir(file, beside, spec, task_id) for file in lost}
    lost = [file for file in lost if moved[file.path] is None]
    if lost and not keeps_lost:
        raise _refused(lost, before, beside, () if is_named else beside)
    usual = () if is_named else beside
    for file in lost:
        became = f"{_what_became(file)}, so the content in the record counts"
        note(f"reviews of the last run: {from_here(file.path)} ({became})")
    for path, heir in moved.items():
        if heir is not None and heir.name != path.name:
            note(f"{from_here(path)} is gone; {heir.name} says the same and counts for it")
    here = [replace(file, path=moved.get(file.path) or file.path) for file in before if file not in lost]
    # A blank one that is gone holds nobody up, unless it was named: then it is made again.
    here = [file for file in here if not usual or is_there(file.path, _WHAT)]
    again = taken_again(REVIEWS, reversed(each_once(reversed(here))), note, tells_all=tells_all)
    known = {file.path.resolve() for file in again}
    others = (file for file in usual[1:] if file.path.resolve() not in known)
    return each_once((*usual[:1], *again, *others, *lost))


def _beside_spec(spec: Path, task_id: str) -> Iterator[KeptFile]:
    """Yield the files that lie beside a spec; the first need not be there."""
    for path in usual_reviews(spec, task_id):
        if not is_there(path, _WHAT):
            refuse_dead_link(path, _WHAT)
        yield as_it_is(path)


def as_it_is(path: Path) -> KeptFile:
    """Return a file of reviews as it is now, without content where it is not there."""
    return KeptFile(REVIEWS, path, read_bytes(path, _WHAT) if is_there(path, _WHAT) else b"")


def is_lost(file: KeptFile) -> bool:
    """Tell whether a file of the last run said something, and is gone, empty or can't be read."""
    return not is_blank(file.content) and bool(_what_became(file))


def _what_became(file: KeptFile) -> str:
    """Return why a file says nothing any more; empty where it does."""
    try:
        if not is_there(file.path, _WHAT):
            return "it is gone"
        return "" if is_filled(read_bytes(file.path, _WHAT)) else "it is empty now"
    except UsageError:
        return "it can't be read"


def refuse_lost(before: Collection[KeptFile], named: Collection[KeptFile]) -> None:
    """Raise `UsageError` where a file is named that is not there yet, and one of the last run is left out.

    A course that was copied without its reviews names them all the same; nobody decided that they shall go.
    """
    there = {file.path.resolve() for file in named}
    left = [file for file in before if not is_blank(file.content) and file.path.resolve() not in there]
    left = [file for file in left if not any(says_all(each.content, file.content) for each in named)]
    if left and not all(is_filled(file.content) for file in named):
        hint = "put it back, or name it, too; or say --without reviews first, and name the new ones then"
        what = "marks of the last run stood in this file of reviews, and what is named says nothing yet"
        raise UsageError(*(Fault(what, str(file.path), hint=hint) for file in left))


def meant_by(path: Path, named: Collection[Path], before: Iterable[KeptFile]) -> KeptFile | None:
    """Return the file of the last run that is meant by a named path at which none may lie; None for none.

    That is the one at this path; else, as after a move or a copy, the only one of its name that no other path
    names.
    """
    said = [file for file in before if not is_blank(file.content)]
    own = [file for file in said if file.path.resolve() == path.resolve()]
    others = {each.resolve() for each in named}
    alike = [file for file in said if file.path.name == path.name and file.path.resolve() not in others]
    return own[0] if own else alike[0] if len(alike) == 1 else None


def _refused(
    lost: Collection[KeptFile],
    before: Collection[KeptFile],
    beside: Collection[KeptFile],
    usual: Collection[KeptFile],
) -> UsageError:
    """Return what to say of files that are lost, with all that one has to name to leave no others out.

    beside: those beside the spec, one of which may be meant.  usual: the same, where they count anyway.
    """
    was = {file.path.resolve(): file.content for file in before}
    others = [
        file for file in beside if is_filled(file.content) and was.get(file.path.resolve()) != file.content
    ]
    here = [file for file in (*usual, *before) if file not in lost and is_there(file.path, _WHAT)]
    wanted = each_once((*here, *(others or lost)))
    names = " ".join(f"--reviews {quote(str(from_here(file.path)))}" for file in wanted)
    again = "" if others else " (delete an empty one; one that is gone is written again)"
    hint = f"put it back; or tell grader mark what counts: {names}{again}, or --without reviews"
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


def lies_as_usual(path: Path, spec: Path, task_id: str) -> bool:
    """Tell whether a file lies as those do that are taken without being named, be it there or not."""
    folder = _folder_of_spec(path.absolute(), task_id)
    return (
        folder is not None and folder.resolve() == spec.parent.resolve() and path.suffix.lower() in _SUFFIXES
    )


def are_usual(paths: Collection[Path], spec: Path, task_id: str) -> bool:
    """Tell whether files are all that lie beside a spec, and no others: then it says nothing to name them."""
    here = {path.resolve() for path in usual_reviews(spec, task_id) if is_there(path, _WHAT)}
    return here <= {path.resolve() for path in paths} and all(
        lies_as_usual(each, spec, task_id) for each in paths
    )


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
    of_task = usual.with_suffix("")
    misspelt = [
        place
        for place in entries_of(usual.parent, _WHAT)
        if place.suffix.lower() in _SUFFIXES
        and place.stem != task_id
        and place.stem.lower() == task_id.lower()
    ]
    for place in (*misspelt, *entries_of(of_task, _WHAT)):
        if not place.name.startswith(".") and place.resolve() not in known:
            note(f"{place} does not count: reviews of a marker are {of_task}/NAME.yaml")
