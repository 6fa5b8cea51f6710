"""Following the import of a box process, running cases in it, and reporting on them.

Policy over a `Process`: the order of messages, which bytes count as noise, and the name of each ending.
An answer proves only that the case claims it.
"""

import os
import signal
from collections.abc import Callable

from grader.wire import codec, frames
from grader.wire.encoder import encode_plain, list_of
from grader.wire.frames import FrameBuffer
from grader.wire.messages import STOP, CaseOrder, Report
from grader.worker.box.work import EXIT_MEMORY, EXIT_NO_FORK
from grader.worker.keeper.process import Process
from grader.worker.keeper.watch import DEAD, Ended, Limited, Starting, Watch
from grader.worker.waiting import Deadline, came_true, wait_until

_REFUSALS = 50
_CRASHES = frozenset({"SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL", "SIGABRT"})
"""Signals at which a process of ours writes down where it is."""
_CALLBACKS = _STEPS = 10_000
_AFTER_ANSWER_S = 0.05
"""How long a case process may take to end after its answer.

An honest process ends within a millisecond.  A process that gets no core for so long is killed as well and
loses nothing: its answer has arrived.  All of this time counts for the case.
"""
_SETTLES_S = 0.002
"""Time between two looks at a runtime that asks and computes."""
_SOON_S = 0.005
"""An honest process has ended by then, so nothing is measured before."""
_ASKED = -1
"""Kind of a message that no process sent: a built program was stopped at a read of its input."""
_HEAD_B = 256
"""Bytes of a frame besides the answer."""

READING = "<stdin>"
"""Name of the callback by which a program asks for a line of its input."""

Relay = Callable[[bytes], bytes]
"""Sends a watched callback's call to the grader and returns its answer."""
Tell = Callable[[], None]
"""Tells the grader that the process at work waits and needs no core for now."""


class HostFailed(Exception):
    """The host denied something that a box needs, before any student code ran."""


class Imported:
    """The report on an import.  stays_alive: it left threads, or files or memory that forks would share."""

    def __init__(self, report: Report, *, stays_alive: bool = False) -> None:
        self.report = report
        self.stays_alive = stays_alive


def follow_import(process: Process, limits: Limited, tell_waiting: Tell) -> Imported:
    """Follow the box until its module is imported, or until that failed and the box is dead.

    Raises `HostFailed`.
    """
    # By the clock, the start of Python and the packages would count for the student's import.
    starting = limits if process.tells_cpu_time else Starting()
    watch = _watch(process, starting, 0.0, tell_waiting)
    try:
        _await_walls(process, watch)
        if not process.tells_cpu_time:
            watch = _watch(process, limits, 0.0, tell_waiting)
        body = _from_box(process, watch, frames.IMPORTED)
        if not body:
            raise _noise()
        process.channels.read_output()
        _check_output(process, watch)
        process.bill_box()
        report = _report(process, watch, "answered", cpu_s=watch.cpu_s(), answer=body[1:])
        # A box can deny its threads, which the process table shows; what it claims costs itself alone.
        return Imported(report, stays_alive=process.threads_of_box() > 1 or body[0] == 1)
    except Ended as end:
        failure = end
    except frames.BadFrame:
        failure = _noise()
    return Imported(_failed(process, watch, failure))


def _watch(process: Process, limits: Limited, cpu_before_s: float, tell_waiting: Tell) -> Watch:
    return Watch(
        limits,
        process.cpu_s if process.tells_cpu_time else None,
        cpu_before_s=cpu_before_s,
        queued=process.queued,
        on_wait=tell_waiting,
        on_long=process.roam,
    )


def _await_walls(process: Process, watch: Watch) -> None:
    """Wait until the box says that its walls are up; before that it runs no student code.

    Raises `Ended` if the system killed the box, and `HostFailed` if the box failed in another way.
    """
    try:
        _from_box(process, watch, frames.READY)
    except (Ended, frames.BadFrame) as end:
        has_died = process.death() is not None
        process.kill_worker()
        ending, how = _how_it_died(process, watch)
        if has_died and how == "SIGKILL":
            raise Ended(ending, how) from end
        raise HostFailed(f"a box could not be set up: {end} {how}".rstrip()) from end


def run_case(
    process: Process,
    case: CaseOrder,
    relay: Relay,
    tell_waiting: Tell,
    *,
    shared: bool,
    used_s: float = 0.0,
) -> Report:
    """Run one case and return the report.  Raises `HostFailed`.

    used_s: CPU time that the case has used already.
    shared: run it in the box itself, which goes on after the answer; otherwise in a fork of the box, or in
    a box that was started for this case alone and ends with it.
    """
    process.channels.expect_answer(case.answer_b + _HEAD_B)
    if not shared:
        # The channel may hold bytes from an earlier case or from the box; nothing was asked for yet.
        process.channels.discard_answers()
    watch = _watch(process, case, process.cpu_before_s(shared=shared) - used_s, tell_waiting)
    if case.asks and process.native_input is not None:
        process.native_input.begin()
    nonce = os.urandom(frames.NONCE_B)
    process.channels.send(frames.frame(frames.REQUEST, bytes([shared]) + nonce + case.payload))
    steps: list[bytes] = []
    try:
        report = _await_answer(process, watch, nonce, case, relay, steps, shared=shared)
    except Ended as end:
        return _failed(process, watch, end)._replace(answer=list_of(steps) if steps else b"")
    except frames.BadFrame:
        # An honest worker keeps to the frame limit, so hostile code wrote this frame.
        return _failed(process, watch, _noise())
    if shared:
        return report
    return _finished(process, watch, report)


