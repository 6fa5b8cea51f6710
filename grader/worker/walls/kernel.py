"""Calls to the kernel that Python 3.11 does not offer, through ctypes.

Mechanism only: each function is one system call, with its error raised as `OSError`.  `jail`, `keeper` and
`box` decide which calls are made, and in which order.
"""

import ctypes
import os
import struct
import sys
from collections.abc import Callable
from contextlib import suppress

from grader.worker.waiting import Death
from grader.worker.walls.syscalls import BY_ARGUMENT, FATAL, MACHINE, OWN

# PyDLL keeps the interpreter lock during a call: these calls are short, and `clone` must not
# return into a process in which another thread holds the lock.
_libc = ctypes.PyDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long
# Without `errno`, and with plain numbers as arguments: a fork copies a page for each object that it frees.
_bare_syscall: Callable[..., int] = ctypes.PyDLL(None).syscall
_bare_sigprocmask: Callable[..., int] = ctypes.PyDLL(None).sigprocmask
_bare_ioctl: Callable[..., int] = ctypes.PyDLL(None).ioctl
_word = ctypes.create_string_buffer(4)
_usage = ctypes.create_string_buffer(256)
"""A `struct rusage`."""
_SIG_SETMASK = 2
_ALL_SIGNALS = b"\xff" * 128
_signals_before = ctypes.create_string_buffer(128)

CLONE_NEWNS = 0x0002_0000
CLONE_NEWCGROUP = 0x0200_0000
CLONE_NEWUTS = 0x0400_0000
CLONE_NEWIPC = 0x0800_0000
CLONE_NEWUSER = 0x1000_0000
CLONE_NEWPID = 0x2000_0000
CLONE_NEWNET = 0x4000_0000
CLONE_FILES = 0x0000_0400
CLONE_PARENT = 0x0000_8000
CLONE_THREAD = 0x0001_0000
SIGCHLD = 17
_CLONE, _CLONE_FOR_PARENT = BY_ARGUMENT["clone"], SIGCHLD | CLONE_PARENT

MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC = 1, 2, 4, 8
MS_REMOUNT, MS_NOATIME, MS_BIND, MS_REC, MS_PRIVATE = 32, 1024, 4096, 16384, 1 << 18
MNT_DETACH = 2

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_NAME = 15
PR_CAPBSET_DROP = 24
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
PR_CAP_AMBIENT = 47
_PR_CAP_AMBIENT_CLEAR_ALL = 4
_CAPABILITY_VERSION_3 = 0x2008_0522

SECCOMP_SET_MODE_FILTER = 1
SECCOMP_FILTER_FLAG_SPEC_ALLOW = 1 << 2
SECCOMP_FILTER_FLAG_NEW_LISTENER = 1 << 3
SECCOMP_IOCTL_NOTIF_RECV = 0xC050_2100
SECCOMP_IOCTL_NOTIF_SEND = 0xC018_2101
SECCOMP_IOCTL_NOTIF_ID_VALID = 0x4008_2102
SECCOMP_IOCTL_NOTIF_ADDFD = 0x4018_2103
SECCOMP_USER_NOTIF_FLAG_CONTINUE = 1
_SIOCOUTQ = 0x5411


def _checked(result: int, what: str) -> int:
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, f"{what}: {os.strerror(error)}")
    return result


def _syscall(what: str, number: int, *args: object) -> int:
    return _checked(_libc.syscall(ctypes.c_long(number), *args), what)


def unshare(flags: int) -> None:
    """Move this process into fresh namespaces of the kinds in `flags`."""
    _checked(_libc.unshare(ctypes.c_int(flags)), "unshare")


def setns(fd: int, kind: int) -> None:
    _checked(_libc.setns(ctypes.c_int(fd), ctypes.c_int(kind)), "setns")


def mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    result = _libc.mount(
        os.fsencode(source),
        os.fsencode(target),
        kind.encode(),
        ctypes.c_ulong(flags),
        options.encode() if options else None,
    )
    _checked(result, f"mount {kind or 'bind'} {target}")


def unmount(target: str) -> None:
    """Detach the file system mounted on `target`; new look-ups no longer find it."""
    _checked(_libc.umount2(os.fsencode(target), ctypes.c_int(MNT_DETACH)), f"umount {target}")


def pivot_root(new_root: str, old_root: str) -> None:
    """Make `new_root` the root, and show the old root at `old_root`."""
    _syscall("pivot_root", FATAL["pivot_root"], os.fsencode(new_root), os.fsencode(old_root))


def prctl(option: int, argument: int = 0, second: int = 0) -> int:
    zero = ctypes.c_ulong(0)
    result = _libc.prctl(ctypes.c_int(option), ctypes.c_ulong(argument), ctypes.c_ulong(second), zero, zero)
    return _checked(result, f"prctl {option}")


def name_process(name: str) -> None:
    """Name this process, at most 15 characters, as `ps` and `top` show it."""
    _libc.prctl(ctypes.c_int(PR_SET_NAME), ctypes.c_char_p(name.encode()), 0, 0, 0)


def be_killed_first() -> None:
    """Where memory runs out, have the system kill this process and its children before the grader's own."""
    with suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("500")


