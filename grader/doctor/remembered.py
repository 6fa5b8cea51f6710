"""Whether the strongest sandbox held every guarantee a short while ago, under the conditions of now.

The attacks before a run take a third of a second, which is most of what a small run waits for.  So a host on
which all of them failed is not attacked again within the hour, as long as all that decides about the walls is
the same: kernel and boot, user and rights, limits, namespaces, and our own code.  Where a filter lies on this
process, as in a container, every run attacks: nobody can tell one filter from another.  The walls themselves
are built anew for every run, and a run stops where one cannot be.  `grader doctor` always attacks.
"""

import hashlib
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from grader.runtime.code_identity import own_identity
from grader.runtime.user_cache import UserCache
from grader.sandbox.interpreter import Interpreter

_VALID_S = 3600
_FACTS = (
    "/proc/sys/kernel/random/boot_id",
    "/proc/sys/kernel/unprivileged_userns_clone",
    "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
    "/proc/sys/user/max_user_namespaces",
    "/proc/sys/user/max_mnt_namespaces",
    "/proc/sys/user/max_pid_namespaces",
    "/proc/sys/user/max_net_namespaces",
    "/proc/self/attr/current",
    "/proc/self/cgroup",
    "/proc/self/limits",
    "/proc/self/uid_map",
    "/proc/self/mountinfo",
    "/sys/kernel/security/lsm",
)
_OF_STATUS = (
    "Uid:",
    "Gid:",
    "Groups:",
    "CapEff:",
    "CapBnd:",
    "CapAmb:",
    "NoNewPrivs:",
    "Seccomp",
    "Speculation",
)
_STATUS = "/proc/self/status"
_NAMESPACES = "/proc/self/ns"


def held_all(interpreter: Interpreter) -> bool:
    """Tell whether all guarantees held within the hour, under the conditions of now."""
    key = _key(interpreter)
    return bool(key) and UserCache().has(key)


def note_that_all_held(interpreter: Interpreter) -> None:
    """Note that all guarantees hold, under the conditions of now."""
    key = _key(interpreter)
    if key:
        UserCache().add(key)


def _key(interpreter: Interpreter) -> str:
    """Return the digest of the conditions of now; empty where the system does not tell them."""
    if sys.platform != "linux" or not Path(_FACTS[0]).is_file() or not _is_unfiltered():
        return ""
    hour = str(int(time.time() // _VALID_S))
    facts = (
        hour,
        own_identity(),
        *os.uname(),
        interpreter.command,
        interpreter.version,
        *_conditions(),
    )
    return hashlib.sha256("\0".join(facts).encode("utf-8", "surrogateescape")).hexdigest()


def _is_unfiltered() -> bool:
    """Tell whether no filter lies on this process: nobody can read what one takes away, as in a container."""
    return "Seccomp:\t0" in _text(_STATUS).splitlines()


def _conditions() -> Iterator[str]:
    for path in _FACTS:
        yield _text(path)
    status = _text(_STATUS).splitlines()
    yield from (line for line in status if line.startswith(_OF_STATUS))
    for name in sorted(os.listdir(_NAMESPACES)):
        yield f"{name} {os.readlink(f'{_NAMESPACES}/{name}')}"


def _text(path: str) -> str:
    try:
        return Path(path).read_text("utf-8", "surrogateescape")
    except OSError as error:
        return str(error.errno)
