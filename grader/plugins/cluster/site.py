"""The functions that run in a Dask worker's own process: they start markers, and pass requests on to them.

A worker's process lives long, and may have loaded another version of the grader than the installed one.  So
nothing is marked in it.  A marker is a new process (`grader.plugins.cluster.marker`).  It first runs a script
from the run, which makes sure that the code is the run's own.  Each public function is a Dask task, and takes
and returns texts and bytes.
"""

import json
import os
import socket
import subprocess
import sys
import tempfile
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
"""The first word of an answer, up to a space or the end of its first line."""

NOTE_B = 200
"""The room for a marker's note: a digit that tells whether it waits, its case, and an end of line."""
_START_S = 120.0
_FORGET_S = 3600.0
"""A run that asked for nothing in this time is forgotten: it has ended without saying so."""


class _Gone(Exception):
    """A marker ended before it answered."""


class _MarkerProcess:
    """A process that marks.

    greeting: its first answer, `READY` or the reason why it cannot mark.
    marks: the digest of the payload that it marks.
    """

    def __init__(self, boot: str, code: str) -> None:
        self.marks = ""
        # It writes there what it is at.
        self._note = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115  `close` closes it
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", boot, str(theirs.fileno()), code, str(self._note.fileno())],
                pass_fds=[theirs.fileno(), self._note.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                # Only the worker itself reacts to Ctrl-C in its terminal.
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

    def at(self) -> tuple[str, bool]:
        """Return the case that runs, empty for none, and whether it waits."""
        try:
            note = os.pread(self._note.fileno(), NOTE_B, 0).partition(b"\n")[0].decode("utf-8", "replace")
        except (OSError, ValueError):  # it was closed meanwhile
            return "", False
        return note[1:], note[:1] == "1"

    def is_alive(self) -> bool:
        """Tell whether it can be asked; it ends by itself after a long idle time."""
        return self._process.poll() is None

    def kill(self) -> None:
        """End it at once, with everything below it; a waiting `ask` raises."""
        self._process.kill()

    def close(self) -> None:
        """End it if it still runs, and close the connection."""
        self.kill()
        self._process.wait()
        with suppress(OSError):
            self._connection.close()
        self._note.close()


class _Run:
    """A run: the data that starts its markers, and its markers."""

    def __init__(self, boot: str, code: str, config: bytes) -> None:
        self._boot = boot
        self._code = code
        self._config = config
        self._idle: list[_MarkerProcess] = []
        self._busy: set[_MarkerProcess] = set()
        self._ended = False
        self._used = monotonic()

    def mark(self, payload: bytes, sha256: str, evidence: bytes) -> bytes:
        """Mark a submission in an idle marker, or a new one."""
        request = (payload, sha256, evidence)
        marker = self._take()
        marker.marks = sha256
        answer = marker.greeting
        try:
            if answer.startswith(READY):
                answer = self._marked(marker, request)
        except _Gone as gone:
            answer = FAILED + f"\n{gone}".encode()
        finally:
            self._give_back(marker, fit=answer.startswith(RESULT))
        return answer

    def _marked(self, marker: _MarkerProcess, request: tuple[str | bytes, ...]) -> bytes:
        answer = marker.ask("mark", *request)
        if answer.startswith(UNKNOWN):  # a new marker
            answer = marker.ask("config", self._config)
            if answer.startswith(READY):
                answer = marker.ask("mark", *request)
        return answer

    def _take(self) -> _MarkerProcess:
        with _lock:
            self._used = monotonic()
            while self._idle:
                marker = self._idle.pop()
                if marker.is_alive():
                    self._busy.add(marker)
                    return marker
                marker.close()
        marker = _MarkerProcess(self._boot, self._code)
        with _lock:
            self._busy.add(marker)
            if self._ended:
                marker.kill()
        return marker

    def _give_back(self, marker: _MarkerProcess, *, fit: bool) -> None:
        with _lock:
            self._busy.discard(marker)
            if fit and not self._ended:
                self._idle.append(marker)
                return
        marker.close()

    def at(self) -> list[tuple[str, str, bool]]:
        """Return the case that runs of each submission, which goes by the digest of its payload."""
        with _lock:
            return [(marker.marks, *marker.at()) for marker in self._busy]

    def is_forgotten(self) -> bool:
        """Tell whether no request came for it in a long time."""
        return not self._busy and monotonic() - self._used > _FORGET_S

    def end(self) -> None:
        with _lock:
            self._ended = True
            for marker in self._busy:
                marker.kill()
            for marker in self._idle:
                marker.close()


_runs: dict[str, _Run] = {}
_lock = Lock()


def examine(boot: str, code: str, requirements: bytes) -> bytes:
    """Examine this machine; return `PROFILE` and a profile, or the reason for a failure."""
    marker = _MarkerProcess(boot, code)
    if not marker.greeting.startswith(READY):
        return marker.greeting
    try:
        return marker.ask("examine", requirements)
    except _Gone as gone:
        return FAILED + f"\n{gone}".encode()
    finally:
        marker.close()


def prepare(run: str, boot: str, code: str, config: bytes) -> bytes:
    for name, known in list(_runs.items()):
        if known.is_forgotten():
            end(name)
    _runs[run] = _Run(boot, code, config)
    return READY


def mark(run: str, payload: bytes, sha256: str, evidence: bytes) -> bytes:
    """Mark one submission; return `RESULT` and the result, or the reason; `UNKNOWN` before `prepare`."""
    known = _runs.get(run)
    return known.mark(payload, sha256, evidence) if known is not None else UNKNOWN


def look(run: str) -> bytes:
    """Return as JSON what the markers are at: digests of payloads, cases, and whether they wait."""
    known = _runs.get(run)
    return json.dumps(known.at() if known is not None else []).encode()


def end(run: str) -> None:
    known = _runs.pop(run, None)
    if known is not None:
        known.end()
