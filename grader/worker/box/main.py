"""The box: imports the student's module and makes the calls of a case.

Student code runs here and may change anything in this process, so nothing here can be relied on after the
import.  That is why the box holds no secret, decides nothing and measures nothing.  For honest code it
must be exact.  Against hostile code it must be harmless: `_enclose` puts up the walls for that.
"""

import _socket
import marshal
import os
import signal
import sys
from types import ModuleType
from typing import Any, NoReturn

from grader.wire import frames, messages
from grader.worker import passing
from grader.worker.box import calls, exceptions, native, sources
from grader.worker.box.work import (
    EXIT_MEMORY,
    EXIT_NO_FORK,
    Work,
    answer,
    capture_output,
    load,
    prepare_streams,
)
from grader.worker.settings import Settings
from grader.worker.walls import jail, kernel, landlock, limits, place, seccomp
from grader.worker.walls.kernel import block_signals, fork_for_parent, unblock_signals
from grader.worker.walls.prepared import Walls

_OPEN_FILES = 64
_PROCESSES = 64
_COMMANDS, _ANSWERS = 3, 4
_OFTEN = 64
TRACE = _OPEN_FILES
"""Descriptor of the pipe on which a process that is about to be killed says where it is.

It is above all numbers that student code can get, so student code can use all of those.
"""
_RULESET, _HIGH = 900, 910
# Names of our own: access through a module would cost a fresh fork one page more.
_read, _close, _exit, _HEADER_B = os.read, os.close, os._exit, frames.HEADER_B
NUMBERS = 1024
"""How many descriptors a process here must be able to have: ours are moved to high numbers."""


def prepare_interpreter() -> None:
    """In the zygote: do once the work that every box would otherwise repeat."""
    prepare_streams()
    # These show where the grader is installed.
    sys.argv[:] = [""]
    sys.orig_argv[:] = []
    os.environ.pop("LD_BIND_NOW", None)
    place.prepare(TRACE)
    sources.warm_up()
    exceptions.warm_up()
    _rehearse()


def main(
    settings: Settings,
    walls: Walls,
    job: dict[str, Any],
    descriptors: tuple[int, int, int, int, int],
    *,
    single: bool,
    listen: bool,
) -> NoReturn:
    """Run as a box.

    descriptors: commands, answers, stdout, stderr, and the pipe for traces, as the keeper made them.
    single: work on cases instead of forking for them.
    listen: let the keeper decide about calls that the filter passes on.
    """
    try:
        _arrange_descriptors(descriptors, keep=walls.ruleset)
        if job.get("built"):
            native.place(job["built"])
        program, guarded = walls.program_for(listen=listen), walls.ruleset >= 0
        listener = _enclose(settings, program, job, listen=listen, guarded=guarded)
        commands = _socket.socket(fileno=_COMMANDS)
        _say_ready(commands, listener)
        capture = capture_output() if job["captures"] else None
        module = load(commands, job)
        if module is not None:
            work = Work(module, job, capture, calls.Channel(_ANSWERS))
            _obey(work, single=single, in_namespace=settings.namespaces)
    except MemoryError:
        os._exit(EXIT_MEMORY)
    finally:
        os._exit(1)


def _arrange_descriptors(descriptors: tuple[int, int, int, int, int], keep: int) -> None:
    """Keep the channels at fixed numbers, and the ruleset; close all other descriptors."""
    # High copies first: a channel may have the number that another one will get.
    high = [os.dup2(fd, _HIGH + index, inheritable=False) for index, fd in enumerate(descriptors)]
    if keep >= 0:
        os.dup2(keep, _RULESET, inheritable=False)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    for source, target in zip(high, (_COMMANDS, _ANSWERS, 1, 2, TRACE), strict=True):
        os.dup2(source, target, inheritable=target != TRACE)
    os.closerange(5, TRACE)
    os.closerange(TRACE + 1, _RULESET)
    os.closerange(_RULESET + 1, NUMBERS)


