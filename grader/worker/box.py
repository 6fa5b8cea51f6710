"""The box: imports the student's module and makes the calls that a case asks for.

This is where student code runs, so from the import on nothing here can be relied on: student
code shares this process and may change any of it.  That is why the box holds no secret, decides
nothing and measures nothing.  For honest code it must be exact; against hostile code it need
only be harmless, which is the work of the walls put up in `_enclose`.
"""

import _signal  # type: ignore[import-not-found]
import array
import gc
import importlib
import os
import random
import resource
import signal
import socket
import sys
from collections.abc import Callable
from types import ModuleType
from typing import TYPE_CHECKING, Any, NoReturn

from grader.wire import frames
from grader.worker import calls, jail, kernel, landlock, place, programs, seccomp, sources
from grader.worker.capture import Capture
from grader.worker.settings import Settings

if TYPE_CHECKING:
    from grader.worker.keeper import Walls

EXIT_MEMORY = 86
"""Exit status of a box that ran out of memory where it could not say so otherwise."""
EXIT_NO_FORK = 87
"""Exit status of a box that the host denied a process for a case."""

_OPEN_FILES = 64
_PROCESSES = 64
_COMMANDS, _ANSWERS = 3, 4
TRACE = _OPEN_FILES
"""Descriptor of the pipe on which a process that is to be ended says where it is.

Above all numbers that student code can get, so that none is missing.
"""
_RULESET, _HIGH = 900, 910
NUMBERS = 1024
"""How many descriptors a process here must be able to have, since ours are moved out of the way."""
_ALL_SIGNALS = frozenset(map(int, signal.valid_signals()))
_set_mask: Callable[[int, frozenset[int] | set[int]], set[int]] = _signal.pthread_sigmask
"""The one of `signal` makes an enum's member of each number, which takes 0.1 ms in each case."""


def prepare_interpreter() -> None:
    """In the nursery: do once what every box would do for itself."""
    import site

    site.setquit()  # `exit` and `quit`, which -S leaves out
    sys.stdout.reconfigure(line_buffering=True, errors="backslashreplace")  # type: ignore[union-attr]
    sys.stderr.reconfigure(line_buffering=True, errors="backslashreplace")  # type: ignore[union-attr]
    # They tell where the grader is installed.
    sys.argv[:] = [""]
    sys.orig_argv[:] = []
    place.prepare(TRACE)
    sources.warm_up()
    calls.warm_up()


def forget_imports() -> None:
    """In the zygote, once nothing more of ours will be imported: leave no module of ours by name.

    Here rather than in each box, since it touches the pages of every module's name.
    """
    for name in [name for name in sys.modules if name.partition(".")[0] == "grader"]:
        del sys.modules[name]
    sys.modules["__main__"] = ModuleType("__main__")


def main(
    settings: Settings,
    walls: "Walls",
    job: dict[str, Any],
    descriptors: tuple[int, int, int, int, int],
    *,
    single: bool,
    listen: bool,
) -> NoReturn:
    """Be a box.

    descriptors: commands, answers, stdout, stderr, and the pipe for traces, as the keeper made them.
    single: work on cases instead of forking for them.
    listen: let the keeper decide about what the filter does not.
    """
    try:
        _arrange_descriptors(descriptors, keep=walls.ruleset)
        program, guarded = walls.program_for(listen=listen), walls.ruleset >= 0
        listener = _enclose(settings, program, job, listen=listen, guarded=guarded)
        commands, answers = socket.socket(fileno=_COMMANDS), socket.socket(fileno=_ANSWERS)
        _say_ready(commands, listener)
        capture = _capture() if job["captures"] else None
        module = _load(commands, job)
        if module is not None:
            in_namespace = settings.namespaces
            _obey(commands, answers, module, job, capture, single=single, in_namespace=in_namespace)
    except MemoryError:
        os._exit(EXIT_MEMORY)
    finally:
        os._exit(1)


def _arrange_descriptors(descriptors: tuple[int, int, int, int, int], keep: int) -> None:
    """Keep the channels at known numbers, the ruleset, and nothing else."""
    # High copies first: a channel may sit on a number that another is about to take.
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
    """Put up the walls; the filter comes last, since after it no other could be built.

    guarded: there is a Landlock ruleset, at its own descriptor.
    Returns the descriptor of the filter's listener, -1 for none.
    """
    if sys.platform == "linux":
        # Had the keeper died before, there would be nobody to hear `_say_ready`, which ends us as well.
        kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
        kernel.name_process("grader-box")
    os.setsid()
    for number in (signal.SIGCHLD, signal.SIGINT, signal.SIGPIPE):
        signal.signal(number, signal.SIG_DFL)
    signal.set_wakeup_fd(-1)
    if settings.scratch_b:
        os.chdir(jail.SCRATCH)
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
    if not program:
        # Outside a pid namespace the filter has to name the one process that may be signalled.
        program = seccomp.program(listen=listen, own_pid=os.getpid())
    return kernel.install_filter(program, listen=listen)


