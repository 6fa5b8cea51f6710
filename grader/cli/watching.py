"""`grader mark --watch`: starts the process that serves the pages of the run, and hands it each result."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import TypeAlias

import grader
from grader.engine.session import Display
from grader.model.errors import Fault, UsageError
from grader.model.events import Event, RunStarted, SubmissionKept, SubmissionMarked
from grader.model.results import RunInfo, TaskHead
from grader.reports.held import is_held
from grader.reports.live.results import Head
from grader.reports.written_pages import INDEX
from grader.serving.address import listen
from grader.serving.needed import need_tornado

TextOf: TypeAlias = Callable[[str], str]

# `-m` would take modules from the current folder, which can be full of submissions.
_PROGRAM = (
    "import sys; sys.path.append(sys.argv[1]); from grader.reports.live.server import main; "
    "main(int(sys.argv[2]), int(sys.argv[3]))"
)


class Watch:
    """Serves the pages of a session from the start of its run to the end of the context.

    The run only appends to a file, so nobody who looks on can delay it.  If that fails, the run goes on.
    """

    def __init__(self, task: TaskHead, folder: Path, text_of: TextOf, *, released: bool) -> None:
        """folder: of the results.  released: the marks are out; see `Pages.student`.

        text_of: returns a result as a line of results.json, given its id; empty where there is none.
        Raises `UsageError` where no process can be given a socket, or the server's library is missing.
        """
        if os.name != "posix":
            raise UsageError(Fault("--watch needs Linux, macOS or another Unix", hint="leave it out"))
        need_tornado("--watch")
        self._task, self._folder, self._text_of = task, folder, text_of
        self._released = released
        self._process: subprocess.Popen[bytes] | None = None
        self._file = -1

    def __enter__(self) -> "Watch":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process is not None:
            self._process.kill()  # it has nothing to put away
            self._process.wait()
            assert self._process.stdin is not None
            self._process.stdin.close()
            self._process = None
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def beside(self, display: Display, tell: Callable[[str], None]) -> Display:
        """Return a display that also hands on to the pages.  tell: shows a line to people."""
        return _Both(self, display, tell)

    def see(self, event: Event, tell: Callable[[str], None]) -> None:
        try:
            match event:
                case RunStarted(run=run, submissions=total):
                    tell(f"watch: {self._start(run, total)}")
                case SubmissionKept(id=submission_id):
                    self._append(submission_id)
                case SubmissionMarked(result=result):
                    self._append(result.id)
        except OSError as error:
            self.__exit__(None, None, None)
            tell(f"note: the run goes on without the pages of --watch: {error.strerror or error}")

    def _start(self, run: RunInfo, total: int) -> str:
        """Start to serve; return where."""
        with tempfile.TemporaryFile(dir=self._folder) as file:
            self._file = os.dup(file.fileno())
        listening, address = listen()
        with listening:
            head = Head(
                address,
                run,
                self._task,
                total,
                is_held(self._folder),
                self._released,
                str(self._folder / INDEX),
            )
            self._write(head.line())
            given = (listening.fileno(), self._file)
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", _PROGRAM, Path(grader.__file__).parents[1], *map(str, given)],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=given,
            )
        return address.url

    def _append(self, submission_id: str) -> None:
        if self._process is None:
            return
        if self._process.poll() is not None:
            raise OSError("their process ended")
        if text := self._text_of(submission_id):
            self._write(f"{text}\n".encode("ascii"))

    def _write(self, line: bytes) -> None:
        if os.write(self._file, line) < len(line):
            raise OSError("the disk is full")


class _Both:
    def __init__(self, watch: Watch, display: Display, tell: Callable[[str], None]) -> None:
        self._watch, self._display, self._tell = watch, display, tell

    def say(self, text: str) -> None:
        self._display.say(text)

    def note(self, text: str) -> None:
        self._display.note(text)

    def see(self, event: Event) -> None:
        self._watch.see(event, self._tell)
        self._display.see(event)
