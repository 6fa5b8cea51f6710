"""The keeper's one way to wait, driven through every state with real processes and real channels.

Each wait is to end by itself; were one not to, the suite's own time limit would tell.
"""

import os
import select
import socket
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple, cast

import pytest

from grader.wire import frames
from grader.wire.messages import Report
from grader.worker.box import main as box
from grader.worker.keeper import cases
from grader.worker.keeper.box_process import BoxProcess, wake_up_on_child
from grader.worker.keeper.channels import HungUpError
from grader.worker.keeper.watch import DEAD, Ended, Watch
from grader.worker.settings import Settings
from grader.worker.waiting import Deadline, TimeIsUpError, came_true, wait_until
from grader.worker.walls import kernel
from grader.worker.walls.prepared import Walls

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="boxes are forked by a bare clone")

EMPTY = frames.frame(frames.ANSWER, b"")
WHOLE = frames.frame(frames.ANSWER, b"12345678")
HALF = WHOLE[:7]


class Limits(NamedTuple):
    time_s: float = 5.0
    wall_s: float = 20.0
    output_b: int = 1000


SHORT = Limits(wall_s=0.2)


class Ends(NamedTuple):
    """What a box has: its ends of commands, answers, stdout, stderr."""

    commands: int
    answers: int
    stdout: int
    stderr: int


Play = Callable[[Ends], object]
Follow = Callable[[BoxProcess, socket.socket], str]
LIMITS = Limits()
BARE = Settings(
    namespaces=False, landlock=False, seccomp=False, listen=False, readable=(), hidden=(), shown=(),
    path=(), modules=(), preload=(), uid=-1, scratch_b=0, scratch_files=0,
)  # fmt: skip


def kept(play: Play, follow: Follow) -> str:
    """Fork a keeper with a box, and return what `follow` says of that; the box ends after it.

    play: what the box does, in the place of all that boxes do.
    follow: gets the box's process and the grader's end of the keeper's socket.
    """
    reader, writer = os.pipe()
    keeper = os.fork()
    if keeper == 0:
        said = "raised"
        try:
            os.close(reader)
            said = _keep(play, follow)
        except BaseException as error:
            said = f"{type(error).__name__}: {error}"
        finally:
            os.write(writer, said.encode())
            os._exit(0)
    os.close(writer)
    with open(reader, encoding="utf-8") as said_by_keeper:
        found = said_by_keeper.read()
    os.waitpid(keeper, 0)
    return found


def _keep(play: Play, follow: Follow) -> str:
    ours, theirs = socket.socketpair()

    def main(*args: object, **_: object) -> None:
        commands, answers, stdout, stderr, _trace = cast("tuple[int, ...]", args[3])
        try:
            theirs.close()
            play(Ends(commands, answers, stdout, stderr))
        finally:
            os._exit(0)

    box.main = main  # type: ignore[assignment]
    process = BoxProcess(
        BARE, Walls(None, -1, (b"", b"")), {}, wake_up=wake_up_on_child(), control=ours.fileno(),
        single=True, listen=False,
    )  # fmt: skip
    process.channels.expect_answer(1000)
    said = follow(process, theirs)
    process.close()
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
        said += ", and something was left"
    return said


def watch(process: BoxProcess, limits: Limits = LIMITS) -> Watch:
    return Watch(limits, process.cpu_s, cpu_before_s=0.0)


def asleep(_: object = None) -> None:
    while True:
        time.sleep(100)


def nothing() -> None:
    pass


def how(wait: Callable[[], object]) -> str:
    """How a wait ends: by what it finds, or by its exception."""
    try:
        return f"found {wait()}"
    except Ended as end:
        return end.ending
    except (frames.BadFrame, HungUpError) as error:
        return type(error).__name__


def answer(process: BoxProcess, limits: Limits = LIMITS) -> str:
    """How the wait for an answer ends."""
    return how(lambda: cases.next_message(process, watch(process, limits), process.channels.from_case)[0])


def for_an_answer(limits: Limits = LIMITS) -> Follow:
    return lambda process, _: answer(process, limits)


def for_an_import(process: BoxProcess, _: socket.socket) -> str:
    return how(lambda: cases._from_box(process, watch(process), frames.IMPORTED))


def writing(channel: str, data: bytes, after: Callable[[], None] = asleep) -> Play:
    def play(ends: Ends) -> None:
        left = data
        while left:
            left = left[os.write(getattr(ends, channel), left) :]
        after()

    return play


FOUND = f"found {frames.ANSWER}"


def test_a_message() -> None:
    assert kept(writing("answers", WHOLE), for_an_answer()) == FOUND


def test_messages_and_then_a_death() -> None:
    """All that was written before it is taken, and then the death is."""

    def follow(process: BoxProcess, _: socket.socket) -> str:
        came_true(process.box_is_gone, Deadline(30, longest_nap_s=0.01), time.sleep)
        return " ".join(answer(process) for _ in range(4))

    assert kept(writing("answers", WHOLE * 3, nothing), follow) == f"{FOUND} {FOUND} {FOUND} dead"


