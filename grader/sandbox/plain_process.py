"""The `portable` driver: a plain Python process for each case, on hosts without fork and signals.

The grader itself keeps these boxes, with the keeper of all other drivers (`grader.worker.keeper.keeper`), in
a thread.  No wall is built: student code can do here all that its user can.  So this serves a student's check
of their own work, and never a mark (`docs/design/portable.md`).
"""

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from io import FileIO
from queue import Empty, Full, Queue, SimpleQueue
from select import select
from tempfile import TemporaryDirectory
from typing import Any

from grader.sandbox.driver import Driver
from grader.sandbox.interpreter import Interpreter
from grader.sandbox.zygote import SandboxFailure, Zygote
from grader.sandbox.zygote_process import ENVIRONMENT, FLAGS, PACKAGES, environment_of_system, package_folder
from grader.wire import frames, messages
from grader.wire.notebook import files_of
from grader.worker.keeper import process_table
from grader.worker.keeper.keeper import Keeper
from grader.worker.waiting import Deadline, Death, came_true
from grader.worker.walls import place

_BOOT = f"{PACKAGES}\nfrom grader.worker.box import plain\nplain.main(int(sys.argv[1]), int(sys.argv[3]))"
_DIVIDER_B = 16
_IMPORT_FRAME_B = 256 * 1024
_PART_B = 1 << 16
_PARTS = 16
"""How many reads may wait to be taken in.  Then the reader stops, and so does the writer at the other end."""
_FLOOD_B = 4 << 20
_LOOK_APART_S = 0.05
_DIVIDERS_S = 10.0
"""How long to wait for output that was printed before a message; an honest box has written it by then."""
_TRACE_S = 0.05
_LEFT_S = 1.0
"""How long to read what a dead process has left; a process that it started may hold its pipes."""
_START_S, _DEATH_S = 60.0, 20.0

ANSWERS, TRACE, STDOUT, STDERR = "answers", "trace", "stdout", "stderr"


