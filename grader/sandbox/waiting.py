"""The one way in which the grader waits for zygotes and keepers.

They are trusted, but they can hang or be stopped like any process.  So each wait has a deadline.  Sending
has one too, because a socket that is not read fills up.
"""

import socket
from time import monotonic

from grader.wire.frames import FrameBuffer

_PART_B = 1 << 16
"""The most bytes that one read takes; a much larger buffer would be fresh memory every time."""


class Deadline:
    """The end of a wait that may take `within_s` seconds."""

    def __init__(self, within_s: float) -> None:
        self._end = monotonic() + within_s

    def left_s(self) -> float:
        """Return the seconds until then.  Raises `TimeoutError`."""
        left_s = self._end - monotonic()
        if left_s <= 0:
            raise TimeoutError("timed out")
        return left_s


def receive(channel: socket.socket, most_b: int, deadline: Deadline) -> bytes:
    """Return the next bytes, b"" at the end.  Raises `OSError`; `TimeoutError` after the deadline."""
    channel.settimeout(deadline.left_s())
    return channel.recv(most_b)


def receive_frame(channel: socket.socket, received: FrameBuffer, deadline: Deadline) -> tuple[int, bytes]:
    """Return the next message, as kind and body.  Raises `OSError`, also if the other end closes before.

    received: what was read of later messages; give it again for the next one.
    """
    while (found := received.take()) is None:
        part = receive(channel, _PART_B, deadline)
        if not part:
            raise ConnectionError("end of its messages")
        received.feed(part)
    return found


def send(channel: socket.socket, data: bytes, deadline: Deadline) -> None:
    """Send all of `data`.  Raises `OSError`."""
    channel.settimeout(deadline.left_s())
    channel.sendall(data)


def send_descriptor(channel: socket.socket, message: bytes, descriptor: int, deadline: Deadline) -> None:
    """Send a message that brings a descriptor along.  Raises `OSError`."""
    channel.settimeout(deadline.left_s())
    socket.send_fds(channel, [message], [descriptor])


def await_end(channel: socket.socket, within_s: float) -> bool:
    """Shut down sending, and return whether the other end closes in time."""
    deadline = Deadline(within_s)
    try:
        channel.settimeout(deadline.left_s())
        channel.shutdown(socket.SHUT_WR)
        while receive(channel, 1 << 16, deadline):
            pass
    except TimeoutError:
        return False
    except OSError:
        # Gone already, or closed before.
        return True
    return True
