"""Processes that student code tries to start: none starts, and no more than the keeper ordered is born."""

from dataclasses import replace

from support.sieges import READS, WAITS, Arena, job, raised, value

from grader.model.outcome import Ending, RaisedAnswer
from grader.sandbox.driver import Driver
from grader.worker.walls.syscalls import BY_ARGUMENT

CLONE, CLONE3 = BY_ARGUMENT.get("clone", 56), BY_ARGUMENT.get("clone3", 435)

HEAD = f"""
import ctypes, os, socket, sys, threading, time

LIBC = ctypes.CDLL(None, use_errno=True)
CLONE, CLONE3 = {CLONE}, {CLONE3}
SIGCHLD, PARENT, THREAD, VM, VFORK, UNTRACED, PIDFD = 17, 0x8000, 0x10000, 0x100, 0x4000, 0x800000, 0x1000
SETTLS, NEWUSER, NEWPID, NEWNS = 0x80000, 0x10000000, 0x20000000, 0x20000

def clone(flags):
    pid = LIBC.syscall(CLONE, flags, 0, 0, 0, 0)
    if pid == 0:
        while True:
            time.sleep(1000)
    return pid
"""

FLAGS = (
    "SIGCHLD", "0", "PARENT", "PARENT | SIGCHLD", "VM | SIGCHLD", "VM | VFORK | SIGCHLD",
    "UNTRACED | SIGCHLD", "PIDFD | SIGCHLD", "PARENT | UNTRACED | SIGCHLD", "PARENT | 9",
    "NEWUSER | SIGCHLD", "NEWPID | NEWNS | SIGCHLD", "THREAD | NEWUSER", "PARENT | SIGCHLD | (1 << 40)",
)  # fmt: skip


def test_no_flags_make_a_process(arena: Arena) -> None:
    calls = ", ".join(f"clone({flags})" for flags in FLAGS)
    siege = arena.besiege(HEAD + f"\ndef attack():\n    return [{calls}]\n", job("attack"))
    assert value(siege.outcome) == [-1] * len(FLAGS)


def test_no_flags_make_a_process_at_import(arena: Arena) -> None:
    calls = ", ".join(f"clone({flags})" for flags in FLAGS)
    siege = arena.besiege(HEAD + f"\nFOUND = [{calls}]\n\ndef attack():\n    return FOUND\n", job("attack"))
    assert value(siege.outcome) == [-1] * len(FLAGS)


OTHERS = {
    "fork": "os.fork()",
    "forkpty": "os.forkpty()",
    "vfork": "LIBC.vfork() < 0 and 1 / 0",
    "clone3": "LIBC.syscall(CLONE3, bytes(88), 88) < 0 and 1 / 0",
    "exec": "os.execv(sys.executable, ['python'])",
    "exec of a descriptor": "os.execve(os.open(sys.executable, 0), ['python'], {})",
    "spawn": "os.posix_spawn(sys.executable, ['python'], {})",
    "system": "os.system('true') and 1 / 0",
    "popen": "os.popen('true').read() and 1 / 0",
    "subprocess": "__import__('subprocess').run([sys.executable])",
    "multiprocessing": "__import__('multiprocessing').Process(target=print).start()",
    "a pool": "__import__('concurrent.futures').futures.ProcessPoolExecutor(1).submit(print).result()",
}


def test_no_library_starts_a_process(driver_arena: Arena) -> None:
    ways = {way: f"return {call}" for way, call in OTHERS.items()}
    for way, outcome in driver_arena.besiege_with_each(HEAD, ways).items():
        assert outcome.ending in (Ending.ANSWERED, Ending.FORBIDDEN), way
        assert isinstance(outcome.answers[0], RaisedAnswer), way


def test_a_refusal_is_named(driver_arena: Arena) -> None:
    ways = {
        "start a process": "os.fork()",
        "open a network connection": "socket.socket()",
        "start a program": "os.execv(sys.executable, ['python'])",
    }
    for words, outcome in driver_arena.besiege_with_each(HEAD, ways).items():
        assert (outcome.ending, outcome.detail) == (Ending.FORBIDDEN, words)


