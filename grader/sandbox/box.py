"""One box from the grader's side: load a program, run cases in it, get evidence.

A box belongs to one program and is never used for another.  This module does not know what a case
expects, so it cannot give that away.
"""

import math
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import TypeAlias

from grader.languages.artefact import Artefact
from grader.model.case import Calls
from grader.model.closing import Closing
from grader.model.limits import COUNTS_MORE, MIB, Limits
from grader.model.outcome import Ending, Outcome, WatchedCall
from grader.model.own_code import Around
from grader.model.values import Value
from grader.sandbox import evidence
from grader.sandbox.budget import Budget
from grader.sandbox.driver import WALLS
from grader.sandbox.request import node_of
from grader.sandbox.waiting import Deadline, await_end, receive_frame, send
from grader.sandbox.zygote import HostKilled, SandboxFailure, Zygote
from grader.wire import codec, frames, messages
from grader.wire.encoder import encode_plain
from grader.worker.keeper.watch import MACHINE_LIMITS, MACHINE_S

_RUNTIME_B = 128 * MIB
"""Memory that a runtime such as a Java machine may take for itself."""
_GRACE_S = 60.0
"""A keeper is broken if it is silent for this much longer than it gives its cases."""
_SEND_S = 60.0
_END_S = 20.0


@dataclass(frozen=True, slots=True)
class Program:
    """The modules that a box loads.

    module: the module that is imported.  sources: texts of all modules, by name.
    shared: cases share a process; only for our own code, and the spec's that meets no student's values.
    lasts: the box serves many submissions, each of its cases in a process that meets no other.
    captures: some of its cases need the text that is printed.
    runs: nothing is imported; each case runs a module as a program (see `encode_program`).
    artefact: the program that was built of the module, if it is not Python; each case becomes it.
    harness: a module that is imported after it, whose functions cases can call too; empty for none.
    around: the code that runs before and after it.
    keeps: modules that stay as they are where they raise while they are imported.
    """

    module: str
    sources: dict[str, str]
    shared: bool = False
    lasts: bool = False
    captures: bool = False
    runs: bool = False
    artefact: Artefact | None = None
    harness: str = ""
    around: Around | None = None
    keeps: tuple[str, ...] = ()

    def beside(self, what: Calls) -> "Program":
        """Return the program with the instructor's code of a case: around it, and a harness beside it.

        A harness hides a module of the same name.
        """
        harness = what.harness
        if harness is None:
            return replace(self, around=what.around)
        sources = {**self.sources, harness.module: harness.text}
        keeps = tuple(name for name in self.keeps if name != harness.module)
        return replace(self, sources=sources, harness=harness.module, around=what.around, keeps=keeps)


def _sent(around: Around | None) -> tuple[object, ...] | None:
    """Return the code around a module as `grader.worker.box.harness` takes it."""
    if around is None:
        return None
    sides = (around.before, around.after)
    return tuple((own.file, own.text, own.names) if own is not None else None for own in sides)


@dataclass(frozen=True, slots=True)
class Job:
    """The calls of one case, with its limits.

    request: the calls, as `encode_request` gives them.
    answer: answers the calls of watched callbacks; may raise `CallbackFailed`.  None: there are none.
    asks: for a program, `answer` gives the lines of its input.  It is called with what was printed
        since the last line, in bytes, and returns a text or None for the end of the input; or it raises
        `StopHere`.
    """

    request: bytes
    limits: Limits
    answer: Callable[[WatchedCall], Value] | None = None
    asks: bool = False


Conversation: TypeAlias = Generator[tuple[int, bytes | None], bytes, list[messages.Report]]
"""See `Box.converse`."""


class CallbackFailed(Exception):
    """A watched callback gave no answer; the student's code gets a RuntimeError with this text."""


class StopHere(Exception):
    """Raised by `Job.answer` where a program asks: the case ends here, as `Ending.STOPPED`."""


