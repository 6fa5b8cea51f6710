"""The process that marks on a worker of a cluster, asked by `grader.cluster.site`.

It has the order of one run, and marks the submissions that it is handed as a local worker process does.
Nothing is read from the machine's disk but the grader and the Python that runs the submissions.
"""

import hashlib
import os
import pickle
import signal
from multiprocessing.connection import Connection
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

from grader.cluster.fitness import encode_profile, look_at_self
from grader.cluster.results import encode_marked
from grader.cluster.site import FAILED, PROFILE, READY, RESULT, UNKNOWN
from grader.engine.worker import KeptMarker
from grader.runtime import own_code

_IDLE_S = 60.0
"""Without work for so long, it ends: whoever started it may have forgotten it."""

_AFTER_OWN_CODE = """
import json, sys
from multiprocessing.connection import Connection
connection = Connection(int(sys.argv[1]))
folder = installed()
code = identity_of(folder) if folder else ""
if code == sys.argv[2]:
    from grader.cluster.marker import serve
    serve(connection)
else:
    version = version_in(folder) if folder else ""
    connection.send_bytes(b"other\\n" + json.dumps({"version": version, "python": own_python()}).encode())
"""


def boot() -> str:
    """Return the script that a marker begins with; it goes on only in the same code and Python as ours."""
    return Path(own_code.__file__).read_text("utf-8") + _AFTER_OWN_CODE


def serve(connection: Connection) -> None:
    """Answer requests until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    requests: SimpleQueue[tuple[Any, ...]] = SimpleQueue()
    Thread(target=_listen, args=(connection, requests), daemon=True).start()
    connection.send_bytes(READY)
    kept: KeptMarker | None = None
    try:
        while True:
            kind, *arguments = requests.get(timeout=_IDLE_S)
            if kind == "examine":
                answer = PROFILE + b"\n" + encode_profile(look_at_self(pickle.loads(arguments[0])))
            elif kind == "order":
                kept, answer = KeptMarker(pickle.loads(arguments[0])), READY
            else:
                answer = _mark(kept, *arguments) if kept is not None else UNKNOWN
            connection.send_bytes(answer)
    except Empty:
        return
    finally:
        if kept is not None:
            kept.close()


def _listen(connection: Connection, requests: "SimpleQueue[tuple[Any, ...]]") -> None:
    """Hand on requests, and end the process when there can be no more, also in the middle of marking.

    What runs below it ends with the sockets that it held.
    """
    while True:
        try:
            requests.put(connection.recv())
        except (OSError, EOFError):
            os._exit(0)


def _mark(kept: KeptMarker, payload: bytes, sha256: str, evidence: bytes) -> bytes:
    arrived = hashlib.sha256(payload).hexdigest()
    if arrived != sha256:
        return FAILED + b"\nthe submission did not arrive as it was sent"
    try:
        marked = kept.mark_read(pickle.loads(payload), evidence)
    except Exception as error:
        return FAILED + f"\n{type(error).__name__}: {error}".encode("utf-8", "backslashreplace")
    return RESULT + f" {arrived}\n".encode() + encode_marked(marked)