def _limit(settings: Settings, job: dict[str, Any]) -> None:
    """Limits of the kernel for this process and each that it forks."""
    limits: list[tuple[int, int]] = [
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_AS, job["memory_b"] + job["baseline_b"]),
        (resource.RLIMIT_FSIZE, settings.scratch_b),
    ]
    if job["cpu_backstop_s"] is not None:
        limits.append((resource.RLIMIT_CPU, job["cpu_backstop_s"]))
    if settings.namespaces:
        # Counts this user's processes and threads in this user namespace: the box's own.
        limits.append((resource.RLIMIT_NPROC, _PROCESSES))
    if sys.platform == "linux":
        limits += [(resource.RLIMIT_MSGQUEUE, 0), (resource.RLIMIT_SIGPENDING, _PROCESSES)]
    for kind, value in limits:
        _set_limit(kind, value)


def _set_limit(kind: int, value: int) -> None:
    _, hard = resource.getrlimit(kind)
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    resource.setrlimit(kind, (value, value))


def _say_ready(commands: socket.socket, listener: int) -> None:
    """Tell the keeper that the walls are up, and hand it the filter's listener, if there is one.

    Nothing of the student's has run yet: this message is ours beyond doubt, and that it does not
    come is our own fault.
    """
    message = frames.frame(frames.READY, b"")
    if listener >= 0:
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [listener]))]
        commands.sendmsg([message], rights)
        os.close(listener)
    else:
        commands.sendall(message)
    # Not before: this limit of the sender's is also how many descriptors its user may have on the way
    # to elsewhere, and another box of that user may have filled its own.
    _set_limit(resource.RLIMIT_NOFILE, _OPEN_FILES)


def _load(commands: socket.socket, job: dict[str, Any]) -> ModuleType | None:
    """Import the module; tell the keeper how that went."""
    files = sources.Sources(job["sources"])
    job["uses_random"] = any("random" in text for text in job["sources"].values())
    entry: str = job["module"]
    _seed_random(job)
    sources.install(files, job["sources"])
    sys.setrecursionlimit(1000)
    gc.enable()
    result: tuple[object, ...]
    module = None
    try:
        # A program is only run, anew in each case; nothing of it runs before.
        module = ModuleType(entry) if job["program"] else importlib.import_module(entry)
        result = ("ok",)
    except BaseException as error:
        result = calls.describe_exception(error)
    # So that the collector does not write to what forks share.
    gc.freeze()
    threads = len(sys._current_frames()) > 1
    _flush()
    commands.sendall(frames.frame(frames.IMPORTED, bytes([threads]) + calls.encode_result([result])))
    return module


def _obey(
    commands: socket.socket,
    answers: socket.socket,
    module: ModuleType,
    job: dict[str, Any],
    capture: Capture | None,
    *,
    single: bool,
    in_namespace: bool,
) -> None:
    """Fork for each order of the keeper's.

    single: work on the cases oneself.
    in_namespace: the keeper is pid 1 of a pid namespace around us, and all in it ends with that.
    """
    if single:
        _serve(answers, module, job, capture)
    while True:
        if len(commands.recv(frames.HEADER_B, socket.MSG_WAITALL)) < frames.HEADER_B:
            os._exit(0)
        # The keeper lets one fork through, and a signal would break it off: a timer of the module's, say.
        before = _set_mask(signal.SIG_SETMASK, _ALL_SIGNALS)
        try:
            child = kernel.fork_for_parent()
        except OSError:
            os._exit(EXIT_NO_FORK)
        _set_mask(signal.SIG_SETMASK, before)
        if child == 0:
            commands.close()
            if sys.platform == "linux" and not in_namespace:
                # A fork does not inherit it.  Had the keeper died before, no request would come.
                kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
            _serve(answers, module, job, capture)


def _serve(
    answers: socket.socket, module: ModuleType, job: dict[str, Any], capture: Capture | None
) -> NoReturn:
    """Be a case process: answer requests until told that one was the last."""
    channel = calls.Channel(answers)
    while True:
        request = channel.next_request()
        if request is None:
            os._exit(0)
        stay, payload = request
        _seed_random(job)
        if job["program"]:
            kind, body, intact = programs.run(job["sources"], payload, channel, _flush)
        else:
            kind, body, intact = calls.run(module, payload, channel, job["answer_items"], capture)
        _flush()
        channel.send(kind, bytes([intact]) + body)
        if not (stay and intact):
            os._exit(0)


def _seed_random(job: dict[str, Any]) -> None:
    """Have `random` give every submission the same; seeding is dear, so only where it can matter."""
    if job["uses_random"]:
        random.seed(job["seed"])


_streams = [sys.stdout, sys.stderr]


def _capture() -> Capture:
    """Take charge of standard output, for cases that say what is printed."""
    capture = Capture()
    _streams.append(capture.stream)
    return capture


def _flush() -> None:
    """Bring out what was printed, whether or not the student replaced the streams, or deleted them."""
    current: list[Any] = [getattr(sys, name, None) for name in ("stdout", "stderr")]
    for stream in {id(stream): stream for stream in (*_streams, *current)}.values():
        try:
            stream.flush()
        except BaseException:
            # Closed, replaced by something else, or hostile: its output is its own loss.
            continue