class Box(Closing):
    """A box with one program.  Use it as a context manager."""

    def __init__(
        self,
        zygote: Zygote,
        program: Program,
        memory_b: int,
        import_limits: Limits,
        longest_s: float,
        seed: int = 0,
        *,
        purse: Budget,
        on_wait: Callable[[], None] | None = None,
    ) -> None:
        """Open the box and start the import; `load` waits for its end.

        memory_b: for the import and every case.  longest_s: the largest CPU limit of its cases.
        seed: `random` is seeded with it before each case.
        purse: pays for all that happens in the box, and lowers its limits.  What ends at a limit that was
            lowered has the ending "budget".  Each import and case is charged when its report comes; one
            whose report never comes, when the box is closed.
        on_wait: called once for each import or case that has waited for a while, since the core is free then.
        """
        self._on_wait = on_wait
        self._is_shared = program.shared
        self._kills_itself = not WALLS[zygote.driver].seccomp
        """The filter lets nothing in a box send SIGKILL, or have it sent."""
        artefact = program.artefact
        self._most_b = memory_b + _RUNTIME_B if artefact is not None and artefact.host else None
        """The most memory of a case of a runtime, whose limit on address space leaves room for what it only
        reserves; None where that limit says it all."""
        self._purse = purse
        self._owed: tuple[float, float, float] | None = None
        """When something began that is not charged yet, and the CPU and waiting seconds that it may use."""
        self._import_full = import_limits
        # The keeper imports the spec's own code again for other submissions too.
        import_limits = import_limits if program.shared else purse.within(import_limits)
        self._import_limits = import_limits
        self.imported: messages.Report | None = None
        """The keeper's report on the import; set by `load`."""
        self._socket = zygote.open()
        # Its length has four bytes.
        self._received = frames.FrameBuffer(1 << 32)
        self._import_wall_s = import_limits.wall_s
        job = messages.pack_job(
            {
                "module": program.module,
                "sources": program.sources,
                "shared": program.shared,
                "lasts": program.lasts,
                "program": program.runs,
                "built": artefact.for_box(memory_b) if artefact is not None else None,
                "captures": program.captures,
                "harness": program.harness,
                "around": _sent(program.around),
                "keeps": program.keeps,
                "seed": seed,
                "memory_b": memory_b,
                "baseline_b": zygote.baseline_b,
                # The kernel counts the whole life of a process, and these serve all cases.
                "cpu_backstop_s": (
                    None
                    if program.shared or program.lasts
                    else math.ceil((longest_s + import_limits.time_s) * COUNTS_MORE) + 1
                ),
                "answer_items": evidence.MAX_ITEMS,
                "import": (import_limits.time_s, import_limits.wall_s, import_limits.output_b),
            }
        )
        self._owe(import_limits)
        self._send(frames.JOB, job)

    def load(self) -> tuple[Outcome, str]:
        """Wait for the import; return its outcome, and the mode in which cases will run."""
        kind, body = self._receive(_patience_s(self._import_wall_s, 1))
        if kind != frames.LOADED:
            raise SandboxFailure(f"message {kind} where the import's end is expected")
        (report,) = messages.unpack_reports(body)
        self.imported = self._charged(report, self._import_limits, self._import_full)
        return evidence.import_outcome_of(self.imported), self.imported.mode

    def run(self, jobs: Sequence[Job]) -> list[Outcome]:
        """Run the first cases as `gather` does, and decode their evidence."""
        return [found.outcome() for found in self.gather(jobs)]

    def gather(self, jobs: Sequence[Job]) -> list[evidence.Evidence]:
        """Run the first cases in order, at least one; call it again for the rest.

        The list ends with the first case that did not end by an answer, or earlier.
        Raises `SandboxFailure`.
        """
        if not self._is_shared:
            # One case at a time: the keeper's next box may find in memory what the keeper knows, and
            # student code must not hold the inputs of later cases.
            jobs = jobs[:1]
        calls: list[list[bytes]] = [[] for _ in jobs]
        talk = self.converse(jobs)
        try:
            position, call = next(talk)
            while True:
                if call is None:
                    calls[position].clear()
                    position, call = next(talk)
                else:
                    position, call = talk.send(reply_to(call, jobs[position], calls[position]))
        except StopIteration as end:
            reports: list[messages.Report] = end.value
        return [
            evidence.Evidence(report, tuple(called)) for report, called in zip(reports, calls, strict=False)
        ]

    def converse(self, jobs: Sequence[Job]) -> Conversation:
        """Run the first cases; yield the calls that they make, and return the reports on them.

        Send the encoded answer to each call.  A call is a case's position with the bytes that it sent; None
        instead of bytes: it is run again, and its calls do not count.  Raises `SandboxFailure`.
        """
        lowered = [self._purse.within(job.limits) for job in jobs]
        for limits in lowered:
            self._owe(limits)
        orders = [self._order(job, limits) for job, limits in zip(jobs, lowered, strict=True)]
        self._send(frames.RUN, messages.pack_cases(orders))
        walls_s = [limits.wall_s + self._import_wall_s for limits in lowered]
        patience_s = _patience_s(sum(walls_s), 2 * len(jobs))
        while True:
            kind, body = self._receive(patience_s)
            if kind == frames.OUTCOMES:
                reports = zip(messages.unpack_reports(body), lowered, jobs, strict=False)
                return [self._charged(report, limits, job.limits) for report, limits, job in reports]
            if kind not in (frames.CALLED, frames.AGAIN):
                raise SandboxFailure(f"message {kind} where outcomes are expected")
            position, call = messages.unpack_call(body)
            if kind == frames.AGAIN:
                yield position, None
            else:
                self._send(frames.REPLY, (yield position, call))

    def _owe(self, limits: Limits) -> None:
        """Note that something runs under these limits, to be charged."""
        began_s, cpu_s, wall_s = self._owed or (monotonic(), 0.0, 0.0)
        self._owed = began_s, cpu_s + limits.time_s, wall_s + limits.wall_s

    def _charged(self, report: messages.Report, ran_under: Limits, full: Limits) -> messages.Report:
        """Charge for what a keeper reports; return the report, as the purse's end where that cut it short.

        Where more memory was used than is allowed, that is how it ended, also if the system killed it then.
        Raises `HostKilled`.
        """
        self._owed = None
        self._purse.charge(report)
        if self._most_b is not None and report.peak_rss_b > self._most_b:
            return report._replace(ending="memory", detail="", answer=b"")
        if (report.ending, report.detail) == ("killed", "SIGKILL") and not self._kills_itself:
            raise HostKilled("the system killed the process, probably for want of memory")
        if not Budget.cut_short(report.ending, ran_under, full):
            return report
        return report._replace(ending="budget", detail=f"skipped: {self._purse.reason()}", answer=b"")

    def _order(self, job: Job, limits: Limits) -> messages.CaseOrder:
        return messages.CaseOrder(
            limits.time_s,
            limits.wall_s,
            limits.output_b,
            limits.answer_b,
            job.answer is not None and not job.asks,
            job.asks,
            job.request,
        )

    def _send(self, kind: int, body: bytes) -> None:
        try:
            send(self._socket, frames.frame(kind, body), Deadline(_SEND_S))
        except OSError as error:
            raise SandboxFailure(f"the box's keeper is gone: {error}") from error

    def _receive(self, patience_s: float) -> tuple[int, bytes]:
        deadline = Deadline(patience_s)
        while True:
            try:
                kind, body = receive_frame(self._socket, self._received, deadline)
            except OSError as error:
                raise SandboxFailure(f"the box's keeper is gone: {error}") from error
            if kind == frames.FAILED:
                raise SandboxFailure(body.decode("utf-8", "replace"))
            if kind != frames.WAITS:
                return kind, body
            if self._on_wait is not None:
                self._on_wait()

    def close(self) -> None:
        """End the box, and wait until its processes have ended.  Raises `SandboxFailure` if they do not."""
        if self._owed is not None:
            # Its report will not come: we gave up, or the keeper did.  At most its limits were used.
            began_s, cpu_s, wall_s = self._owed
            self._owed, took_s = None, monotonic() - began_s
            self._purse.spend(min(took_s, cpu_s), min(took_s, wall_s))
        # The keeper ends the whole box before it ends itself.  So nothing of this box listens when the next
        # one is opened.
        has_ended = await_end(self._socket, _END_S)
        self._socket.close()
        if not has_ended:
            raise SandboxFailure("a box did not end")


def _patience_s(walls_s: float, count: int) -> float:
    """Return the seconds of silence allowed to a keeper with `count` things to do.  walls_s: their limits."""
    return MACHINE_LIMITS * walls_s + MACHINE_S * count + _GRACE_S


def reply_to(call: bytes, job: Job, calls: list[bytes]) -> bytes:
    """Record a callback's call and answer it; a failure becomes an exception in the student's code."""
    if job.answer is None:
        raise SandboxFailure("a callback is called in a case that has none")
    try:
        decoded = evidence.watched_call_of(call)
        calls.append(call)
        try:
            shape, *node = node_of(job.answer(decoded))
        except StopHere:
            return messages.STOP
        if shape != "v":
            return encode_plain(("made", [shape, *node]))
        return encode_plain(("returned", *node))
    except (codec.Malformed, codec.TooLarge) as error:
        return encode_plain(("raised", f"the callback's arguments cannot be read: {error}"))
    except (CallbackFailed, TypeError) as error:
        return encode_plain(("raised", str(error)))


def loaded(outcome: Outcome) -> bool:
    """Tell whether an import's outcome means that cases can run."""
    return outcome.ending is Ending.ANSWERED
