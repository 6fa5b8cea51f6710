"""Ways to end, stop or lock up a process: each costs its own case, and says so."""

import pytest
from support.sieges import LIMITS, SPINS, WAITS, Arena, indented, job, value

from grader.model.limits import Limits
from grader.model.outcome import Ending
from grader.worker.keeper.cases import _AFTER_ANSWER_S

HEAD = """
import atexit, ctypes, os, re, signal, sys, threading, time

BOX = os.getpid()

def spin():
    while True:
        pass

"""


def attack(body: str) -> str:
    return f"{HEAD}\ndef attack():\n{indented(body)}"


EXITS = {
    "at once": "os._exit(0)",
    "with another status": "os._exit(77)",
    "in a thread": "threading.Thread(target=os._exit, args=(0,)).start()\ntime.sleep(5)",
    "by a destructor": "class C:\n    def __del__(self): os._exit(0)\nC()",
    "by a destructor of the answer": "class C(list):\n    def __del__(self): os._exit(0)\nreturn [C()][0:0]",
    "by libc": "ctypes.CDLL(None)._exit(0)",
    "by libc's exit": "ctypes.CDLL(None).exit(0)",
    "by a handler": "signal.signal(14, lambda *_: os._exit(0))\nsignal.setitimer(0, .01, .01)\ntime.sleep(5)",
    "without channels": "os.closerange(0, 1024)",
    "by a broken channel": "os.dup2(os.open('/dev/null', 0), 4)\nreturn 1",
    "by a crossed channel": "os.dup2(1, 4)\nreturn 1",
}


def test_an_exit_is_no_answer(arena: Arena) -> None:
    for way, outcome in arena.besiege_with_each(HEAD, EXITS).items():
        assert outcome.ending in (Ending.EXITED, Ending.KILLED), way
        assert outcome.answers == (), way
        if "exit" in EXITS[way]:
            assert outcome.detail.startswith("exit status "), way


def test_what_is_registered_for_the_exit_never_runs(driver_arena: Arena) -> None:
    body = "atexit.register(print, 'late')\nos.register_at_fork(before=spin)\nreturn 1"
    siege = driver_arena.besiege(attack(body), job("attack"))
    assert value(siege.outcome) == 1
    assert siege.outcome.stdout == ""


def test_memory_is_what_the_worker_itself_says(driver_arena: Arena) -> None:
    """A student can have "out of memory" on the report for "exited"; both are worth nothing."""
    assert driver_arena.besiege(attack("os._exit(86)"), job("attack")).outcome.ending is Ending.MEMORY


CRASHES = {
    "a null pointer": "ctypes.string_at(0)",
    "a full C stack": "x = []\nfor _ in range(100_000): x = map(str, x)\nlist(x)",
    "a bad opcode": "code = attack.__code__.replace(co_code=b'\\xff' * 20)\nexec(code)",
    "an illegal instruction": "ctypes.memset(id(attack) + 8, 0xff, 64)\nattack()",
}


def test_a_crash_is_no_answer(driver_arena: Arena) -> None:
    for way, outcome in driver_arena.besiege_with_each(HEAD, CRASHES).items():
        assert outcome.ending in (Ending.KILLED, Ending.ANSWERED, Ending.EXITED), way
        assert "Returned" not in repr(outcome.answers), way


SIGNALS = {
    "itself, past handling": "os.kill(os.getpid(), 9)",
    "itself, politely": "os.kill(os.getpid(), 15)",
    "itself, by the thread": "signal.pthread_kill(threading.get_ident(), 9)",
    "the box": "os.kill(BOX, 9)\ntime.sleep(5)",
    "its parent": "os.kill(os.getppid(), 9)\ntime.sleep(5)",
    "its group": "os.killpg(0, 9)\ntime.sleep(5)",
    "everybody": "os.kill(-1, 9)\ntime.sleep(5)",
    "process 1": "os.kill(1, 9)\ntime.sleep(5)",
}


def test_a_signal_reaches_its_own_kind_only(arena: Arena) -> None:
    """What it ends may be the case, or its box; never the keeper, the zygote or the grader."""
    for whom, outcome in arena.besiege_with_each(HEAD, SIGNALS, WAITS).items():
        assert outcome.ending in (Ending.KILLED, Ending.WALL, Ending.ANSWERED), whom
        assert "Returned" not in repr(outcome.answers), whom


@pytest.mark.parametrize("whom", ["os.getpid()", "BOX", "os.getppid()", "-1"])
def test_to_stop_is_to_wait(driver_arena: Arena, whom: str) -> None:
    source = attack(f"os.kill({whom}, 19)\ntime.sleep(5)")
    outcome = driver_arena.besiege(
        source, job("attack", limits=WAITS), recovers=whom == "os.getpid()"
    ).outcome
    assert outcome.ending is Ending.WALL or (
        outcome.ending is Ending.ANSWERED and "PermissionError" in repr(outcome.answers)
    )


