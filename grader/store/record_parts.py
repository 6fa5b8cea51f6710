"""The parts of a run's record as bytes: a spec's files, one student's work, and how a run was started.

Each part is compressed JSON, written and read by declared types, so a record can be read by a later version
and never runs code (a pickle would).  A part goes by the SHA-256 of its bytes.
"""

import hashlib
import json
import zlib
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from grader.model.person import Person
from grader.model.policy import Extension
from grader.model.results import RunInfo
from grader.model.submission import Record, Review, SourceFile, Submission
from grader.model.task import SpecFile, Task
from grader.store.codec import Codec, Shape
from grader.store.results_json import SHAPES

_LEVEL = 1
_LARGEST_B = 512 * 1024 * 1024
"""More than the intake and the spec's limits let through; a part that claims more is damaged."""

_T = TypeVar("_T")


class Unpackable(ValueError):
    """The bytes are not a part of a record."""


@dataclass(frozen=True, slots=True)
class RecordedFile:
    """A file of the spec.  path: absolute, where it was read."""

    path: str
    content: bytes


@dataclass(frozen=True, slots=True)
class RecordedSpec:
    """All files of a spec.  path: that of the spec itself, as the command named it."""

    path: str
    sha256: str
    files: tuple[RecordedFile, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedRun:
    """How a run was started.

    python: the interpreter that was asked for, as `find_interpreter` takes it.
    command: the interpreter that was found.
    code: the digest of the grader's own code.
    packages: releases that submissions could import, such as `numpy 2.1.0`.
    """

    info: RunInfo
    python: str = ""
    command: str = ""
    code: str = ""
    packages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Module:
    module: str
    name: str
    text: str
    repairs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Extension:
    """An `Extension` in types that JSON has.  deadline: ISO 8601; empty for none."""

    student: str
    deadline: str
    extra_s: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Work:
    """A `Submission` in types that JSON has.  submitted: ISO 8601; empty: unknown."""

    id: str
    name: str
    modules: tuple[_Module, ...]
    problems: tuple[str, ...]
    unreadable: str
    notes: tuple[str, ...]
    sha256: str
    content_sha256: str
    origin: str
    has_record: bool
    submitted: str
    review: Review
    attempt: str = ""
    extension: _Extension | None = None
    person: Person | None = None


@dataclass(frozen=True, slots=True)
class _AllWork:
    """A submission with its attempts, which have none themselves."""

    whole: _Work
    attempts: tuple[_Work, ...] = ()


# A field that a later version adds is optional, so that earlier records can be read.
_START = Shape("start of a run", optional=frozenset({"python", "command", "code", "packages"}))
_WORK = Shape("work", optional=frozenset({"attempt", "extension", "person"}))
_PARTS = Codec({**SHAPES, RecordedRun: _START, _Work: _WORK})


def digest_of(packed: bytes) -> str:
    """Return the name of a part."""
    return hashlib.sha256(packed).hexdigest()


def pack_spec(task: Task) -> bytes:
    """Return the files of a task's spec as a part."""
    files = tuple(RecordedFile(str(file.path), file.content) for file in task.files)
    return _packed(RecordedSpec(str(task.spec_path), task.spec_sha256, files))


def unpack_spec(packed: bytes) -> RecordedSpec:
    """Return the files of a spec.  Raises `Unpackable`."""
    return _unpacked(RecordedSpec, packed)


def spec_files(spec: RecordedSpec) -> tuple[SpecFile, ...]:
    return tuple(SpecFile(Path(file.path), file.content) for file in spec.files)


def pack_run(run: RecordedRun) -> bytes:
    """Return how a run was started as a part."""
    return _packed(run)


def unpack_run(packed: bytes) -> RecordedRun:
    """Return how a run was started.  Raises `Unpackable`."""
    return _unpacked(RecordedRun, packed)


def pack_work(submission: Submission) -> bytes:
    """Return a student's work, as it was read, as a part."""
    return _packed(_AllWork(_work_of(submission), tuple(map(_work_of, submission.attempts))))


def _work_of(submission: Submission) -> _Work:
    record = submission.record or Record()
    extension = record.extension
    return _Work(
        id=submission.id,
        name=submission.name,
        modules=tuple(
            _Module(module, file.name, file.text, file.repairs) for module, file in submission.files.items()
        ),
        problems=submission.problems,
        unreadable=submission.unreadable,
        notes=submission.notes,
        sha256=submission.sha256,
        content_sha256=submission.content_sha256,
        origin=str(submission.origin),
        has_record=submission.record is not None,
        submitted=record.submitted.isoformat() if record.submitted is not None else "",
        review=record.review,
        attempt=submission.attempt,
        extension=(
            _Extension(
                extension.student,
                extension.deadline.isoformat() if extension.deadline is not None else "",
                extension.extra_s,
            )
            if extension is not None
            else None
        ),
        person=submission.person,
    )


def unpack_work(packed: bytes) -> Submission:
    """Return a student's work.  Raises `Unpackable`."""
    try:
        work = _unpacked(_AllWork, packed)
        return replace(_submission_of(work.whole), attempts=tuple(map(_submission_of, work.attempts)))
    except ValueError as error:
        raise Unpackable(str(error)) from error


def _submission_of(work: _Work) -> Submission:
    """Return the submission.  Raises `ValueError` if its time is none."""
    submitted, extension = _time_of(work.submitted), None
    if work.extension is not None:
        given = work.extension
        extension = Extension(given.student, _time_of(given.deadline), given.extra_s)
    return Submission(
        id=work.id,
        name=work.name,
        files={one.module: SourceFile(one.name, one.text, one.repairs) for one in work.modules},
        problems=work.problems,
        unreadable=work.unreadable,
        notes=work.notes,
        sha256=work.sha256,
        content_sha256=work.content_sha256,
        origin=Path(work.origin),
        record=Record(submitted, work.review, extension) if work.has_record else None,
        attempt=work.attempt,
        person=work.person,
    )


def _time_of(text: str) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def _packed(part: object) -> bytes:
    # JSON's own escapes would join two halves of surrogate pairs, which students' texts can hold.
    text = json.dumps(_PARTS.write(part), ensure_ascii=False)
    return zlib.compress(text.encode("utf-8", "surrogatepass"), _LEVEL)


def _unpacked(kind: type[_T], packed: bytes) -> _T:
    reader = zlib.decompressobj()
    try:
        text = reader.decompress(packed, _LARGEST_B)
        if not reader.eof:
            raise Unpackable("a part of the record is cut off")
        return _PARTS.read(kind, json.loads(text.decode("utf-8", "surrogatepass")))
    except (zlib.error, ValueError, TypeError, OverflowError, RecursionError) as error:
        raise Unpackable(str(error)) from error
