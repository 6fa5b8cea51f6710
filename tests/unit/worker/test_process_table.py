"""What a keeper can see of its children: threads, and how long they stood in the run queue."""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from grader.worker.keeper import process_table
from grader.worker.keeper.process_table import RunQueue

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


@contextmanager
def child(do: Callable[[], object]) -> Iterator[int]:
    """A fork that does something, and is killed afterwards; it has begun when this is entered."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.write(writer, b"1")
            do()
        finally:
            os._exit(0)
    os.read(reader, 1)
    os.close(reader)
    os.close(writer)
    try:
        yield pid
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


def asleep() -> None:
    time.sleep(1000)


def busy() -> None:
    while True:
        pass


def with_threads() -> None:
    for _ in range(3):
        threading.Thread(target=asleep, daemon=True).start()
    asleep()


@pytest.fixture(params=["/proc", "a descriptor of it"])
def table(request: pytest.FixtureRequest) -> Iterator[int]:
    if request.param == "/proc":
        yield -1
        return
    descriptor = os.open("/proc", os.O_PATH)
    yield descriptor
    os.close(descriptor)


def comes(look: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + 30
    while not look() and time.monotonic() < deadline:
        time.sleep(0.01)
    return look()


def test_threads_are_counted(table: int) -> None:
    with child(asleep) as one, child(with_threads) as many:
        assert process_table.threads_of_child(one, table) == 1
        assert comes(lambda: process_table.threads_of_child(many, table) == 4)
        assert {one, many} <= set(process_table.children(table))
    assert process_table.threads_of_child(one, table) == 0
    assert process_table.threads_of_child(1, table) == 0


def test_who_sleeps_does_not_stand_in_the_queue(table: int) -> None:
    with child(asleep) as pid:
        queue = RunQueue(table)
        assert comes(lambda: (queue.look([pid]) or (0, True))[1] is False)
        assert queue.look([pid]) == (0.0, False)


def test_who_computes_can_run_and_stands_in_the_queue_beside_others(table: int) -> None:
    """Several on one core: the sum of what each of them stood in the queue grows."""
    core = {min(os.sched_getaffinity(0))}

    def busy_there() -> None:
        os.sched_setaffinity(0, core)
        busy()

    with child(busy_there) as pid, child(busy_there), child(busy_there):
        queue, queued_s = RunQueue(table), 0.0

        def look() -> bool:
            nonlocal queued_s
            told = queue.look([pid])
            assert told is not None
            queued_s += told[0]
            return told[1] and queued_s > 0.05

        assert comes(look)


def hand_over() -> None:
    """Two threads hand a byte to and fro: one of them can run at any time."""
    (there, to_there), (here, to_here) = os.pipe(), os.pipe()

    def pass_on(source: int, target: int) -> None:
        while os.read(source, 1):
            os.write(target, b"x")

    threading.Thread(target=pass_on, args=(there, to_here), daemon=True).start()
    os.write(to_there, b"x")
    pass_on(here, to_there)


def test_threads_that_wake_one_another_never_rest(table: int) -> None:
    with child(hand_over) as pid:
        queue = RunQueue(table)
        assert comes(lambda: process_table.threads_of_child(pid, table) == 2)
        looks = [queue.rests(pid) for _ in range(3000)]
    assert not any(looks)


def test_who_sleeps_rests_and_who_computes_does_not(table: int) -> None:
    with child(asleep) as one, child(busy) as other:
        queue = RunQueue(table)
        assert comes(lambda: queue.rests(one))
        assert not any(queue.rests(other) for _ in range(100))


def test_who_is_gone_or_no_child_cannot_be_told(table: int) -> None:
    with child(asleep) as pid:
        queue = RunQueue(table)
        assert queue.look([pid]) is not None
    assert queue.look([pid]) is None
    assert queue.look([1]) is None
    assert queue.look([]) is None


def test_a_table_that_cannot_be_read_tells_nothing() -> None:
    descriptor = os.open("/", os.O_PATH)
    with child(asleep) as pid:
        assert RunQueue(descriptor).look([pid]) is None
        assert process_table.threads_of_child(pid, descriptor) == 0
    os.close(descriptor)
