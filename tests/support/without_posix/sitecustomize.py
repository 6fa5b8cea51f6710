"""Takes from a Python on Linux what one on Windows does not have, as far as the standard library survives it.

A Python imports this module by itself at its start, if this folder is on its path.  It is no Windows: paths,
handles and the end of a process stay as they are here.
"""

import builtins
import ctypes
import io
import os
import select
import selectors
import shutil
import signal
import subprocess  # before anything is taken away: here it starts processes in its own way
import sys
import time
from types import SimpleNamespace

MODULES = ("_posixshmem", "fcntl", "grp", "pwd", "resource", "syslog", "termios")
NAMES = {
    os: (
        "chown chroot eventfd fchmod fchown fork forkpty getegid geteuid getgid getgroups getpgid getpgrp"
        " getuid initgroups killpg lchown memfd_create mkfifo mknod nice openpty pidfd_open pipe2 posix_spawn"
        " posix_spawnp register_at_fork sched_getaffinity sched_setaffinity sched_yield setegid seteuid"
        " setgid setgroups setpgid setpriority setresgid setresuid setsid setuid statvfs sysconf uname"
        " wait wait3 wait4 waitid O_CLOEXEC O_DIRECTORY O_NOFOLLOW O_NONBLOCK O_PATH P_PID WEXITED"
        " WNOHANG WNOWAIT"
    ),
    select: "epoll poll POLLIN POLLOUT POLLRDHUP POLLHUP",
    signal: (
        "SIGALRM SIGCHLD SIGHUP SIGKILL SIGPIPE SIGPROF SIGQUIT SIGSTOP SIGSYS SIGUSR1 SIGVTALRM SIGXCPU"
        " SIGXFSZ alarm getitimer pthread_kill pthread_sigmask setitimer sigpending sigtimedwait sigwait"
        " siginterrupt"
    ),
    time: "clock_gettime clock_gettime_ns pthread_getcpuclockid",
}
SOCKET_NAMES = (
    "AF_UNIX CMSG_LEN CMSG_SPACE MSG_DONTWAIT MSG_WAITALL SCM_RIGHTS SOCK_SEQPACKET SOCK_CLOEXEC socketpair"
)


class _Lacking:
    """Says of each module in `MODULES` that there is none."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        if name in MODULES:
            raise ImportError(f"No module named {name!r}, as on Windows")


def _without_proc(real: object) -> object:
    def opens(path: object, *args: object, **kwargs: object) -> object:
        if isinstance(path, str) and path.startswith(("/proc", "/dev/shm", "/sys/")):
            raise FileNotFoundError(2, "there is no such folder on Windows", path)
        return real(path, *args, **kwargs)  # type: ignore[operator]

    return opens


def _take_away() -> None:
    import _socket

    for name in SOCKET_NAMES.split():
        delattr(_socket, name)  # before `socket` is imported, which then makes its own pair
    import faulthandler

    del faulthandler.register
    for name in MODULES:
        sys.modules.pop(name, None)
    sys.meta_path.insert(0, _Lacking())
    # These parts of the library chose their way when they were imported.
    subprocess._PopenSelector = selectors.SelectSelector  # type: ignore[attr-defined]
    subprocess.os = SimpleNamespace(**vars(os))  # type: ignore[attr-defined]
    subprocess.signal = SimpleNamespace(**vars(signal))  # type: ignore[attr-defined]
    selectors.DefaultSelector = selectors.SelectSelector  # type: ignore[assignment, misc]
    os.supports_dir_fd.clear()
    os.supports_fd.clear()
    shutil._use_fd_functions = False  # type: ignore[attr-defined]
    for module, names in NAMES.items():
        for name in names.split():
            if hasattr(module, name):
                delattr(module, name)
    builtins.open = io.open = _without_proc(io.open)  # type: ignore[assignment]
    os.open = _without_proc(os.open)  # type: ignore[assignment]
    real_init = ctypes.CDLL.__init__

    def init(self: ctypes.CDLL, name: object, *args: object, **kwargs: object) -> None:
        if name is None:
            raise TypeError("argument of type 'NoneType' is not iterable")  # as on Windows
        real_init(self, name, *args, **kwargs)  # type: ignore[arg-type]

    ctypes.CDLL.__init__ = init  # type: ignore[method-assign]


_take_away()
