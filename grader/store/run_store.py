"""The record of a run, written as it happens: one SQLite file beside the outputs.

Each result is durable when `append` returns, also against a power cut.  `results.json` is rebuilt from this
record, so a crash loses no result: the next run into the same folder keeps every result that still holds.
One process writes; a second one is refused.
"""

import sqlite3
import zlib
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from grader.model.errors import Fault, UsageError
from grader.model.results import SubmissionResult
from grader.store.database import FILE_NAME, TABLES, VERSION, Database
from grader.store.record_parts import KeptFile, RecordedRun, Unpackable, digest_of, unpack
from grader.store.results_json import json_text, submission_text
from grader.store.whole_file import replacing_by_path

_OF_THE_PLACE = frozenset(
    {
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PROTOCOL,
        sqlite3.SQLITE_NOLFS,
    }
)
"""SQLite's codes for faults of the disk or of permissions, which say nothing about the file's content."""

# Make a run the finished one, and delete the parts that no result needs any more.
_FINISH = (
    "DELETE FROM finished",
    "INSERT INTO finished SELECT work.id, work.digest, work.run, :run FROM holding JOIN work USING (id) "
    "WHERE holding.run = :run",
    "DELETE FROM run WHERE id <> :run AND id NOT IN (SELECT run FROM work)",
    "DELETE FROM part WHERE digest NOT IN (SELECT digest FROM work UNION SELECT digest FROM finished "
    "UNION SELECT about FROM run UNION SELECT spec FROM run)",
)


class RecordInUse(UsageError):
    """Another process writes to the record."""


