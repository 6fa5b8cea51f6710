"""The keeper of one box: starts it, sends it one case at a time, measures, and ends it.

The keeper is trusted, and is pid 1 of the box's pid namespace where there is one: when the keeper ends, the
kernel ends all processes in it.  The keeper never interprets an answer: it counts its bytes, checks the
nonce in front and passes it on.  The grader decides which case runs and what an answer is worth.

One case runs at a time, so student code never holds an input before its turn.  The nonce is new for each
case, so an answer to an earlier case cannot pass for an answer to this one.

Cases run in one of three modes:

- *snapshot*: the box imports the module once and forks for each case.  The seccomp listener lets
  through exactly one fork for each that the keeper orders.
- *shared*: the box works on the cases itself, one after another, and is started again when one
  ends badly.  For code of ours that meets no student's values; the grader says so.
- *fresh*: each case imports the module again, in a box of its own.  Used where there is no listener, or
  where the import left threads running, which a fork would lose, or where a checkers file left open files
  or shared memory, by which one fork would meet another.

A case finds in the scratch folder the files that the import of its own box wrote, and none of another case.
So a process whose folder was used gets no further case: it is replaced, with a fresh folder and a fresh
import.  In *shared* mode the folder belongs to the spec's own code.
"""

import _socket
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from grader.wire import frames, messages
from grader.worker.keeper.cases import Imported, follow_import, run_case
from grader.worker.keeper.process import Process

_PART_B = 1 << 16
"""The most bytes that one read takes; a much larger buffer would be fresh memory every time."""
_ENOUGH_B = 4 << 20
"""Bytes of answers that fill a message; the grader decodes all of a message at once."""

Start = Callable[[dict[str, Any], bool, bool], Process]
"""Starts a box process for a job.  Its other arguments: it works on cases itself and does not fork; it sends
its filter's listener."""


class ScratchFolder(Protocol):
    """The scratch folder of a keeper's box, see `grader.worker.keeper.scratch`."""

    def is_unused(self) -> bool: ...
    def replace(self) -> None: ...


class _ImportLimits(NamedTuple):
    time_s: float
    wall_s: float
    output_b: int


