"""The walls that a mount namespace can build: a root of its own, and a small scratch folder.

The zygote calls `enter` once: it builds a file system that holds the interpreter and nothing else.  Each
keeper calls `enclose`: it adds namespaces and a scratch folder that only its box sees.  The box itself puts
up the other walls (Landlock, seccomp, limits).
"""

import os
import select
import signal
from collections.abc import Iterable
from contextlib import suppress

from grader.worker.settings import DATA, Settings
from grader.worker.walls import kernel

BOX = "/box"
SCRATCH = "/box/work"
_INPUT = SCRATCH + "/.stdin"
"""Where `/dev/stdin` leads to.  A case whose program names that device has its input there."""

_DEVICES = ("null", "zero", "full", "random", "urandom")
_STAGES = ("/mnt", "/media", "/srv", "/opt", "/home")
_ROOT_OPTIONS = "size=1m,nr_inodes=4k,mode=755"
_GUARDED = kernel.MS_NOSUID | kernel.MS_NODEV
_READ_ONLY = kernel.MS_BIND | kernel.MS_REMOUNT | kernel.MS_RDONLY

# Mount flags that a less privileged namespace must keep, as `statvfs` and as `mount` name them.
_KEPT_FLAGS = (
    (4, kernel.MS_NODEV),
    (8, kernel.MS_NOEXEC),
    (1024, kernel.MS_NOATIME),
    (2048, 2048),
    (4096, 1 << 21),
)


class Outer:
    """A zygote's links to the world outside its root: two descriptors, closed in every box."""

    def __init__(self, process_table: int, own_pid_namespace: int) -> None:
        self.process_table = process_table
        self.own_pid_namespace = own_pid_namespace


def enter(settings: Settings, lifeline: int) -> Outer:
    """Enter a root of our own; returns in a new process, pid 1 of a new pid namespace.

    The calling process stays behind and ends when the new one and all processes below it have ended.  It
    keeps `lifeline` open, so the process at the other end of that descriptor sees it close then.  Raises
    `OSError` where the host does not allow a step; its text names the step.
    """
    stage = _become_unprivileged(settings) if settings.uid >= 0 else ""
    process_table = os.open("/proc", os.O_PATH | os.O_CLOEXEC)
    _enter_user_namespace(
        kernel.CLONE_NEWNS | kernel.CLONE_NEWPID | kernel.CLONE_NEWNET
        | kernel.CLONE_NEWIPC | kernel.CLONE_NEWUTS | kernel.CLONE_NEWCGROUP,
        process_table,
    )  # fmt: skip
    _leave_a_watcher(lifeline)
    outer = Outer(process_table, os.open("/proc/self/ns/pid", os.O_RDONLY | os.O_CLOEXEC))
    _build_root(settings, stage)
    return outer


def _become_unprivileged(settings: Settings) -> str:
    """As root: bind `settings.readable` where the new user can reach it, then become that user.

    An interpreter in root's home, for example, cannot be read by another user.
    """
    try:
        kernel.unshare(kernel.CLONE_NEWNS)
    except OSError:
        # The root of most containers has not this right, and may make a user namespace all the same.
        become_user(settings)
        kernel.prctl(kernel.PR_SET_DUMPABLE, 1)
        return ""
    kernel.mount("none", "/", "", kernel.MS_REC | kernel.MS_PRIVATE)
    taken = [path + "/" for path in (*settings.readable, *settings.shown, settings.data)]
    stage = next(
        place
        for place in _STAGES
        if os.path.isdir(place) and not any(path.startswith(place + "/") for path in taken)
    )
    kernel.mount("tmpfs", stage, "tmpfs", _GUARDED, _ROOT_OPTIONS)
    for path in settings.readable:
        _mirror(path, path, stage + path)
    for path in settings.shown:
        if not _is_below(path, settings.readable):
            _mirror(path, path, stage + path)
    if settings.data:
        _mirror(settings.data, settings.data, stage + settings.data)
    _leave_groups()
    os.setresgid(settings.uid, settings.uid, settings.uid)
    os.setresuid(settings.uid, settings.uid, settings.uid)
    # A change of user makes /proc/self unwritable, but the maps of the user namespace must be written.
    kernel.prctl(kernel.PR_SET_DUMPABLE, 1)
    return stage


def become_user(settings: Settings) -> None:
    """As root, where nothing can be mounted: become a user that owns nothing, if that user can run Python.

    An interpreter in root's home cannot be read by another user.
    """
    _leave_groups()
    os.setegid(settings.uid)
    os.seteuid(settings.uid)
    needed = (*settings.readable, *settings.path, *([settings.data] if settings.data else []))
    can_run = all(os.access(path, os.R_OK, effective_ids=True) for path in needed)
    os.seteuid(0)
    os.setegid(0)
    if can_run:
        os.setresgid(settings.uid, settings.uid, settings.uid)
        os.setresuid(settings.uid, settings.uid, settings.uid)


def _leave_groups() -> None:
    """Leave all further groups; a user namespace that nobody with rights made denies it, and they stay."""
    with suppress(PermissionError):
        os.setgroups([])


def _enter_user_namespace(others: int, process_table: int) -> None:
    """Make a user namespace that keeps our user and group, and the namespaces `others` that belong to it."""
    user, group = os.getuid(), os.getgid()
    kernel.unshare(kernel.CLONE_NEWUSER | others)
    for name, content in (
        ("setgroups", "deny"),
        ("uid_map", f"{user} {user} 1"),
        ("gid_map", f"{group} {group} 1"),
    ):
        descriptor = os.open(f"self/{name}", os.O_WRONLY | os.O_CLOEXEC, dir_fd=process_table)
        try:
            os.write(descriptor, content.encode())
        finally:
            os.close(descriptor)