def stay_on_this_core() -> frozenset[int]:
    """Keep this process and its children on the core that it is on; return the cores that it had before.

    Where the host does not allow it, nothing is changed and the result is empty.
    """
    core = _libc.sched_getcpu()
    with suppress(OSError):
        before = frozenset(os.sched_getaffinity(0))
        if core in before:
            os.sched_setaffinity(0, {core})
            return before
    return frozenset()


def drop_capabilities() -> None:
    """Give up every capability, also for a later exec."""
    prctl(PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL)
    header = struct.pack("<Ii", _CAPABILITY_VERSION_3, 0)
    _checked(_libc.capset(header, bytes(24)), "capset")


def fork() -> int:
    """Fork a process.  Returns its pid, or 0 in it.

    This bypasses the interpreter's work after a fork, which repairs state for threads that were lost and
    costs the child a third of a millisecond.  Only for a process with a single thread.
    """
    if sys.platform != "linux" or not machine_is_known():
        return os.fork()
    pid = _bare_syscall(_CLONE, SIGCHLD, 0, 0, 0, 0)
    if pid < 0:
        raise OSError("the host denied a process")
    return pid


def fork_for_parent() -> int:
    """Fork a process whose parent is this process's own parent.  Returns its pid, 0 in it, -1 if denied.

    Thus the keeper, not the hostile box, waits for each case's process and measures it.  As with
    `fork`, only for a process with a single thread.
    """
    return _bare_syscall(_CLONE, _CLONE_FOR_PARENT, 0, 0, 0, 0)


def block_signals() -> None:
    """Block all signals that can be blocked."""
    _bare_sigprocmask(_SIG_SETMASK, _ALL_SIGNALS, _signals_before)


def unblock_signals() -> None:
    """Undo `block_signals`, also in a fork."""
    _bare_sigprocmask(_SIG_SETMASK, _signals_before, None)


def install_filter(program: bytes, *, listen: bool) -> int:
    """Put a seccomp program in force for this process and its children.

    Returns the listener's descriptor, for the calls that the program passes on, if `listen`; else -1.
    """
    buffer = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("<HxxxxxxQ", len(program) // 8, ctypes.addressof(buffer))
    # Without this flag, kernels before 5.16 slow the process down by disabling speculation.
    flags = SECCOMP_FILTER_FLAG_SPEC_ALLOW | (SECCOMP_FILTER_FLAG_NEW_LISTENER if listen else 0)
    result = _syscall(
        "seccomp",
        OWN["seccomp"],
        ctypes.c_uint(SECCOMP_SET_MODE_FILTER),
        ctypes.c_uint(flags),
        header,
    )
    return result if listen else -1


def ioctl(descriptor: int, request: int, buffer: "ctypes.Array[ctypes.c_char]") -> None:
    """Ask the driver behind a descriptor; the buffer holds the question or the answer."""
    if _bare_ioctl(descriptor, request, buffer) < 0:
        raise OSError(f"ioctl {request:#x} failed")


def left_unread_b(descriptor: int) -> int:
    """Return how many bytes sent on a socket its other end has not read."""
    ioctl(descriptor, _SIOCOUTQ, _word)
    return int.from_bytes(_word.raw, sys.byteorder)


def get_limit(kind: int) -> tuple[int, int]:
    """Return soft and hard limit, -1 for none."""
    buffer = ctypes.create_string_buffer(16)
    _checked(_libc.getrlimit(ctypes.c_int(kind), buffer), f"getrlimit {kind}")
    soft, hard = struct.unpack("<qq", buffer.raw)
    return soft, hard


def set_limit(kind: int, soft: int, hard: int) -> None:
    """Set soft and hard limit, -1 for none."""
    _checked(_libc.setrlimit(ctypes.c_int(kind), struct.pack("<qq", soft, hard)), f"setrlimit {kind}")


def reap(pid: int) -> tuple[int, Death] | None:
    """Return pid and death of a child that has ended, or None if none has; pid -1 stands for any child.

    `os.wait4` does the same but imports `resource`: a shared library that each later fork would copy.
    Raises `ChildProcessError` where there is no such child.
    """
    if sys.platform != "linux" or not machine_is_known():
        other, status, bill = os.wait4(pid, os.WNOHANG)
        exit_code, cpu_s = os.waitstatus_to_exitcode(status), bill.ru_utime + bill.ru_stime
        return (other, Death(exit_code, cpu_s, bill.ru_maxrss * 1024)) if other else None
    found = _libc.wait4(ctypes.c_int(pid), _word, ctypes.c_int(os.WNOHANG), _usage)
    if found < 0:
        raise ChildProcessError(ctypes.get_errno(), "wait4")
    if found == 0:
        return None
    exit_code = os.waitstatus_to_exitcode(int.from_bytes(_word.raw, sys.byteorder, signed=True))
    user_s, user_us, system_s, system_us, peak_kib = struct.unpack_from("<5q", _usage)
    return found, Death(exit_code, user_s + system_s + (user_us + system_us) / 1e6, peak_kib * 1024)


def machine_is_known() -> bool:
    """Tell whether the tables of system calls hold this architecture."""
    return MACHINE in ("x86_64", "aarch64")
