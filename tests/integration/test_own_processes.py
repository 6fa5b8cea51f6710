"""A pool of our own processes: nothing of what one of them does or suffers is waited for in vain."""

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, as_completed, wait
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from pickle import PicklingError
from typing import Any

import pytest
from support.processes import comes_true

from grader.runtime import start as own_processes
from grader.runtime.pool import Helper, ProcessPool
from grader.runtime.start import pool

LONG_S = 600
"""More than any of this takes; who waits so long waits in vain."""

LARGE_B = 1 << 24
"""More than a channel holds, so that its sender waits for a process that does not read."""

_prepared = 0


def _prepare(number: int) -> None:
    global _prepared
    _prepared = number


def _number() -> int:
    return _prepared


@pytest.fixture(params=["forked", "fresh"])
def make_pool(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[int], Executor]]:
    """Makes a pool; which it is depends elsewhere on how many threads there are."""
    monkeypatch.setattr(own_processes, "_may_fork", lambda: request.param == "forked")
    made: list[Executor] = []

    def make(processes: int) -> Executor:
        made.append(pool(processes, _prepare, 7))
        return made[-1]

    yield make
    for each in made:
        each.shutdown(cancel_futures=True)


MakePool = Callable[[int], Executor]


class _KillsWhoSends:
    """Large; the process that sends it is killed when the half of it is sent."""

    def __reduce__(self) -> tuple[type[bytes], tuple[bytes]]:
        Connection._send = _send_half  # type: ignore[attr-defined]
        return bytes, (bytes(LARGE_B),)


def _send_half(self: Connection, part: bytes) -> None:
    """Send what tells the size as it is, and half of what follows."""
    sent, most = 0, len(part) if len(part) < LARGE_B else len(part) // 2
    while sent < most:
        sent += os.write(self.fileno(), part[sent:most])
    if most < len(part):
        os.kill(os.getpid(), signal.SIGKILL)


def _wait_for(gate: Path) -> int:
    while not gate.exists():
        time.sleep(0.01)
    return os.getpid()


def _touch(path: Path) -> None:
    path.touch()


class _CannotBeSent(Exception):
    def __reduce__(self) -> str:
        raise TypeError("it cannot")


class _CannotBeReceived(Exception):
    def __init__(self, one: int, two: int) -> None:
        super().__init__(f"{one} and {two}")


def _raise(error: type[Exception], *arguments: object) -> None:
    raise error(*arguments)


def test_each_was_prepared_and_all_work_at_the_same_time(make_pool: MakePool, tmp_path: Path) -> None:
    some = make_pool(3)
    held = [some.submit(_wait_for, tmp_path / "gate") for _ in range(2)]
    assert some.submit(_number).result(LONG_S) == 7
    (tmp_path / "gate").touch()
    assert len({each.result(LONG_S) for each in held}) == 2
    assert [each.result(LONG_S) for each in [some.submit(abs, -number) for number in range(50)]] == [
        *range(50)
    ]


def test_who_is_killed_while_it_answers_leaves_nobody_waiting(make_pool: MakePool) -> None:
    some = make_pool(2)
    lost = some.submit(_KillsWhoSends)
    with pytest.raises(BrokenExecutor):
        lost.result(LONG_S)


def test_who_is_killed_while_it_is_asked_leaves_nobody_waiting(make_pool: MakePool) -> None:
    some = make_pool(1)
    pid = some.submit(os.getpid).result(LONG_S)
    os.kill(pid, signal.SIGSTOP)
    lost = some.submit(len, bytes(LARGE_B))
    os.kill(pid, signal.SIGKILL)
    with pytest.raises(BrokenExecutor):
        lost.result(LONG_S)


def test_only_what_the_killed_one_was_at_fails(make_pool: MakePool, tmp_path: Path) -> None:
    some = make_pool(2)
    lasting = some.submit(_wait_for, tmp_path / "gate")
    lost = some.submit(_wait_until_killed, tmp_path / "ready")
    later = [some.submit(_touch, tmp_path / f"later-{number}") for number in range(3)]
    assert comes_true((tmp_path / "ready").exists, within_s=LONG_S)
    os.kill(int((tmp_path / "ready").read_text()), signal.SIGKILL)
    with pytest.raises(BrokenExecutor):
        lost.result(LONG_S)
    for each in later:
        with pytest.raises(CancelledError):
            each.result(LONG_S)
    with pytest.raises(BrokenExecutor):
        some.submit(_number)
    (tmp_path / "gate").touch()
    assert lasting.result(LONG_S) > 0
    assert not list(tmp_path.glob("later-*"))