def test_a_refusal_that_was_handled_costs_nothing(driver_arena: Arena) -> None:
    body = "    try:\n        os.fork()\n    except OSError:\n        return 1\n"
    assert value(driver_arena.besiege(HEAD + "\ndef attack():\n" + body, job("attack")).outcome) == 1


def test_a_fork_bomb_is_ended(driver_arena: Arena) -> None:
    siege = driver_arena.besiege(
        HEAD + "\ndef attack():\n    while True:\n        clone(SIGCHLD)\n", job("attack")
    )
    assert siege.outcome.ending is Ending.FORBIDDEN


THIEF = (
    HEAD
    + READS
    + """
BOX = os.getpid()
STOLEN = 0

def steal():
    global STOLEN
    while True:
        pid = LIBC.syscall(CLONE, PARENT | SIGCHLD, 0, 0, 0, 0)
        if pid == 0:
            time.sleep(1000)
        elif pid > 0:
            STOLEN += 1

def read(*args):
    # The box asks for its next order: from now on the keeper lets one fork through.
    read_by(real)
    for _ in range(3):
        threading.Thread(target=steal, daemon=True).start()
    return real(*args)

read_by(read)

def attack():
    return STOLEN
"""
)


def test_no_thread_steals_the_fork_that_is_due(driver_arena: Arena) -> None:
    """Whether it is their fork or the box's own is told by the thread, not by the process."""
    siege = driver_arena.besiege(THIEF, job("attack"), recovers=False)
    outcome = siege.outcome
    # The refusals are many, and billed to the case.
    assert outcome.ending in (Ending.FORBIDDEN, Ending.TIME, Ending.WALL) or value(outcome) == 0


GREEDY = (
    HEAD
    + READS
    + """
def read(*args):
    data = real(*args)
    if os.getpid() == BOX:
        mine = clone(PARENT | SIGCHLD)
        more = [clone(PARENT | SIGCHLD) for _ in range(3)]
        os.write(1, repr((mine > 0, more)).encode())
    return data

BOX = os.getpid()
read_by(read)

def attack():
    return 1
"""
)


def test_the_fork_that_is_due_can_be_used_once(driver_arena: Arena) -> None:
    siege = driver_arena.besiege(GREEDY, job("attack", limits=WAITS), recovers=False)
    assert siege.outcome.answers == ()
    assert siege.outcome.stdout in ("(True, [-1, -1, -1])", "")


LATE = (
    HEAD
    + READS
    + f"""
def read(*args):
    data = real(*args)
    time.sleep({2 * WAITS.wall_s})
    os.write(2, repr(clone(PARENT | SIGCHLD)).encode())
    return data

read_by(read)

def attack():
    return 1
"""
)


def test_a_fork_that_comes_too_late_is_not_born(driver_arena: Arena) -> None:
    siege = driver_arena.besiege(LATE, job("attack", limits=WAITS), recovers=False)
    assert siege.outcome.ending is Ending.WALL


def test_a_thread_bomb_is_bounded(driver_arena: Arena) -> None:
    body = """
    threading.stack_size(65536)
    found = 0
    gate = threading.Event()
    try:
        for found in range(100_000):
            threading.Thread(target=gate.wait, daemon=True).start()
    except RuntimeError:
        pass
    return found
"""
    siege = driver_arena.besiege(HEAD + "\ndef attack():" + body, job("attack"))
    if siege.outcome.ending is Ending.ANSWERED and driver_arena.driver is Driver.NAMESPACES:
        # In a user namespace the kernel counts; elsewhere the address space is the only bound.
        count = value(siege.outcome)
        assert isinstance(count, int)
        assert count < 64


def test_a_fork_at_import_is_a_failure_to_load(arena: Arena) -> None:
    siege = arena.besiege(HEAD + "\nos.fork()\n", job("attack"))
    assert siege.loaded.ending in (Ending.LOAD_FAILED, Ending.FORBIDDEN)
    assert raised(replace(siege.loaded, ending=Ending.ANSWERED)) == "PermissionError"
