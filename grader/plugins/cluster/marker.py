"""The process that marks on a worker of a cluster, for `grader.plugins.cluster.site`.

It has the configuration of one run, and marks submissions as a local worker process does.  It reads nothing
from the machine's disk but the grader and the Python that runs the submissions.
"""

import hashlib
import os
import pickle
import signal
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

from grader.engine.worker import Marker
from grader.plugins.cluster.eligibility import encode_profile, profile_for
from grader.plugins.cluster.results import encode_marked
from grader.plugins.cluster.site import FAILED, NOTE_B, PROFILE, READY, RESULT, UNKNOWN
from grader.runtime import code_identity

_IDLE_S = 60.0
"""A marker ends after this long without work, since the run may have forgotten it."""

_AFTER_IDENTITY = """
import json, sys
from multiprocessing.connection import Connection
connection = Connection(int(sys.argv[1]))
folder = installed()
code = identity_of(folder) if folder else ""
if code == sys.argv[2]:
    from grader.plugins.cluster.marker import serve
    serve(connection, int(sys.argv[3]))
else:
    version = version_in(folder) if folder else ""
    connection.send_bytes(b"other\\n" + json.dumps({"version": version, "python": python_version()}).encode())
"""


def boot() -> str:
    """Return the script that starts a marker; it continues only with the same code and Python as ours."""
    return Path(code_identity.__file__).read_text("utf-8") + _AFTER_IDENTITY


class _Note:
    """What this process is at, in a file that `site` reads.  file: its number."""

    def __init__(self, file: int) -> None:
        self._file = file
        self._case, self._waits = "", False

    def case(self, case: str) -> None:
        self._case = case
        self._write()

    def waits(self, waits: bool) -> None:
        self._waits = waits
        self._write()

    def _write(self) -> None:
        text = f"{int(self._waits)}{self._case}".encode("utf-8", "replace")
        with suppress(OSError):
            os.pwrite(self._file, text[: NOTE_B - 1] + b"\n", 0)


def serve(connection: Connection, note_file: int) -> None:
    """Answer requests.  note_file: the number of a file that gets what this process is at."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    requests: SimpleQueue[tuple[Any, ...]] = SimpleQueue()
    Thread(target=_listen, args=(connection, requests), daemon=True).start()
    connection.send_bytes(READY)
    marker: Marker | None = None
    note = _Note(note_file)
    try:
        while True:
            kind, *arguments = requests.get(timeout=_IDLE_S)
            if kind == "examine":
                answer = PROFILE + b"\n" + encode_profile(profile_for(arguments[0]))
            elif kind == "config":
                marker, answer = Marker(pickle.loads(arguments[0]), note.waits, note.case), READY
            else:
                answer = _mark(marker, *arguments) if marker is not None else UNKNOWN
            connection.send_bytes(answer)
    except Empty:
        return
    finally:
        if marker is not None:
            marker.close()


def _listen(connection: Connection, requests: "SimpleQueue[tuple[Any, ...]]") -> None:
    """Pass on requests; end the process when the connection closes, even while it marks.

    The processes below it end when its sockets close.
    """
    while True:
        try:
            requests.put(connection.recv())
        except (OSError, EOFError):
            os._exit(0)


def _mark(marker: Marker, payload: bytes, sha256: str, evidence: bytes) -> bytes:
    arrived = hashlib.sha256(payload).hexdigest()
    if arrived != sha256:
        return FAILED + b"\nthe submission did not arrive as it was sent"
    try:
        submission, *members = pickle.loads(payload)
        marked = marker.mark(submission, evidence, members=members)
    except Exception as error:
        return FAILED + f"\n{type(error).__name__}: {error}".encode("utf-8", "backslashreplace")
    return RESULT + f" {arrived}\n".encode() + encode_marked(marked)
