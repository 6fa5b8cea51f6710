"""Messages and deaths that a keeper must not wait behind, and what a case does after its answer."""

from support.attack_run import Way, mark

SPEC = """
task: endings
title: Endings
marks: 1
modules: {work: work.py}
limits: {time: 500ms, wall: 2s, memory: 128MiB}
questions:
  - id: "1"
    title: One
    marks: 1
    award: each
    cases:
      - {call: f(1), returns: 1}
      - {call: f(2), returns: 2, visibility: hidden}
      - {call: f(3), returns: 3}
"""
HONEST = {"work.py": "def f(x):\n    return x\n"}
FRAME = """
import os, signal, socket, struct, time

def frame(kind, body=b""):
    return struct.pack("<IB", len(body), kind) + body

"""
DEATHS = {
    "an empty frame of the import on the channel of cases": "os.write(4, frame(22))\nos._exit(0)\n",
    "an empty frame of a case on the channel of cases": "os.write(4, frame(24))\nos._exit(0)\n",
    "half a frame on the channel of cases": "os.write(4, bytes(3))\nos._exit(0)\n",
    "a frame on the channel of the import, from a case": (
        "def f(x):\n    os.write(3, frame(99))\n    os._exit(0)\n"
    ),
    "a frame by a timer in the box, while a case runs": """
def tick(*_):
    try:
        os.write(3, frame(99))
    except OSError:
        pass

signal.signal(signal.SIGALRM, tick)
signal.setitimer(signal.ITIMER_REAL, 0.05)

def f(x):
    time.sleep(0.3)
    os._exit(0)
""",
    "a frame for each, and a case that is killed": """
def f(x):
    for channel in (3, 4):
        try:
            os.write(channel, frame(24))
        except OSError:
            pass
    os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(9)
""",
}


def test_a_death_after_a_message_is_the_end(way: Way) -> None:
    """`mark` sees that the run ends and that no process is left."""
    batch = {f"student-{number}": {"work.py": FRAME + death} for number, death in enumerate(DEATHS.values())}
    done = mark(way, SPEC, {**batch, "student-last": HONEST})
    for student, death in zip(batch, DEATHS, strict=True):
        assert done.submission(student)["status"] == "marked", death
        assert not {"accepted", "internal-error"} & set(done.verdicts(student)), death
    assert set(done.verdicts("student-last")) == {"accepted"}


MANY = """
task: afterwards
title: Afterwards
marks: 1
modules: {work: work.py}
limits: {time: 1s, memory: 128MiB}
questions:
  - id: "1"
    title: One
    marks: 1
    award: each
    cases:
""" + "".join(f"      - {{call: f({number}), returns: {number}}}\n" for number in range(30))
SLEEPS_AFTER_ITS_ANSWER = """
import mmap, os, sys, time
NAPS = mmap.mmap(-1, 4096)
NAP_S = 0.1

def nap(*_):
    while True:
        time.sleep(NAP_S)
        NAPS[0] += 1

os._exit = nap
frame = sys._getframe()
while frame is not None:
    frame.f_globals["_exit"] = nap
    frame = frame.f_back

def f(x):
    print("naps so far:", NAPS[0])
    return x
"""


def test_what_follows_an_answer_is_told_or_does_not_happen(way: Way) -> None:
    """A case sleeps after its answer in naps that it counts: no more of them than the results tell of."""
    done = mark(way, MANY, {"student-01": {"work.py": SLEEPS_AFTER_ITS_ANSWER}})
    cases = done.cases("student-01")
    assert {case["verdict"] for case in cases} <= {"accepted", "skipped"}
    slept_s = 0.1 * max(int(case["stdout"].split()[-1]) for case in cases if case["stdout"])
    assert slept_s <= sum(case["wall_s"] for case in cases)


TICKING = """
import signal

signal.signal(signal.SIGALRM, lambda *_: None)
signal.setitimer(signal.ITIMER_REAL, 0.0002, 0.0002)

def f(x):
    return x
"""


def test_a_timer_of_an_honest_module_is_nobodys_fault(way: Way) -> None:
    done = mark(way, MANY, {"student-01": {"work.py": TICKING}})
    assert set(done.verdicts("student-01")) == {"accepted"}
    assert done.submission("student-01")["status"] == "marked"


STATE = """
task: state
title: State
marks: 1
modules: {work: work.py}
limits: {time: 2s, memory: 256MiB}
questions:
  - id: "1"
    title: One
    marks: 1
    award: each
    cases:
      - {call: room(0), returns: -1}
      - {call: keep(5), returns: -1}
      - {call: room(0), returns: -1}
      - {call: keep(20), returns: -1}
      - {call: room(0), returns: -1}
"""
ROOM = """
def room(low):
    # The largest block that there is memory for, in megabytes.
    high = 400
    while high - low > 1:
        middle = (low + high) // 2
        try:
            block = bytes(middle * 1000000)
            low = middle
        except Exception:
            high = middle
        block = 0
    return low // 4


def keep(n):
    # Garbage in a circle, grown so old that the collector leaves it alone for long.
    circle = [bytes(n * 4000000)]
    circle.append(circle)
    young = []
    for _ in range(30000):
        young.append([])
    return len(circle)
"""


def test_a_case_leaves_nothing_in_memory_for_the_next(way: Way) -> None:
    done = mark(way, STATE, {"student-01": {"work.py": ROOM}})
    rooms = [case["actual"] for case in done.cases("student-01") if case["call"] == "room(0)"]
    assert len(rooms) == 3
    assert len(set(rooms)) == 1
