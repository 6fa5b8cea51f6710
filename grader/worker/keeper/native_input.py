"""The input of a built program that holds a dialogue, as its keeper gives it.

The filter stops the program at each read of its standard input.  Where everything it was given is read, it
asks: the keeper takes what was printed to the grader, puts the grader's line into a pipe of its own, and lets
the read go on.  So the record is the pipe's, and the program holds no line before its turn.
"""

import os
import struct
from collections.abc import Callable
from ctypes import create_string_buffer

from grader.wire.decoder import decode_plain
from grader.worker.walls.kernel import SECCOMP_IOCTL_NOTIF_ADDFD, SECCOMP_IOCTL_NOTIF_ID_VALID, ioctl

# struct seccomp_notif_addfd: id, flags, source, target, flags of the target.
_ADD = struct.Struct("<QIIII")
_SET_NUMBER = 1
_UNREAD = 0x541B
_COOKIE = struct.Struct("<Q")


class NativeInput:
    """The input of the program at work; without a dialogue, each read just goes on.

    failure: the reason why the host cannot hold a dialogue.
    """

    def __init__(self) -> None:
        self._ends: tuple[int, int] | None = None
        self._is_known = False
        """The program's standard input is our pipe."""
        self._cookie: int | None = None
        self.failure = ""

    def begin(self) -> None:
        """Begin a dialogue: the next read is a question."""
        self.close()
        self._ends = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        os.set_blocking(self._ends[0], True)

    def holds(self, listener: int, cookie: int) -> bool:
        """Tell whether a read has to wait for a line.  cookie: names the read to the kernel."""
        if self._ends is None or self._ends[1] < 0 or self._unread_b() > 0 or self._cookie is not None:
            return False
        if not self._is_known:
            order = create_string_buffer(_ADD.pack(cookie, _SET_NUMBER, self._ends[0], 0, 0), _ADD.size)
            try:
                ioctl(listener, SECCOMP_IOCTL_NOTIF_ADDFD, order)
            except OSError as error:
                # A process that is dead by now, which it can arrange itself, is no fault of the host's.
                if _is_waiting(listener, cookie):
                    self.failure = f"this kernel can't hold a dialogue with a built program: {error}"
                return False
            self._is_known = True
        self._cookie = cookie
        return True

    @property
    def is_asked_for(self) -> bool:
        """Tell whether the program waits for a line."""
        return self._cookie is not None

    def give(self, reply: bytes, go_on: Callable[[int], None]) -> None:
        """Give the grader's reply, a line or the end of the input.  go_on: lets a stopped read go on."""
        assert self._ends is not None
        assert self._cookie is not None
        answer: object = decode_plain(reply)
        line = answer[1] if isinstance(answer, tuple) and answer[0] == "returned" else None
        content = line.encode() + b"\n" if type(line) is str else b""
        read_end, write_end = self._ends
        # A line that no pipe holds ends the input: the spec's lines are far shorter.
        if not content or os.write(write_end, content) < len(content):
            os.close(write_end)
            self._ends = read_end, -1
        cookie, self._cookie = self._cookie, None
        go_on(cookie)

    def close(self) -> None:
        """End the dialogue."""
        for end in self._ends or ():
            if end >= 0:
                os.close(end)
        self._ends, self._is_known, self._cookie = None, False, None

    def _unread_b(self) -> int:
        assert self._ends is not None
        count = create_string_buffer(4)
        ioctl(self._ends[0], _UNREAD, count)
        return int.from_bytes(count.raw, "little")


def _is_waiting(listener: int, cookie: int) -> bool:
    """Tell whether the process of a stopped call is still there."""
    try:
        ioctl(
            listener, SECCOMP_IOCTL_NOTIF_ID_VALID, create_string_buffer(_COOKIE.pack(cookie), _COOKIE.size)
        )
    except OSError:
        return False
    return True