def _leave_a_watcher(lifeline: int) -> None:
    """Fork into the new pid namespace; the parent waits and ends with the child's exit status."""
    parent_lives, parents_end = os.pipe2(os.O_CLOEXEC)
    child = os.fork()
    if child:
        kernel.name_process("grader-watcher")
        first, second = sorted((lifeline, parents_end))
        os.closerange(0, first)
        os.closerange(first + 1, second)
        os.closerange(second + 1, 1024)
        _, status = os.waitpid(child, 0)
        os._exit(os.waitstatus_to_exitcode(status) & 0xFF)
    os.close(parents_end)
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    # The parent has no pid in this namespace, so a dead parent is recognised by its closed end of a pipe.
    if select.select([parent_lives], [], [], 0)[0]:
        os._exit(1)
    os.close(parent_lives)


def _build_root(settings: Settings, stage: str) -> None:
    kernel.mount("none", "/", "", kernel.MS_REC | kernel.MS_PRIVATE)
    # Pivot twice: a path below the first mount point stays reachable under /old.
    kernel.mount("tmpfs", "/tmp", "tmpfs", _GUARDED, _ROOT_OPTIONS)
    os.mkdir("/tmp/old")
    os.mkdir("/tmp/new")
    kernel.pivot_root("/tmp", "/tmp/old")
    os.chdir("/")
    kernel.mount("tmpfs", "/new", "tmpfs", _GUARDED, _ROOT_OPTIONS)
    for path in settings.readable:
        _mirror(path, "/old" + stage + path, "/new" + path)
    hidden = [path for path in settings.hidden if os.path.isdir("/new" + path)]
    for path in hidden:
        kernel.mount("tmpfs", "/new" + path, "tmpfs", _GUARDED, _ROOT_OPTIONS)
    for path in settings.shown:
        if _is_below(path, hidden) or not _is_below(path, settings.readable):
            _mirror(path, "/old" + stage + path, "/new" + path)
    for path in hidden:
        kernel.mount("none", "/new" + path, "", _READ_ONLY | _GUARDED)
    os.makedirs("/new/dev")
    for device in _DEVICES:
        # Read-only like everything else: this keeps its dates, and a device can be written to all the same.
        _mirror(f"/dev/{device}", f"/old/dev/{device}", f"/new/dev/{device}", guards=kernel.MS_NOSUID)
    os.symlink(_INPUT, "/new/dev/stdin")
    os.makedirs("/new" + SCRATCH)
    if settings.data:
        _mirror(DATA, "/old" + stage + settings.data, "/new" + DATA)
    if not os.path.lexists("/new/tmp"):
        # Skipped where the interpreter itself is in /tmp; TMPDIR names the scratch folder in any case.
        os.symlink(SCRATCH, "/new/tmp")
    os.chdir("/new")
    kernel.pivot_root(".", ".")
    kernel.unmount(".")
    os.chdir("/")
    kernel.mount("none", "/", "", _READ_ONLY | _GUARDED)


def _is_below(path: str, folders: Iterable[str]) -> bool:
    return any(path == folder or path.startswith(folder + "/") for folder in folders)


def _mirror(path: str, source: str, target: str, *, guards: int = _GUARDED) -> None:
    """Show `source` read-only at `target`: a symbolic link as a link, any other file by a bind mount."""
    os.makedirs(os.path.dirname(target), exist_ok=True)
    if os.path.islink(source):
        os.symlink(os.readlink(source), target)
        return
    if os.path.isdir(source):
        os.makedirs(target, exist_ok=True)
    else:
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o444))
    kernel.mount(source, target, "", kernel.MS_BIND | kernel.MS_REC)
    present = os.statvfs(target).f_flag
    kept = sum(flag for seen, flag in _KEPT_FLAGS if present & seen)
    kernel.mount("none", target, "", _READ_ONLY | guards | kept)


def enclose(settings: Settings, outer: Outer) -> None:
    """Give the calling process user, mount, network and ipc namespaces of its own, and a scratch folder.

    Its pid namespace was made for it before it was forked.
    """
    kernel.prctl(kernel.PR_SET_DUMPABLE, 1)
    _enter_user_namespace(kernel.CLONE_NEWNS | kernel.CLONE_NEWIPC | kernel.CLONE_NEWNET, outer.process_table)
    kernel.prctl(kernel.PR_SET_DUMPABLE, 0)
    if settings.scratch_b:
        make_scratch(settings)


def make_scratch(settings: Settings) -> None:
    """Mount a fresh scratch folder, with links to the task's own files.  Raises `OSError`.

    The mount records no access times: a case could leave one for the next case, and no check would see it.
    """
    options = f"size={settings.scratch_b},nr_inodes={settings.scratch_files},mode=700"
    kernel.mount("tmpfs", SCRATCH, "tmpfs", _GUARDED | kernel.MS_NOEXEC | kernel.MS_NOATIME, options)
    if settings.data:
        link_files(DATA, SCRATCH)


def link_files(source: str, target: str) -> None:
    """Make a link in one folder to each file in another, and a folder for each folder."""
    for folder, inner, files in os.walk(source):
        there = target + folder[len(source) :]
        for name in inner:
            os.mkdir(f"{there}/{name}")
        for name in files:
            os.symlink(f"{folder}/{name}", f"{there}/{name}")


def discard_scratch() -> None:
    """Unmount the scratch folder with its content.  Raises `OSError`.

    Its path is free at once, even if a process still has a file in it open.
    """
    kernel.unmount(SCRATCH)


def return_to_own_pid_namespace(outer: Outer) -> None:
    """Have the next fork be a child of ours again, after a fork into a new pid namespace."""
    kernel.setns(outer.own_pid_namespace, kernel.CLONE_NEWPID)
