"""Run a tool of our own over a student's text, as a process with limits.

For tools that read source and never run it, such as a linter or a compiler.  They are trusted, their input is
not: a parser can be slow, or overflow its stack.  The limits are the kernel's and are in force before the
process is given anything to read.  The kernel limits the CPU time of each process; that of all together is
looked at while they run, and billed by `run_tool` itself.
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
from grader.model.limits import COUNTS_MORE, GIB, MIB
from grader.sandbox.budget import UNBILLED, Budget
from grader.sandbox.tools.process_tree import ProcessTree
from grader.sandbox.zygote import HostKilled, SandboxFailure
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
_LOOK_S = 0.1
"""Seconds between two looks at the CPU time of a tool with its processes; a linter ends before the first."""
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

    cpu_s: of all of its processes together.  wall_s: by the clock.
    waits: it may run what a student wrote, so waiting is billed as well.
    """

    cpu_s: float = 5.0
    wall_s: float = 60.0
    file_b: int = 0
    waits: bool = False


USUAL = ToolLimits()
_ENDED = (0, 1)
"""The statuses of tools that have done their work: 1 says that a linter found something."""


@dataclass(frozen=True, slots=True)
class ToolRun:
    """The end of a run.

    cpu_s: the CPU time of all of its processes.
    status: exit status; negative for a signal, ours among them where a limit was met.
    stdout: whole lines, as many as fit.
    is_over: it was stopped at its limit on CPU time.  lacks_budget: a limit that the budget had lowered.
    """

    status: int
    stdout: str
    stderr: str
    cpu_s: float = 0.0
    is_over: bool = False
    lacks_budget: bool = False


def killed_by_system() -> int:
    """Return how many processes this machine has killed for want of memory; 0 where it does not tell.

    A tool's own processes may be among them, and their parents tell it in words of theirs, if at all.
    """
    with suppress(OSError):
        for line in Path("/proc/vmstat").read_text("ascii").splitlines():
            name, _, number = line.partition(" ")
            if name == "oom_kill":
                return int(number)
    return 0


class _Meter:
    """The CPU time of a tool with all of its processes, and the end of it."""

    def __init__(self, pid: int, most_s: float) -> None:
        self._tree = ProcessTree(pid)
        self._most_s = most_s
        self._next_look = time.monotonic() + _LOOK_S
        self.cpu_s = 0.0

    @property
    def is_over(self) -> bool:
        return self.cpu_s >= self._most_s

    def look(self) -> float:
        """Look at the time if it is due; return the seconds until the next look."""
        now = time.monotonic()
        if now >= self._next_look:
            self.cpu_s = max(self.cpu_s, self._tree.look())
            self._next_look = now + _LOOK_S
        return self._next_look - now

    def ended(self, told_s: float, status: int) -> None:
        """Note the time that the kernel tells at the end; what we killed ourselves was not waited for."""
        self.cpu_s = max(self.cpu_s, told_s + self._tree.lost_s)
        if status in (-signal.SIGXCPU, -signal.SIGKILL) and told_s >= self._most_s - 1:
            self.cpu_s = max(self.cpu_s, self._most_s)


def path_of(name: str) -> str | None:
    """Return the path of a tool beside the grader's own Python, else on the path; None if it is missing."""
    return shutil.which(name, path=sysconfig.get_path("scripts")) or shutil.which(name)


@cache
def find_tool(name: str) -> Tool:
    """Find a tool beside the grader's own Python, else on the path.  Raises `UsageError`."""
    path = path_of(name)
    hint = "install the grader with its extra `rules`: pip install 'grader-harness[rules]'"
    if path is None:
        raise UsageError(Fault(f"the spec has rules that need {name}, which is not installed", hint=hint))
    told = run_tool([path, "--version"], "", purse=UNBILLED)
    words = told.stdout.split()
    if told.status != 0 or len(words) < 2:
        raise UsageError(Fault(f"{name} does not start: {told.stderr.strip()[:200]}", where=path, hint=hint))
    return Tool(name, path, words[1])