LOOPS = {
    "a loop": "spin()",
    "a power": "10 ** 10 ** 8",
    "a regular expression": "re.match('(a|a)+$', 'a' * 60 + 'b')",
    "a sum in C": "sum(range(10 ** 12))",
    "deaf to signals": "for n in set(signal.Signals) - {9, 19}: signal.signal(n, signal.SIG_IGN)\nspin()",
    "with all signals blocked": "signal.pthread_sigmask(signal.SIG_BLOCK, set(signal.Signals))\nspin()",
    "in two threads": "threading.Thread(target=spin).start()\nspin()",
    "in a handler": "signal.signal(14, lambda *_: spin())\nsignal.setitimer(0, 0.01)\ntime.sleep(5)",
    "catching all": "while True:\n    try:\n        spin()\n    except BaseException:\n        pass",
    "in the kernel": "while True: os.read(os.open('/dev/zero', 0), 1 << 20) and os.closerange(5, 60)",
}


def test_cpu_time_is_limited(driver_arena: Arena) -> None:
    for way, outcome in driver_arena.besiege_with_each(HEAD, LOOPS, SPINS).items():
        assert outcome.ending is Ending.TIME, way
        assert outcome.cpu_s >= SPINS.time_s, way


def test_cpu_time_is_limited_in_every_mode(mode_arena: Arena) -> None:
    for way in ("a loop", "in two threads"):
        assert (
            mode_arena.besiege(attack(LOOPS[way]), job("attack", limits=SPINS)).outcome.ending is Ending.TIME
        )


ASLEEP = {
    "asleep": "time.sleep(100)",
    "on a lock": "lock = threading.Lock()\nlock.acquire()\nlock.acquire()",
    "on a thread": "t = threading.Thread(target=time.sleep, args=(100,))\nt.start()\nt.join()",
    "on a pipe": "a, b = os.pipe()\nos.read(a, 1)",
    "for a signal": "signal.pause()",
    "on standard input": "return sys.stdin.read() or time.sleep(100)",
}


def test_waiting_is_limited(driver_arena: Arena) -> None:
    for way, outcome in driver_arena.besiege_with_each(HEAD, ASLEEP, WAITS).items():
        assert outcome.ending is Ending.WALL, way
        assert outcome.wall_s >= WAITS.wall_s, way


IMPORTED = """
AT = time.perf_counter()

def attack():
    return AT

def die():
    os._exit(3)

def flood():
    print("x" * 10**6)

def long():
    return "x" * 10**6
"""


def test_a_case_that_ends_badly_costs_no_import(driver_arena: Arena) -> None:
    """Those after it go on from the state after the first one."""
    with driver_arena.box(f"{HEAD}\n{IMPORTED}") as box:
        box.load()
        seen = []
        for name, limits in (("spin", SPINS), ("die", LIMITS), ("flood", LIMITS), ("long", LIMITS)):
            (ended,) = box.run([job(name, limits=limits)])
            assert ended.ending is not Ending.ANSWERED
            seen.append(value(box.run([job("attack")])[0]))
    assert len(seen) == 4
    assert len(set(map(repr, seen))) == 1


def test_a_thread_that_goes_on_after_the_answer_is_billed_and_ended(arena: Arena) -> None:
    body = "threading.Thread(target=spin, daemon=True).start()\ntime.sleep(0.02)\nreturn 1"
    siege = arena.besiege(attack(body), job("attack", limits=Limits(time_s=0.1, wall_s=20)))
    assert siege.outcome.ending in (Ending.ANSWERED, Ending.TIME)
    # The worker ends its process right after the answer, whatever else runs in it.
    assert siege.outcome.wall_s < 2


def test_a_student_who_keeps_the_process_alive_is_billed(driver_arena: Arena) -> None:
    """By taking away the worker's own exit: what it does after the answer counts, and is soon ended."""
    keep = """import sys
frame = sys._getframe()
while frame.f_code.co_name != "_obey":
    frame = frame.f_back
frame.f_globals["_exit"] = lambda status: {way}
return 1"""
    ways = {way: keep.format(way=way) for way in ("spin()", "time.sleep(100)")}
    for way, outcome in driver_arena.besiege_with_each(HEAD, ways).items():
        # The wait for its end is time by the clock, so that the rest holds on any machine.
        assert outcome.ending is Ending.ANSWERED, way
        assert _AFTER_ANSWER_S <= outcome.wall_s < 60, way


CLAIMS = {
    "a line of another file": "trace(b'  File \"/etc/shadow\", line 3 in f\\n')",
    "more than is read": "trace(b'x' * 50_000)",
    "no text": "trace(bytes(range(256)) * 8)",
    "a line that it does not have": "trace(b'  File \"attack.py\", line 999999 in f\\n')",
}
TRACE = """
def trace(data):
    for descriptor in range(3, 64):
        try:
            os.set_blocking(descriptor, False)
            os.write(descriptor, data)
        except OSError:
            pass

"""


def test_a_crash_names_a_line_of_its_own_files_or_none(driver_arena: Arena) -> None:
    """What it writes before it crashes is read once, and bounded."""
    crashing = {way: f"{claim}\nctypes.string_at(0)" for way, claim in CLAIMS.items()}
    for way, outcome in driver_arena.besiege_with_each(HEAD + TRACE, crashing).items():
        assert "Returned" not in repr(outcome.answers), way
        assert outcome.place is None or outcome.place[0] == "attack.py", way
