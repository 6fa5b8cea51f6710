"""What slow programs cost, and right ones on a machine that has other things to do."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from support.attack_run import Way, mark

LOOPING = """
task: looping
title: Looping
marks: 1
modules: {work: work.py}
limits: {time: 300ms, memory: 128MiB}
questions:
  - id: "1"
    title: One
    marks: 1
    award: each
    cases:
""" + "".join(f"      - {{call: f({number}), returns: {number}}}\n" for number in range(5))
LOOPS = {"work.py": "def f(x):\n    while True:\n        pass\n"}
HONEST = {"work.py": "def f(x):\n    return x\n"}


def test_a_case_that_loops_costs_its_limit_once(strongest: Way) -> None:
    """Five cases of 0.3 s for each of two students; far from twice that, on a busy machine too."""
    usual = mark(strongest, LOOPING, {f"student-{n}": HONEST for n in range(2)})
    done = mark(strongest, LOOPING, {f"student-{n}": LOOPS for n in range(2)})
    for n in range(2):
        assert set(done.verdicts(f"student-{n}")) == {"time-limit"}
    assert done.cpu_s - usual.cpu_s < 1.8 * (2 * 5 * 0.3)


WORKING = """
task: working
title: Working
marks: 1
modules: {work: work.py}
limits: {time: 700ms, wall: 700ms, memory: 128MiB}
questions:
  - id: "1"
    title: One
    marks: 1
    award: each
    cases:
      - {call: f(1), returns: 1}
      - {call: f(2), returns: 2}
"""
WORKS = """
import time

def f(x):
    end = time.thread_time() + 0.25
    while time.thread_time() < end:
        pass
    return x
"""
SLEEPS = "import time\n\ndef f(x):\n    time.sleep(60)\n    return x\n"


@contextmanager
def a_crowded_core(others: int) -> Iterator[None]:
    """Meanwhile share one core with so many loops."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(others)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()
        os.sched_setaffinity(0, before)


def test_a_right_program_that_gets_little_of_a_core_is_right(way: Way) -> None:
    """Its 0.25 s of work take over a second by the clock, more than its wall limit; but it never waits."""
    with a_crowded_core(others=4):
        done = mark(
            way, WORKING, {"student-01": {"work.py": WORKS}, "student-02": {"work.py": SLEEPS}}, jobs=1
        )
    assert done.verdicts("student-01") == ["accepted", "accepted"]
    assert done.verdicts("student-02")[0] == "wall-limit"
