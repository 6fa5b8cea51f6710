"""The record of a run, written as it happens: one SQLite file beside the outputs.

Each event is durable when `append` returns.  `results.json` is rebuilt from here, so what was
marked before a crash is not lost with it.  One process writes.
"""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import TracebackType

from grader.model.errors import Fault, UsageError
from grader.store.document_types import SubmissionDocument

FILE_NAME = "run.sqlite"

# One statement list for each version of the file's layout, applied in order; never edited.
_MIGRATIONS: tuple[str, ...] = (
    """
    CREATE TABLE submission (
        id TEXT PRIMARY KEY,
        document TEXT NOT NULL
    ) STRICT;
    """,
)


class RunStore:
    """An open store.  Use it as a context manager, or call `close`."""

    def __init__(self, folder: Path) -> None:
        """Open the store in `folder`, made anew: a run starts from nothing.

        Raises `UsageError` where the folder cannot be written.
        """
        path = folder / FILE_NAME
        try:
            for suffix in ("", "-wal", "-shm"):
                path.with_name(path.name + suffix).unlink(missing_ok=True)
            self._database = sqlite3.connect(path, isolation_level=None)
            self._migrate()
        except (OSError, sqlite3.Error) as error:
            raise UsageError(Fault(f"cannot write to {folder}: {error}")) from error

    def _migrate(self) -> None:
        self._database.execute("PRAGMA journal_mode = WAL")
        self._database.execute("PRAGMA synchronous = NORMAL")
        (version,) = self._database.execute("PRAGMA user_version").fetchone()
        for number, script in enumerate(_MIGRATIONS[version:], version + 1):
            self._database.executescript(f"BEGIN; {script} PRAGMA user_version = {number}; COMMIT;")

    def append(self, submission: SubmissionDocument) -> None:
        """Record a submission's result."""
        self._database.execute(
            "INSERT OR REPLACE INTO submission (id, document) VALUES (?, ?)",
            (submission["id"], json.dumps(submission)),
        )

    def submissions(self) -> Iterator[SubmissionDocument]:
        """Yield the results recorded so far, in the order of their ids."""
        with closing(self._database.execute("SELECT document FROM submission ORDER BY id")) as rows:
            for (document,) in rows:
                result: SubmissionDocument = json.loads(document)
                yield result

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def __enter__(self) -> "RunStore":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
