"""Two boxes of one submission: what a hidden case was given, or has worked on, never helps another case."""

import pytest
from support.attack_run import Way, mark

SECRET = "NIGHT"
"""What hidden cases are called with."""

LISTENING = """
task: listening
title: Listening
marks: 2
modules: {first: first.py, second: second.py}
limits: {time: 2s, wall: 4s, memory: 256MiB}
questions:
  - id: "1"
    title: Before
    module: first
    marks: 1
    award: each
    cases:
      - call: f("day")
        returns: "'day'"
      - call: f("NIGHT")
        returns: "'NIGHT'"
        visibility: hidden
  - id: "2"
    title: After
    module: second
    marks: 1
    award: each
    cases:
      - call: g("day")
        returns: "'day'"
      - call: g("evening")
        returns: "'evening'"
        visibility: after-due
"""
LOCKS = '''
"""A board of bits that all boxes see: locks on the interpreter's own files."""
import fcntl, os
FOLDER = os.path.dirname(os.__file__)
PATHS = [one.path for one in os.scandir(FOLDER) if one.is_file(follow_symlinks=False)]
FILES = [os.open(path, os.O_RDONLY) for path in sorted(PATHS)[:41]]

def post(text):
    bits = int.from_bytes(text.encode()[:5].ljust(5), "big") | 1 << 40
    for place, file in enumerate(FILES):
        if bits >> place & 1:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

def is_taken(file):
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        fcntl.flock(file, fcntl.LOCK_UN)
        return False
    except OSError:
        return True

def read():
    bits = sum(is_taken(file) << place for place, file in enumerate(FILES))
    return (bits & (1 << 40) - 1).to_bytes(5, "big").decode("latin-1") if bits >> 40 else ""
'''
HEARS = """
import time, board

def {name}(x):
    end = time.monotonic() + 0.5
    while not (heard := board.read()) and time.monotonic() < end:
        time.sleep(0.01)
    print("heard:", heard)
    return x
"""
ASLEEP = """
import board

def f(x):
    # The lock belongs to the open file, which the process that imported this module holds as well.
    if x != "day":
        board.post(x)
    return x
"""
BY_TIMER = """
import board, os, signal
R, W = os.pipe()
os.set_blocking(R, False)

def tick(*_):
    try:
        board.post(os.read(R, 5).decode())
    except OSError:
        pass

signal.signal(signal.SIGALRM, tick)
signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)

def f(x):
    if x != "day":
        os.write(W, x.encode())
    return x
"""
BY_THREAD = """
import board, os, sys, threading
R, W = os.pipe()
threading.Thread(target=lambda: board.post(os.read(R, 5).decode()), daemon=True).start()
sys._current_frames = lambda: {1: None}

def f(x):
    if x != "day":
        os.write(W, x.encode())
    return x
"""
IN_FLIGHT = '''
"""A board of one bit: whether its user may send another descriptor."""
import array, os, socket
HELD = socket.socketpair()

def send(pair, number):
    pair[0].sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0] * number))])

def post(text):
    try:
        for _ in range(100):
            send(HELD, 60)
    except OSError:
        pass

def read():
    mine = socket.socketpair()
    try:
        send(mine, 1)
        return ""
    except OSError:
        return "NIGHT"
    finally:
        mine[0].close()
        mine[1].close()
'''
SPEAKERS = {
    "locks that stay": (ASLEEP, LOCKS),
    "locks by a timer": (BY_TIMER, LOCKS),
    "locks by a thread": (BY_THREAD, LOCKS),
    "descriptors in flight": (ASLEEP, IN_FLIGHT),
}


@pytest.mark.parametrize(
    "speaks",
    [pytest.param(each, marks=pytest.mark.acceptance if " by " in each else ()) for each in SPEAKERS],
)
def test_a_hidden_input_is_not_told_to_a_case_that_the_student_sees(way: Way, speaks: str) -> None:
    speaker, board = SPEAKERS[speaks]
    files = {"first.py": speaker, "second.py": HEARS.format(name="g"), "board.py": board}
    done = mark(way, LISTENING, {"student-01": files})
    assert done.submission("student-01")["status"] == "marked"
    assert SECRET not in done.told("student-01")
    for case in done.cases("student-01"):
        if case["visibility"] != "hidden":
            assert SECRET not in case["stdout"], case["id"]


