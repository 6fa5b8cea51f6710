"""A finished run, from its results and its record: the task, the submissions, and where they came from.

The spec is loaded from the recorded files and not from where it lay, so the folders of the spec and of the
submissions may be gone.
"""

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from tempfile import TemporaryDirectory

from grader.engine.output_folder import RESULTS
from grader.intake import Candidate, SourceKind
from grader.marking.attempts import counting
from grader.model.errors import Fault, SpecError, UsageError
from grader.model.kinds import kind_of
from grader.model.results import RunResults, SubmissionResult
from grader.model.task import OwnCode, Task
from grader.reports.views.provenance import Provenance
from grader.spec import load_task
from grader.spec.decode.calling.inputs import DRAWN
from grader.store.database import FILE_NAME
from grader.store.reading import id_of_line, stream_results, texts, with_texts
from grader.store.record_parts import RecordedRun, RecordedSpec, unpack_work
from grader.store.results_json import submission_text
from grader.store.run_record import RecordEntry, RunRecord
from grader.store.run_store import RecordInUse, RunStore, is_line

_MOST_NAMED = 8


@dataclass(frozen=True, slots=True)
class FinishedRun:
    """The results of a run.  folder: where they and the record lie."""

    folder: Path
    results: RunResults

    def record(self) -> RunRecord:
        """Open the record.  Raises `UsageError`."""
        return RunRecord(self.folder, self.results.run.id)


def finished_run(path: Path) -> FinishedRun:
    """Return the run whose results lie in a folder or file.  Raises `UsageError`."""
    results = path / RESULTS if path.is_dir() else path
    usual = Path("reports") / path
    if not results.exists() and (usual / RESULTS).is_file():
        raise UsageError(Fault("there is no such file", where=str(path), hint=f"did you mean {usual}?"))
    return FinishedRun(results.parent, stream_results(results))


def record_gap(run: FinishedRun) -> str:
    """Return in a few words why the record of a run cannot be used; empty where it can.

    Raises `RecordInUse` if another grader writes to it.
    """
    path = run.folder / FILE_NAME
    try:
        if not path.stat().st_size and not path.with_name(f"{FILE_NAME}-wal").exists():
            return f"{FILE_NAME} is empty"
        with RunStore(run.folder) as store:
            is_own = run.results.run.id in store.runs()
        return "" if is_own else f"{FILE_NAME} is not the record of this run"
    except FileNotFoundError:
        return f"there is no {FILE_NAME} here"
    except OSError as error:
        return f"{FILE_NAME} can't be read ({error.strerror})"
    except RecordInUse:
        raise
    except UsageError as error:
        return error.faults[0].message


def changed_since(run: FinishedRun) -> list[str]:
    """Return the submissions of which the results say something else than the record of their run.

    None where there is no record of that run that can be read.  What a later run that did not end has
    recorded is left aside.
    """
    try:
        with RunStore.reading(run.folder) as store:
            checksums = store.checksums(run.results.run.id)
    except UsageError:
        return []
    if not any(checksums.values()) or _is_as_recorded(run.results.submissions, checksums):
        return []
    changed, missing = [], {each for each, checksum in checksums.items() if checksum is not None}
    for result, text in with_texts(run.results.submissions):
        checksum = checksums.get(result.id, -1)
        is_known = checksum is None or is_line(text, checksum) or is_line(submission_text(result), checksum)
        if not is_known:
            changed.append(result.id)
        missing.discard(result.id)
    return [*changed, *sorted(missing)]


def _is_as_recorded(submissions: Iterable[SubmissionResult], checksums: Mapping[str, int | None]) -> bool:
    """Tell whether every line is as the record has it, without building what the lines say."""
    missing = {each for each, checksum in checksums.items() if checksum is not None}
    for text in texts(submissions):
        own = id_of_line(text)
        checksum = checksums.get(own, -1)
        if checksum is not None and not is_line(text, checksum):
            return False
        missing.discard(own)
    return not missing


def recorded_task(record: RunRecord) -> Task:
    """Return the task by which a run marked.  Raises `UsageError` if the record lacks any of it."""
    spec = record.spec()
    with TemporaryDirectory(prefix="grader-spec-") as folder:
        try:
            task = _loaded(spec, Path(folder), record.path)
        except SpecError as error:
            raise SpecError(*(_of_origin(fault, folder) for fault in error.faults)) from None
    if task.spec_sha256 != spec.sha256:
        what = "the spec names files by absolute paths, and they changed since the run"
        raise UsageError(Fault(what, str(record.path)))
    return replace(
        task,
        spec_path=Path(spec.path),
        files=spec.files,
        reference=_moved_back(task.reference, folder),
        checkers=_moved_back(task.checkers, folder),
    )


