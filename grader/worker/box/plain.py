"""A box as a plain Python process of its own, on hosts without fork: it serves the `portable` driver.

The grader starts it and is its keeper at once (`grader.sandbox.portable`).  No walls are built.  Its
input brings the job and the requests; messages leave by a pipe of their own.  Both are moved away from the
standard descriptors before a line of the student's code runs, so nothing that is printed or read gets there.
"""

import os
import sys
from contextlib import suppress
from typing import Any, NoReturn

from grader.wire import frames, messages
from grader.worker.box import calls, sources
from grader.worker.box.preload import look_in, preload
from grader.worker.box.work import (
    EXIT_MEMORY,
    Work,
    address_space_b,
    answer,
    capture_output,
    forget_imports,
    load,
    prepare_streams,
)
from grader.worker.walls import place


class _DividingChannel(calls.Channel):
    """The channel of this box.  It writes a divider to both output streams before each message.

    Messages and output leave by different pipes.  The divider tells the other end how far output has to be
    read, to have all of it that was printed before the message.
    """

    __slots__ = ("_answers", "_outputs", "divider")

    def __init__(self, requests: int, answers: int) -> None:
        super().__init__(requests)
        self._answers = answers
        # Descriptors of our own: a program may close the first ones, or open a file in their place.
        self._outputs = (os.dup(1), os.dup(2))
        self.divider = b""

    def next_job(self) -> Any:
        """Return the job, which comes first."""
        message = self._receive()
        if message is None or message[4] != frames.JOB:
            os._exit(1)
        return messages.unpack_job(message[frames.HEADER_B :])

    def send(self, kind: int, body: bytes) -> None:
        """Send a message with the nonce of the current request."""
        self.sendall(frames.frame(kind, self._nonce + body))

    def sendall(self, data: bytes, /) -> None:
        """Send bytes, behind a divider."""
        for stream in self._outputs:
            with suppress(OSError):
                _write_all(stream, self.divider)
        _write_all(self._answers, data)


def _write_all(descriptor: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(descriptor, left) :]


def main(answers: int, trace: int) -> NoReturn:
    """Run as a box.

    answers: the descriptor, or on Windows the handle, that messages leave by.
    trace: the one that this process writes to where it is, see `place`.
    """
    try:
        place.prepare(_descriptor(trace))
        channel = _DividingChannel(os.dup(0), _descriptor(answers))
        null = os.open(os.devnull, os.O_RDONLY)
        os.dup2(null, 0)
        os.close(null)
        job = channel.next_job()
        channel.divider = job["divider"]
        _prepare(job)
        channel.sendall(frames.frame(frames.READY, b""))
        capture = capture_output() if job["captures"] else None
        module = load(channel, job)
        if module is not None:
            _serve(Work(module, job, capture, channel))
    except MemoryError:
        os._exit(EXIT_MEMORY)
    except BaseException:
        sys.__excepthook__(*sys.exc_info())
    finally:
        os._exit(1)


def _serve(work: Work) -> NoReturn:
    while answer(work):
        pass
    os._exit(0)


def _descriptor(number: int) -> int:
    """Return a descriptor that no process started from here inherits."""
    if sys.platform == "win32":
        # Never tried: nothing of this was run on Windows.
        import msvcrt  # noqa: PLC0415  (there is none elsewhere)

        number = msvcrt.open_osfhandle(number, os.O_WRONLY | os.O_BINARY)
    os.set_inheritable(number, False)
    return number


def _prepare(job: dict[str, Any]) -> None:
    """Do what a zygote does before its first box."""
    sys.dont_write_bytecode = True
    prepare_streams()
    # These show where the grader is installed.
    sys.argv[:] = [""]
    sys.orig_argv[:] = []
    look_in(job["path"], job["modules"])
    preload(job["preload"])
    sources.prepare()
    _limit(job)
    forget_imports()


def _limit(job: dict[str, Any]) -> None:
    """Put the kernel's limits in force, as far as it has some.

    The one on CPU time is for a process whose grader was killed.  The one on memory needs to know what Python
    takes by itself: macOS and Windows have none.
    """
    try:
        import resource  # noqa: PLC0415  (Windows has none)
    except ImportError:
        return
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if own_b := address_space_b():
            resource.setrlimit(resource.RLIMIT_AS, (job["memory_b"] + own_b,) * 2)
        if job["cpu_backstop_s"] is not None:
            resource.setrlimit(resource.RLIMIT_CPU, (job["cpu_backstop_s"],) * 2)
