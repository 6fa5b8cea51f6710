"""The input of a built program that holds a dialogue, as its keeper gives it.

The filter stops the program at each read of its standard input.  Where everything it was given is read, it
asks: the keeper takes what was printed to the grader, puts the grader's line into a pipe of its own, and lets
the read go on.  So the record is the pipe's, and the program holds no line before its turn.
"""

import errno
import os
import struct
from collections.abc import Callable
from ctypes import create_string_buffer

from grader.wire.decoder import decode_plain
from grader.worker.walls.kernel import SECCOMP_IOCTL_NOTIF_ADDFD, ioctl

# struct seccomp_notif_addfd: id, flags, source, target, flags of the target.
_ADD = struct.Struct("<QIIII")
_SET_NUMBER = 1
_UNREAD = 0x541B
_READ_AHEAD_S = 5.0
"""CPU time that a runtime may take between a read and the question that the program asks by it."""
_OF_THE_PROGRAM = frozenset({errno.ENOENT, errno.ESRCH, errno.EBADF, errno.EMFILE})


class NativeInput:
    """The input of the program at work; without a dialogue, each read just goes on.

    failure: the reason why the host cannot hold a dialogue.
    """

    def __init__(self, *, is_runtime: bool) -> None:
        """is_runtime: the program is a runtime, such as Node, that looks at its standard input as it starts.

        From a pipe it would read only once something is there, so it gets the pipe at its first read.
        """
        self._is_runtime = is_runtime
        self._is_connected = False
        self._ends: tuple[int, int] | None = None
        self._cookie: int | None = None
        self._asked_at_s: float | None = None
        self.failure = ""

    def begin(self) -> None:
        """Begin a dialogue: the next read is a question."""
        self.close()
        self._ends = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        os.set_blocking(self._ends[0], True)

    def begins(self, listener: int, cookie: int) -> None:
        """Connect the program that a process is about to become.  cookie: names its exec to the kernel."""
        if self._ends is not None and not self._is_runtime:
            self._connect(listener, cookie)

    def _connect(self, listener: int, cookie: int) -> None:
        """Make our pipe the standard input of the process that waits for us."""
        assert self._ends is not None
        self._is_connected = True
        order = create_string_buffer(_ADD.pack(cookie, _SET_NUMBER, self._ends[0], 0, 0), _ADD.size)
        try:
            ioctl(listener, SECCOMP_IOCTL_NOTIF_ADDFD, order)
        except OSError as error:
            # A process that is dead by now, or has lowered its own limits, is no fault of the host's.
            if error.errno not in _OF_THE_PROGRAM:
                self.failure = f"this kernel can't hold a dialogue with a built program: {error}"

    def holds(self, listener: int, cookie: int) -> bool:
        """Tell whether a read has to wait for a line.  cookie: names the read to the kernel."""
        if self._ends is None or self._ends[1] < 0 or self._unread_b() > 0 or self._cookie is not None:
            return False
        if not self._is_connected:
            self._connect(listener, cookie)
        self._cookie = cookie
        return True

    @property
    def is_asked_for(self) -> bool:
        """Tell whether the program waits for a line."""
        return self._cookie is not None

    def may_read_ahead(self, cpu_s: float) -> bool:
        """Tell whether a read may have come before the program asked.

        cpu_s: the CPU time that the program has used until now.
        """
        if self._asked_at_s is None:
            self._asked_at_s = cpu_s
        return self._is_runtime and cpu_s - self._asked_at_s < _READ_AHEAD_S

    def give(self, reply: bytes, go_on: Callable[[int], None]) -> None:
        """Give the grader's reply, a line or the end of the input.  go_on: lets a stopped read go on."""
        assert self._ends is not None
        assert self._cookie is not None
        answer: object = decode_plain(reply)
        line = answer[1] if isinstance(answer, tuple) and answer[0] == "returned" else None
        content = line.encode("utf-8", "surrogateescape") + b"\n" if type(line) is str else b""
        read_end, write_end = self._ends
        # A line that no pipe holds ends the input: the spec's lines are far shorter.
        if not content or os.write(write_end, content) < len(content):
            os.close(write_end)
            self._ends = read_end, -1
        cookie, self._cookie, self._asked_at_s = self._cookie, None, None
        go_on(cookie)

    def close(self) -> None:
        """End the dialogue."""
        for end in self._ends or ():
            if end >= 0:
                os.close(end)
        self._ends, self._is_connected, self._cookie, self._asked_at_s = None, False, None, None

    def _unread_b(self) -> int:
        assert self._ends is not None
        count = create_string_buffer(4)
        ioctl(self._ends[0], _UNREAD, count)
        return int.from_bytes(count.raw, "little")