def _await_answer(
    process: Process,
    watch: Watch,
    nonce: bytes,
    case: CaseOrder,
    relay: Relay,
    steps: list[bytes],
    *,
    shared: bool,
) -> Report:
    """Wait for the case's answer; append the answers to the steps of a scenario to `steps` on the way."""
    calls, room_b, said_b = 0, case.answer_b, 0
    while True:
        kind, body = next_message(process, watch, process.channels.from_case)
        if kind == _ASKED:
            kind, body = frames.READ, nonce
        if body[: frames.NONCE_B] != nonce:
            raise _noise()
        content = body[frames.NONCE_B :]
        if kind in (frames.ANSWER, frames.ABSENT) and content:
            ending = "answered" if kind == frames.ANSWER else "missing"
            report = _answered(
                process, watch, ending, list_of(steps) if steps else content[1:], shared=shared
            )
            if shared and content[0] != 1:
                # The box ran out of memory or stack and ends itself; make sure of that before the next case.
                process.kill_worker()
            return report
        if kind == frames.FAILED and process.native_input is not None:
            # The case could not become its program, so no student code has run in it.
            raise HostFailed(f"a program could not be started: {content[1:].decode('utf-8', 'replace')}")
        if kind == frames.OVERSIZE:
            raise Ended("answer-size", _which_limit(content[1:], case))
        if kind == frames.STEP and content:
            room_b -= len(content)
            if room_b < 0:
                raise Ended("answer-size", f"more than {case.answer_b} bytes")
            if len(steps) >= _STEPS:
                raise Ended("answer-size", f"more than {_STEPS} steps")
            steps.append(content)
            continue
        if kind == frames.READ and case.asks:
            said = _said(process, watch, said_b)
            said_b += len(said)
            content = encode_plain((READING, (said,)))
        elif kind != frames.CALLBACK or not case.watched:
            raise _noise()
        calls += 1
        if calls > _CALLBACKS:
            what = "questions for input" if case.asks else "calls of the callback"
            raise Ended("answer-size", f"more than {_CALLBACKS} {what}")
        watch.pause()
        reply = relay(content)
        watch.resume()
        if reply == STOP and case.asks:
            raise Ended("stopped")
        # The grader keeps all arguments of a callback; one answer's worth is enough.
        room_b -= len(content) + len(reply)
        if room_b < 0:
            what = "dialogue" if case.asks else "callback"
            raise Ended("answer-size", f"more than {case.answer_b} bytes for the {what}")
        if process.native_input is not None:
            process.give_line(reply)
        else:
            process.channels.send(frames.frame(frames.REPLY, reply))


def _said(process: Process, watch: Watch, said_b: int) -> bytes:
    """Return the output after the first `said_b` bytes; the program flushed it before it asked."""
    process.channels.read_output()
    _check_output(process, watch)
    return process.channels.printed_after(said_b)


def _which_limit(said: bytes, case: CaseOrder) -> str:
    """Return the limit that the box says the answer exceeds, if its text is one of ours."""
    levels = f"more than {codec.MAX_DEPTH} levels deep"
    limits = f"more than {case.answer_b} bytes", "too many items", levels, codec.GOES_ON
    return next((limit for limit in limits if limit.encode() == said), "the answer is too large")


def _answered(process: Process, watch: Watch, ending: str, content: bytes, *, shared: bool) -> Report:
    """Return the report on the answer and the output before it; a second answer is noise.

    shared: its CPU time is that of now; else it is measured when the process has ended.
    """
    process.channels.read_output()
    _check_output(process, watch)
    if len(process.channels.from_case):
        raise _noise()
    report = _report(process, watch, ending, answer=content, cpu_s=watch.cpu_s() if shared else 0.0)
    if report.cpu_s > watch.time_s:
        raise watch.time_is_up()
    return report


