"""Calls to the kernel that Python 3.11 does not offer, through ctypes.

Mechanism only: each function is one system call with its error raised as `OSError`.  What
is called, and in which order, is decided in `jail`, `keeper` and `box`.
"""

import ctypes
import os
import struct
import sys
import time

from grader.worker.syscalls import BY_ARGUMENT, FATAL, MACHINE, OWN

# PyDLL keeps the interpreter lock during a call: these calls are short, and `clone` must not
# return into a process in which another thread holds the lock.
_libc = ctypes.PyDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long

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
SECCOMP_USER_NOTIF_FLAG_CONTINUE = 1


def _checked(result: int, what: str) -> int:
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, f"{what}: {os.strerror(error)}")
    return result


def _syscall(what: str, number: int, *args: object) -> int:
    return _checked(_libc.syscall(ctypes.c_long(number), *args), what)


def unshare(flags: int) -> None:
    """Leave the namespaces that `flags` name for fresh ones."""
    _checked(_libc.unshare(ctypes.c_int(flags)), "unshare")


def setns(fd: int, kind: int) -> None:
    """Enter the namespace behind `fd`."""
    _checked(_libc.setns(ctypes.c_int(fd), ctypes.c_int(kind)), "setns")


def mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    """Mount `source` on `target`."""
    result = _libc.mount(
        os.fsencode(source),
        os.fsencode(target),
        kind.encode(),
        ctypes.c_ulong(flags),
        options.encode() if options else None,
    )
    _checked(result, f"mount {kind or 'bind'} {target}")


def unmount(target: str) -> None:
    """Detach what is mounted on `target`, at once for new look-ups."""
    _checked(_libc.umount2(os.fsencode(target), ctypes.c_int(MNT_DETACH)), f"umount {target}")


def pivot_root(new_root: str, old_root: str) -> None:
    """Make `new_root` the root, with the old one at `old_root`."""
    _syscall("pivot_root", FATAL["pivot_root"], os.fsencode(new_root), os.fsencode(old_root))


def prctl(option: int, argument: int = 0, second: int = 0) -> int:
    """Set or get a property of this process."""
    zero = ctypes.c_ulong(0)
    result = _libc.prctl(ctypes.c_int(option), ctypes.c_ulong(argument), ctypes.c_ulong(second), zero, zero)
    return _checked(result, f"prctl {option}")


def name_process(name: str) -> None:
    """Name this process, at most 15 characters, as `ps` and `top` show it."""
    _libc.prctl(ctypes.c_int(PR_SET_NAME), ctypes.c_char_p(name.encode()), 0, 0, 0)


def drop_capabilities() -> None:
    """Give up every capability, now and after any exec."""
    prctl(PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL)
    header = struct.pack("<Ii", _CAPABILITY_VERSION_3, 0)
    _checked(_libc.capset(header, bytes(24)), "capset")


def fork() -> int:
    """Fork a process.  Returns its pid, or 0 in it.

    This bypasses the interpreter's work after a fork, which is to make good for threads that were lost:
    it costs the child a third of a millisecond.  Only for a process with a single thread.
    """
    return _clone(SIGCHLD) if sys.platform == "linux" and machine_is_known() else os.fork()


def fork_for_parent() -> int:
    """Fork a process whose parent is this process's own parent.  Returns its pid, or 0 in it.

    Thus the keeper, not the hostile box, waits for each case's process and measures it.  As with
    `fork`, only for a process with a single thread.
    """
    return _clone(SIGCHLD | CLONE_PARENT)


def _clone(flags: int) -> int:
    zero = ctypes.c_long(0)
    return _syscall("clone", BY_ARGUMENT["clone"], ctypes.c_long(flags), zero, zero, zero, zero)


def install_filter(program: bytes, *, listen: bool) -> int:
    """Put a seccomp program in force for this process and its children.

    Returns a descriptor for the calls that the program passes on where `listen`, else -1.
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


def cpu_clock_s(pid: int) -> float | None:
    """Return the CPU time of process `pid` in seconds, all its threads; None if it is gone.

    The clock's number is made from the pid as the kernel does (`CPUCLOCK_SCHED`, whole process).
    """
    try:
        return time.clock_gettime(~pid << 3 | 2)
    except OSError:
        return None


def machine_is_known() -> bool:
    """Whether the tables hold this architecture."""
    return MACHINE in ("x86_64", "aarch64")
