"""Landlock: restricts which files a process may still open, beyond the rights of its user.

Covers opening, creating and listing; not metadata (`stat`), which needs the mount namespace.
Source of the numbers: `include/uapi/linux/landlock.h`.
"""

import ctypes
import os
import struct
from collections.abc import Iterable

from grader.worker.walls.kernel import PR_SET_NO_NEW_PRIVS, _libc, _syscall, prctl
from grader.worker.walls.syscalls import OWN

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1, 2, 4, 8
_REMOVE_DIR, _REMOVE_FILE = 1 << 4, 1 << 5
_MAKE_DIR, _MAKE_REGULAR, _MAKE_SYMLINK = 1 << 7, 1 << 8, 1 << 12
_REFER, _TRUNCATE, _IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15
_FILE_RIGHTS = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEV
_READ = _EXECUTE | _READ_FILE | _READ_DIR
_SCRATCH = (
    _WRITE_FILE | _READ_FILE | _READ_DIR | _REMOVE_DIR | _REMOVE_FILE
    | _MAKE_DIR | _MAKE_REGULAR | _MAKE_SYMLINK | _REFER | _TRUNCATE
)  # fmt: skip
_RULE_PATH_BENEATH = 1
_QUERY_VERSION = 1


def version() -> int:
    """Return the version of Landlock that the kernel supports, 0 for none."""
    result: int = _libc.syscall(
        ctypes.c_long(OWN["landlock_create_ruleset"]), None, ctypes.c_size_t(0), ctypes.c_uint(_QUERY_VERSION)
    )
    return max(0, result)


def ruleset(readable: Iterable[str], scratch: Iterable[str]) -> int:
    """Make a ruleset that allows reading below `readable` and all plain use of `scratch`.

    Where the kernel supports it, TCP, abstract sockets and signals to the outside are refused too.  Returns
    the ruleset's descriptor; `restrict` puts it in force.  Raises `OSError`.
    """
    known = version()
    rights = (1 << {1: 13, 2: 14, 3: 15, 4: 15}.get(known, 16)) - 1
    attributes = struct.pack("<QQQ", rights, 3 if known >= 4 else 0, 3 if known >= 6 else 0)
    size = 8 if known < 4 else 16 if known < 6 else 24
    descriptor = _syscall(
        "landlock_create_ruleset",
        OWN["landlock_create_ruleset"],
        attributes,
        ctypes.c_size_t(size),
        ctypes.c_uint(0),
    )
    for path in readable:
        _allow(descriptor, path, _READ & rights)
    for path in scratch:
        _allow(descriptor, path, _SCRATCH & rights)
    return descriptor


def _allow(descriptor: int, path: str, rights: int) -> None:
    parent = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        if not os.path.isdir(path):
            rights &= _FILE_RIGHTS
        _syscall(
            f"landlock_add_rule {path}",
            OWN["landlock_add_rule"],
            ctypes.c_int(descriptor),
            ctypes.c_int(_RULE_PATH_BENEATH),
            struct.pack("<Qi", rights, parent),
            ctypes.c_uint(0),
        )
    finally:
        os.close(parent)


def restrict(descriptor: int) -> None:
    """Put a ruleset in force, permanently, for this process and all that it starts."""
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    _syscall(
        "landlock_restrict_self",
        OWN["landlock_restrict_self"],
        ctypes.c_int(descriptor),
        ctypes.c_uint(0),
    )
