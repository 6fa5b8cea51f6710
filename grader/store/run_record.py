"""Reads the record of a run that ended: how it was started, its spec, and each student's work.

It opens the store of `run_store` for reading alone, and changes nothing.  The record can explain, replay and
repeat the run; the results themselves are in `results.json`.
"""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from grader.model.errors import Fault, UsageError
from grader.model.submission import Submission
from grader.store.database import FILE_NAME, Database
from grader.store.record_parts import RecordedRun, RecordedSpec, Unpackable, digest_of, unpack, unpack_work

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class RecordEntry:
    """One submission of the run.  work: digest of the part.  marked: the run that marked it."""

    work: str
    marked: str


class _Damaged(Unpackable):
    """A part is gone, or its bytes changed."""


class RunRecord(Database):
    """The record of a run.  Use it as a context manager, or call `close`.

    All methods raise `UsageError` if the record is damaged, or lacks what is asked for.
    """

    def __init__(self, folder: Path, run_id: str) -> None:
        """Open the record that lies beside the results of the run `run_id`."""
        self.path = folder / FILE_NAME
        self._run = run_id
        if not self.path.is_file():
            hint = "a run writes it beside its results; without it they cannot be replayed or marked again"
            raise UsageError(Fault("the record of the run is not here", str(self.path), hint=hint))
        with self._refusing():
            self._open_for_reading()
            try:
                self._check()
            except BaseException:
                self._database.close()
                raise

    def _check(self) -> None:
        query = "SELECT count(*) FROM sqlite_schema WHERE name IN ('run', 'finished')"
        (tables,) = self._database.execute(query).fetchone()
        if tables < 2:
            hint = "mark the submissions again"
            what = "an earlier version of grader wrote this record"
            raise UsageError(Fault(what, str(self.path), hint=hint))

    def entries(self) -> dict[str, RecordEntry]:
        """Return the submissions of the run, by id."""
        finished = "SELECT id, digest, marked FROM finished WHERE run = ? ORDER BY id"
        # A run that was killed after it wrote its results and before it said so here.
        latest = (
            "SELECT work.id, digest, work.run FROM work JOIN holding USING (id) "
            "WHERE holding.run = ? ORDER BY work.id"
        )
        with self._refusing():
            rows = self._database.execute(finished, (self._run,)).fetchall()
            rows = rows or self._database.execute(latest, (self._run,)).fetchall()
        found = {submission: RecordEntry(work, marked) for submission, work, marked in rows}
        if not found and not self._knows(self._run):
            what = f"the record is not that of the run {self._run}"
            hint = "results.json and run.sqlite of one folder belong together; mark the submissions again"
            raise UsageError(Fault(what, str(self.path), hint=hint))
        return found

    def _knows(self, run_id: str) -> bool:
        with self._refusing():
            query = "SELECT count(*) FROM run WHERE id = ?"
            (count,) = self._database.execute(query, (run_id,)).fetchone()
        return bool(count)

    def run(self, run_id: str = "") -> RecordedRun:
        """Return how a run was started; empty for the run of the results."""
        run_id = run_id or self._run
        about, _ = self._row(run_id)
        with self._whole("how the run was started"):
            return _own(unpack(RecordedRun, self._part(about)), lambda begun: begun.info.id == run_id)

    def spec(self) -> RecordedSpec:
        """Return the files of the spec that the run marked by."""
        _, spec = self._row(self._run)
        sha256 = self.run().info.spec_sha256
        with self._whole("the spec"):
            return _own(unpack(RecordedSpec, self._part(spec)), lambda spec: spec.sha256 == sha256)

    def work(self, entry: RecordEntry, submission_id: str) -> Submission:
        """Return the work of a submission."""
        with self._whole(f"the work of {submission_id}"):
            return _work(self._part(entry.work), submission_id)

    def packed_work(self, entry: RecordEntry, submission_id: str) -> bytes:
        """Return the part with the work of a submission."""
        with self._whole(f"the work of {submission_id}"):
            packed = self._part(entry.work)
            _work(packed, submission_id)
            return packed

    def _row(self, run_id: str) -> tuple[str, str]:
        with self._refusing():
            query = "SELECT about, spec FROM run WHERE id = ?"
            for about, spec in self._database.execute(query, (run_id,)):
                return about, spec
        raise UsageError(Fault(f"the record does not know the run {run_id}", str(self.path)))

    def _part(self, digest: str) -> bytes:
        with self._refusing():
            query = "SELECT packed FROM part WHERE digest = ?"
            for (packed,) in self._database.execute(query, (digest,)):
                if isinstance(packed, bytes) and digest_of(packed) == digest:
                    return packed
        raise _Damaged("its bytes are not those that were written")

    @contextmanager
    def _whole(self, what: str) -> Iterator[None]:
        """Turn a damaged part into one message."""
        try:
            yield
        except _Damaged as error:
            hint = "mark the submissions again with --no-cache, or take the file from a backup"
            fault = Fault(f"the record is damaged: {what} cannot be read", str(self.path), hint=hint)
            raise UsageError(fault) from error
        except Unpackable as error:
            hint = "use that version, or mark the submissions again"
            fault = Fault(f"another version of grader recorded {what}", str(self.path), hint=hint)
            raise UsageError(fault) from error

    def _in_words(self, error: sqlite3.Error | UnicodeDecodeError, code: int) -> UsageError:
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            where = str(self.path.parent)
            return UsageError(Fault("another grader is writing to this folder", where, hint="wait for it"))
        if code == sqlite3.SQLITE_CANTOPEN:
            return UsageError(Fault("the record cannot be opened", str(self.path)))
        hint = "mark the submissions again into another folder with -o, or take it from a backup"
        return UsageError(Fault("the record of the run is damaged", str(self.path), hint=hint))


def _work(packed: bytes, submission_id: str) -> Submission:
    return _own(unpack_work(packed), lambda work: work.id == submission_id)


def _own(part: _T, is_own: Callable[[_T], bool]) -> _T:
    """Return a part of which the row that names it has to be the one that it was written for.

    A row names a part by its digest, and nothing guards the row: it could name a whole part of another's.
    """
    if not is_own(part):
        raise _Damaged("it is another's part")
    return part
