"""One box process and the case processes that it forks, as their keeper sees them.

Mechanism: births, deaths and times.  `channels` holds the messages that pass between them.
"""

import os
import select
import signal
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from grader.wire.notebook import files_of
from grader.worker.box import main as box
from grader.worker.box.native import NATIVE
from grader.worker.keeper import process_table
from grader.worker.keeper.channels import Channels
from grader.worker.keeper.native_input import NativeInput
from grader.worker.settings import Settings
from grader.worker.waiting import Deadline, Death, TimeIsUpError, came_true, wait_until
from grader.worker.walls import kernel, place
from grader.worker.walls.prepared import Walls

_DEATH_S = 20.0
_REAPING_NAP_S = 0.01
_TRACE_S = 0.2
"""How long a process that is about to be killed gets to say where it is."""
_NEARLY_S = 0.5
"""The kernel looks at a limit on CPU time a few times a second."""
_PIDS_AHEAD = 16
"""How far to guess a new child's pid before the process table is asked: threads take pids too."""


class BoxProcess:
    """A started box process, its channels, and the process that is at work on a case."""

    tells_cpu_time = True

    def __init__(
        self,
        settings: Settings,
        walls: Walls,
        job: dict[str, Any],
        *,
        wake_up: int,
        cores: frozenset[int] = frozenset(),
        control: int,
        single: bool,
        listen: bool,
    ) -> None:
        """Fork the box.

        wake_up: becomes readable whenever a child of ours changes state, see `wake_up_on_child`.
        cores: the cores that a long-running process may move to; empty to stay on the first one.
        control: the grader's socket; when that is closed, all waiting here ends.
        single: it works on cases itself and does not fork.  listen: it sends its filter's listener.
        """
        self._process_table = walls.outer.process_table if walls.outer is not None else -1
        self._wake_up = wake_up
        self._cores = cores
        self.channels = Channels(
            wake_up=wake_up, control=control, listen=listen, process_table=self._process_table
        )
        self.pid = kernel.fork()
        if self.pid == 0:
            ends = self.channels.of_box()
            box.main(settings, walls, job, ends, single=single, listen=listen)
        self.channels.keep_ours()
        self._is_open = True
        built = job.get("built")
        self.native_input = NativeInput(is_runtime=bool(built["host"])) if built else None
        """The input of cases that become a built program, by one exec that the listener lets through."""
        self._files = [file for name, text in job.get("sources", {}).items() for file in files_of(name, text)]

        self.box_death: Death | None = None
        """The end of the box, None while it lives."""
        self._fork: int | None = None
        """The forked case process: None if there is none, 0 while its pid is not known."""
        self._fork_death: Death | None = None
        self._last_pid = self.pid
        self._run_queue = process_table.RunQueue(self._process_table)
        self._backstop_s = job.get("cpu_backstop_s") or 0
        self._box_billed_s = self._box_seen_s = 0.0
        """CPU time of the box itself that belongs to the import and to cases that are over; and all of it, as
        of the last look."""

    def order_fork(self) -> None:
        """Have the box fork a process for the next case."""
        self._fork, self._fork_death = 0, None
        if self.channels.listener is not None:
            self.channels.listener.permit_fork(self.pid)
            if self.native_input is not None:
                self.channels.listener.permit_exec(NATIVE, self.native_input)
        self.channels.order_fork()

    def give_line(self, reply: bytes) -> None:
        """Give a built program that asked for input the grader's reply."""
        assert self.native_input is not None
        assert self.channels.listener is not None
        self.native_input.give(reply, self.channels.listener.go_on)

    def wait(self, timeout_s: float) -> None:
        """Take in the first event within `timeout_s`.  Raises `HungUpError`."""
        if self.channels.wait(timeout_s):
            self._reap()

    def roam(self) -> None:
        """Let the process at work move to another core: it has run for longer than a move costs."""
        pid = self.pid if self._fork is None else self._fork_pid()
        if self._cores and pid:
            with suppress(OSError):
                os.sched_setaffinity(pid, self._cores)

    def awaits_fork(self) -> bool:
        """Tell whether a fork was ordered whose process was not seen yet."""
        return self._fork == 0

    def death(self) -> Death | None:
        """Return the end of the process at work, or None while it lives."""
        if self._fork is None:
            return self.box_death
        if self._fork_death is None and self._fork == 0 and self.box_death is not None:
            return self.box_death
        return self._fork_death

    def cpu_s(self) -> float:
        """Return the CPU time of the process at work: by its clock, or as reported at its end.

        All CPU time of the box itself counts for the case, since the box only has to fork: otherwise it could
        do the work of its forks for free.
        """
        self._box_seen_s = self._box_cpu_s()
        if self._fork is None:
            return self._box_seen_s
        box_s = max(0.0, self._box_seen_s - self._box_billed_s)
        if self._fork_death is None:
            pid = self._fork_pid()
            now = process_table.cpu_clock_s(pid) if pid else None
            if now is not None:
                return now + box_s
            self._reap()
        return _billed_s(self._fork_death) + box_s

    def cpu_before_s(self, *, shared: bool) -> float:
        """Return the CPU time of the process at work that is not the next case's.

        Everything since the import is the case's: a thread of the module can work before the case begins.
        shared: the box has served other cases, and idles between them.
        """
        if self._fork is not None:
            return 0.0  # a newly ordered fork has used nothing, and may not exist yet
        return self._box_cpu_s() if shared else self._box_billed_s

    def queued(self) -> tuple[float, bool] | None:
        """Return how long the process at work stood in the run queue; see `watch.Queued`."""
        fork = self._fork_pid() if self._fork is not None else 0
        # A case also starves while its box, which has yet to fork, gets no core.
        return self._run_queue.look([fork or self.pid])

    def computes_on(self) -> bool:
        """Tell whether a runtime computes while a thread of it asks for a line.

        Node reads on before the program has seen the last line, and has asked only when all of it rests.  A
        program that computes on and on asks all the same.
        """
        given = self.native_input
        if given is None or not given.may_read_ahead(self.cpu_s()):
            return False
        return not self._run_queue.rests((self._fork_pid() if self._fork is not None else 0) or self.pid)

    def threads_of_box(self) -> int:
        """Return the number of threads of the box, 0 if it is not known."""
        return process_table.threads_of_child(self.pid, self._process_table)

    def met_cpu_backstop(self) -> bool:
        """Tell whether the kernel ended the process at work for all its CPU time since its birth."""
        death = self.death()
        return death is not None and bool(self._backstop_s) and death.cpu_s >= self._backstop_s - _NEARLY_S

    def place(self) -> tuple[str, int] | None:
        """Return the file and line at which the process at work is, by asking it; it is killed next."""
        pid = self._fork_pid() if self._fork is not None else self.pid
        if self.native_input is not None or not pid or self.death() is not None or not place.ask_signal():
            return None
        self.channels.forget_trace()
        with suppress(ProcessLookupError):
            os.kill(pid, place.ask_signal())
        trace = bytearray()

        def look() -> tuple[str, int] | None:
            found = place.place_in(bytes(trace), self._files)
            if found is None and len(trace) >= place.MOST_B:
                raise TimeIsUpError
            return found

        try:
            return wait_until(
                look, Deadline(_TRACE_S), lambda nap_s: trace.extend(self.channels.read_trace(nap_s))
            )
        except TimeIsUpError:
            return None

    def place_of_crash(self) -> tuple[str, int] | None:
        """Return the file and line that a process named which crashed."""
        return place.place_in(bytes(self.channels.read_trace(0)), self._files)

    def _box_cpu_s(self) -> float:
        if self.box_death is None:
            now = process_table.cpu_clock_s(self.pid)
            if now is not None:
                return now
            self._reap()
        return _billed_s(self.box_death)

    def peak_rss_b(self) -> int:
        """Return the peak memory of the process at work, 0 if it is not known."""
        death = self.death()
        if death is not None:
            return death.peak_rss_b
        return 0 if self._fork is not None else process_table.peak_of_only_child_b(self._process_table)

    def kill_worker(self) -> None:
        """Kill the process at work: the box itself or its fork."""
        if self._fork is None:
            self._kill_box()
            return
        if not self._fork_pid():
            # A box that did not fork at the order could do so later, unwatched.
            if self.channels.listener is not None:
                self.channels.listener.withdraw_permit()
            self._kill_box()
        if self._fork_death is None and self._fork_pid():
            _kill(self._fork_pid())
            self._reap_until(lambda: self._fork_death is not None)

    def forget_fork(self) -> None:
        """Forget the forked process, which has ended; the next fork can be ordered."""
        self._fork, self._fork_death = None, None
        # What it used since then belongs to the next case.
        self._box_billed_s = self._box_seen_s

    def bill_box(self) -> None:
        """Attribute the box's CPU time so far to the import, or to cases that are over."""
        self._box_billed_s = self._box_cpu_s()

    def box_is_gone(self) -> bool:
        self._reap()
        return self.box_death is not None

    def close(self) -> None:
        """Kill the box and its fork, and close the channels.  Can be called again."""
        if not self._is_open:
            return
        self._is_open = False
        if self._fork is not None:
            self.kill_worker()
        self._kill_box()
        if self.native_input is not None:
            self.native_input.close()
        self.channels.close()

    def _kill_box(self) -> None:
        if self.box_death is None:
            _kill(self.pid)
            self._reap_until(self._box_has_ended)

    def _box_has_ended(self) -> bool:
        """Tell whether the box has ended; it may wait to be reaped until its fork has."""
        if self.box_death is not None:
            return True
        return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def _fork_pid(self) -> int:
        """Return the pid of the forked process, 0 while it does not exist.

        The box forked it, so this process is not told its pid.  But it is our child, and the kernel mostly
        gives pids in order, so a few guesses come before a search of the process table.
        """
        if not self._fork and self._fork_death is None:
            guesses = range(self._last_pid + 1, self._last_pid + _PIDS_AHEAD)
            pid = next(filter(process_table.is_child, guesses), 0) or self._other_child()
            if pid:
                self._fork = self._last_pid = pid
        return self._fork or 0

    def _other_child(self) -> int:
        """Return the child that is not the box, by the process table, or 0."""
        return next((pid for pid in process_table.children(self._process_table) if pid != self.pid), 0)

    def _reap(self) -> None:
        while True:
            try:
                found = kernel.reap(self._next_to_reap())
            except ChildProcessError:
                return
            if found is None:
                return
            pid, death = found
            if pid == self.pid:
                self.box_death = death
            elif self._fork is not None and self._fork in (0, pid):
                self._fork = self._last_pid = pid
                self._fork_death = death
                # Whether the box has ended too is asked before the next case.
                return

    def _next_to_reap(self) -> int:
        """Return the pid of the fork at work if the box is dead already, else -1 for any.

        The filter of a fork may name its box as the one process that can be signalled.  So a dead box stays a
        zombie and keeps its pid until the fork has ended: otherwise another process could get that pid.
        """
        if self._fork is None or self._fork_death is not None or self.box_death is not None:
            return -1
        return self._fork_pid() or -1 if self._box_has_ended() else -1

    def _reap_until(self, done: Callable[[], bool]) -> None:
        self._reap()
        came_true(done, Deadline(_DEATH_S, longest_nap_s=_REAPING_NAP_S), self._await_child)

    def _await_child(self, timeout_s: float) -> None:
        select.select([self._wake_up], [], [], timeout_s)
        self._reap()


def wake_up_on_child() -> int:
    """Return a descriptor that becomes readable whenever a child changes state; call it once in a process."""
    read_end, write_end = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
    signal.set_wakeup_fd(write_end, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    return read_end


def stop_waking_up(descriptor: int) -> None:
    os.close(signal.set_wakeup_fd(-1))
    os.close(descriptor)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)


def _kill(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def _billed_s(death: Death | None) -> float:
    return 0.0 if death is None else death.cpu_s
