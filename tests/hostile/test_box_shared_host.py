"""What several boxes have in common where no namespace parts them: one user's limits, files, numbers.

None of it may be used up, locked or changed by one box to another's harm.
"""

import colorsys  # a file of the interpreter's own, which a box can read
import fcntl
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from support.sieges import READS, Arena, Zygotes, job, value

from grader.model.limits import MIB
from grader.model.outcome import Ending, Outcome, Returned
from grader.sandbox.driver import Driver
from grader.sandbox.zygote import SandboxFailure
from grader.wire import frames

HEAD = "import array, fcntl, os, socket, sys, threading, time\n"
THREADS_MAX = 2 * 64
"""Twice the limit: threads that ask at the same time are counted before any of them is made."""


@contextmanager
def at_work(arena: Arena, source: str, *args: object) -> Iterator[list[Outcome]]:
    """While a box runs `attack(*args)`, which says "ready" when its hands are on what it wants."""
    outcomes: list[Outcome] = []
    with arena.box(HEAD + source, 256 * MIB) as box:
        box.load()
        thread = threading.Thread(target=lambda: outcomes.extend(box.run([job("attack", *args)])))
        thread.start()
        time.sleep(0.3)
        yield outcomes
        thread.join()


def answers_another(arena: Arena) -> Outcome:
    """The outcome of an honest submission's case."""
    with arena.box("import threading\nT = threading.Thread(target=int)\nT.start()\nT.join()\n") as box:
        assert box.load()[0].ending is Ending.ANSWERED
        return box.run([job("control", 7)])[0]


IN_FLIGHT = """
def attack():
    one, other = socket.socketpair()
    sent = 0
    try:
        while True:
            rights = array.array("i", [one.fileno()] * 253)
            one.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])
            sent += 1
    except OSError:
        time.sleep(1)
    return sent
"""


def test_descriptors_on_their_way_to_nowhere_stop_no_other_box(driver_arena: Arena) -> None:
    """Their number is limited by user, and a box hands its keeper a descriptor before anything else."""
    for _ in range(10):
        with at_work(driver_arena, IN_FLIGHT) as outcomes:
            assert answers_another(driver_arena).answers == (Returned([7, (7, None)]),)
        if value(outcomes[0]) != 0:
            break  # Else another test of the suite is at it as well, and left no room.
    assert value(outcomes[0]) == 1


THREADS = """
def attack():
    threading.stack_size(32768)
    made = 0
    try:
        while made < 5000:
            threading.Thread(target=time.sleep, args=(1.2,), daemon=True).start()
            made += 1
    except RuntimeError:
        pass
    return made
"""


def test_threads_are_few(driver_arena: Arena) -> None:
    siege = driver_arena.besiege(HEAD + THREADS, job("attack"), memory_b=256 * MIB)
    made = value(siege.outcome)
    assert isinstance(made, int)
    assert 8 < made <= THREADS_MAX


AT_IMPORT = THREADS + "\nMADE = attack()\n\ndef made():\n    return MADE\n"


def test_threads_are_few_where_each_case_imports_anew(driver_arena: Arena) -> None:
    """An import that leaves threads running cannot be forked from, so that its cases take another way."""
    siege = driver_arena.besiege(HEAD + AT_IMPORT, job("made"), memory_b=256 * MIB)
    assert siege.mode == "fresh"
    made = value(siege.outcome)
    assert isinstance(made, int)
    assert 8 < made <= THREADS_MAX


FILES = """
def attack(path):
    descriptor = os.open(path, os.O_RDONLY)
    done = []
    for name, call in (
        ("times", lambda: os.utime(descriptor, (1, 1))),
        ("mode", lambda: os.fchmod(descriptor, 0)),
        ("owner", lambda: os.fchown(descriptor, 1, 1)),
        ("reading lease", lambda: fcntl.fcntl(descriptor, 1024, fcntl.F_RDLCK)),
        ("writing lease", lambda: fcntl.fcntl(descriptor, 1024, fcntl.F_WRLCK)),
        ("notice", lambda: fcntl.fcntl(os.open(os.path.dirname(path), 0), 1026, 1)),
        ("large pipe", lambda: fcntl.fcntl(os.pipe()[0], 1031, 1 << 20)),
    ):
        try:
            call()
            done.append(name)
        except OSError:
            pass
    return done
"""


def test_what_can_only_be_read_is_not_touched_in_other_ways(driver_arena: Arena) -> None:
    """Where a box runs as the user who owns the interpreter, neither a lease nor a new date is possible."""
    path = colorsys.__file__
    before = os.stat(path)
    done = value(driver_arena.besiege(HEAD + FILES, job("attack", path)).outcome)
    after = os.stat(path)
    assert (before.st_mtime_ns, before.st_mode, before.st_uid) == (
        after.st_mtime_ns,
        after.st_mode,
        after.st_uid,
    )
    # Those that are told "done" and nothing happens.
    assert isinstance(done, list)
    assert set(done) <= {"times", "mode", "owner"}


