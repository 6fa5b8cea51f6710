"""The SQLite file of a run's record: its tables, how it is opened, and what SQLite's errors mean."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from grader.model.closing import Closing
from grader.model.errors import UsageError

FILE_NAME = "run.sqlite"
VERSION = 7
"""Of the tables, as the file has it."""

TABLES = """
    -- Results as lines of `submission_text`.
    CREATE TABLE submission (id TEXT PRIMARY KEY, document TEXT NOT NULL) STRICT;

    -- Keys, runs and checksums have a table of their own, since they are read and changed for all results at
    -- once.  key: digest of all data that the result depends on.  run: the last run that it belongs to.
    CREATE TABLE holding (
        id TEXT PRIMARY KEY REFERENCES submission (id),
        key TEXT NOT NULL,
        run TEXT NOT NULL,
        checksum INTEGER NOT NULL
    ) STRICT;

    -- Evidence has a table of its own, so that reading the results does not read it.
    CREATE TABLE evidence (
        id TEXT PRIMARY KEY REFERENCES submission (id),
        found BLOB NOT NULL,
        checksum INTEGER NOT NULL
    ) STRICT;

    -- The task that the results belong to; empty until a submission is marked.
    CREATE TABLE task (id TEXT NOT NULL) STRICT;

    -- The record that explains, replays and repeats a run; see `run_record`.  part: bytes by their digest.
    -- run: how each run was started, and its spec.  work: each submission as it was marked last, and in which
    -- run.  finished: the same for the results of the last run that ended, which results.json has.
    CREATE TABLE part (digest TEXT PRIMARY KEY, packed BLOB NOT NULL) STRICT;
    CREATE TABLE run (id TEXT PRIMARY KEY, about TEXT NOT NULL, spec TEXT NOT NULL) STRICT;
    CREATE TABLE work (id TEXT PRIMARY KEY, digest TEXT NOT NULL, run TEXT NOT NULL) STRICT;
    CREATE TABLE finished (
        id TEXT PRIMARY KEY,
        digest TEXT NOT NULL,
        marked TEXT NOT NULL,
        run TEXT NOT NULL
    ) STRICT;

    -- What marking the reference found, by the digest of all data that this depends on.
    CREATE TABLE proof (key TEXT PRIMARY KEY, found TEXT NOT NULL) STRICT;
"""


class Database(Closing):
    """An open file.  Use it as a context manager, or call `close`."""

    path: Path
    _database: sqlite3.Connection

    def _in_words(self, error: sqlite3.Error | UnicodeDecodeError, code: int) -> UsageError:
        """Return the message for an error.  code: SQLite's primary code."""
        raise NotImplementedError

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        """Turn an error of SQLite into one message."""
        try:
            yield
        except (sqlite3.Error, UnicodeDecodeError) as error:
            # Errors raised by Python's sqlite3 wrapper (for example invalid UTF-8) have no SQLite code.
            code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
            raise self._in_words(error, code) from error

    def _open_for_reading(self) -> None:
        """Open the file to read it.

        A file without a log is complete, and no process writes to it.  It is opened as immutable, which also
        works in a read-only folder.  A log was left by a killed process, or belongs to one that writes now.
        """
        has_log = self.path.with_name(f"{self.path.name}-wal").exists()
        address = f"{self.path.resolve().as_uri()}?mode={'rw' if has_log else 'ro&immutable=1'}"
        self._database = sqlite3.connect(address, uri=True, timeout=0.5)

    def _version(self) -> tuple[int, int]:
        """Return the version of the tables, and the number of all entries in the schema."""
        (version,) = self._database.execute("PRAGMA user_version").fetchone()
        (entries,) = self._database.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        return version, entries

    def _has_more_than_tables(self) -> bool:
        """Tell whether there is a trigger or a view, which could change what is written or read."""
        query = "SELECT count(*) FROM sqlite_schema WHERE type NOT IN ('table', 'index')"
        (others,) = self._database.execute(query).fetchone()
        return bool(others)

    def close(self) -> None:
        self._database.close()