@pytest.mark.parametrize(
    ("written", "ending"),
    [
        (b"", DEAD),
        (HALF, DEAD),
        (b"\x08\0", DEAD),
        ((5000).to_bytes(4, "little") + b"\x18", "BadFrame"),
    ],
    ids=["nothing", "half a frame", "half a header", "too large a frame"],
)
def test_what_is_no_message_and_then_a_death(written: bytes, ending: str) -> None:
    assert kept(writing("answers", written, nothing), for_an_answer()) == ending


@pytest.mark.parametrize("written", [EMPTY, WHOLE, HALF, b"\0"], ids=["empty", "whole", "half", "a byte"])
@pytest.mark.parametrize("after", [nothing, asleep], ids=["then a death", "and goes on"])
def test_anything_on_the_other_channel_is_noise(written: bytes, after: Callable[[], None]) -> None:
    assert kept(writing("commands", written, after), for_an_answer()) == "protocol"
    assert kept(writing("answers", written, after), for_an_import) == "protocol"


@pytest.mark.parametrize("after", [nothing, asleep], ids=["then a death", "and goes on"])
def test_an_empty_frame_is_a_frame(after: Callable[[], None]) -> None:
    assert kept(writing("answers", EMPTY, after), for_an_answer()) == FOUND
    assert kept(writing("commands", EMPTY, after), for_an_import) == "protocol"


@pytest.mark.parametrize("wait", [answer, lambda process: how(lambda: cases._finished(*answered(process)))])
def test_the_grader_hangs_up(wait: Callable[[BoxProcess], str]) -> None:
    def follow(process: BoxProcess, grader: socket.socket) -> str:
        grader.close()
        return wait(process)

    assert kept(asleep, follow) == "HungUpError"


def answered(process: BoxProcess) -> tuple[BoxProcess, Watch, Report]:
    around = watch(process)
    return process, around, cases._report(process, around, "answered", cpu_s=0.0)


def test_the_end_after_an_answer_is_not_waited_for_long() -> None:
    def follow(process: BoxProcess, _: socket.socket) -> str:
        report = cases._finished(*answered(process))
        return f"{report.ending} {report.wall_s >= cases._AFTER_ANSWER_S} {process.box_is_gone()}"

    assert kept(asleep, follow) == "answered True True"


def test_silence_until_the_wall_limit() -> None:
    assert kept(asleep, for_an_answer(SHORT)) == "wall"


def test_a_loop_until_the_cpu_limit() -> None:
    def spin(_: Ends) -> None:
        while True:
            pass

    assert kept(spin, for_an_answer(Limits(time_s=0.05))) == "time"


@pytest.mark.parametrize(("channel", "ending"), [("stdout", "output"), ("answers", "BadFrame")])
def test_a_flood(channel: str, ending: str) -> None:
    def flood(ends: Ends) -> None:
        while True:
            os.write(getattr(ends, channel), b"\xff" * 5000)

    assert kept(flood, for_an_answer()) == ending


def test_closed_channels_and_silence() -> None:
    assert kept(lambda _: (os.closerange(0, 1024), asleep()), for_an_answer(SHORT)) == "wall"  # type: ignore[func-returns-value]


def test_a_fork_that_never_comes() -> None:
    def follow(process: BoxProcess, _: socket.socket) -> str:
        process.order_fork()
        ending = answer(process, SHORT)
        process.kill_worker()
        return f"{ending} {process.box_is_gone()}"

    assert kept(asleep, follow) == "wall True"
    assert kept(lambda _: None, follow) == "dead True"


def test_a_fork_that_dies_while_its_box_goes_on_writing() -> None:
    """What is left in the channel is taken once, however much more comes."""

    def play(ends: Ends) -> None:
        if kernel.fork_for_parent():
            while True:
                os.write(ends.answers, b"\xff\xff\xff\x3f\x18")

    def follow(process: BoxProcess, _: socket.socket) -> str:
        process.order_fork()
        process.channels.expect_answer(1 << 30)
        return answer(process)

    assert kept(play, follow) == "dead"


def test_a_deadline_ends_a_wait() -> None:
    with pytest.raises(TimeIsUpError):
        wait_until(lambda: None, Deadline(0.02), time.sleep)
    assert not came_true(lambda: False, Deadline(0.02), time.sleep)
    assert came_true(lambda: True, Deadline(0), time.sleep)


def test_a_wait_sleeps_between_looks() -> None:
    """Nothing happens, so nothing is looked at more often than the patience says."""
    looks = 0

    def look() -> None:
        nonlocal looks
        looks += 1

    reader, writer = os.pipe()
    with pytest.raises(TimeIsUpError):
        wait_until(look, Deadline(0.05), lambda nap_s: select.select([reader], [], [], nap_s))
    os.close(reader)
    os.close(writer)
    assert looks <= 4


def test_work_between_the_import_and_the_case_is_the_cases() -> None:
    def compute(_: Ends) -> None:
        while True:
            pass

    def follow(process: BoxProcess, _: socket.socket) -> str:
        process.bill_box()
        at_import_s = process.cpu_s()
        while process.cpu_s() < at_import_s + 0.1:
            time.sleep(0.01)
        own_s = process.cpu_s() - process.cpu_before_s(shared=False)
        return f"{own_s >= 0.1} {process.cpu_s() - process.cpu_before_s(shared=True) < 0.1}"

    assert kept(compute, follow) == "True True"
