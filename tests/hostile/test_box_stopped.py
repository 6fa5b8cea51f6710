"""How a case is stopped: the line that it was in, what is waiting, and what the grader hears of that."""

import pytest
from support.rows import first_of
from support.sieges import CONTROL, LIMITS, MEMORY_B, SPINS, WAITS, Arena, Zygotes, job, value

from grader.model.limits import Limits
from grader.model.outcome import Ending, Outcome
from grader.sandbox.box import Box, Job, Program
from grader.sandbox.budget import UNBILLED
from grader.sandbox.driver import LADDER, Driver
from grader.worker.keeper.watch import WAITS_AFTER_S

SOURCE = """
import os, re, signal, threading, time

def loop():
    while True:
        pass

def nap():
    time.sleep(100)

def match(depth=5):
    return match(depth - 1) if depth else re.match('(a|a)+$', 'a' * 60 + 'b')

def join():
    thread = threading.Thread(target=time.sleep, args=(100,))
    thread.start()
    thread.join()

def deaf():
    signal.pthread_sigmask(signal.SIG_BLOCK, set(signal.Signals))
    nap()

def liar(trace):
    signal.signal(signal.SIGXCPU, lambda *_: os.write(64, trace))
    while True:
        nap()

def flood():
    os.set_blocking(64, False)
    try:
        while True:
            os.write(64, b'  File "work.py", line 1 in nap\\n')
    except BlockingIOError:
        nap()

def closed():
    os.closerange(3, 1024)
    nap()

def ends():
    signal.signal(signal.SIGXCPU, lambda *_: os._exit(0))
    nap()
"""
LINES = {"loop": 5, "nap": 9, "match": 12, "join": 17}


def stopped(arena: Arena, *jobs: Job) -> list[Outcome]:
    return arena.besiege(SOURCE, *jobs).outcomes


def test_the_line_is_told(arena: Arena) -> None:
    endings = {"loop": Ending.TIME, "nap": Ending.WALL, "match": Ending.TIME, "join": Ending.WALL}
    jobs = [job(name, limits=SPINS if endings[name] is Ending.TIME else WAITS) for name in LINES]
    for name, outcome in zip(LINES, stopped(arena, *jobs), strict=True):
        assert outcome.ending is endings[name], name
        # A machine with much else to do may leave it no time to say so.
        if outcome.place is not None:
            file, line = outcome.place
            assert (file, line - LINES[name]) in (("work.py", 0), ("work.py", 1)), name


LIES = {
    "another file": b'  File "/etc/passwd", line 3 in f\n',
    "a tag": b'  File "<b>", line 3 in f\n',
    "no line": b'  File "attack.py", line x in f\n',
    "without end": b"x" * 60_000,
    "nothing": b"",
}


def test_a_lie_is_nothing_or_a_line_of_its_own(driver_arena: Arena) -> None:
    jobs = [job("liar", trace, limits=WAITS) for trace in LIES.values()]
    for way, outcome in zip(LIES, stopped(driver_arena, *jobs), strict=True):
        assert (outcome.ending, outcome.place) == (Ending.WALL, None), way


def test_who_says_nothing_is_stopped_all_the_same(driver_arena: Arena) -> None:
    jobs = [job(name, limits=WAITS) for name in ("deaf", "flood", "closed", "ends")]
    for outcome in stopped(driver_arena, *jobs):
        assert outcome.ending is Ending.WALL


@pytest.mark.parametrize("driver", LADDER)
def test_the_line_of_an_import_is_told(zygotes: Zygotes, driver: Driver) -> None:
    arena = zygotes.arena(driver, "snapshot")
    zygote, limits = arena.zygote, Limits(time_s=0.1, wall_s=20)
    with Box(
        zygote, Program("m", {"m": "x = 1\nwhile True:\n    x += 1\n"}), MEMORY_B, limits, 1.0, purse=UNBILLED
    ) as box:
        outcome, _ = box.load()
    assert outcome.ending is Ending.TIME
    assert outcome.place in (None, ("m.py", 2), ("m.py", 3))


NAP_S = WAITS_AFTER_S + 0.6
WAITING = "import time\n\ndef nap(seconds):\n    time.sleep(seconds)\n    return 1\n" + CONTROL


@pytest.mark.parametrize(
    "driver", first_of([Driver.NAMESPACES, Driver.POSIX, Driver.LANDLOCK, Driver.SECCOMP], 2)
)
def test_that_a_case_waits_is_told_once(zygotes: Zygotes, driver: Driver) -> None:
    told: list[int] = []
    zygote = zygotes.arena(driver, "snapshot").zygote
    program = Program("m", {"m": WAITING})
    with Box(zygote, program, MEMORY_B, LIMITS, 1.0, on_wait=lambda: told.append(1), purse=UNBILLED) as box:
        box.load()
        (asleep,) = box.run([job("nap", NAP_S)])
        assert (value(asleep), len(told)) == (1, 1)
        assert 0 < asleep.waited_s < LIMITS.wall_s
        box.run([job("nap", NAP_S)])
        assert len(told) == 2
    # Who does not ask is not told, and nothing else changes.
    with Box(zygote, program, MEMORY_B, LIMITS, 1.0, purse=UNBILLED) as box:
        box.load()
        assert value(box.run([job("nap", NAP_S)])[0]) == 1


def test_threads_are_counted_from_outside(driver_arena: Arena) -> None:
    """A module that says of itself that it has none is found out, and imported anew for each case."""
    source = (
        "import sys, threading, time\n"
        "threading.Thread(target=time.sleep, args=(100,), daemon=True).start()\n"
        "sys._current_frames = lambda: {1: None}\n"
        "def attack():\n    return threading.active_count()\n"
    )
    siege = driver_arena.besiege(source, job("attack"))
    assert (siege.mode, value(siege.outcome)) == ("fresh", 2)