def _wait_until_killed(ready: Path) -> None:
    part = ready.with_name("part")
    part.write_text(str(os.getpid()))
    part.rename(ready)
    time.sleep(2 * LONG_S)


def test_an_error_is_an_answer(make_pool: MakePool) -> None:
    some = make_pool(1)
    with pytest.raises(ValueError, match="seven"):
        some.submit(_raise, ValueError, "seven").result(LONG_S)
    with pytest.raises(RuntimeError, match="_CannotBeSent: here"):
        some.submit(_raise, _CannotBeSent, "here").result(LONG_S)
    with pytest.raises(TypeError, match="missing 1 required"):
        some.submit(_raise, _CannotBeReceived, 1, 2).result(LONG_S)
    with pytest.raises(PicklingError):
        some.submit(eval, "lambda: 0").result(LONG_S)
    assert some.submit(_number).result(LONG_S) == 7


def test_at_its_end_it_waits_for_answers_or_for_none(make_pool: MakePool, tmp_path: Path) -> None:
    with make_pool(2) as some:
        answers = [some.submit(abs, -number) for number in range(20)]
    assert [each.result(0) for each in answers] == [*range(20)]
    other = make_pool(1)
    started = other.submit(_wait_until_killed, tmp_path / "ready")
    waiting = other.submit(_number)
    assert comes_true((tmp_path / "ready").exists, within_s=LONG_S)
    other.shutdown(cancel_futures=True)
    with pytest.raises(BrokenExecutor):
        started.result(0)
    assert waiting.cancelled()


def _hang_up(_: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.parametrize("how", ["shutdown", "wait", "as_completed"])
def test_who_waits_hears_of_what_was_never_begun(make_pool: MakePool, how: str) -> None:
    some = make_pool(1)
    futures: list[Future[Any]] = [some.submit(_hang_up, None), *(some.submit(_number) for _ in range(3))]
    ways: dict[str, Callable[[], object]] = {
        "shutdown": some.shutdown,
        "wait": lambda: wait(futures),
        "as_completed": lambda: [*as_completed(futures)],
    }
    waiting = threading.Thread(target=ways[how], daemon=True)
    waiting.start()
    waiting.join(LONG_S)
    assert not waiting.is_alive()
    assert [each.cancelled() for each in futures] == [False, True, True, True]


class _TooLarge:
    """A channel whose other end sends more than there is memory for."""

    def send_bytes(self, _: bytes) -> None:
        pass

    def recv_bytes(self) -> bytes:
        raise MemoryError

    def close(self) -> None:
        pass


def test_an_answer_that_does_not_fit_in_memory_is_an_error() -> None:
    some = ProcessPool([Helper(multiprocessing.Process(), _TooLarge())])  # type: ignore[arg-type]
    future = some.submit(_number)
    with pytest.raises(BrokenExecutor, match="MemoryError"):
        future.result(LONG_S)
    some.shutdown(cancel_futures=True)


def test_where_no_thread_can_be_started_no_process_is_left(
    make_pool: MakePool, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[BaseProcess] = []
    start = BaseProcess.start

    def start_and_tell(self: BaseProcess) -> None:
        start(self)
        started.append(self)

    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(BaseProcess, "start", start_and_tell)
    monkeypatch.setattr(threading.Thread, "start", refuse)
    with pytest.raises(OSError, match="can't start new thread"):
        make_pool(2)
    assert [each.exitcode for each in started] == [-signal.SIGKILL] * 2


def test_interrupts_are_held_back_from_each_that_is_started(
    make_pool: MakePool, monkeypatch: pytest.MonkeyPatch
) -> None:
    held: list[set[int]] = []
    start = BaseProcess.start

    def start_and_tell(self: BaseProcess) -> None:
        held.append({*map(int, signal.pthread_sigmask(signal.SIG_BLOCK, ()))})
        start(self)

    monkeypatch.setattr(BaseProcess, "start", start_and_tell)
    make_pool(3)
    assert len(held) == 3
    assert all({signal.SIGINT, signal.SIGTERM, signal.SIGHUP} <= each for each in held)


def test_where_a_process_cannot_be_started_none_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    start = BaseProcess.start
    started: list[BaseProcess] = []

    def start_one(self: BaseProcess) -> None:
        if started:
            raise OSError("no process more")
        start(self)
        started.append(self)

    monkeypatch.setattr(BaseProcess, "start", start_one)
    with pytest.raises(OSError, match="no process more"):
        pool(2, _prepare, 7)
    assert [each.exitcode for each in started] == [-signal.SIGKILL]