ONE_MODULE = """
task: listening
title: Listening
marks: 1
modules: {first: first.py}
limits: {time: 2s, wall: 4s, memory: 256MiB}
questions:
  - id: "1"
    title: One
    marks: 1
    award: each
    cases:
      - {call: f("day"), returns: "'day'"}
      - {call: f("NIGHT"), returns: "'NIGHT'", visibility: hidden}
      - {call: f("evening"), returns: "'evening'", visibility: after-due}
      - {call: f("day"), returns: "'day'"}
      - {call: f("NIGHT"), returns: "'NIGHT'", limits: {memory: 128MiB}, visibility: hidden}
      - {call: f("day"), returns: "'day'", limits: {memory: 128MiB}}
"""
BOTH = """
import time, board

def f(x):
    if x == "NIGHT":
        board.post(x)
        return x
    end = time.monotonic() + 0.3
    while not (heard := board.read()) and time.monotonic() < end:
        time.sleep(0.01)
    print("heard:", heard)
    return x
"""


@pytest.mark.parametrize("board", [LOCKS, IN_FLIGHT], ids=["locks", "descriptors"])
def test_nor_within_one_module(way: Way, board: str) -> None:
    done = mark(way, ONE_MODULE, {"student-01": {"first.py": BOTH, "board.py": board}})
    assert done.submission("student-01")["status"] == "marked"
    assert SECRET not in done.told("student-01")
    assert SECRET not in done.cases("student-01")[2]["stdout"]


REFERENCE = """
def work(n):
    sieve = bytearray([1]) * n
    sieve[:2] = bytes(2)
    for number in range(2, int(n**0.5) + 1):
        if sieve[number]:
            for multiple in range(number * number, n, number):
                sieve[multiple] = 0
    return sum(sieve)
"""
BY_TIME = """
task: speed
title: Speed
marks: 2
reference: reference
modules: {work: work.py}
limits: {time: 2s, memory: 256MiB}
questions:
  - id: "1"
    title: Small
    marks: 1
    cases:
      - {call: work(10), returns: same as reference, visibility: hidden}
  - id: "2"
    title: Large
    marks: 1
    award: by-time
    pace: {full: 2, none: 4, floor: 20ms}
    cases:
      - {call: work(300000), returns: same as reference}
"""
WITH_A_LIMIT = """
task: limit
title: Limit
marks: 2
reference: reference
modules: {work: work.py}
limits: {time: 500ms, wall: 8s, memory: 256MiB}
questions:
  - id: "1"
    title: Small
    marks: 1
    cases:
      - {call: work(10), returns: same as reference, visibility: hidden}
  - id: "2"
    title: Large
    marks: 1
    cases:
      - {call: work(800000), returns: same as reference}
"""
HELPED = '''
"""A box that is idle works for a case of another box, by a board of locks."""
import board, os, signal, time

def slow(n):
    count = 0
    for number in range(2, n):
        for divisor in range(2, int(number**0.5) + 1):
            if number % divisor == 0:
                break
        else:
            count += 1
    return count

R, W = os.pipe()
os.set_blocking(R, False)
LARGE = {large}

def tick(*_):
    try:
        os.read(R, 1)
    except OSError:
        return
    signal.setitimer(signal.ITIMER_REAL, 0)
    board.post("%05d" % slow(LARGE))

signal.signal(signal.SIGALRM, tick)
signal.setitimer(signal.ITIMER_REAL, 0.02, 0.02)

def work(n):
    if n < 100:
        os.write(W, b"x")
        return slow(n)
    end = time.monotonic() + 2
    while not (found := board.read()) and time.monotonic() < end:
        time.sleep(0.02)
    return int(found) if found else slow(n)
'''


@pytest.mark.parametrize(
    ("spec", "large"), [(BY_TIME, 300_000), (WITH_A_LIMIT, 800_000)], ids=["pace", "limit"]
)
def test_work_in_another_box_earns_nothing(way: Way, spec: str, large: int) -> None:
    slow = {"work.py": HELPED.replace("{large}", str(large)), "board.py": LOCKS}
    done = mark(
        way, spec, {"student-01": slow, "honest": {"work.py": REFERENCE}}, reference={"work.py": REFERENCE}
    )
    assert done.verdicts("honest") == ["accepted", "accepted"]
    small, large_case = done.cases("student-01")
    assert small["verdict"] in ("accepted", "time-limit")
    assert large_case["verdict"] != "accepted"
    assert done.submission("student-01")["questions"][1]["mark"] == "0"
