"""The files of many students, rendered by several processes at a time.

Only as many students as are being rendered or about to be are in memory, and what was made of them
comes back in their order.
"""

from collections import deque
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Future
from itertools import chain

from grader.reports.student_files import Common, Due, Made, StudentFiles
from grader.runtime.start import pool

_CHUNK_LENGTH = 1 << 16
"""Text that a process is handed at a time, in characters: some hundredths of a second of work."""

_AHEAD = 2
"""Chunks handed out for each process, so that none waits for work."""

Chunk = list[Due]


def make_in_processes(common: Common, due: Iterable[Due], processes: int) -> Generator[Made, None, None]:
    """Render what is due and yield what was made, in the same order.

    Closing the generator ends all that was started.  Raises `OSError` where a file cannot be written.
    """
    files = StudentFiles(common)
    chunks = _chunks(due)
    taken: deque[Chunk] = deque()
    try:
        yield from _by_pool(files, chunks, taken, processes)
    except (BrokenExecutor, CancelledError):
        # A process was killed, or none can be started.  A page that is written twice is the same.
        for chunk in chain(taken, chunks):
            yield from map(files.make, chunk)


def _chunks(due: Iterable[Due]) -> Iterator[Chunk]:
    chunk: Chunk = []
    length = 0
    for one in due:
        chunk.append(one)
        length += len(one.text)
        if length >= _CHUNK_LENGTH:
            yield chunk
            chunk, length = [], 0
    if chunk:
        yield chunk


def _by_pool(
    files: StudentFiles, chunks: Iterator[Chunk], taken: deque[Chunk], processes: int
) -> Generator[Made, None, None]:
    """taken: chunks that were taken and not yet returned; this is kept up to date."""
    try:
        executor = pool(processes, _prepare, files)
    except OSError as error:
        # Not to be taken for a file that cannot be written.
        raise BrokenExecutor(str(error)) from error
    running: deque[Future[list[Made]]] = deque()
    try:
        while True:
            while len(taken) < _AHEAD * processes and (chunk := next(chunks, None)) is not None:
                taken.append(chunk)
                running.append(executor.submit(_make, chunk))
            if not running:
                return
            made = running.popleft().result()
            taken.popleft()
            yield from made
    finally:
        executor.shutdown(cancel_futures=True)
        # What a process was at when it was ended.
        files.remove_remains()


_files: StudentFiles | None = None


def _prepare(files: StudentFiles) -> None:
    """In a process of the pool: get ready."""
    global _files
    _files = files


def _make(chunk: Chunk) -> list[Made]:
    """In a process of the pool: render a chunk."""
    assert _files is not None, "the process was not prepared"
    return [_files.make(due) for due in chunk]
