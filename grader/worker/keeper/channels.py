"""The channels between a keeper and one box: messages, printed output, and its filter's listener.

Student code wrote everything that is read here.  So each read is bounded, waits no longer than the
caller allows, and the content is not looked into.
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
"""The most that one read takes; a much larger buffer would be fresh memory every time."""
_LEFT_PARTS = 64
"""The most reads of what a dead process left in a channel; a socket holds some 200 KiB."""
_TRACE_B = 4096
_HUNG_UP = getattr(select, "POLLRDHUP", 0)
"""Linux tells of a stream whose other end is closed; elsewhere POLLHUP alone does, which needs no asking."""


class HungUpError(ConnectionError):
    """The grader closed its end, or is dead, so the box is of no use any more."""


class Channels:
    """The keeper's ends of the channels of one box; until `keep_ours`, the box's ends too."""

    def __init__(self, *, wake_up: int, control: int, listen: bool) -> None:
        """Make all of them.

        wake_up: becomes readable whenever a child of ours changes state, see `wake_up_on_child`.
        control: the grader's socket, which is only watched for its end here; -1 for none.
        listen: the box's first message brings the listener of its filter.
        """
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
        """Return the box's ends: of commands, answers, stdout, stderr, and of the pipe for traces."""
        commands, answers = self._box_commands.fileno(), self._box_answers.fileno()
        return commands, answers, self._box_stdout, self._box_stderr, self._box_trace

    def keep_ours(self) -> None:
        """Close the box's ends, once it has them."""
        self._box_commands.close()
        self._box_answers.close()
        os.close(self._box_stdout)
        os.close(self._box_stderr)
        # Its handler writes whatever else goes on, so a full pipe must not stop it.
        os.set_blocking(self._box_trace, False)
        os.close(self._box_trace)
        self._commands.setblocking(False)
        self._answers.setblocking(False)
        os.set_blocking(self._stdout, False)
        os.set_blocking(self._stderr, False)
        os.set_blocking(self._trace, False)

    def close(self) -> None:
        """Close our ends."""
        self._commands.close()
        self._answers.close()
        for descriptor in (*self._output, self._trace):
            os.close(descriptor)
        if self.listener is not None:
            self.listener.close()

    def order_fork(self) -> None:
        """Tell the box to fork a process for the next case."""
        # A box that does not listen will be found out by its silence.
        with suppress(OSError):
            self._commands.send(frames.frame(frames.FORK, b""))

    def wait(self, timeout_s: float) -> bool:
        """Take in whatever happens first within `timeout_s`; return whether a child changed state.

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
        """Send bytes to the process at work as far as it takes them; the rest goes with `wait`."""
        self._to_case += message
        waits = False
        while self._to_case and not waits:
            try:
                self._to_case = self._to_case[self._answers.send(self._to_case) :]
            except BlockingIOError:
                waits = True
            except OSError:
                # Nobody reads any more; that the process is dead will be noticed by itself.
                self._to_case = b""
        if waits is not self._waits_to_send:
            self._waits_to_send = waits
            with suppress(OSError):
                self._poll.modify(self._answers.fileno(), select.POLLIN | (select.POLLOUT if waits else 0))

    def expect_answer(self, max_body_b: int) -> None:
        """Get ready for a case whose frames are no larger than that."""
        self.from_case = frames.FrameBuffer(max_body_b)
        self._to_case = b""
        self._waits_to_send = self._is_drained = False
        self._poll.register(self._answers.fileno(), select.POLLIN)

    def left_unread(self) -> bool:
        """Whether the process at work, which has ended, did not take all that it was sent."""
        return bool(self._to_case) or kernel.left_unread_b(self._answers.fileno()) > 0

    def discard_answers(self) -> None:
        """Throw away what was written when nothing was asked."""
        for _ in range(1000):
            try:
                if not self._answers.recv(_PART_B):
                    return
            except OSError:
                return

    def drain(self) -> bool:
        """Take in what a process that has died had written before; once for each case, and not without end.

        Somebody else may hold the channel and go on writing.  Returns False where that was done before.
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
        """Throw away what was written to the pipe for traces when none was asked for."""
        with suppress(OSError):
            os.read(self._trace, _PART_B)

    def read_trace(self, timeout_s: float) -> bytes:
        """Return what comes next on the pipe for traces within that time, b"" for nothing."""
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
            # Whatever more it writes stays where it is, and the writer waits.
            self._no_longer(channel.fileno())

    def _receive_from_box(self) -> None:
        """The box's first message brings the listener; the box closes its own copy at once."""
        if not self._takes_listener:
            self._receive(self._commands, self.from_box)
            return
        self._takes_listener = False
        try:
            data, descriptors = passing.receive(self._commands, 1 << 16)
        except OSError:
            return
        for descriptor in descriptors:
            self.listener = Listener(descriptor)
            self._poll.register(descriptor, select.POLLIN)
        self.from_box.feed(data)

    def _no_longer(self, descriptor: int) -> None:
        with suppress(KeyError):
            self._poll.unregister(descriptor)

    def _read_output_of(self, descriptor: int) -> None:
        try:
            data = os.read(descriptor, 1 << 16)
        except BlockingIOError:
            # Where a box sees a process table, it can open the other end and drain the pipe itself.
            return
        if not data:
            self._no_longer(descriptor)
            self._output_poll.unregister(descriptor)
        self._output[descriptor] += data

    def read_output(self) -> None:
        """Take in what was printed by now, without waiting for more."""
        # A pipe holds 64 KiB; much more is a flood, which its limit ends.
        for _ in range(64):
            ready = self._output_poll.poll(0)
            if not ready:
                break
            for descriptor, _event in ready:
                self._read_output_of(descriptor)

    def output_size_b(self) -> int:
        """Return how much was printed since `take_output`."""
        return sum(map(len, self._output.values()))

    def printed_after(self, start_b: int) -> bytes:
        """Return what came on stdout since `take_output`, without its first `start_b` bytes."""
        return bytes(self._output[self._stdout][start_b:])

    def take_output(self) -> tuple[bytes, bytes]:
        """Return stdout and stderr since the last call."""
        stdout, stderr = bytes(self._output[self._stdout]), bytes(self._output[self._stderr])
        for collected in self._output.values():
            collected.clear()
        return stdout, stderr

    def refused(self) -> list[str]:
        """Return the calls that the listener refused, in words; the caller may clear the list."""
        return self.listener.refused if self.listener is not None else []