def _finished(process: Process, watch: Watch, report: Report) -> Report:
    """Wait for the case process to end after its answer, or kill it; its final CPU time and memory count."""

    def has_ended() -> bool:
        return process.death() is not None or process.channels.output_size_b() > watch.output_b

    idle_s = 0.0
    if not came_true(has_ended, Deadline(_SOON_S), process.wait):
        before_s = watch.wall_s() - watch.cpu_s()
        if not came_true(has_ended, Deadline(_AFTER_ANSWER_S - _SOON_S), process.wait):
            # The time is too short for the run queue to show waiting; an honest process does not need it.
            idle_s = max(0.0, watch.wall_s() - watch.cpu_s() - before_s)
    process.kill_worker()
    # Output after the answer must not count for the next case.
    process.channels.read_output()
    process.channels.take_output()
    report = report._replace(
        cpu_s=watch.cpu_s(),
        wall_s=watch.wall_s(),
        waited_s=report.waited_s + idle_s,
        peak_rss_b=process.peak_rss_b(),
    )
    process.forget_fork()
    if report.cpu_s > watch.time_s:
        return report._replace(ending="time", answer=b"", detail=watch.time_is_up().detail)
    return report


def _from_box(process: Process, watch: Watch, due: int) -> bytes:
    kind, body = next_message(process, watch, process.channels.from_box)
    if kind != due:
        raise _noise()
    return body


def next_message(process: Process, watch: Watch, due: FrameBuffer) -> tuple[int, bytes]:
    """Return the next message on the channel that must speak now.

    Raises `Ended`: at a limit, when the process at work has died, or when the other channel sends anything.
    """

    def wait(nap_s: float) -> None:
        # A runtime that asks and still computes gives no sign when it has done so.
        asks = process.native_input is not None and process.native_input.is_asked_for
        process.wait(min(nap_s, _SETTLES_S) if asks else nap_s)

    return wait_until(lambda: _message(process, watch, due), watch, wait)


def _message(process: Process, watch: Watch, due: FrameBuffer) -> tuple[int, bytes] | None:
    channels = process.channels
    other = channels.from_case if due is channels.from_box else channels.from_box
    message = due.take()
    # No hostile code runs before READY; a later message may already lie in the other channel.
    if len(other) and (message is None or message[0] != frames.READY):
        raise _noise()
    if message is not None:
        return message
    if process.death() is not None:
        # The last messages may still lie in the channels, more of them than one read brings.
        if not channels.drain():
            raise Ended(DEAD)
        return _message(process, watch, due)
    _check_output(process, watch)
    if process.native_input is not None:
        if process.native_input.failure:
            raise HostFailed(process.native_input.failure)
        if process.native_input.is_asked_for and not process.computes_on():
            return _ASKED, b""
    if len(channels.refused()) > _REFUSALS:
        raise Ended("forbidden", channels.refused()[0])
    return None


def _check_output(process: Process, watch: Watch) -> None:
    if process.channels.output_size_b() > watch.output_b:
        raise Ended("output")


def _noise() -> Ended:
    return Ended("protocol", "wrote to the answer channel")


def _report(
    process: Process, watch: Watch, ending: str, *, cpu_s: float, answer: bytes = b"", detail: str = ""
) -> Report:
    stdout, stderr = process.channels.take_output()
    refused = tuple(dict.fromkeys(process.channels.refused()))
    process.channels.refused().clear()
    return Report(
        ending,
        cpu_s,
        watch.wall_s(),
        0,
        "",
        answer,
        stdout,
        stderr,
        detail,
        refused,
        waited_s=watch.waited_s(has_run=ending in ("answered", "missing")),
    )


def _failed(process: Process, watch: Watch, end: Ended) -> Report:
    """Kill the process at work and report why its case is over."""
    ending, detail = end.ending, end.detail
    waited_s = watch.waited_s()
    place = process.place() if ending in ("time", "wall") else None
    process.kill_worker()
    process.channels.read_output()
    if ending == DEAD:
        ending, detail = _how_it_died(process, watch)
        place = process.place_of_crash() if detail in _CRASHES else None
    report = _report(process, watch, ending, cpu_s=watch.cpu_s(), detail=detail)
    report = report._replace(
        peak_rss_b=process.peak_rss_b(),
        waited_s=waited_s,
        place=place,
        stdout=report.stdout[: watch.output_b],
        stderr=report.stderr[: watch.output_b],
    )
    process.forget_fork()
    return report


def _how_it_died(process: Process, watch: Watch) -> tuple[str, str]:
    """Return ending and detail by the wait status alone."""
    death = process.death()
    if death is None:
        return "exited", "the process that was to run the case never came to be"
    code = death.exit_code
    if code == EXIT_MEMORY and process.native_input is None:
        return "memory", ""
    if code == EXIT_NO_FORK and process.awaits_fork():
        # A student's own box can claim the same; then a person looks at the mark.
        raise HostFailed("the host denied a process for a case")
    if code >= 0:
        return "exited", f"exit status {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    if name == "SIGSYS":
        return "forbidden", "make a system call that the sandbox forbids"
    # Threads of a box can compute a little in each case, until its limit of the kernel ends it.
    has_computed = watch.cpu_s() >= watch.time_s or process.met_cpu_backstop()
    if name in ("SIGXCPU", "SIGKILL") and has_computed:
        return "time", ""
    return "killed", name