def _enclose(settings: Settings, program: bytes, job: dict[str, Any], *, listen: bool, guarded: bool) -> int:
    """Put up the walls.  The filter comes last, since no other wall could be built after it.

    guarded: there is a Landlock ruleset, at its own descriptor.
    Returns the descriptor of the filter's listener, -1 for none.
    """
    if sys.platform == "linux":
        # If the keeper has died before this call, `_say_ready` fails and ends us as well.
        kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
        kernel.name_process("grader-box")
    os.setsid()
    # As `python main.py` has them.
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.set_wakeup_fd(-1)
    if settings.scratch_b:
        os.chdir(jail.SCRATCH)
    elif settings.data:
        os.chdir(settings.data)
    elif settings.seccomp:
        os.chdir("/")
    _limit(settings, job)
    if not settings.seccomp:
        return -1
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    kernel.drop_capabilities()
    if guarded:
        landlock.restrict(_RULESET)
        os.close(_RULESET)
    if job.get("built"):
        own_pid = None if settings.namespaces else os.getpid()
        is_root = os.getuid() == 0
        program = seccomp.program(listen=listen, own_pid=own_pid, is_native=True, is_root=is_root)
    elif not program:
        # Outside a pid namespace the filter must name the one process that may be signalled.
        program = seccomp.program(listen=listen, own_pid=os.getpid())
    return kernel.install_filter(program, listen=listen)


def _limit(settings: Settings, job: dict[str, Any]) -> None:
    """Set the kernel's limits for this process and each that it forks."""
    limits.lower_limit(limits.CORE, 0)
    limits.lower_limit(limits.AS, job["memory_b"] + job["baseline_b"])
    limits.lower_limit(limits.FSIZE, settings.scratch_b)
    if job.get("built"):
        # Recursion can be as deep as a case's memory goes, as with other judges.  Where the C library finds
        # no limit, each further thread gets 2 MiB.  With a high one it would get as much, and a few threads
        # would not fit into the memory.
        limits.set_limit(limits.STACK, limits.INFINITE, limits.INFINITE)
    if job["cpu_backstop_s"] is not None:
        limits.lower_limit(limits.CPU, job["cpu_backstop_s"])
    if settings.namespaces:
        # This limit counts this user's processes and threads in this user namespace: the box's own.
        limits.lower_limit(limits.NPROC, _PROCESSES)
    if sys.platform == "linux":
        limits.lower_limit(limits.MSGQUEUE, 0)
        limits.lower_limit(limits.SIGPENDING, _PROCESSES)


def _say_ready(commands: _socket.socket, listener: int) -> None:
    """Tell the keeper that the walls are up, and send it the filter's listener, if there is one.

    No student code has run yet, so this message is certainly ours, and its absence is a fault of ours.
    """
    message = frames.frame(frames.READY, b"")
    if listener >= 0:
        passing.send(commands, message, listener)
        os.close(listener)
    else:
        commands.sendall(message)
    # This limit comes after the message: it also bounds how many descriptors the sender's user may have in
    # transit, and another box of that user may have used up its own share.
    limits.lower_limit(limits.NOFILE, _OPEN_FILES)


def _obey(work: Work, *, single: bool, in_namespace: bool) -> NoReturn:
    """Fork for each order of the keeper.

    single: work on the cases in this process instead.
    in_namespace: the keeper is pid 1 of a pid namespace around us, and all processes in it end with the
    keeper.
    """
    asks_to_end = sys.platform == "linux" and not in_namespace
    if not single:
        # The keeper lets one fork through.  A signal, such as one from a timer of the module, would interrupt
        # it, and its handler would change what the next case finds.
        block_signals()
    while not single:
        if len(_read(_COMMANDS, _HEADER_B)) < _HEADER_B:
            _exit(0)
        child = fork_for_parent()
        if child < 0:
            _exit(EXIT_NO_FORK)
        if child == 0:
            unblock_signals()
            _close(_COMMANDS)
            if asks_to_end:
                # A fork does not inherit this.  If the keeper is dead already, no request comes.
                kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
            answer(work)
            _exit(0)
    while answer(work):
        pass
    _exit(0)


def _rehearse() -> None:
    """In the zygote: do the work of every case process so often that the interpreter has adapted to it.

    The interpreter writes what it learns about code into the code.  A fork would copy each such page.
    """
    module = ModuleType("rehearsal")
    module.__dict__["f"] = lambda value: value
    job = {"answer_items": 1000, "uses_random": False, "program": False}
    arguments = [[(0, 1), "x", True, False, None, 1000]]
    request = marshal.dumps((1 << 16, [("f", arguments, {}, False)], None), messages.MARSHAL_FORMAT)
    ours, theirs = _socket.socketpair()
    work = Work(module, job, None, calls.Channel(theirs.fileno()))
    for _ in range(_OFTEN):
        ours.send(frames.frame(frames.REQUEST, bytes(1 + frames.NONCE_B) + request))
        answer(work)
        ours.recv(1 << 16)
    ours.close()
    theirs.close()
