"""The zygote: a warm interpreter that is forked for each box.

    grader            trusted: knows the spec, the answers, the marks
      zygote          trusted: this process, inside a root of its own; never runs student code
        keeper        trusted: starts boxes, one at a time, and measures them
          box         hostile from the import of the student's module on
          case        hostile: forked by the box, but the keeper's child, for one case

The box gets sources and calls from the keeper, and nothing else.  Expected answers, the spec, other
submissions and the grader's environment never enter any of these processes.  The zygote has one thread
and no secrets, and ends when the grader's end of its socket closes.
"""

import _socket
import gc
import importlib
import os
import signal
import sys
from typing import NoReturn

from grader.wire.decoder import decode_plain
from grader.worker import passing
from grader.worker.box import main as box
from grader.worker.box import sources
from grader.worker.box.preload import look_in, preload
from grader.worker.box.work import address_space_b, forget_imports
from grader.worker.keeper import main as keeper
from grader.worker.keeper.family import Family, end_with_parent, leave_a_watcher
from grader.worker.keeper.rehearsal import rehearse
from grader.worker.settings import Settings
from grader.worker.walls import jail, kernel, landlock, limits, seccomp
from grader.worker.walls.prepared import Walls

_BASELINE_B = 64 << 20
_PRELOADED = ("collections", "functools", "itertools", "operator", "typing")
"""Modules that students import most; none brings a shared library, which all forks would carry."""


def main(control_fd: int) -> NoReturn:
    """Serve the grader behind `control_fd` until it closes; ends with the process.

    The first message holds the settings.  The answers are b"started: " and the pid of the zygote, then
    b"ready: " and the bytes of address space that the interpreter takes by itself, or b"failed: " and a
    reason.  Each further message brings the control socket of a new keeper.
    """
    try:
        control = _socket.socket(fileno=control_fd)
        _warm_up()
        settings = control.recv(1 << 20)
        if settings:
            _start(control, Settings(*decode_plain(settings)))  # type: ignore[misc]
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        os._exit(1)


def _warm_up() -> None:
    """Do once the work that each box and each keeper would otherwise repeat."""
    # The grader alone handles an interrupt at the terminal.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for name in _PRELOADED:
        importlib.import_module(name)
    box.prepare_interpreter()
    # Our own modules are already compiled; a module imported after this point is a student's.
    sys.dont_write_bytecode = True
    if sys.platform == "linux":
        # An attacker who could write to this process would control every later box.
        kernel.prctl(kernel.PR_SET_DUMPABLE, 0)
    rehearse()


def _start(control: _socket.socket, settings: Settings) -> None:
    if sys.platform == "linux" and not settings.namespaces:
        leave_a_watcher()
    if sys.platform == "linux":
        kernel.be_killed_first()
    control.send(b"started: %d" % os.getpid())
    try:
        baseline_b, walls = _prepare(settings, control)
    except Exception as error:
        control.send(f"failed: {type(error).__name__}: {error}".encode())
        return
    control.send(b"ready: %d" % baseline_b)
    _serve(control, settings, walls)


def _prepare(settings: Settings, control: _socket.socket) -> tuple[int, Walls]:
    if settings.core >= 0 and sys.platform == "linux":
        os.sched_setaffinity(0, {settings.core})
    _allow_open_files()
    look_in(settings.path, settings.modules)
    preload(settings.preload)
    baseline_b = address_space_b() or _BASELINE_B
    if settings.namespaces and sys.platform == "linux":
        # A user namespace's maps can be written only by a dumpable process; `_warm_up` made this one
        # undumpable.
        kernel.prctl(kernel.PR_SET_DUMPABLE, 1)
    outer = jail.enter(settings, lifeline=control.fileno()) if settings.namespaces else None
    if outer is None and settings.uid >= 0:
        jail.become_user(settings)
    sources.prepare()
    ruleset = -1
    # Where the kernel has no Landlock, a box with a root of its own runs without it.
    if settings.landlock and (landlock.version() or not settings.namespaces):
        # A rule does not follow a mount made later at its own path, so this names the scratch folder's
        # parent.
        scratch = [jail.BOX] if settings.namespaces else []
        devices = ["/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"]
        # Inside a root of our own, the task's files lie below the scratch folder's parent too.
        data = [settings.data] if settings.data and not settings.namespaces else []
        readable = (*settings.readable, *filter(os.path.isdir, settings.path), *data)
        ruleset = landlock.ruleset(readable, [*scratch, *filter(os.path.exists, devices)])
    programs = (b"", b"")
    if settings.seccomp and settings.namespaces:
        is_root = os.getuid() == 0
        programs = (
            seccomp.program(listen=settings.listen, own_pid=None, is_root=is_root),
            seccomp.program(listen=False, own_pid=None),
        )
    if sys.platform == "linux":
        kernel.prctl(kernel.PR_SET_DUMPABLE, 0)
        kernel.name_process("grader-zygote")
    return baseline_b, Walls(outer, ruleset, programs)


def _allow_open_files() -> None:
    """Raise the limit on open files to what a box's channels need.  Raises `OSError`, with the limit."""
    soft, hard = limits.get_limit(limits.NOFILE)
    if hard != limits.INFINITE and hard < box.NUMBERS:
        raise OSError(f"only {hard} open files are allowed here (ulimit -n), and {box.NUMBERS} are needed")
    if soft != limits.INFINITE and soft < box.NUMBERS:
        limits.set_limit(limits.NOFILE, box.NUMBERS, hard)


def _serve(control: _socket.socket, settings: Settings, walls: Walls) -> None:
    # Keepers answer the grader directly.  A process that outlives its keeper is ended by its pid namespace,
    # or by `Family`.
    family = Family() if walls.outer is None and sys.platform == "linux" else None
    if family is None:
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    else:
        # The signal wakes us when our watcher dies.  After SIGKILL no process would end those that we
        # started.
        kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGCHLD)
    own_pid = os.getpid()
    forget_imports(settings.preload)
    gc.collect()
    gc.freeze()
    gc.disable()
    while True:
        is_wanted = family is None or family.await_message(control.fileno())
        message, descriptors = passing.receive(control, 64) if is_wanted else (b"", [])
        if not message:
            if family is not None:
                family.end()
            os._exit(0)
        if walls.outer is not None:
            # The keeper becomes pid 1 of its box's namespace, so a process that the box forks can be its
            # child.
            kernel.unshare(kernel.CLONE_NEWPID)
        child = kernel.fork()
        if child == 0:
            control.close()
            if family is not None:
                family.leave()
            # In a namespace below ours, our pid is not visible; the kernel ends the whole namespace with its
            # pid 1.
            end_with_parent(0 if walls.outer is not None else own_pid)
            keeper.main(_socket.socket(fileno=descriptors[0]), settings, walls)
        os.close(descriptors[0])
        if family is not None:
            family.add(child)
        if walls.outer is not None:
            jail.return_to_own_pid_namespace(walls.outer)
