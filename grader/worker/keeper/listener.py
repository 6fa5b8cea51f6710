"""The keeper's end of seccomp's listener: decides about system calls of the box.

The kernel stops the calling thread and sends the call.  The listener lets a fork through when the keeper
has ordered one, and a thread while there are few.  Where cases become a built program, it lets each case
become it once, before any code of a student's has run in it.  It refuses every other call with "operation not
permitted" and remembers it for the report.  It decides by the call's arguments alone, which cannot change
while the thread is stopped.
"""

import errno
import os
import struct
from ctypes import create_string_buffer

from grader.worker.keeper import process_table
from grader.worker.keeper.native_input import NativeInput
from grader.worker.walls.kernel import (
    CLONE_PARENT,
    CLONE_THREAD,
    SECCOMP_IOCTL_NOTIF_RECV,
    SECCOMP_IOCTL_NOTIF_SEND,
    SECCOMP_USER_NOTIF_FLAG_CONTINUE,
    SIGCHLD,
    ioctl,
)
from grader.worker.walls.syscalls import BY_ARGUMENT, EVERYDAY

# struct seccomp_notif: id, pid, flags, then seccomp_data: number, architecture,
# instruction pointer, six arguments.  struct seccomp_notif_resp: id, value, error, flags.
_NOTIFICATION = struct.Struct("<QIIiIQ6Q")
_RESPONSE = struct.Struct("<QqiI")
_AT_EMPTY_PATH = 0x1000
_EMPTY = bytes(_NOTIFICATION.size)

THREADS = 64
"""The most threads of one process.  Threads that ask at the same time can make a few more."""

_IN_WORDS = {
    "execve": "start a program",
    "execveat": "start a program",
    "socket": "open a network connection",
}


class Listener:
    """Decides about the calls that the filter passes on."""

    def __init__(self, descriptor: int, process_table: int = -1) -> None:
        """Make a listener.  process_table: a descriptor of `/proc`, where it is not in our root; else -1."""
        self._descriptor = descriptor
        self._process_table = process_table
        self._forker = 0
        self._may_become = -1
        self._input: NativeInput | None = None
        self._question = create_string_buffer(_NOTIFICATION.size)
        self._answer = create_string_buffer(_RESPONSE.size)
        self.refused: list[str] = []
        """The refused calls, in words, in order."""

    def permit_fork(self, pid: int) -> None:
        """Let process `pid` fork once, with its own parent as the child's parent."""
        self._forker = pid

    def permit_exec(self, descriptor: int, given: NativeInput) -> None:
        """Let the next process that asks become the program that is open at `descriptor`, once.

        given: becomes its standard input, and is told of each read of it.
        """
        self._may_become, self._input = descriptor, given

    def withdraw_permit(self) -> None:
        self._forker = 0
        self._may_become = -1

    def answer_one(self) -> None:
        """Decide about one waiting call; do nothing if its caller is gone by now."""
        # The kernel refuses a buffer that is not zeroed.
        self._question.raw = _EMPTY
        try:
            ioctl(self._descriptor, SECCOMP_IOCTL_NOTIF_RECV, self._question)
        except OSError:
            return
        cookie, pid, _, number, _, _, flags, *others = _NOTIFICATION.unpack(self._question.raw)
        is_clone = number == BY_ARGUMENT["clone"]
        if is_clone and self._forker == pid and flags == CLONE_PARENT | SIGCHLD:
            self._forker = 0
            response = _RESPONSE.pack(cookie, 0, 0, SECCOMP_USER_NOTIF_FLAG_CONTINUE)
        elif self._is_permitted_exec(number, flags, others[3]):
            self._may_become = -1
            if self._input is not None:
                self._input.begins(self._descriptor, cookie)
            response = _RESPONSE.pack(cookie, 0, 0, SECCOMP_USER_NOTIF_FLAG_CONTINUE)
        elif number == EVERYDAY["read"]:
            if self._input is not None and self._input.holds(self._descriptor, cookie):
                return
            response = _RESPONSE.pack(cookie, 0, 0, SECCOMP_USER_NOTIF_FLAG_CONTINUE)
        elif is_clone and flags & CLONE_THREAD and self._has_few_threads(pid):
            response = _RESPONSE.pack(cookie, 0, 0, SECCOMP_USER_NOTIF_FLAG_CONTINUE)
        elif is_clone and flags & CLONE_THREAD:
            # The kernel's own limit on processes gives the same error.
            response = _RESPONSE.pack(cookie, 0, -errno.EAGAIN, 0)
        else:
            name = next((name for name, value in BY_ARGUMENT.items() if value == number), "")
            self.refused.append(_IN_WORDS.get(name, "start a process"))
            response = _RESPONSE.pack(cookie, 0, -errno.EPERM, 0)
        self._respond(response)

    def _has_few_threads(self, pid: int) -> bool:
        if self._process_table < 0:
            return process_table.threads(pid) < THREADS
        # The asking thread's number leads nowhere here.
        return 0 < process_table.threads_of_children(self._process_table) < THREADS

    def go_on(self, cookie: int) -> None:
        """Let a call go on that was held back."""
        self._respond(_RESPONSE.pack(cookie, 0, 0, SECCOMP_USER_NOTIF_FLAG_CONTINUE))

    def _respond(self, response: bytes) -> None:
        self._answer.raw = response
        try:
            ioctl(self._descriptor, SECCOMP_IOCTL_NOTIF_SEND, self._answer)
        except OSError:
            return

    def _is_permitted_exec(self, number: int, descriptor: int, flags: int) -> bool:
        """Tell whether this is the exec of the program whose descriptor was permitted.

        The call names no path that counts: with this flag the kernel takes the descriptor where the path is
        empty.  Until it returns, the process runs our code alone, so nobody can change the path meanwhile.
        """
        is_exec = number == BY_ARGUMENT["execveat"]
        return is_exec and self._may_become >= 0 and (descriptor, flags) == (self._may_become, _AT_EMPTY_PATH)

    def close(self) -> None:
        """Stop listening; waiting callers get "function not implemented"."""
        os.close(self._descriptor)
