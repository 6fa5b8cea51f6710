"""A box's work, wherever the box runs: imports the module, then answers one request after another.

Like everything in the box, this proves nothing, and for honest code it must be exact.
"""

import contextlib
import gc
import importlib
import os
import sys
from collections.abc import Iterable
from functools import partial
from types import ModuleType
from typing import Any, Protocol

from grader.wire import frames
from grader.worker.box import calls, exceptions, native, plots, programs, sources
from grader.worker.box.capture import Capture
from grader.worker.box.harness import given_by, harnessed, run_after

EXIT_MEMORY = 86
"""Exit status of a box that ran out of memory and could not report it in another way."""
EXIT_NO_FORK = 87
"""Exit status of a box that could not fork for a case, because the host denied a process."""

_SHARED_MEMORY = ("mmap", "multiprocessing")
"""Names in the source of a module that may share memory with its forks."""
_FIRST_OPEN, _OPEN_FILES = 5, 64
"""Numbers of the descriptors that a module can have opened, see `grader.worker.box.main`."""

# A name of our own: access through a module would cost a fresh fork one page more.
_run_calls = calls.run


class Sink(Protocol):
    """Where a box tells its keeper about the import."""

    def sendall(self, data: bytes, /) -> object:
        """Send all of it."""


def prepare_streams() -> None:
    """Before the first line of a student's: set up the standard streams, and what `-S` leaves out."""
    import site  # noqa: PLC0415  (the zygote alone pays for it, before it forks)

    site.setquit()  # `exit` and `quit`
    site.sethelper()  # `help`
    for stream in (sys.stdout, sys.stderr):
        # Without `newline`, Windows would write two characters at the end of a line.
        stream.reconfigure(line_buffering=True, errors="backslashreplace", newline="\n")  # type: ignore[union-attr]


def forget_imports(kept: Iterable[str] = ()) -> None:
    """After the last import of ours: remove all modules of ours from `sys.modules`, but for those to be run.

    The zygote does it rather than each box, since it touches the pages of every module's name.
    """
    for name in [name for name in sys.modules if name.partition(".")[0] == "grader"]:
        if name not in kept:
            del sys.modules[name]
    sys.modules["__main__"] = ModuleType("__main__")


def address_space_b() -> int:
    """Return the address space that this process takes, 0 where that is not told."""
    try:
        with open("/proc/self/statm", encoding="ascii") as table:
            return int(table.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def load(sink: Sink, job: dict[str, Any]) -> ModuleType | None:
    """Import the module; tell the keeper through `sink` how that went.  Returns None if it failed."""
    entry: str = job["module"]
    before, after = job.get("around") or (None, None)
    files = sources.Sources(job["sources"], job.get("keeps", ()))
    own = (each[1] for each in (before, after) if each is not None)
    texts = (*job["sources"].values(), *own)
    # Where a module of the submission has this name, ours is not imported before it.
    job["uses_random"] = any("random" in text for text in texts) and "random" not in job["sources"]
    if job["uses_random"]:
        _seed_random(job["seed"])
    files.entries = frozenset({entry, job.get("harness", "")})
    sources.install(files)
    # Our own frames, of which drivers have more or fewer, do not count.
    sys.setrecursionlimit(1000 + programs.depth())
    gc.enable()
    result: list[tuple[object, ...]]
    module = None
    try:
        if before is not None:
            files.given[entry] = partial(given_by, before)
        # Each case runs the program itself, so none of it runs before.
        module = ModuleType(entry) if job["program"] else importlib.import_module(entry)
        if after is not None:
            module = harnessed(module, run_after(after, module))
        if job.get("harness"):
            module = harnessed(module, importlib.import_module(job["harness"]))
        result = [("ok",), *map(exceptions.describe_exception, files.stopped())]
    except BaseException as error:
        module, result = None, [exceptions.describe_exception(error)]
    plots.end_import()
    # Without this, the collector would write to memory that forks share.
    gc.freeze()
    keeps = len(sys._current_frames()) > 1 or (job["lasts"] and _shares(job["sources"]))
    _flush()
    sink.sendall(frames.frame(frames.IMPORTED, bytes([keeps]) + calls.encode_result(result)))
    return module


def _shares(sources: dict[str, str]) -> bool:
    """Tell whether the import left something that forks would share: an open file, or memory."""
    if any(word in text for text in sources.values() for word in _SHARED_MEMORY):
        return True
    for number in range(_FIRST_OPEN, _OPEN_FILES):
        with contextlib.suppress(OSError):
            os.fstat(number)
            return True
    return False


class Work:
    """Objects that each case needs, made once in the box, so that no fork has to make them."""

    __slots__ = ("built", "capture", "channel", "max_items", "module", "seed", "sources")

    def __init__(
        self, module: ModuleType, job: dict[str, Any], capture: Capture | None, channel: calls.Channel
    ) -> None:
        self.module = module
        self.capture = capture
        self.channel = channel
        self.max_items: int = job["answer_items"]
        self.built: dict[str, Any] | None = job.get("built")
        """The program that each case becomes, see `native`; None for Python."""
        self.seed: int | None = job["seed"] if job["uses_random"] else None
        self.sources: dict[str, str] | None = job["sources"] if job["program"] else None
        """The sources if each case runs a module as a program, else None."""


def answer(work: Work) -> bool:
    """Answer a request; return whether this process is to take another."""
    channel = work.channel
    request = channel.next_request()
    if request is None:
        return False
    stay, payload = request
    if work.seed is not None:
        _seed_random(work.seed)
    if work.built is not None:
        kind, body, intact = native.become(payload, work.built)
    elif work.sources is not None:
        kind, body, intact = programs.run(work.sources, payload, channel, _flush)
    else:
        kind, body, intact = _run_calls(work.module, payload, channel, work.max_items, work.capture)
    _flush()
    channel.send(kind, (b"\1" if intact else b"\0") + body)
    return stay and intact


def _seed_random(seed: int) -> None:
    """Seed `random`, and NumPy if it is loaded, the same for every submission.

    This is slow, so it is done only where it can matter.
    """
    import random  # noqa: PLC0415  (it brings shared libraries, which all other forks can do without)

    random.seed(seed)
    if "numpy" in sys.modules:
        # A module of the submission can have this name.
        with contextlib.suppress(Exception):
            importlib.import_module("numpy.random").seed(seed % 2**32)


_streams: dict[int, Any] = {id(stream): stream for stream in (sys.stdout, sys.stderr)}
"""Our own streams, by identity."""


def capture_output() -> Capture:
    """Replace the standard streams, for cases that check printed text."""
    capture = Capture()
    capture.errors = Capture("stderr")
    for stream in (capture.stream, capture.errors.stream):
        _streams[id(stream)] = stream
    return capture


def _flush() -> None:
    """Flush the output streams, even if the student replaced or deleted them."""
    for stream in _streams.values():
        _attempt_flush(stream)
    for name in ("stdout", "stderr"):
        current = getattr(sys, name, None)
        if id(current) not in _streams:
            _attempt_flush(current)


def _attempt_flush(stream: Any) -> None:
    try:
        stream.flush()
    except BaseException:
        # Closed, replaced, or hostile: only its own output is lost.
        return