class RunStore(Database):
    """An open store.  Use it as a context manager, or call `close`."""

    def __init__(self, folder: Path) -> None:
        """Open the store in `folder`, or make it.

        Raises `UsageError` if it cannot be written, another process has it open, it is damaged, or another
        version of the grader made it.  All other methods raise the same if they find this later.
        """
        self.path = folder / FILE_NAME
        self._run = ""
        self._of_run: set[str] = set()
        with self._refusing():
            self._database = sqlite3.connect(self.path, isolation_level=None, timeout=0.5)
            try:
                self._open()
            except BaseException:
                self._database.close()
                raise
        self._file = _file_at(self.path)

    @classmethod
    def reading(cls, folder: Path) -> "RunStore":
        """Open the store in `folder` for reading alone; nothing may be written to it.

        Raises `UsageError` as opening it does.
        """
        store = cls.__new__(cls)
        store.path, store._run, store._of_run = folder / FILE_NAME, "", set()
        with store._refusing():
            store._open_for_reading()
            try:
                version, entries = store._version()
                if not version or not entries or store._has_more_than_tables():
                    raise _damaged(store.path)
                if version != VERSION:
                    raise UsageError(Fault("another version of grader wrote this record", str(store.path)))
            except BaseException:
                store._database.close()
                raise
        store._file = _file_at(store.path)
        return store

    @property
    def folder(self) -> Path:
        return self.path.parent

    def task(self) -> str:
        """Return the id of the task that the results belong to; empty if none was marked."""
        with self._refusing():
            row = self._database.execute("SELECT id FROM task").fetchone()
        return str(row[0]) if row else ""

    def copied_to(self, folder: Path) -> "RunStore":
        """Copy the whole store into a folder that has none, and return the copy, open for writing.

        The copy appears whole or not at all.  Raises `UsageError`.
        """
        path = folder / FILE_NAME
        if path.exists():
            raise marked_meanwhile(folder)
        try:
            with (
                replacing_by_path(path) as temporary,
                self._refusing(),
                closing(sqlite3.connect(temporary)) as copy,
            ):
                self._database.backup(copy)
        except OSError as error:
            hint = "choose another folder with -o"
            fault = Fault(f"cannot write the results: {error.strerror or error}", str(folder), hint=hint)
            raise UsageError(fault) from error
        return RunStore(folder)

    def _open(self) -> None:
        # The first statement takes the lock, and the process holds it until it ends, even if it is killed.
        self._database.execute("PRAGMA locking_mode = EXCLUSIVE")
        self._database.execute("BEGIN EXCLUSIVE")
        version, entries = self._version()
        self._database.execute("COMMIT")
        # A file of another program is left as it is: nothing has been written to it so far.
        if version < 0 or (version == 0) != (entries == 0) or self._has_more_than_tables():
            raise _damaged(self.path)
        if version not in (0, VERSION):
            which = "a later" if version > VERSION else "an earlier"
            hint = "use that version, or another folder with -o"
            raise UsageError(Fault(f"{which} version of grader wrote this record", str(self.path), hint=hint))
        self._database.execute("PRAGMA journal_mode = WAL")
        self._database.execute("PRAGMA synchronous = FULL")
        if not version:
            self._database.executescript(f"BEGIN; {TABLES} PRAGMA user_version = {VERSION}; COMMIT;")

    @contextmanager
    def _changing(self) -> Iterator[sqlite3.Connection]:
        """Yield the database for changes, which are made all together or not at all."""
        with self._refusing():
            if self._database.in_transaction:  # those of `together`
                yield self._database
                return
            with self._database as database:
                database.execute("BEGIN")
                yield database

    @contextmanager
    def together(self) -> Iterator[None]:
        """Make all changes of a block together, at its end, or none of them."""
        with self._changing():
            yield

    def claim(self, task_id: str) -> None:
        """Make this the record of that task.  Raises `UsageError` if it belongs to another one."""
        with self._refusing():
            for (owner,) in self._database.execute("SELECT id FROM task"):
                if owner != task_id:
                    raise of_another_task(self.path.parent, owner, task_id)
                return
            self._database.execute("INSERT INTO task VALUES (?)", (task_id,))

    def begin(self, run: str, about: bytes = b"", spec: bytes = b"") -> None:
        """Start a run: none of the results belongs to it yet.

        about, spec: how the run was started, and the files of its spec; see `record_parts`.
        """
        self._run = run
        self._of_run = set()
        with self._changing() as database:
            row = (run, self._add_part(about), self._add_part(spec))
            database.execute("INSERT OR REPLACE INTO run VALUES (?, ?, ?)", row)

    def _add_part(self, packed: bytes) -> str:
        """Add a part of the record; return its digest, which is empty if there is no part."""
        if not packed:
            return ""
        digest = digest_of(packed)
        # An equal part may be damaged, so it is replaced.
        self._database.execute("INSERT OR REPLACE INTO part VALUES (?, ?)", (digest, packed))
        return digest

    def keys(self) -> dict[str, str]:
        """Return the key of each result of this run and earlier ones, by submission id."""
        with self._refusing():
            return dict(self._database.execute("SELECT id, key FROM holding"))

    def runs(self) -> set[str]:
        """Return the ids of the runs whose start is recorded."""
        with self._refusing():
            return {run for (run,) in self._database.execute("SELECT id FROM run")}

    def last_run(self) -> str:
        """Return the id of the run that began last, whether it ended or not; empty if none did."""
        with self._refusing():
            row = self._database.execute("SELECT id FROM run ORDER BY rowid DESC LIMIT 1").fetchone()
        return str(row[0]) if row else ""

    def files_of_last_run(self) -> tuple[KeptFile, ...]:
        """Return the files that people keep, as the last run read them, also one that did not end.

        Raises `UsageError` if there are results, and nothing tells by which files.
        """
        query = (
            "SELECT id, about, packed FROM run LEFT JOIN part ON digest = about "
            "ORDER BY run.rowid DESC LIMIT 1"
        )
        with self._refusing():
            (count,) = self._database.execute("SELECT count(*) FROM holding").fetchone()
            row = self._database.execute(query).fetchone()
        if row is None and not count:
            return ()
        run, about, packed = row or ("", "", None)
        if not isinstance(packed, bytes) or digest_of(packed) != about:
            raise _damaged(self.path)
        try:
            begun = unpack(RecordedRun, packed)
        except Unpackable as error:
            raise _damaged(self.path) from error
        if begun.info.id != run:
            raise _damaged(self.path)
        return begun.files

    def evidence(self, submission_id: str) -> bytes:
        """Return the evidence about a submission's cases; empty if it is missing or damaged."""
        query = "SELECT found, checksum FROM evidence WHERE id = ?"
        found: bytes
        with self._refusing():
            for found, checksum in self._database.execute(query, (submission_id,)):
                return found if _is_whole(found, checksum) else b""
        return b""

    def proof(self, key: str) -> str:
        """Return the proof of a spec; empty if there is none of that key."""
        with self._refusing():
            for (found,) in self._database.execute("SELECT found FROM proof WHERE key = ?", (key,)):
                return str(found)
        return ""

    def add_proof(self, key: str, found: str) -> None:
        """Keep the proof of a spec, and none of an earlier spec."""
        with self._changing() as database:
            database.execute("DELETE FROM proof")
            database.execute("INSERT INTO proof (key, found) VALUES (?, ?)", (key, found))

    def append(
        self, submission: SubmissionResult, key: str, evidence: bytes = b"", work: bytes = b""
    ) -> None:
        """Record a submission's result, evidence about its cases, and its work; they replace earlier ones.

        work: see `record_parts`; empty if it was not read.
        Raises `UsageError` also if the folder is gone, since the record could not be found there later.
        """
        if _file_at(self.path) != self._file:
            hint = "put it back, or mark into a folder that stays"
            raise UsageError(
                Fault("the record was removed or replaced while it was written", str(self.path), hint=hint)
            )
        document = submission_text(submission)
        holding = (submission.id, key, self._run, zlib.crc32(document.encode("ascii")))
        found = (submission.id, evidence, zlib.crc32(evidence))
        with self._changing() as database:
            database.execute("INSERT OR REPLACE INTO submission VALUES (?, ?)", (submission.id, document))
            database.execute("INSERT OR REPLACE INTO holding VALUES (?, ?, ?, ?)", holding)
            database.execute("INSERT OR REPLACE INTO evidence VALUES (?, ?, ?)", found)
            row = (submission.id, self._add_part(work), self._run)
            database.execute("INSERT OR REPLACE INTO work VALUES (?, ?, ?)", row)
        self._of_run.add(submission.id)

    def text(self, submission_id: str) -> str:
        """Return a submission's result as a line of `submission_text`; empty if it is missing or damaged."""
        query = "SELECT CAST(document AS BLOB), checksum FROM holding JOIN submission USING (id) WHERE id = ?"
        with self._refusing():
            for document, checksum in self._database.execute(query, (submission_id,)):
                is_theirs = _is_whole(document, checksum) and _is_of(document, submission_id)
                return document.decode("ascii") if is_theirs else ""
        return ""

    def checksums(self, run: str) -> dict[str, int | None]:
        """Return the checksum of the line of each result; None for those that belong to another run.

        results.json is that of the run that ended last or, where that could not be noted, began last.  That
        of any other run is not the one that this record made: then the checksums of those two are returned.
        """
        query = (
            "WITH own AS (SELECT run FROM finished "
            "UNION SELECT id FROM (SELECT id FROM run ORDER BY rowid DESC LIMIT 1)) "
            "SELECT id, CASE WHEN run = :run OR (:run NOT IN own AND run IN own) THEN checksum END "
            "FROM holding"
        )
        with self._refusing():
            return dict(self._database.execute(query, {"run": run}))

    def keep(self, submission_ids: Iterable[str]) -> None:
        """Take earlier results into this run, all of them or none."""
        kept = tuple(submission_ids)
        with self._changing() as database:
            database.executemany(
                "UPDATE holding SET run = ? WHERE id = ?", ((self._run, one) for one in kept)
            )
        self._of_run.update(kept)

    def finish(self) -> None:
        """Note that the results file has this run's results, and delete the parts of earlier runs."""
        with self._changing() as database:
            for statement in _FINISH:
                database.execute(statement, {"run": self._run})

    def texts(self) -> Generator[str, None, None]:
        """Yield this run's results so far, in the order of their ids, as the lines of `submission_text`.

        Raises `UsageError` if one is damaged or gone, at the end at the latest.  A damaged result loses its
        key, so the next run marks the submission again.
        """
        query = (
            "SELECT id, CAST(document AS BLOB), checksum FROM holding LEFT JOIN submission USING (id) "
            "WHERE run = ? ORDER BY id"
        )
        count = 0
        with self._refusing(), closing(self._database.execute(query, (self._run,))) as rows:
            for submission_id, document, checksum in rows:
                if not _is_whole(document, checksum) or not _is_of(document, submission_id):
                    raise self._forgotten(submission_id)
                count += 1
                yield document.decode("ascii")
        if count != len(self._of_run):
            raise _damaged(self.path)

    def _forgotten(self, submission_id: str) -> UsageError:
        self._database.execute("UPDATE holding SET key = '' WHERE id = ?", (submission_id,))
        what = f"the recorded result of {submission_id} is damaged"
        hint = "run the same command again: it marks this submission again"
        return UsageError(Fault(what, str(self.path), hint=hint))

    def _in_words(self, error: sqlite3.Error | UnicodeDecodeError, code: int) -> UsageError:
        folder = str(self.path.parent)
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            hint = "wait for it, or choose another folder with -o"
            return RecordInUse(Fault("another grader is writing to this folder", folder, hint=hint))
        if code in _OF_THE_PLACE:
            hint = "choose another folder with -o"
            return UsageError(Fault(f"cannot write the results: {error}", folder, hint=hint))
        # Our statements fit every record that we wrote, so any other error means that the record was damaged.
        return _damaged(self.path)


