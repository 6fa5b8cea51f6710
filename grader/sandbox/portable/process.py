"""The process of a box of the `portable` driver: started for one case, watched and killed."""

import os
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from io import FileIO
from select import select
from tempfile import TemporaryDirectory
from typing import Any

from grader.sandbox.data_files import show_files
from grader.sandbox.interpreter import Interpreter
from grader.sandbox.portable.channels import (
    ANSWERS,
    DIVIDER_B,
    LOOK_APART_S,
    STDERR,
    STDOUT,
    TRACE,
    PlainChannels,
)
from grader.sandbox.stack import even_stack
from grader.sandbox.zygote_process import ENVIRONMENT, FLAGS, PACKAGES, environment_of_system, package_folder
from grader.wire import frames, messages
from grader.wire.notebook import files_of
from grader.worker.keeper import process_table
from grader.worker.waiting import Deadline, Death, came_true
from grader.worker.walls import place

_BOOT = f"{PACKAGES}\nfrom grader.worker.box import plain\nplain.main(int(sys.argv[1]), int(sys.argv[3]))"
_TRACE_S, _DEATH_S = 0.2, 20.0


class PlainProcess:
    """A started process and its channels: the box and, after its import, the case as well."""

    def __init__(
        self, interpreter: Interpreter, job: dict[str, Any], control: socket.socket, data: str = ""
    ) -> None:
        """Start it.

        control: the grader's socket; when that is closed, all waiting here ends.
        data: a folder whose files it finds in its own; empty for none.
        """
        self._control = control
        self._folder = TemporaryDirectory(prefix="grader-", ignore_cleanup_errors=True)
        try:
            if data:
                show_files(data, self._folder.name)
            self._process, answers, trace = _spawn(interpreter.command, self._folder.name)
        except BaseException:
            self._folder.cleanup()
            raise
        assert isinstance(self._process.stdin, FileIO)
        assert isinstance(self._process.stdout, FileIO)
        assert isinstance(self._process.stderr, FileIO)
        divider = os.urandom(DIVIDER_B)
        streams = {ANSWERS: answers, TRACE: trace, STDOUT: self._process.stdout, STDERR: self._process.stderr}
        self.channels = PlainChannels(streams, self._process.stdin, divider)
        self.channels.send(frames.frame(frames.JOB, messages.pack_job(job | {"divider": divider})))
        self._files = [file for name, text in job["sources"].items() for file in files_of(name, text)]
        self.native_input = None
        self.box_death: Death | None = None
        self._run_queue = process_table.RunQueue(-1)
        self.tells_cpu_time = process_table.cpu_clock_s(self._process.pid) is not None
        self._last_cpu_s = self._start_s = self._billed_s = 0.0
        self._is_starting = True

    def give_line(self, reply: bytes) -> None:
        """Fail: no built program runs here."""
        raise NotImplementedError

    def order_fork(self) -> None:
        """Do nothing: each case has a process that was started for it."""

    def roam(self) -> None:
        """Do nothing: it is on any core."""

    def awaits_fork(self) -> bool:
        """Return False: nothing is forked."""
        return False

    def wait(self, timeout_s: float) -> None:
        """Take in the first event within `timeout_s`.  Raises `ConnectionError` if the grader hung up."""
        timeout_s = min(timeout_s, LOOK_APART_S)
        if self.channels.open:
            self.channels.take_in(timeout_s)
        else:
            with suppress(subprocess.TimeoutExpired):
                self._await_end(timeout_s)
        if self._is_starting and len(self.channels.from_box):
            # Its first message: all that it did so far was to start Python.
            self._is_starting = False
            self._start_s = self._cpu_since_birth_s()
        if select([self._control], [], [], 0)[0]:
            raise ConnectionError("the grader hung up")
        self._look()

    def _look(self) -> None:
        if self.box_death is None:
            cpu_s = self.cpu_s()
            exit_code = self._process.poll()
            if exit_code is not None:
                self._note_death(exit_code, cpu_s)

    def _note_death(self, exit_code: int, cpu_s: float) -> None:
        self.box_death = Death(exit_code, cpu_s, 0)
        self.channels.is_over = True

    def death(self) -> Death | None:
        """Return its end, or None while it lives."""
        return self.box_death

    def cpu_s(self) -> float:
        """Return its CPU time since Python had started."""
        return max(0.0, self._cpu_since_birth_s() - self._start_s)

    def _cpu_since_birth_s(self) -> float:
        if self.box_death is None and self.tells_cpu_time:
            self._last_cpu_s = process_table.cpu_clock_s(self._process.pid) or self._last_cpu_s
        return self._last_cpu_s

    def cpu_before_s(self, *, shared: bool) -> float:
        """Return its CPU time that is not the next case's."""
        return self.cpu_s() if shared else self._billed_s

    def computes_on(self) -> bool:
        """Return false: no runtime's dialogue is held here."""
        return False

    def queued(self) -> tuple[float, bool] | None:
        """Return how long it stood in the run queue; see `grader.worker.keeper.watch.Queued`."""
        return self._run_queue.look([self._process.pid]) if self.tells_cpu_time else None

    def met_cpu_backstop(self) -> bool:
        """Return False: there is no such limit."""
        return False

    def threads_of_box(self) -> int:
        """Return 0: it is not known."""
        return 0

    def place(self) -> tuple[str, int] | None:
        """Return the file and line at which it is, by a signal where there are some; it is killed next."""
        if self.box_death is not None or not place.ask_signal():
            return None
        self.channels.trace = b""
        with suppress(OSError):
            os.kill(self._process.pid, place.ask_signal())
        came_true(
            lambda: place.place_in(self.channels.trace, self._files) is not None,
            Deadline(_TRACE_S),
            self.channels.take_in,
        )
        return place.place_in(self.channels.trace, self._files)

    def place_of_crash(self) -> tuple[str, int] | None:
        """Return the file and line that it named where it crashed."""
        self.channels.take_in(0)
        return place.place_in(self.channels.trace, self._files)

    def peak_rss_b(self) -> int:
        """Return 0: it is not known."""
        return 0

    def kill_worker(self) -> None:
        """Kill it, with what it has started where the system tells that."""
        if self.box_death is not None:
            return
        with suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
        with suppress(subprocess.TimeoutExpired):
            self._await_end(_DEATH_S)

    def _await_end(self, within_s: float) -> None:
        # Once it is waited for, its clock is gone.
        cpu_s = self.cpu_s()
        self._note_death(self._process.wait(within_s), cpu_s)

    def forget_fork(self) -> None:
        """Attribute its CPU time so far to cases that are over."""
        self.bill_box()

    def bill_box(self) -> None:
        """Attribute its CPU time so far to the import, or to cases that are over."""
        self._billed_s = self.cpu_s()

    def box_is_gone(self) -> bool:
        self._look()
        return self.box_death is not None

    def close(self) -> None:
        """Kill it and remove its folder.  Can be called again."""
        self.kill_worker()
        self.channels.close()
        self._folder.cleanup()


