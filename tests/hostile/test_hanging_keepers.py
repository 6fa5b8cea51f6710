"""A keeper or a zygote that hangs: the grader notices, says so, and goes on; each of its waits has an end."""

import os
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest
from support.processes import Process, alive, comes_true, descendants
from support.sieges import LIMITS, MEMORY_B, Arena, job, value

from grader.sandbox import waiting
from grader.sandbox.box import Box, Program
from grader.sandbox.budget import UNBILLED
from grader.sandbox.driver import LADDER
from grader.sandbox.interpreter import find_interpreter
from grader.sandbox.zygote import SandboxFailure, Zygote
from grader.wire.frames import FrameBuffer

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc")
PROGRAM = Program("m", {"m": "def attack(x):\n    return x\n"})


@pytest.fixture(params=LADDER)
def zygote(request: pytest.FixtureRequest) -> Iterator[Zygote]:
    with Zygote(request.param, find_interpreter("")) as started:
        yield started


@pytest.fixture(autouse=True)
def little_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.sandbox.box._patience_s", lambda *_: 0.3)
    monkeypatch.setattr("grader.sandbox.box._SEND_S", 0.3)
    monkeypatch.setattr("grader.sandbox.box._END_S", 0.3)


@contextmanager
def stopped(name: str, before: set[Process]) -> Iterator[None]:
    """Stop the processes of that name that were started since, and kill them in the end."""
    found = set()
    for one in alive(descendants(os.getpid()) - before):
        with suppress(OSError), open(f"/proc/{one[0]}/comm", encoding="ascii") as file:
            found |= {one} if file.read().strip() == name else set()
    assert found
    for pid, _ in found:
        os.kill(pid, signal.SIGSTOP)
    yield
    for pid, _ in found:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    assert comes_true(lambda: not alive(found))


def opened(zygote: Zygote) -> Box:
    return Box(zygote, PROGRAM, MEMORY_B, LIMITS, 1.0, purse=UNBILLED)


def test_a_keeper_that_hangs_is_given_up(zygote: Zygote, monkeypatch: pytest.MonkeyPatch) -> None:
    before = descendants(os.getpid())
    with monkeypatch.context() as patient:
        patient.setattr("grader.sandbox.box._patience_s", lambda *_: 60.0)
        box = opened(zygote)
        box.load()
    with stopped("grader-keeper", before):
        with pytest.raises(SandboxFailure, match="timed out"):
            box.run([job("attack", 1)])
        with pytest.raises(SandboxFailure, match="timed out"):
            # More than a socket takes in that nobody reads.
            box.run([job("attack", "x" * 4_000_000)])
        with pytest.raises(SandboxFailure, match="a box did not end"):
            box.close()
    with monkeypatch.context() as patient:
        patient.setattr("grader.sandbox.box._patience_s", lambda *_: 60.0)
        assert value(Arena(zygote.driver, "snapshot", zygote).besiege("", job("control", 1)).outcome)


def test_a_zygote_that_hangs_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.sandbox.zygote._STOP_S", 0.3)
    monkeypatch.setattr("grader.sandbox.zygote._START_S", 0.3)
    for driver in LADDER:
        before = descendants(os.getpid())
        with monkeypatch.context() as patient:
            patient.setattr("grader.sandbox.zygote._START_S", 60.0)
            zygote = Zygote(driver, find_interpreter(""))
        with stopped("grader-zygote", before):
            box = opened(zygote)
            with pytest.raises(SandboxFailure, match="timed out"):
                box.load()
            with pytest.raises(SandboxFailure, match="a box did not end"):
                box.close()
            zygote.close()


def test_each_wait_has_an_end() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        soon = waiting.Deadline(0.05)
        with pytest.raises(TimeoutError):
            waiting.receive_frame(ours, FrameBuffer(100), soon)
        with pytest.raises(TimeoutError):
            waiting.send(ours, bytes(1 << 24), waiting.Deadline(0.05))
        theirs.send(b"12")
        with pytest.raises(TimeoutError):
            waiting.receive_frame(ours, FrameBuffer(100), waiting.Deadline(0.05))
        assert not waiting.await_end(ours, 0.05)
        theirs.close()
        assert waiting.await_end(ours, 5)
        with pytest.raises(OSError, match="end of its messages"):
            waiting.receive_frame(ours, FrameBuffer(100), waiting.Deadline(5))