def _loaded(spec: RecordedSpec, folder: Path, where: Path) -> Task:
    """Lay the files out in a folder as they lay before, and load the spec."""
    drawn = Path(f"{spec.files[0].path}{DRAWN}") if spec.files else None
    recorded = b"".join(file.content for file in spec.files if file.path == drawn)
    files = [file for file in spec.files if file.path != drawn]
    places = [_place(folder, file.path, where) for file in files]
    try:
        for place, file in zip(places, files, strict=True):
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(file.content)
        first = places[0]
    except (OSError, ValueError, IndexError) as error:
        fault = Fault(f"the recorded files of the spec cannot be laid out: {error}", str(where))
        raise UsageError(fault) from error
    return load_task(first, recorded)


def _of_origin(fault: Fault, folder: str) -> Fault:
    """Return the fault with the paths where the files lay, instead of those in our folder."""
    where, message = fault.where.replace(folder, ""), fault.message.replace(folder, "")
    return replace(fault, where=where, message=message)


def _place(folder: Path, path: Path, where: Path) -> Path:
    """Return the place of a file in a folder that stands for the root of the file system."""
    inside = Path(os.path.normpath(path))
    place = folder / inside.relative_to(inside.anchor)
    if ".." in inside.parts or place == folder:
        raise UsageError(Fault("the record is damaged: a file of the spec has no place", str(where)))
    return place


def _moved_back(code: OwnCode | None, folder: str) -> OwnCode | None:
    if code is None:
        return None
    return replace(code, path=Path(os.sep, code.path.relative_to(folder)))


def recorded_python(run: RecordedRun, task: Task) -> str:
    """Return the interpreter of a run, as `find_interpreter` takes it.

    A path is refused: a record can come from somewhere else, and would name a program to start here.
    Raises `UsageError`.
    """
    wanted = run.python or task.python
    if Path(wanted).name != wanted and wanted != sys.executable:
        hint = "if you trust it, name it with --python"
        raise UsageError(Fault(f"the record asks to start the program {wanted}", hint=hint))
    series = ".".join(run.info.python.split(".")[:2])
    own = f"{sys.version_info[0]}.{sys.version_info[1]}"
    return wanted or ("" if series == own else series)


def recorded_candidates(record: RunRecord) -> tuple[list[Candidate], list[str]]:
    """Return the submissions of a run for marking again, and the ids of those whose work it never read."""
    candidates, unread = [], []
    for submission_id, entry in record.entries().items():
        if entry.work:
            candidates.append(_candidate(record, submission_id, entry))
        else:
            unread.append(submission_id)
    return candidates, unread


def _candidate(record: RunRecord, submission_id: str, entry: RecordEntry) -> Candidate:
    packed = record.packed_work(entry, submission_id)
    work = unpack_work(packed)
    return Candidate(
        submission_id,
        work.name,
        SourceKind.RECORDED,
        work.origin,
        notes=work.notes,
        record=work.record,
        recorded=packed,
        person=work.person,
        is_apart=any(one.instead is not None for one in (work, *work.attempts)),
    )


def result_of(run: FinishedRun, name: str) -> SubmissionResult:
    """Return the result of a submission, by its id or name.  Raises `UsageError` with the nearest names."""
    found = [one for one in run.results.submissions if name in (one.id, one.name)]
    if len(found) == 1 or (found and found[0].id == name):
        return found[0]
    ids = [one.id for one in run.results.submissions]
    raise UsageError(unknown("submission", name, ids))


def unknown(what: str, name: str, known: Sequence[str]) -> Fault:
    """Return the fault for a name that nothing has, with those that look like it."""
    return Fault(f"there is no {what} {name!r} in this run", hint=_nearest(name, known))


def _nearest(name: str, known: Sequence[str]) -> str:
    near = get_close_matches(name, known, 3)
    if near:
        return f"did you mean {' or '.join(near)}?"
    more = f" and {len(known) - _MOST_NAMED} more" if len(known) > _MOST_NAMED else ""
    return f"there are {', '.join(known[:_MOST_NAMED])}{more}" if known else "there is none"


def provenance(run: FinishedRun, submission: SubmissionResult) -> Provenance:
    """Return what the record knows about a submission; a gap tells what it does not."""
    known = Provenance()
    try:
        with run.record() as record:
            entry = record.entries().get(submission.id)
            if entry is not None and entry.marked != run.results.run.id:
                known = replace(known, marked=(entry.marked, record.run(entry.marked).info.started))
            if entry is not None and entry.work:
                known = replace(known, work=counting(record.work(entry, submission.id), submission))
            known = replace(known, packages=record.run().packages)
            known = replace(known, spec=tuple(str(file.path) for file in record.spec().files))
            task = recorded_task(record)
        return replace(
            known,
            rounding=task.rounding,
            limits={case.id: case.limits for case in task.cases if kind_of(case).runs},
        )
    except UsageError as error:
        return replace(known, gap=f"From the results alone: {error.faults[0].message}.")
