"""A marker's file on the disk: read whole, replaced whole, by one process at a time."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from grader.model.errors import Fault, UsageError
from grader.records.file_text import read_bytes
from grader.store.one_writer import one_writer
from grader.store.whole_file import remove_remains, replacing

WHAT = "the reviews"


class NotNow(UsageError):
    """The file can't be read or written as it is now; later the same change may fit."""


class Disk:
    """A file, which need not be there.  All that it raises is `NotNow`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with suppress(OSError):
            remove_remains(self._target().parent)

    def read(self) -> bytes:
        """Return the content; empty where there is no file."""
        try:
            return read_bytes(self._path, WHAT) if self._path.exists() else b""
        except UsageError as error:
            raise NotNow(*error.faults) from error
        except OSError as error:
            raise not_now(self._path, error.strerror or str(error)) from error

    def write(self, content: bytes, known: bytes) -> None:
        """Replace the content, so that it is on the disk, if `known` is what stands there."""
        if self.read() != known:
            raise not_now(self._path, "it was changed meanwhile; look again")
        with self._told():
            target = self._target()
            target.parent.mkdir(parents=True, exist_ok=True)
            with replacing(target, durable=True, alike=True) as file:
                file.write(content.decode())
            _sync(target.parent)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep other processes of the grader from writing, for the block."""
        with self._told():
            target = self._target()
            target.parent.mkdir(parents=True, exist_ok=True)
            with one_writer(target):
                yield

    def _target(self) -> Path:
        """Return the file that is written: what a link leads to, so that both names stay one file."""
        try:
            return self._path.resolve()
        except RuntimeError:
            raise OSError(0, "the link leads to itself") from None

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise not_now(self._path, error.strerror or str(error)) from error


def cannot(path: Path, reason: str) -> UsageError:
    return UsageError(Fault(f"the reviews can't be changed: {reason}", str(path)))


def not_now(path: Path, reason: str) -> NotNow:
    return NotNow(*cannot(path, reason).faults)


def _sync(folder: Path) -> None:
    """Bring a new name in a folder to the disk, where the system can."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
