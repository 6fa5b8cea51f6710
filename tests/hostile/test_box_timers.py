"""Timers of a module's own, which go on ticking in its box between cases."""

import os

from support.sieges import Arena, job, value

TIMER = """
import signal

ticks = []
signal.signal(signal.SIGALRM, lambda *_: ticks.append(1))
signal.setitimer(signal.ITIMER_REAL, 0.0005, 0.0005)

def attack(x):
    return x
"""


def test_a_timer_does_not_keep_the_box_from_forking(driver_arena: Arena) -> None:
    siege = driver_arena.besiege(TIMER, *(job("attack", number) for number in range(60)))
    assert [value(outcome) for outcome in siege.outcomes] == list(range(60))


COUNTED = f"""
import time
{TIMER}
def count():
    time.sleep(0.01)
    return len(ticks)
"""


def test_a_timer_changes_nothing_between_cases(driver_arena: Arena) -> None:
    """The box runs no handler of the module's: each case finds what the import left."""
    siege = driver_arena.besiege(COUNTED, *[job("count")] * 10)
    assert len({value(outcome) for outcome in siege.outcomes}) == 1


SIGNALS = """
import signal

def attack():
    return sorted(signal.pthread_sigmask(signal.SIG_BLOCK, ()))
"""


def test_no_signal_is_blocked_in_a_case(arena: Arena) -> None:
    assert value(arena.besiege(SIGNALS, job("attack")).outcome) == []


LOCKS = """
import fcntl, os

kept = []

def attack(path, kind):
    kept.append(os.open(path, os.O_RDONLY))
    for how in (fcntl.LOCK_EX, fcntl.LOCK_SH):
        if kind == "flock":
            fcntl.flock(kept[-1], how | fcntl.LOCK_NB)
        elif how == fcntl.LOCK_SH:
            fcntl.lockf(kept[-1], how | fcntl.LOCK_NB)
        other = os.open(path, os.O_RDONLY)
        try:
            fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return "told"
    return "nothing"
"""


def test_a_lock_tells_nobody_anything(driver_arena: Arena) -> None:
    """Two boxes can read the same file of the interpreter's; a lock on it would be a bit between them."""
    jobs = [job("attack", os.__file__, kind) for kind in ("flock", "lockf")]
    assert [value(outcome) for outcome in driver_arena.besiege(LOCKS, *jobs).outcomes] == ["nothing"] * 2
