"""The grader's part in a Dask worker's own process: it starts markers, and hands on what they are asked.

A worker's process lives long, and may have loaded another version of the grader than is installed by
now.  So nothing is marked here: a marker is a fresh process (`grader.cluster.marker`), and the
first that runs in it is a script of the run's, which makes sure that the code is the run's own.
Each function here is a task of Dask's; what it is given and gives back is texts and bytes.
"""

import socket
import subprocess
import sys
from contextlib import suppress
from multiprocessing.connection import Connection
from threading import Lock
from time import monotonic

READY = b"ready"
OTHER = b"other"
PROFILE = b"profile"
RESULT = b"result"
FAILED = b"failed"
UNKNOWN = b"unknown"
"""With what an answer begins, up to a space or the end of its first line."""

_START_S = 120.0
_FORGET_S = 3600.0
"""Orders that nobody asked for in this time are let go: their run ended without a word."""


class _Gone(Exception):
    """A marker has ended before it answered."""


class _Marker:
    """A process that marks, or that says why it does not: `greeting`."""

    def __init__(self, boot: str, code: str) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", boot, str(theirs.fileno()), code],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                # Ctrl-C in a worker's terminal is the worker's business.
                start_new_session=True,
            )
        self._connection = Connection(ours.detach())
        try:
            in_time = self._connection.poll(_START_S)
            self.greeting = self._receive() if in_time else FAILED + b"\nthe grader did not start in time"
        except _Gone as gone:
            self.greeting = FAILED + f"\n{gone}".encode()
        if not self.greeting.startswith(READY):
            self.close()

    def ask(self, *request: str | bytes) -> bytes:
        """Return the answer.  Raises `_Gone`."""
        try:
            self._connection.send(request)
        except OSError:
            raise _Gone(self._ending()) from None
        return self._receive()

    def _receive(self) -> bytes:
        try:
            return self._connection.recv_bytes()
        except (OSError, EOFError):
            raise _Gone(self._ending()) from None

    def _ending(self) -> str:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        return f"the marking process ended with status {self._process.returncode}"

    def is_alive(self) -> bool:
        """Whether it can be asked; one that had nothing to do for long has ended itself."""
        return self._process.poll() is None

    def kill(self) -> None:
        """End it at once, with everything below it; whoever waits for its answer is told."""
        self._process.kill()

    def close(self) -> None:
        """End it if it still runs, and tidy up after it."""
        self.kill()
        self._process.wait()
        with suppress(OSError):
            self._connection.close()


class _Run:
    """What is kept of a run: how to start its markers, and those that there are."""

    def __init__(self, boot: str, code: str, order: bytes) -> None:
        self._boot = boot
        self._code = code
        self._order = order
        self._idle: list[_Marker] = []
        self._busy: set[_Marker] = set()
        self._ended = False
        self._used = monotonic()

    def mark(self, *request: str | bytes) -> bytes:
        """Mark a submission in a process that has nothing else to do."""
        marker = self._take()
        answer = marker.greeting
        try:
            if answer.startswith(READY):
                answer = self._marked(marker, request)
        except _Gone as gone:
            answer = FAILED + f"\n{gone}".encode()
        finally:
            self._give_back(marker, fit=answer.startswith(RESULT))
        return answer

    def _marked(self, marker: _Marker, request: tuple[str | bytes, ...]) -> bytes:
        answer = marker.ask("mark", *request)
        if answer.startswith(UNKNOWN):  # it is a new one
            answer = marker.ask("order", self._order)
            if answer.startswith(READY):
                answer = marker.ask("mark", *request)
        return answer

    def _take(self) -> _Marker:
        with _lock:
            self._used = monotonic()
            while self._idle:
                marker = self._idle.pop()
                if marker.is_alive():
                    self._busy.add(marker)
                    return marker
                marker.close()
        marker = _Marker(self._boot, self._code)
        with _lock:
            self._busy.add(marker)
            if self._ended:
                marker.kill()
        return marker

    def _give_back(self, marker: _Marker, *, fit: bool) -> None:
        with _lock:
            self._busy.discard(marker)
            if fit and not self._ended:
                self._idle.append(marker)
                return
        marker.close()

    def is_forgotten(self) -> bool:
        """Whether nobody asked for it in a long time."""
        return not self._busy and monotonic() - self._used > _FORGET_S

    def end(self) -> None:
        """End all that marks for it."""
        with _lock:
            self._ended = True
            for marker in self._busy:
                marker.kill()
            for marker in self._idle:
                marker.close()


_runs: dict[str, _Run] = {}
_lock = Lock()


def examine(boot: str, code: str, question: bytes) -> bytes:
    """Find out what this machine can do: `PROFILE` and a profile, or why not."""
    marker = _Marker(boot, code)
    if not marker.greeting.startswith(READY):
        return marker.greeting
    try:
        return marker.ask("examine", question)
    except _Gone as gone:
        return FAILED + f"\n{gone}".encode()
    finally:
        marker.close()


def prepare(run: str, boot: str, code: str, order: bytes) -> bytes:
    """Get ready for the submissions of a run."""
    for name, known in list(_runs.items()):
        if known.is_forgotten():
            end(name)
    _runs[run] = _Run(boot, code, order)
    return READY


def mark(run: str, payload: bytes, sha256: str, evidence: bytes) -> bytes:
    """Mark one submission: `RESULT` and a result, or why not; `UNKNOWN` where `prepare` is needed first.

    evidence: that of an earlier run.
    """
    known = _runs.get(run)
    return known.mark(payload, sha256, evidence) if known is not None else UNKNOWN


def end(run: str) -> None:
    """Forget a run, and end what still marks for it."""
    known = _runs.pop(run, None)
    if known is not None:
        known.end()