class PortableZygote(Zygote):
    """What stands for a zygote on hosts without one: each box is a Python started for it.

    packages: third-party packages that submissions may import.
    Raises `SandboxFailure` if a package cannot be imported.
    """

    def __init__(self, interpreter: Interpreter, packages: tuple[str, ...] = ()) -> None:
        self.driver, self.interpreter, self.baseline_b = Driver.PORTABLE, interpreter, 0
        self._job: dict[str, Any] = {"path": interpreter.packages if packages else (), "preload": packages}
        if packages:
            self._require_packages()

    def _require_packages(self) -> None:
        words = f"import sys; sys.path += {list(self._job['path'])}; import {', '.join(self._job['preload'])}"
        try:
            done = subprocess.run(
                [self.interpreter.command, *FLAGS, "-c", words],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_START_S,
                env=_environment(),
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise SandboxFailure(f"the interpreter did not start: {error}") from error
        if done.returncode:
            lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
            raise SandboxFailure(lines[-1] if lines else f"exit status {done.returncode}")

    def another(self, interpreter: Interpreter, packages: tuple[str, ...]) -> Zygote:
        """Return one for another interpreter.  Raises `SandboxFailure`."""
        return PortableZygote(interpreter, packages)

    def open(self) -> socket.socket:
        """Return the socket of a new keeper."""
        ours, theirs = socket.socketpair()
        _start(self._keep, theirs)
        return ours

    def _keep(self, control: socket.socket) -> None:
        """Keep a box for the grader behind `control`, until the grader closes its end."""

        def start(job: dict[str, Any], single: bool, listen: bool) -> PlainProcess:
            del single, listen  # it always works on its cases itself, and nothing can listen
            return PlainProcess(
                self.interpreter, job | self._job | {"divider": os.urandom(_DIVIDER_B)}, control
            )

        with control, suppress(OSError):
            Keeper(control, start, listen=False).serve()

    def close(self) -> None:
        """Do nothing: each box ends with its own socket."""


class _CountedFrames(frames.FrameBuffer):
    """A frame buffer that tells about each frame that is taken from it."""

    def __init__(self, max_body_b: int, on_frame: Callable[[], None]) -> None:
        super().__init__(max_body_b)
        self._on_frame = on_frame

    def take(self) -> tuple[int, bytes] | None:
        """Return the next frame, or None while it is incomplete."""
        found = super().take()
        if found is not None:
            self._on_frame()
        return found


class PlainChannels:
    """Our ends of the pipes of one process.

    A read from a pipe cannot be given a deadline on every system.  So each pipe has a thread that only reads,
    or only writes, and all waiting is for their queue.
    """

    def __init__(self, streams: dict[str, FileIO], requests: FileIO, divider: bytes) -> None:
        """Take over the streams.

        streams: messages, traces, standard output and error output, by name.  requests: its standard input.
        divider: what the box writes to both outputs before each message, see `grader.worker.box.plain`.
        """
        self._divider = divider
        self._dividers = {STDOUT: 0, STDERR: 0}
        self._messages = 0
        self._is_late = self._is_drained = self._takes_answers = False
        self._output = {STDOUT: bytearray(), STDERR: bytearray()}
        self.trace = b""
        """What the process wrote last to say where it is."""
        self.is_over = False
        """True once the process has ended."""
        self.open = set(streams)
        """The streams that are not at their end."""
        self.from_box: frames.FrameBuffer = _CountedFrames(_IMPORT_FRAME_B, self._count_message)
        self.from_case: frames.FrameBuffer = _CountedFrames(0, self._count_message)
        self._events: Queue[tuple[str, bytes]] = Queue(_PARTS)
        self._to_write: SimpleQueue[bytes] = SimpleQueue()
        self._is_closed = threading.Event()
        for name, stream in streams.items():
            _start(self._read, name, stream)
        _start(self._write, requests)

    def _count_message(self) -> None:
        self._messages += 1

    # -- the threads -----------------------------------------------------------------------------------

    def _read(self, name: str, stream: FileIO) -> None:
        with stream:
            data: bytes | None = b"-"
            while data and not self._is_closed.is_set():
                try:
                    data = stream.read(_PART_B)
                except OSError:
                    data = b""
                self._pass_on(name, data or b"")

    def _pass_on(self, name: str, data: bytes) -> None:
        while not self._is_closed.is_set():
            with suppress(Full):
                self._events.put((name, data), timeout=_LOOK_APART_S)
                return

    def _write(self, requests: FileIO) -> None:
        # The other end may be closed already, also when this end is.
        with suppress(OSError), requests:
            while message := self._to_write.get():
                left = memoryview(message)
                while left:
                    left = left[requests.write(left) or 0 :]

    # -- what a keeper needs -----------------------------------------------------------------------------

    def take_in(self, timeout_s: float) -> bool:
        """Take in the first event within `timeout_s`; return whether there was one."""
        try:
            name, data = self._events.get(timeout=max(timeout_s, 0.0))
        except Empty:
            return False
        if not data:
            self.open.discard(name)
        elif name == ANSWERS:
            buffer = self.from_case if self._takes_answers else self.from_box
            # An honest box has no more to say than fits.
            if not buffer.is_full():
                buffer.feed(data)
        elif name == TRACE:
            self.trace = (self.trace + data)[-place.MOST_B :]
        else:
            self._add_output(name, data)
        return True

    def _add_output(self, name: str, data: bytes) -> None:
        output = self._output[name]
        start = max(0, len(output) - _DIVIDER_B + 1)
        output += data
        while (start := output.find(self._divider, start)) >= 0:
            del output[start : start + _DIVIDER_B]
            self._dividers[name] += 1

    def send(self, message: bytes) -> None:
        """Have the message sent."""
        self._to_write.put(message)

    def expect_answer(self, max_body_b: int) -> None:
        """Prepare for a case whose frames have at most `max_body_b` bytes."""
        self.from_case = _CountedFrames(max_body_b, self._count_message)
        self._takes_answers, self._is_drained = True, False

    def left_unread(self) -> bool:
        """Return False: a process gets one case, or serves the spec's own code."""
        return False

    def discard_answers(self) -> None:
        """Discard bytes that were written before anything was asked, as far as they have come."""
        for _ in range(self._events.qsize()):
            self.take_in(0.0)
        self.from_case.clear()

    def drain(self) -> bool:
        """Read what a dead process wrote; at most once for each case.  Returns False if that is done."""
        if self._is_drained:
            return False
        self._is_drained = True
        self._take_in_until(lambda: not self.open, _LEFT_S)
        return True

    def read_output(self) -> None:
        """Read the output that was printed before the last message."""
        if self.is_over:
            self._take_in_until(lambda: not self.open, _LEFT_S)
        elif not self._is_late:
            # Hostile code can leave the dividers out; it is waited for once.
            self._is_late = not self._take_in_until(self._has_all_output, _DIVIDERS_S)

    def _has_all_output(self) -> bool:
        return all(count >= self._messages or name not in self.open for name, count in self._dividers.items())

    def _take_in_until(self, done: Callable[[], bool], within_s: float) -> bool:
        most_b = self.output_size_b() + _FLOOD_B
        return came_true(
            lambda: done() or self.output_size_b() > most_b,
            Deadline(within_s, longest_nap_s=_LOOK_APART_S),
            self.take_in,
        )

    def output_size_b(self) -> int:
        """Return how many bytes were printed since `take_output`."""
        return sum(map(len, self._output.values()))

    def printed_after(self, start_b: int) -> bytes:
        """Return stdout since `take_output`, without its first `start_b` bytes."""
        return bytes(self._output[STDOUT][start_b:])

    def take_output(self) -> tuple[bytes, bytes]:
        """Return stdout and stderr since the last call."""
        stdout, stderr = bytes(self._output[STDOUT]), bytes(self._output[STDERR])
        for collected in self._output.values():
            collected.clear()
        return stdout, stderr

    def refused(self) -> list[str]:
        """Return an empty list: nothing is refused here."""
        return []

    def close(self) -> None:
        """Let the threads end; each closes its own stream."""
        self._is_closed.set()
        self._to_write.put(b"")
        while self.take_in(0.0):
            pass


def _start(target: Callable[..., None], *args: object) -> None:
    threading.Thread(target=target, args=args, daemon=True).start()


class PlainProcess:
    """A started process and its channels: the box and, after its import, the case as well."""

    def __init__(self, interpreter: Interpreter, job: dict[str, Any], control: socket.socket) -> None:
        """Start it.  control: the grader's socket; when that is closed, all waiting here ends."""
        self._control = control
        self._folder = TemporaryDirectory(prefix="grader-", ignore_cleanup_errors=True)
        try:
            self._process, answers, trace = _spawn(interpreter.command, self._folder.name)
        except BaseException:
            self._folder.cleanup()
            raise
        assert isinstance(self._process.stdin, FileIO)
        assert isinstance(self._process.stdout, FileIO)
        assert isinstance(self._process.stderr, FileIO)
        streams = {ANSWERS: answers, TRACE: trace, STDOUT: self._process.stdout, STDERR: self._process.stderr}
        self.channels = PlainChannels(streams, self._process.stdin, job["divider"])
        self.channels.send(frames.frame(frames.JOB, messages.pack_job(job)))
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
        timeout_s = min(timeout_s, _LOOK_APART_S)
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

    def queued(self) -> tuple[float, bool] | None:
        """Return how long it stood in the run queue; see `grader.worker.keeper.watch.Queued`."""
        return self._run_queue.look([self._process.pid]) if self.tells_cpu_time else None

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
        """Tell whether it has ended."""
        self._look()
        return self.box_death is not None

    def close(self) -> None:
        """Kill it and remove its folder.  Can be called again."""
        self.kill_worker()
        self.channels.close()
        self._folder.cleanup()


def _environment() -> dict[str, str]:
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
    try:
        process = subprocess.Popen(
            [command, *FLAGS, "-c", _BOOT, str(numbers[0]), package_folder(), str(numbers[1])],
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            env=_environment() | dict.fromkeys(("HOME", "TMPDIR", "TEMP", "TMP"), folder),
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