def run_tool(command: list[str], text: str, limits: ToolLimits = USUAL, *, purse: Budget) -> ToolRun:
    """Run a tool with `text` as its standard input.

    purse: pays for all of its processes, however the run ends, and lowers its limit.
    Raises `SandboxFailure` if it exceeds the wall time: no tool waits for anything, so it had no core.
    Raises `HostKilled` if it failed while the system killed a process for want of memory.
    """
    began, killed_before = time.monotonic(), killed_by_system()
    if resource is None:
        run = _run_by_the_clock(command, text, limits)
        purse.spend(run.cpu_s)
        return run
    most_s = max(0.0, min(limits.cpu_s, purse.cpu_left_s))
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd="/",
        env=_ENVIRONMENT,
        start_new_session=True,
    ) as process:
        meter = _Meter(process.pid, most_s)
        try:
            _limit(process.pid, limits, most_s)
            stdout, stderr = _converse(process, text.encode("utf-8", "replace"), limits.wall_s, meter)
            if meter.is_over or len(stdout) > _OUTPUT_B or len(stderr) > _ERRORS_B:
                _kill(process)
            is_late = time.monotonic() - began >= limits.wall_s
            has_ended = _end(process, meter, 0.0 if is_late else _PATIENCE_S)
        finally:
            waited_s = max(0.0, time.monotonic() - began - meter.cpu_s) if limits.waits else 0.0
            purse.spend(meter.cpu_s, waited_s)
    if not has_ended and not meter.is_over:
        raise SandboxFailure(f"{Path(command[0]).name} did not end within {limits.wall_s:g} s")
    whole = stdout[: stdout.rfind(b"\n") + 1] if len(stdout) > _OUTPUT_B else stdout
    said, complained = whole.decode("utf-8", "replace"), stderr.decode("utf-8", "replace")
    is_over = meter.is_over and process.returncode != 0
    if process.returncode not in _ENDED and not is_over and killed_by_system() > killed_before:
        raise HostKilled(
            f"{Path(command[0]).name} failed while the system killed processes for want of memory"
        )
    return ToolRun(
        process.returncode, said, complained, meter.cpu_s, is_over, is_over and most_s < limits.cpu_s
    )


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


def _limit(pid: int, limits: ToolLimits, most_s: float) -> None:
    """Put limits on a process; it has been given nothing to read yet."""
    values = (
        # Of each process.  More, so that the sum is what ends the tool, where we get a core in time.
        (resource.RLIMIT_CPU, math.ceil(most_s * COUNTS_MORE) + 1),
        (resource.RLIMIT_AS, _MEMORY_B),
        (resource.RLIMIT_FSIZE, limits.file_b),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, 64),
    )
    for kind, value in values:
        if hasattr(resource, "prlimit"):
            resource.prlimit(pid, kind, (value, value))


def _converse(
    process: subprocess.Popen[bytes], data: bytes, wall_s: float, meter: _Meter
) -> tuple[bytes, bytes]:
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
        patience_s = min(deadline - time.monotonic(), meter.look())
        if meter.is_over or time.monotonic() >= deadline:
            break
        readable, writable, _ = select.select(
            list(limits), [feed] if writing else [], [], max(0.0, patience_s)
        )
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


def _end(process: subprocess.Popen[bytes], meter: _Meter, patience_s: float) -> bool:
    """Wait for a process that has closed its output, end one that has not; return whether it ended in time.

    It is reaped here and not by `Popen`, since the kernel tells the CPU time only once.
    """
    deadline = time.monotonic() + patience_s
    options, has_ended = os.WNOHANG, True
    while True:
        pid, status, usage = os.wait4(process.pid, options)
        if pid:
            break
        meter.look()
        if meter.is_over or time.monotonic() > deadline:
            _kill(process)
            options, has_ended = 0, False
        else:
            time.sleep(_PAUSE_S)
    process.returncode = os.waitstatus_to_exitcode(status)
    meter.ended(usage.ru_utime + usage.ru_stime, process.returncode)
    return has_ended


def _kill(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
