"""Takes from a Python on Linux what one on Windows or macOS lacks, as far as the library survives it.

A Python imports this module by itself at its start, if this folder is on its path; `STAND_IN_FOR` names the
system as `sys.platform` does there.  It is neither system: paths, handles and the end of a process stay as
they are here.  What those systems have and Linux lacks is not added, but for the few names by which a process
is started on Windows.
"""

import builtins
import contextlib
import ctypes
import io
import os
import select
import selectors
import shutil
import signal
import subprocess  # before anything is taken away: here it starts processes in its own way
import sys
import sysconfig
import tempfile
import time
from collections.abc import Mapping
from types import ModuleType, SimpleNamespace
from typing import Any

WINDOWS, MACOS = "win32", "darwin"
SYSTEM = os.environ.setdefault("STAND_IN_FOR", WINDOWS)

MODULES = ("_posixshmem", "fcntl", "grp", "pwd", "resource", "syslog", "termios", "tty", "pty")
NAMES: Mapping[Any, str] = {
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
NAMES_OF_LINUX: Mapping[Any, str] = {
    os: (
        "eventfd memfd_create pidfd_open pipe2 sched_getaffinity sched_setaffinity sched_getparam setresgid"
        " setresuid getresgid getresuid splice unshare setns copy_file_range getxattr setxattr listxattr"
        " removexattr posix_fadvise posix_fallocate O_PATH O_TMPFILE O_DIRECT O_NOATIME"
    ),
    select: "epoll POLLRDHUP",
    signal: "sigtimedwait sigwaitinfo SIGRTMIN SIGRTMAX SIGPWR SIGSTKFLT SIGCLD SIGPOLL",
    time: "pthread_getcpuclockid CLOCK_BOOTTIME",
}
"""What macOS lacks."""
SOCKET_NAMES = (
    "AF_UNIX CMSG_LEN CMSG_SPACE MSG_DONTWAIT MSG_WAITALL SCM_RIGHTS SOCK_SEQPACKET SOCK_CLOEXEC socketpair"
)
SOCKET_NAMES_OF_LINUX = "SOCK_CLOEXEC SOCK_NONBLOCK SO_PEERCRED MSG_CMSG_CLOEXEC MSG_NOSIGNAL"
LIMITS_OF_LINUX = "RLIMIT_MSGQUEUE RLIMIT_NICE RLIMIT_RTPRIO RLIMIT_RTTIME RLIMIT_SIGPENDING prlimit"


class _Lacking:
    """Says of each module in `MODULES` that there is none."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        if name in MODULES:
            raise ImportError(f"No module named {name!r}, as on {SYSTEM}")


def _without_proc(real: object) -> object:
    def opens(path: object, *args: object, **kwargs: object) -> object:
        if isinstance(path, str) and path.startswith(("/proc", "/dev/shm", "/sys/")):
            raise FileNotFoundError(2, "there is no such folder elsewhere", path)
        return real(path, *args, **kwargs)  # type: ignore[operator]

    return opens


def _take(module: Any, names: str) -> None:
    for name in names.split():
        if hasattr(module, name):
            delattr(module, name)


def _take_proc() -> None:
    builtins.open = io.open = _without_proc(io.open)  # type: ignore[assignment]
    os.open = _without_proc(os.open)  # type: ignore[assignment]


def _as_on_windows() -> None:
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
        _take(module, names)
    _take_proc()
    real_init = ctypes.CDLL.__init__

    def init(self: ctypes.CDLL, name: object, *args: object, **kwargs: object) -> None:
        if name is None:
            raise TypeError("argument of type 'NoneType' is not iterable")  # as on Windows
        real_init(self, name, *args, **kwargs)  # type: ignore[arg-type]

    ctypes.CDLL.__init__ = init  # type: ignore[method-assign]
    _start_by_handles()
    _say(WINDOWS)


def _start_by_handles() -> None:
    """Give `subprocess` and `msvcrt` what starts a process that inherits handles: here, descriptors."""
    real = subprocess.Popen.__init__

    def init(self: Any, *args: Any, startupinfo: Any = None, creationflags: int = 0, **kwargs: Any) -> None:
        assert not {"pass_fds", "preexec_fn", "start_new_session"} & kwargs.keys(), "Windows has none of them"
        assert startupinfo is None or creationflags == subprocess.CREATE_NEW_PROCESS_GROUP  # type: ignore[attr-defined]
        handles = [] if startupinfo is None else startupinfo.lpAttributeList["handle_list"]
        real(self, *args, pass_fds=handles, **kwargs)

    subprocess.Popen.__init__ = init  # type: ignore[method-assign]
    subprocess.CREATE_NEW_PROCESS_GROUP = 512  # type: ignore[attr-defined]
    subprocess.STARTUPINFO = SimpleNamespace  # type: ignore[attr-defined]
    os.set_handle_inheritable = os.set_inheritable  # type: ignore[attr-defined]
    os.O_BINARY = 0  # type: ignore[attr-defined]
    io._WindowsConsoleIO = type("_WindowsConsoleIO", (), {})  # type: ignore[attr-defined]
    msvcrt = ModuleType("msvcrt")
    msvcrt.get_osfhandle = msvcrt.open_osfhandle = lambda number, *flags: number  # type: ignore[attr-defined]
    sys.modules["msvcrt"] = msvcrt


def _say(system: str) -> None:
    """Set `sys.platform`, once what would then ask for more of that system has been imported."""
    for name in ("asyncio", "click", "multiprocessing.util", "platform", "uuid", "zipfile"):
        with contextlib.suppress(ImportError):
            __import__(name)
    sysconfig.get_config_vars()
    tempfile.gettempdir()
    # It finds programs, which have no endings here.
    vars(shutil)["sys"] = SimpleNamespace(**vars(sys))
    sys.platform = system


def _as_on_macos() -> None:
    import resource
    import socket

    for module, names in NAMES_OF_LINUX.items():
        _take(module, names)
    tempfile._O_TMPFILE_WORKS = False  # type: ignore[attr-defined]
    shutil._copyxattr = lambda *_, **__: None  # type: ignore[attr-defined]
    _take(socket, SOCKET_NAMES_OF_LINUX)
    _take(resource, LIMITS_OF_LINUX)
    _take_proc()
    real_clock = time.clock_gettime

    def clock(number: int) -> float:
        if number < 0:
            raise OSError(22, "Invalid argument")  # the clock of another process
        return real_clock(number)

    time.clock_gettime = clock
    real_limit = resource.setrlimit

    def limit(kind: int, limits: tuple[int, int]) -> None:
        if kind == resource.RLIMIT_AS:
            raise ValueError("current limit exceeds maximum limit")
        real_limit(kind, limits)

    resource.setrlimit = limit
    _say(MACOS)


_as_on_windows() if SYSTEM == WINDOWS else _as_on_macos()
