"""The parts of a run's record as bytes: a spec's files, one student's work, and how a run was started.

Each part is compressed JSON, written and read by declared types, so a record can be read by a later version
and never runs code (a pickle would).  A part goes by the SHA-256 of its bytes.
"""

import hashlib
import json
import zlib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from grader.model.results import RunInfo
from grader.model.submission import CriterionMark, Review, Submission
from grader.model.task import SpecFile, Task
from grader.store.codec import Codec, Shape
from grader.store.results_json import SHAPES

_LEVEL = 1
_HUGE_B = 16 * 1024 * 1024
"""A part this large has a task's data files; to compress them at each run would take seconds."""
_LARGEST_B = 512 * 1024 * 1024
"""More than the intake and the spec's limits let through; a part that claims more is damaged."""

_T = TypeVar("_T")


class Unpackable(ValueError):
    """The bytes are not a part of a record."""


@dataclass(frozen=True, slots=True)
class RecordedSpec:
    """All files of a spec.  path: that of the spec itself, as the command named it."""

    path: str
    sha256: str
    files: tuple[SpecFile, ...]


@dataclass(frozen=True, slots=True)
class KeptFile:
    """A file that people keep beside the submissions, as a run read it.

    kind: roster, times, reviews, or what `course.terms` and `records.instead` keep.
    path: of a record, absolute.  content: empty where there was no file.
    """

    kind: str
    path: Path
    content: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedRun:
    """The start of a run.

    python: the interpreter that was asked for, as `find_interpreter` takes it.
    command: the interpreter that was found.
    code: the digest of the grader's own code.
    packages: releases that submissions could import, such as `numpy 2.1.0`.
    files: those that people keep beside the submissions, which a later run takes again.
    """

    info: RunInfo
    python: str = ""
    command: str = ""
    code: str = ""
    packages: tuple[str, ...] = ()
    files: tuple[KeptFile, ...] = ()


@dataclass(frozen=True, slots=True)
class _Work:
    """A submission, and its attempts apart: these have none themselves."""

    whole: Submission
    attempts: tuple[Submission, ...]


# A field that a later version adds is optional, so that earlier records can be read.
_PARTS = Codec(
    {
        **SHAPES,
        Submission: Shape(
            "work",
            never=frozenset({"attempts"}),
            optional=frozenset({"found", "instead", "is_doubtful", "unread"}),
        ),
        RecordedRun: Shape("start of a run", optional=frozenset({"files"})),
        Review: Shape("review", optional=frozenset({"remarks"})),
        CriterionMark: Shape("mark of a criterion", optional=frozenset({"level", "uses", "role"})),
    }
)


def digest_of(packed: bytes) -> str:
    """Return the name of a part."""
    return hashlib.sha256(packed).hexdigest()


def pack_spec(task: Task) -> bytes:
    """Return the files of a task's spec as a part."""
    return pack(RecordedSpec(str(task.spec_path), task.spec_sha256, task.files))


def pack_work(submission: Submission) -> bytes:
    """Return a student's work, as it was read, as a part."""
    return pack(_Work(submission, submission.attempts))


def unpack_work(packed: bytes) -> Submission:
    """Return a student's work.  Raises `Unpackable`."""
    work = unpack(_Work, packed)
    return replace(work.whole, attempts=work.attempts)


def pack(part: object) -> bytes:
    """Return an instance of a dataclass as a part."""
    # JSON's own escapes would join two halves of surrogate pairs, which students' texts can hold.
    text = json.dumps(_PARTS.write(part), ensure_ascii=False)
    content = text.encode("utf-8", "surrogatepass")
    return zlib.compress(content, _LEVEL if len(content) < _HUGE_B else 0)


def unpack(kind: type[_T], packed: bytes) -> _T:
    """Return the instance of a dataclass that a part holds.  Raises `Unpackable`."""
    reader = zlib.decompressobj()
    try:
        text = reader.decompress(packed, _LARGEST_B)
        if not reader.eof:
            raise Unpackable("a part of the record is cut off")
        return _PARTS.read(kind, json.loads(text.decode("utf-8", "surrogatepass")))
    except (zlib.error, ValueError, TypeError, OverflowError, RecursionError) as error:
        raise Unpackable(str(error)) from error