def marked_meanwhile(folder: Path) -> UsageError:
    """Return the error for a folder that had no record when the session began, and now has one."""
    what = "another grader marked into this folder meanwhile"
    return UsageError(Fault(what, str(folder), hint="run the same command again"))


def of_another_task(folder: Path, owner: str, task_id: str) -> UsageError:
    """Return the error for a folder that holds the results of another task."""
    what = f"the folder holds the results of the task {owner!r}, not of {task_id!r}"
    return UsageError(Fault(what, str(folder), hint="choose another folder with -o"))


def _file_at(path: Path) -> tuple[int, int] | None:
    """Return the identity of the file at a path, None if there is no file."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _is_whole(data: object, checksum: object) -> bool:
    # In a damaged record any value can be of any type.
    return isinstance(data, bytes) and zlib.crc32(data) == checksum


def is_line(text: str, checksum: int) -> bool:
    """Tell whether a line of results.json is the one with this checksum."""
    return zlib.crc32(text.encode("utf-8", "surrogatepass")) == checksum


def _is_of(document: bytes, submission_id: str) -> bool:
    """Tell whether a result is that of a submission; its id comes first in it."""
    return document.startswith(f'{{"id": {json_text(submission_id)},'.encode("ascii"))


def _damaged(path: Path) -> UsageError:
    hint = (
        "move it away to mark everything again, or choose another folder with -o; until then the results "
        "and pages of the last run stay as they are"
    )
    return UsageError(Fault("the record of earlier runs is damaged", str(path), hint=hint))
