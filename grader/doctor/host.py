"""Facts about this host, and ways to make a driver work that does not."""

import os
import platform
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from grader.sandbox import ids
from grader.worker.walls import landlock, syscalls

_APPARMOR = "kernel.apparmor_restrict_unprivileged_userns"
_DEBIAN = "kernel.unprivileged_userns_clone"
_MOST = "user.max_user_namespaces"
_LANDLOCK_SINCE = (5, 13)


@dataclass(frozen=True, slots=True)
class Host:
    """Facts about a host.

    container: the kind of container that this is, in words; "" for none that was recognised.
    filtered: a seccomp filter is in force already.
    landlock: the version of Landlock in the kernel, 0 for none.
    ids: how many users there are in our user namespace; 0 where it is the host's own.
    can_change: root here may become another user.
    settings: what of the kernel's settings decides, as far as it can be read.
    """

    system: str
    kernel: str
    machine: str
    is_root: bool
    container: str
    filtered: bool
    landlock: int
    settings: dict[str, int]
    ids: int = 0
    can_change: bool = True

    def in_words(self) -> str:
        """Return one line."""
        user = "root" if self.is_root else "a user without rights"
        if self.ids:
            user += f" in a user namespace of {self.ids} id{'s' if self.ids > 1 else ''}"
        where = f"in {self.container}" if self.container else "in no container"
        rules = f"Landlock {self.landlock}" if self.landlock else "no Landlock"
        return f"{self.system} {self.kernel} on {self.machine}, as {user}, {where}; {rules}."


def look() -> Host:
    """Find out about this host."""
    is_linux = sys.platform == "linux"
    settings = {name: value for name in (_MOST, _APPARMOR, _DEBIAN) if (value := _setting(name)) is not None}
    return Host(
        system=platform.system(),
        kernel=platform.release(),
        machine=platform.machine(),
        is_root=hasattr(os, "geteuid") and os.geteuid() == 0,
        container=_container(),
        filtered="Seccomp:\t2" in _read("/proc/self/status"),
        landlock=landlock.version() if is_linux and syscalls.SUPPORTED else 0,
        settings=settings,
        ids=ids.count_of_namespace(),
        can_change=ids.may_change(),
    )


def ways_to_namespaces(host: Host) -> Iterator[str]:
    """Yield what could make the driver `namespaces` work, the likeliest first."""
    if host.system != "Linux":
        yield "mark on Linux, or in a Linux container or virtual machine"
        return
    # Root of a user namespace has no right to change the kernel's settings, and is held by them as anybody.
    set_it = "on the host, not in here: sudo sysctl -w" if host.ids else "sudo sysctl -w"
    is_held = not host.is_root or host.ids > 0
    if host.settings.get(_MOST) == 0:
        yield f"{set_it} {_MOST}=15000"
    if host.settings.get(_APPARMOR) == 1 and is_held:
        yield f"{set_it} {_APPARMOR}=0 (Ubuntu from 23.10 on, GitHub's runners among them)"
    if host.settings.get(_DEBIAN) == 0 and is_held:
        yield f"{set_it} {_DEBIAN}=1 (Debian 10 and older)"
    if host.is_root and not host.can_change:
        yield "start as another user than root (--user 1000): root without rights can make no user namespace"
    if host.container or host.filtered or host.ids:
        yield (
            "start the container with --security-opt seccomp=unconfined --security-opt apparmor=unconfined "
            "(in Kubernetes: seccompProfile: {type: Unconfined}): "
            "submissions stay in the sandbox, but the container itself is held by less"
        )
        yield "or mark outside of a container: the sandbox needs none"


def ways_to_landlock(host: Host) -> Iterator[str]:
    """Yield what could make the driver `landlock` work."""
    if host.system != "Linux":
        return
    if host.landlock:
        return
    if _version(host.kernel) < _LANDLOCK_SINCE:
        yield "use a kernel from 5.13 on (Debian 12, Ubuntu 22.04, RHEL 9 and later have one)"
        return
    modules = _read("/sys/kernel/security/lsm")  # not there in most containers
    if modules and "landlock" not in modules:
        yield "put landlock in front of the kernel's parameter lsm= (cat /sys/kernel/security/lsm tells it)"
    if host.container or host.filtered:
        yield "update Docker or podman: the filters of old ones do not know the system calls of Landlock"


def _setting(name: str) -> int | None:
    text = _read("/proc/sys/" + name.replace(".", "/")).strip()
    return int(text) if text.isdigit() else None


def _container() -> str:
    if os.path.exists("/run/.containerenv"):
        return "a podman container"
    if os.path.exists("/.dockerenv"):
        return "a Docker container"
    if "KUBERNETES_SERVICE_HOST" in os.environ:
        return "a Kubernetes pod"
    return "a container" if b"container=" in _environment_of_init() else ""


def _environment_of_init() -> bytes:
    try:
        return Path("/proc/1/environ").read_bytes()
    except OSError:
        return b""


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _version(release: str) -> tuple[int, ...]:
    numbers = release.split("-")[0].split(".")[:2]
    return tuple(int(number) for number in numbers if number.isdigit())
