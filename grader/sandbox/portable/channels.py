"""The pipes of one process of the `portable` driver: messages, traces and output, read in threads."""

import threading
from collections.abc import Callable
from contextlib import suppress
from io import FileIO
from queue import Empty, Full, Queue, SimpleQueue

from grader.wire import frames
from grader.worker.waiting import Deadline, came_true
from grader.worker.walls import place

DIVIDER_B = 16
LOOK_APART_S = 0.05
_IMPORT_FRAME_B = 256 * 1024
_PART_B = 1 << 16
_PARTS = 16
"""How many reads may wait to be taken in.  Then the reader stops, and so does the writer at the other end."""
_FLOOD_B = 4 << 20
_DIVIDERS_S = 10.0
"""How long to wait for output that was printed before a message; an honest box has written it by then."""
_LEFT_S = 1.0
"""How long to read what a dead process has left; a process that it started may hold its pipes."""

ANSWERS, TRACE, STDOUT, STDERR = "answers", "trace", "stdout", "stderr"


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
        """The last place that the process wrote."""
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
            self._start(self._read, name, stream)
        self._start(self._write, requests)

    def _count_message(self) -> None:
        self._messages += 1

    # -- the threads -----------------------------------------------------------------------------------

    @staticmethod
    def _start(target: Callable[..., None], *args: object) -> None:
        threading.Thread(target=target, args=args, daemon=True).start()

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
                self._events.put((name, data), timeout=LOOK_APART_S)
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
        start = max(0, len(output) - DIVIDER_B + 1)
        output += data
        while (start := output.find(self._divider, start)) >= 0:
            del output[start : start + DIVIDER_B]
            self._dividers[name] += 1

    def send(self, message: bytes) -> None:
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
            Deadline(within_s, longest_nap_s=LOOK_APART_S),
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
