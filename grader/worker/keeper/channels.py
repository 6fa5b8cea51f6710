"""The channels between a keeper and one box: messages, printed output, and its filter's listener.

Student code wrote everything that is read here.  So each read is bounded and waits no longer than the
caller allows, and the keeper does not interpret the content.
"""

import _socket
import os
import select
from contextlib import suppress

from grader.wire import frames
from grader.worker import passing
from grader.worker.keeper.listener import Listener
from grader.worker.walls import kernel

_IMPORT_FRAME_B = 256 * 1024
_PART_B = 1 << 16
"""The most bytes that one read takes; a much larger buffer would be fresh memory every time."""
_LEFT_PARTS = 64
"""The most reads from a channel after its process has died; a socket holds some 200 KiB."""
_TRACE_B = 4096
_HUNG_UP = getattr(select, "POLLRDHUP", 0)
"""Poll event for a stream whose other end is closed on Linux; elsewhere POLLHUP, which is always reported."""


class HungUpError(ConnectionError):
    """The grader closed its end or is dead, so the box is not needed any more."""


class Channels:
    """The keeper's ends of the channels of one box; until `keep_ours`, the box's ends too."""

    def __init__(self, *, wake_up: int, control: int, listen: bool, process_table: int = -1) -> None:
        """Make all channels.

        wake_up: becomes readable whenever a child of ours changes state, see `wake_up_on_child`.
        control: the grader's socket, which is only watched for its end here; -1 for none.
        listen: the box's first message brings the listener of its filter.
        process_table: see `Listener`.
        """
        self._process_table = process_table
        self._commands, self._box_commands = _socket.socketpair()
        self._answers, self._box_answers = _socket.socketpair()
        self._stdout, self._box_stdout = os.pipe()
        self._stderr, self._box_stderr = os.pipe()
        self._trace, self._box_trace = os.pipe()
        self._wake_up = wake_up
        self._control = control

        self.from_box = frames.FrameBuffer(_IMPORT_FRAME_B)
        self.from_case = frames.FrameBuffer(0)
        self.listener: Listener | None = None
        self._takes_listener = listen
        self._to_case = b""
        self._waits_to_send = False
        self._is_drained = False
        self._output = {self._stdout: bytearray(), self._stderr: bytearray()}

        self._output_poll = select.poll()
        for descriptor in self._output:
            self._output_poll.register(descriptor, select.POLLIN)
        self._poll = select.poll()
        for descriptor in (self._commands.fileno(), self._answers.fileno(), *self._output, self._wake_up):
            self._poll.register(descriptor, select.POLLIN)
        if control >= 0:
            self._poll.register(control, _HUNG_UP)

    def of_box(self) -> tuple[int, int, int, int, int]:
        """Return the box's ends: commands, answers, stdout, stderr, and the pipe for traces."""
        commands, answers = self._box_commands.fileno(), self._box_answers.fileno()
        return commands, answers, self._box_stdout, self._box_stderr, self._box_trace

    def keep_ours(self) -> None:
        """Close the box's ends in this process, once the box has them."""
        self._box_commands.close()
        self._box_answers.close()
        os.close(self._box_stdout)
        os.close(self._box_stderr)
        # The signal handler that writes to it runs at any time, so a full pipe must not block it.
        os.set_blocking(self._box_trace, False)
        os.close(self._box_trace)
        self._commands.setblocking(False)
        self._answers.setblocking(False)
        os.set_blocking(self._stdout, False)
        os.set_blocking(self._stderr, False)
        os.set_blocking(self._trace, False)

    def close(self) -> None:
        self._commands.close()
        self._answers.close()
        for descriptor in (*self._output, self._trace):
            os.close(descriptor)
        if self.listener is not None:
            self.listener.close()

    def order_fork(self) -> None:
        """Tell the box to fork a process for the next case."""
        # A box that does not read this is noticed by its silence.
        with suppress(OSError):
            self._commands.send(frames.frame(frames.FORK, b""))

    def wait(self, timeout_s: float) -> bool:
        """Take in the first event within `timeout_s`; return whether a child changed state.

        Raises `HungUpError`.
        """
        child_changed = False
        for descriptor, event in self._poll.poll(max(0.0, timeout_s) * 1000):
            if descriptor == self._wake_up:
                os.read(descriptor, 512)
                child_changed = True
            elif descriptor == self._answers.fileno():
                if event & select.POLLOUT:
                    self.send(b"")
                if event & ~select.POLLOUT:
                    self._receive(self._answers, self.from_case)
            elif descriptor in self._output:
                self._read_output_of(descriptor)
            elif descriptor == self._commands.fileno():
                self._receive_from_box()
            elif descriptor == self._control:
                raise HungUpError("the grader hung up")
            elif self.listener is not None:
                self.listener.answer_one()
        return child_changed

    def send(self, message: bytes) -> None:
        """Send as many bytes to the process at work as it takes now; `wait` sends the rest."""
        self._to_case += message
        waits = False
        while self._to_case and not waits:
            try:
                self._to_case = self._to_case[self._answers.send(self._to_case) :]
            except BlockingIOError:
                waits = True
            except OSError:
                # The other end is closed; the wait for the process will find that it is dead.
                self._to_case = b""
        if waits is not self._waits_to_send:
            self._waits_to_send = waits
            with suppress(OSError):
                self._poll.modify(self._answers.fileno(), select.POLLIN | (select.POLLOUT if waits else 0))

    def expect_answer(self, max_body_b: int) -> None:
        """Prepare for a case whose frames have at most `max_body_b` bytes."""
        self.from_case = frames.FrameBuffer(max_body_b)
        self._to_case = b""
        self._waits_to_send = self._is_drained = False
        self._poll.register(self._answers.fileno(), select.POLLIN)

    def left_unread(self) -> bool:
        """Tell whether the process at work, which has ended, left unread bytes that it was sent."""
        return bool(self._to_case) or kernel.left_unread_b(self._answers.fileno()) > 0

    def discard_answers(self) -> None:
        """Discard bytes that were written before anything was asked."""
        for _ in range(1000):
            try:
                if not self._answers.recv(_PART_B):
                    return
            except OSError:
                return

    def drain(self) -> bool:
        """Read what a dead process wrote before its end; at most once for each case, and a bounded amount.

        Another process may hold the channel and go on writing.  Returns False if the case's drain is done
        already.
        """
        if self._is_drained:
            return False
        self._is_drained = True
        for channel, buffer in ((self._commands, self.from_box), (self._answers, self.from_case)):
            for _ in range(_LEFT_PARTS):
                try:
                    data = channel.recv(_PART_B, _socket.MSG_DONTWAIT)
                except OSError:
                    break
                if not data:
                    break
                buffer.feed(data)
        return True

    def forget_trace(self) -> None:
        """Discard bytes that were written to the pipe for traces before a trace was asked for."""
        with suppress(OSError):
            os.read(self._trace, _PART_B)

    def read_trace(self, timeout_s: float) -> bytes:
        """Return the next bytes on the pipe for traces within that time, b"" for none."""
        if not select.select([self._trace], [], [], timeout_s)[0]:
            return b""
        try:
            return os.read(self._trace, _TRACE_B)
        except OSError:
            return b""

    def _receive(self, channel: _socket.socket, buffer: frames.FrameBuffer) -> None:
        try:
            data = channel.recv(_PART_B)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        buffer.feed(data)
        if not data or buffer.is_full():
            # Further bytes stay in the channel, and the writer waits.
            self._no_longer(channel.fileno())

    def _receive_from_box(self) -> None:
        """Read from the box; its first message brings the listener.

        The box closes its own copy of the listener at once.
        """
        if not self._takes_listener:
            self._receive(self._commands, self.from_box)
            return
        self._takes_listener = False
        try:
            data, descriptors = passing.receive(self._commands, 1 << 16)
        except OSError:
            return
        for descriptor in descriptors:
            self.listener = Listener(descriptor, self._process_table)
            self._poll.register(descriptor, select.POLLIN)
        self.from_box.feed(data)

    def _no_longer(self, descriptor: int) -> None:
        with suppress(KeyError):
            self._poll.unregister(descriptor)

    def _read_output_of(self, descriptor: int) -> None:
        try:
            data = os.read(descriptor, 1 << 16)
        except BlockingIOError:
            # Where a box can see a process table, it can open the other end and drain the pipe itself.
            return
        if not data:
            self._no_longer(descriptor)
            self._output_poll.unregister(descriptor)
        self._output[descriptor] += data

    def read_output(self) -> None:
        """Read the output printed so far, without waiting for more."""
        # A pipe holds 64 KiB; a much larger amount is a flood, which the output limit ends.
        for _ in range(64):
            ready = self._output_poll.poll(0)
            if not ready:
                break
            for descriptor, _event in ready:
                self._read_output_of(descriptor)

    def output_size_b(self) -> int:
        """Return how many bytes were printed since `take_output`."""
        return sum(map(len, self._output.values()))

    def printed_after(self, start_b: int) -> bytes:
        """Return stdout since `take_output`, without its first `start_b` bytes."""
        return bytes(self._output[self._stdout][start_b:])

    def take_output(self) -> tuple[bytes, bytes]:
        """Return stdout and stderr since the last call."""
        stdout, stderr = bytes(self._output[self._stdout]), bytes(self._output[self._stderr])
        for collected in self._output.values():
            collected.clear()
        return stdout, stderr

    def refused(self) -> list[str]:
        """Return the refused calls, in words; the caller may clear the list."""
        return self.listener.refused if self.listener is not None else []
