"""Run a tool of our own over a student's text, as a process with limits.

For tools that read source and never run it, such as a linter.  They are trusted, their input is not: a
parser can be slow, or overflow its stack.  The limits are the kernel's and are in force before the
process is given anything to read.
"""

import math
import os
import select
import shutil
import signal
import subprocess
import sysconfig
import time
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from grader.model.errors import Fault, UsageError
from grader.model.limits import GIB, MIB
from grader.sandbox.zygote import SandboxFailure
from grader.sandbox.zygote_process import environment_of_system

try:
    import resource
except ImportError:
    # Windows has none.
    resource = None  # type: ignore[assignment]

_MEMORY_B = 4 * GIB
"""Address space: such tools reserve far more than they use."""
_OUTPUT_B = 8 * MIB
_PATIENCE_S, _PAUSE_S = 20.0, 0.001
"""For a process to end that has closed its output, and between two looks at it."""
_ERRORS_B = 64 * 1024
_ENVIRONMENT = {"NO_COLOR": "1", "RAYON_NUM_THREADS": "1", "LC_ALL": "C.UTF-8"}


@dataclass(frozen=True, slots=True)
class Tool:
    """An installed tool."""

    name: str
    path: str
    version: str


@dataclass(frozen=True, slots=True)
class ToolLimits:
    """The limits of a run: its time, and the size of its files.

    cpu_s: of each of its processes, rounded up to whole seconds.  wall_s: by the clock.
    """

    cpu_s: float = 5.0
    wall_s: float = 60.0
    file_b: int = 0


USUAL = ToolLimits()


@dataclass(frozen=True, slots=True)
class ToolRun:
    """The end of a run.

    cpu_s: its CPU time; if it was killed, at least its limit.
    status: exit status; negative for a signal, ours among them where a limit was met.
    stdout: whole lines, as many as fit.
    """

    status: int
    stdout: str
    stderr: str
    cpu_s: float = 0.0


@cache
def find_tool(name: str) -> Tool:
    """Find a tool beside the grader's own Python, else on the path.  Raises `UsageError`."""
    path = shutil.which(name, path=sysconfig.get_path("scripts")) or shutil.which(name)
    hint = "install the grader with its extra `rules`: pip install 'grader[rules]'"
    if path is None:
        raise UsageError(Fault(f"the spec has rules that need {name}, which is not installed", hint=hint))
    told = run_tool([path, "--version"], "")
    words = told.stdout.split()
    if told.status != 0 or len(words) < 2:
        raise UsageError(Fault(f"{name} does not start: {told.stderr.strip()[:200]}", where=path, hint=hint))
    return Tool(name, path, words[1])


def run_tool(command: list[str], text: str, limits: ToolLimits = USUAL) -> ToolRun:
    """Run a tool with `text` as its standard input.

    Raises `SandboxFailure` if it exceeds the wall time: no tool waits for anything, so it had no core.
    """
    began = time.monotonic()
    if resource is None:
        return _run_by_the_clock(command, text, limits)
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd="/",
        env=_ENVIRONMENT,
        start_new_session=True,
    ) as process:
        _limit(process.pid, limits)
        stdout, stderr = _converse(process, text.encode("utf-8", "replace"), limits.wall_s)
        if len(stdout) > _OUTPUT_B or len(stderr) > _ERRORS_B:
            _kill(process)
        is_late = time.monotonic() - began >= limits.wall_s
        cpu_s, has_ended = _end(process, limits, 0.0 if is_late else _PATIENCE_S)
    if not has_ended:
        raise SandboxFailure(f"{Path(command[0]).name} did not end within {limits.wall_s:g} s")
    whole = stdout[: stdout.rfind(b"\n") + 1] if len(stdout) > _OUTPUT_B else stdout
    said, complained = whole.decode("utf-8", "replace"), stderr.decode("utf-8", "replace")
    return ToolRun(process.returncode, said, complained, cpu_s)


def _run_by_the_clock(command: list[str], text: str, limits: ToolLimits) -> ToolRun:
    """Run a tool on a host without limits of the kernel's: a student's own machine, with their own text."""
    began = time.monotonic()
    try:
        done = subprocess.run(
            command,
            input=text.encode("utf-8", "replace"),
            capture_output=True,
            timeout=limits.wall_s,
            env=_ENVIRONMENT | environment_of_system(),
        )
    except subprocess.TimeoutExpired as error:
        raise SandboxFailure(f"{Path(command[0]).name} did not end within {limits.wall_s:g} s") from error
    # On Windows, lines of a tool may end with two characters.
    said, complained = (
        part.decode("utf-8", "replace").replace("\r\n", "\n") for part in (done.stdout, done.stderr)
    )
    return ToolRun(done.returncode, said, complained, time.monotonic() - began)


def _limit(pid: int, limits: ToolLimits) -> None:
    """Put limits on a process; it has been given nothing to read yet."""
    values = (
        (resource.RLIMIT_CPU, max(1, math.ceil(limits.cpu_s))),
        (resource.RLIMIT_AS, _MEMORY_B),
        (resource.RLIMIT_FSIZE, limits.file_b),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, 64),
    )
    for kind, value in values:
        if hasattr(resource, "prlimit"):
            resource.prlimit(pid, kind, (value, value))


def _converse(process: subprocess.Popen[bytes], data: bytes, wall_s: float) -> tuple[bytes, bytes]:
    """Feed a process and read its output, within time and size."""
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    feed, out, errors = process.stdin.fileno(), process.stdout.fileno(), process.stderr.fileno()
    os.set_blocking(feed, False)
    collected = {out: bytearray(), errors: bytearray()}
    limits = {out: _OUTPUT_B, errors: _ERRORS_B}
    left = memoryview(data)
    writing, deadline = True, time.monotonic() + wall_s
    while collected.keys() & limits.keys():
        patience_s = deadline - time.monotonic()
        if patience_s <= 0:
            break
        readable, writable, _ = select.select(list(limits), [feed] if writing else [], [], patience_s)
        if writable:
            try:
                left = left[os.write(feed, left[:65536]) :] if left else left
            except BrokenPipeError:
                left = left[:0]
            if not left:
                writing = False
                process.stdin.close()
        for descriptor in readable:
            part = os.read(descriptor, 65536)
            collected[descriptor] += part
            if not part:
                del limits[descriptor]
            elif len(collected[descriptor]) > limits[descriptor]:
                limits.clear()
                break
    return bytes(collected[out]), bytes(collected[errors])


def _end(process: subprocess.Popen[bytes], limits: ToolLimits, patience_s: float) -> tuple[float, bool]:
    """Wait for a process that has closed its output, and end one that has not.

    Returns its CPU time in seconds, and whether it ended in time.  It is reaped here and not by `Popen`,
    since the kernel tells the CPU time only once.
    """
    deadline = time.monotonic() + patience_s
    options, has_ended = os.WNOHANG, True
    while True:
        pid, status, usage = os.wait4(process.pid, options)
        if pid:
            break
        if time.monotonic() > deadline:
            _kill(process)
            options, has_ended = 0, False
        else:
            time.sleep(_PAUSE_S)
    process.returncode = os.waitstatus_to_exitcode(status)
    spent_s = usage.ru_utime + usage.ru_stime
    return (max(spent_s, limits.cpu_s) if process.returncode < 0 else spent_s), has_ended


def _kill(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