DEVICE = """
def attack(path):
    descriptor = os.open(path, os.O_RDWR)
    os.write(descriptor, b"x")
    try:
        os.utime(descriptor)
    except OSError:
        pass
"""


@pytest.mark.parametrize("path", ["/dev/null", "/dev/zero"])
def test_a_device_that_is_written_to_keeps_its_date(driver_arena: Arena, path: str) -> None:
    """Every later case, and every other submission on the host, could read it."""
    before = os.stat(path).st_mtime_ns
    assert value(driver_arena.besiege(HEAD + DEVICE, job("attack", path)).outcome) is None
    assert os.stat(path).st_mtime_ns == before


def test_no_lease_holds_up_who_opens_a_file(driver_arena: Arena) -> None:
    source = FILES.replace("return done", "time.sleep(1)\n    return done")
    with at_work(driver_arena, source, colorsys.__file__):
        # Where there is a lease, this raises an error instead of waiting.
        file = os.open(colorsys.__file__, os.O_RDONLY | os.O_NONBLOCK)
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        os.close(file)


ORPHAN = """
BOX = os.getpid()

def attack():
    try:
        os.kill(BOX, 9)
    except OSError as error:
        return type(error).__name__
"""


TINY_STEPS = """
def attack():
    frame = sys._getframe()
    while not hasattr(frame.f_locals.get("channel"), "_nonce"):
        frame = frame.f_back
    body = frame.f_locals["channel"]._nonce + b"N"
    flood = (len(body).to_bytes(4, "little") + bytes([STEP]) + body) * 5000
    while True:
        os.write(4, flood)
""".replace("STEP", str(frames.STEP))


def test_answers_to_steps_do_not_pile_up_with_the_keeper(driver_arena: Arena) -> None:
    """Each takes many times its own size in the keeper's memory, which no limit of the box's counts."""
    outcome = driver_arena.besiege(HEAD + TINY_STEPS, job("attack")).outcome
    assert (outcome.ending, outcome.detail) == (Ending.ANSWER_SIZE, "more than 10000 steps")


@pytest.mark.parametrize("driver", [Driver.LANDLOCK, Driver.SECCOMP])
def test_a_case_cannot_end_its_box(zygotes: Zygotes, driver: Driver) -> None:
    """The filter lets the case signal the number of its box, which another process could get after it."""
    outcome = zygotes.arena(driver, "snapshot").besiege(HEAD + ORPHAN, job("attack")).outcome
    assert value(outcome) == "PermissionError"


def test_a_box_that_never_stood_is_our_own_fault(arena: Arena) -> None:
    """Here its order is nonsense; a host that is short of anything has the same effect."""
    nonsense: Any = 0.5
    with arena.box("", memory_b=nonsense) as box, pytest.raises(SandboxFailure, match="could not be set up"):
        box.load()


CROWDED = """
import select

def read(descriptor, length):
    # The keeper has counted our threads and gives its next order: there is no room for a fork any more.
    read_by(real)
    select.select([descriptor], [], [])
    threading.stack_size(32768)
    try:
        while True:
            threading.Thread(target=time.sleep, args=(1,), daemon=True).start()
    except RuntimeError:
        pass
    return real(descriptor, length)

read_by(read)

def attack():
    return 1
"""


def test_a_fork_that_the_host_denies_is_our_own_fault(zygotes: Zygotes) -> None:
    arena = zygotes.arena(Driver.NAMESPACES, "snapshot")
    with arena.box(HEAD + READS + CROWDED, 256 * MIB) as box:
        assert box.load()[0].ending is Ending.ANSWERED
        with pytest.raises(SandboxFailure, match="the host denied a process"):
            box.run([job("attack")])
    assert answers_another(arena).answers == (Returned([7, (7, None)]),)


def test_the_time_that_others_use_cannot_be_read(driver_arena: Arena) -> None:
    """The kernel tells the CPU time of any process by its number, to anybody; or ends one's sleep by it."""
    source = """
import ctypes, os, time

def clocks(pid):
    found = []
    for one in (pid, os.getppid(), 1, 2):
        try:
            found.append(time.clock_gettime(~one << 3 | 2))
        except OSError as error:
            found.append(error.errno)
    timer = ctypes.c_void_p()
    found.append(ctypes.CDLL(None).timer_create(~pid << 3 | 2, None, ctypes.byref(timer)))
    return found

def own():
    return [time.clock_gettime(which) >= 0 for which in (0, 1, 2, 3)] + [time.process_time() > 0]
"""
    siege = driver_arena.besiege(source, job("clocks", os.getpid()), job("own"))
    assert value(siege.outcomes[0]) == [22, 22, 22, 22, -1]
    assert value(siege.outcomes[1]) == [True] * 5