class Keeper:
    """Keeps one box, and replaces its process when a case needs a new one."""

    def __init__(
        self,
        control: _socket.socket,
        start: Start,
        *,
        listen: bool,
        scratch: ScratchFolder | None = None,
    ) -> None:
        """Make a keeper.

        start: starts a box process.  listen: there is a listener, so a box can fork for its cases.
        scratch: the folder that the keeper shares with its box; None if there is none.
        """
        self._control = control
        # The grader is trusted, and the length of a message has four bytes.
        self._received = frames.FrameBuffer(1 << 32)
        self._start = start
        self._listens = listen
        self._job: dict[str, Any] = {}
        self._process: Process | None = None
        self._scratch = scratch
        self._mode = ""
        self._position = 0
        self._has_told_waiting = False
        self._served = 0
        """Number of cases that the current process was given."""
        self._import_s = 0.0
        """CPU time of the first import, before any case was known."""

    def serve(self) -> None:
        """Obey the grader until it closes its end; then end the box."""
        try:
            while True:
                self.obey(*self._receive())
        except ConnectionError:
            # The grader has closed this box, or is dead.
            self.end()
        except BaseException as error:
            # The grader reports this as an internal error.
            reason = f"{type(error).__name__}: {error}"
            self._control.sendall(frames.frame(frames.FAILED, reason.encode()))
            self.end()

    def obey(self, kind: int, body: bytes) -> None:
        if kind == frames.JOB:
            self._has_told_waiting = False
            self._job = messages.unpack_job(body)
            self._send(frames.LOADED, messages.pack_reports([self._load()]))
        elif kind == frames.RUN:
            self._send(frames.OUTCOMES, messages.pack_reports(self._run(messages.unpack_cases(body))))
        else:
            raise ValueError(f"message {kind} makes no sense")

    def _receive(self) -> tuple[int, bytes]:
        while (message := self._received.take()) is None:
            data = self._control.recv(_PART_B)
            if not data:
                raise ConnectionError("the grader is gone")
            self._received.feed(data)
        return message

    def _send(self, kind: int, body: bytes) -> None:
        self._control.sendall(frames.frame(kind, body))

    def _load(self) -> messages.Report:
        """Import the module and report on that; choose the mode for the cases."""
        self._mode = "shared" if self._job["shared"] else "snapshot" if self._listens else "fresh"
        imported = self._import()
        if (imported.report.ending, imported.report.detail) == ("killed", "SIGKILL"):
            imported = self._import()
        self._import_s = imported.report.cpu_s
        if imported.stays_alive:
            self._mode = "fresh"
        if self._mode == "fresh":
            self.end()
        return imported.report._replace(mode=self._mode)

    def end(self) -> None:
        """End the box and all its processes.  In a pid namespace the kernel would do so as well."""
        if self._process is not None:
            self._process.close()
            self._process = None

    def _run(self, cases: list[messages.CaseOrder]) -> list[messages.Report]:
        """Run cases in order; stop after the first that ends badly, or when there is enough to send."""
        reports: list[messages.Report] = []
        answers_b = 0
        for position, case in enumerate(cases):
            self._position = position
            self._has_told_waiting = False
            report = self._run_one(case)
            reports.append(report)
            answers_b += len(report.answer)
            if report.ending not in ("answered", "missing") or answers_b > _ENOUGH_B:
                break
        if self._mode == "shared" and self._process is not None:
            peak_rss_b = self._process.peak_rss_b()
            reports = [report._replace(peak_rss_b=report.peak_rss_b or peak_rss_b) for report in reports]
        return reports

    def _import(self) -> Imported:
        """Start a box process and follow its import; if that fails, no process is left."""
        self.end()
        if self._scratch is not None and not self._scratch.is_unused():
            self._scratch.replace()
        self._served = 0
        single, listen = self._mode != "snapshot", self._listens and self._mode != "shared"
        self._process = self._start(self._job, single, listen)
        limits = _ImportLimits(*self._job["import"])
        imported = follow_import(self._process, limits, self._tell_waiting)
        if imported.report.ending != "answered":
            self.end()
        return imported

    def _run_one(self, case: messages.CaseOrder) -> messages.Report:
        report = self._try(case)
        if self._is_suspect(report, case):
            self._send(frames.AGAIN, messages.pack_call(self._position, b""))
            self.end()
            first, report = report, self._try(case)
            report = report._replace(
                overhead_s=report.overhead_s + first.cpu_s + first.overhead_s,
                waited_s=report.waited_s + first.waited_s,
            )
        return report

    def _is_suspect(self, report: messages.Report, case: messages.CaseOrder) -> bool:
        """Tell whether another cause may be to blame for the bad end of a case, which then gets a second try.

        The host may have killed it for want of memory.  In a shared process, data that earlier cases left in
        memory may be the cause; the second try gets a process of its own.
        """
        if (report.ending, report.detail) == ("killed", "SIGKILL"):
            # A student's module could remember the answers of a callback.
            return self._mode == "shared" or not (case.watched or case.asks)
        if self._mode != "shared" or self._served < 2 or report.ending in ("time", "wall", "output"):
            return False
        # A process that ends after its answer has answered; the next case will find it gone.
        return self._process is None or self._process.box_death is not None

    def _try(self, case: messages.CaseOrder) -> messages.Report:
        # A box can be ended by a case's limit, by a thread of its module, or on purpose.
        surplus_s = overhead_s = waited_s = 0.0
        if self._process is None or self._process.box_is_gone() or self._has_files_of_a_case():
            imported = self._import()
            if self._process is None:
                return imported.report
            # If an import takes longer once there is a case, the excess counts as work on that case.
            surplus_s = max(0.0, imported.report.cpu_s - self._import_s)
            overhead_s, waited_s = imported.report.cpu_s - surplus_s, imported.report.waited_s
        assert self._process is not None
        if self._mode == "snapshot":
            self._process.order_fork()
        self._served += 1
        is_shared = self._mode == "shared"
        report = run_case(
            self._process, case, self._relay, self._tell_waiting, shared=is_shared, used_s=surplus_s
        )
        is_owed = case.asks or (case.watched and report.ending != "answered" and not is_shared)
        if self._mode == "snapshot":
            # If the machine stood still, the case may have been stopped before it read its request.
            is_owed = is_owed or self._process.channels.left_unread()
        if self._mode == "fresh" or is_owed or report.ending == "protocol":
            # Unread bytes would precede the next request in the channel, and a box that speaks without being
            # asked would spoil that request too.
            self.end()
        if not overhead_s and not waited_s:
            return report
        return report._replace(overhead_s=report.overhead_s + overhead_s, waited_s=report.waited_s + waited_s)

    def _has_files_of_a_case(self) -> bool:
        """Tell whether the current process could show a case the files of an earlier one.

        Files from before its first case come from its own import, and each case must find those.
        """
        if self._served == 0 or self._scratch is None or self._mode == "shared":
            return False
        return not self._scratch.is_unused()

    def _tell_waiting(self) -> None:
        """Tell the grader, once for each of its requests, that the process waits and needs no core."""
        if not self._has_told_waiting:
            self._has_told_waiting = True
            self._send(frames.WAITS, b"")

    def _relay(self, call: bytes) -> bytes:
        """Pass a watched callback's call to the grader and return its answer."""
        self._send(frames.CALLED, messages.pack_call(self._position, call))
        kind, reply = self._receive()
        if kind != frames.REPLY:
            raise ValueError(f"message {kind} where a callback's reply must come")
        return reply