def environment() -> dict[str, str]:
    """Return the environment of each Python that is started here."""
    return ENVIRONMENT | environment_of_system() | {"PYTHONHASHSEED": "0"}


def _spawn(command: str, folder: str) -> tuple["subprocess.Popen[bytes]", FileIO, FileIO]:
    """Start a Python in a folder; return it, and the streams of its messages and of its traces."""
    answers, trace = os.pipe(), os.pipe()
    ours, theirs = (answers[0], trace[0]), (answers[1], trace[1])
    options: dict[str, Any] = {}
    numbers = theirs
    if sys.platform == "win32":
        # Never tried: nothing of this was run on Windows.
        import msvcrt  # noqa: PLC0415  (there is none elsewhere)

        numbers = (msvcrt.get_osfhandle(theirs[0]), msvcrt.get_osfhandle(theirs[1]))
        for number in numbers:
            os.set_handle_inheritable(number, True)
        options["startupinfo"] = subprocess.STARTUPINFO(lpAttributeList={"handle_list": [*numbers]})
        # Ctrl-C at the terminal is for the grader alone.
        options["creationflags"] = subprocess.CREATE_NEW_PROCESS_GROUP
    else:
        os.set_blocking(theirs[1], False)  # the handler that writes a trace must not wait
        options["pass_fds"], options["start_new_session"] = theirs, True
    even_stack()
    try:
        process = subprocess.Popen(
            [command, *FLAGS, "-c", _BOOT, str(numbers[0]), package_folder(), str(numbers[1])],
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            env=environment() | dict.fromkeys(("HOME", "TMPDIR", "TEMP", "TMP"), folder),
            **options,
        )
    except BaseException:
        for descriptor in ours:
            os.close(descriptor)
        raise
    finally:
        for descriptor in theirs:
            os.close(descriptor)
    return process, FileIO(ours[0]), FileIO(ours[1])
