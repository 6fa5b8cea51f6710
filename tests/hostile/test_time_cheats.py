"""Submissions that want to look quicker than they are, and what their times are worth.

Each needs eight times as long as the reference, so that nothing is due for it; each would look
quick if only the call of a second run were timed.
"""

import time
from fractions import Fraction
from pathlib import Path

import pytest
from support.marking import cases, mark

from grader.model.results import CaseResult
from grader.sandbox.driver import Driver

REFERENCE = """
def work(n):
    total = 0
    for number in range(n):
        total += number * number
    return total
"""
SLOW = """
import json, mmap, os, threading, time

def slow(n):
    for _ in range(8):
        total = 0
        for number in range(n):
            total += number * number
    return total

"""
SPEC = """
budget: 60s
questions:
  - id: "1"
    title: One
    marks: 1
    award: by-time
    pace: {full: 2, none: 4, steps: 1, rounds: 3, floor: 4ms}
    cases:
      - {call: work(150000), returns: same as reference, limits: {time: 5s}}
"""

CHEATS = {
    "nothing at all": """
def work(n):
    return slow(n)
""",
    "work at import": """
READY = {150000: slow(150000)}

def work(n):
    return READY.get(n) or slow(n)
""",
    "work in a thread since the import": """
READY = {}

def prepare():
    READY[150000] = slow(150000)

threading.Thread(target=prepare).start()

def work(n):
    while n not in READY:
        time.sleep(0.01)
    return READY[n]
""",
    "work in threads": """
def work(n):
    found = []
    threads = [threading.Thread(target=lambda: found.append(slow(n))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found[0]
""",
    "a global name": """
KEPT = {}

def work(n):
    if n not in KEPT:
        KEPT[n] = slow(n)
    return KEPT[n]
""",
    "a file": """
def work(n):
    try:
        return int(open(f"kept{n}").read())
    except OSError:
        pass
    total = slow(n)
    try:
        open(f"kept{n}", "w").write(str(total))
    except OSError:
        pass
    return total
""",
    "a file anywhere else": """
FOLDERS = ["/tmp", "/dev/shm", "/box", "/", os.path.expanduser("~")]

def work(n):
    for folder in FOLDERS:
        try:
            return int(open(folder + "/kept").read())
        except OSError:
            pass
    total = slow(n)
    for folder in FOLDERS:
        try:
            open(folder + "/kept", "w").write(str(total))
        except OSError:
            pass
    return total
""",
    "shared memory": """
KEPT = mmap.mmap(-1, 64)

def work(n):
    kept = KEPT[:].rstrip(bytes(1))
    if kept:
        return int(kept)
    total = b"%d" % slow(n)
    KEPT[:len(total)] = total
    return int(total)
""",
    "a pipe": """
A, B = os.pipe()
os.set_blocking(A, False)

def work(n):
    try:
        kept = os.read(A, 64)
    except BlockingIOError:
        kept = b"%d" % slow(n)
    os.write(B, kept)
    return int(kept)
""",
}


def timed(folder: Path, work: str, spec: str = SPEC, driver: Driver = Driver.NAMESPACES) -> CaseResult:
    return cases(mark(folder, spec, work, reference=REFERENCE, driver=driver))["1.1"]


WHERE = [(way, Driver.NAMESPACES) for way in CHEATS] + [
    (way, Driver.LANDLOCK) for way in ("work at import", "a file", "shared memory", "a pipe")
]


@pytest.mark.parametrize(("way", "driver"), WHERE)
def test_cheating_on_time_earns_nothing(tmp_path: Path, way: str, driver: Driver) -> None:
    result = timed(tmp_path, SLOW + CHEATS[way], driver=driver)
    assert (str(result.verdict), result.score) == ("time-limit", 0), result
    assert result.timing is not None
    assert result.timing.ratio > 4


def test_being_quick_earns_all(tmp_path: Path) -> None:
    result = timed(tmp_path, SLOW + "def work(n):\n    return (n - 1) * n * (2 * n - 1) // 6\n")
    assert (str(result.verdict), result.score) == ("accepted", 1), result


def later(after_s: float, otherwise: str) -> str:
    """Return a function that answers rightly until so many seconds from now, and then does otherwise."""
    return (
        f"END = {time.time() + after_s}\n\ndef work(n):\n    if time.time() > END:\n        {otherwise}\n"
        "    total = slow(n)\n    time.sleep(max(0, END - time.time()))\n    return total\n"
    )


def test_a_quick_wrong_answer_in_a_later_round_is_a_wrong_answer(tmp_path: Path) -> None:
    for first_s in (2, 8, 32):  # until the first round is over; a machine with other things to do takes long
        result = timed(
            tmp_path, SLOW + later(first_s, "return 0"), SPEC.replace("time: 5s", "time: 5s, wall: 60s")
        )
        assert (str(result.verdict), result.score) == ("wrong-answer", 0)
        assert result.timing is None
        if result.message.startswith("when it was run again for its time: "):
            return
    raise AssertionError(result)


@pytest.mark.acceptance
def test_sleeping_in_a_later_round_is_no_good_time(tmp_path: Path) -> None:
    source = SLOW + later(2, "time.sleep(99)")
    result = timed(tmp_path, source, SPEC.replace("time: 5s", "time: 2s, wall: 3s"))
    assert (str(result.verdict), result.score) == ("wall-limit", 0)


@pytest.mark.acceptance
def test_rounds_are_taken_from_the_budget_and_end_with_it(tmp_path: Path) -> None:
    slow = SLOW.replace("range(8)", "range(3)") + "def work(n):\n    return slow(n)\n"
    narrow = SPEC.replace("full: 2, none: 4, steps: 1, rounds: 3", "full: 3, none: 4, steps: 1, rounds: 50")
    for budget_s in (1, 2, 4):  # until the first round is within it; a slow machine needs more
        spent = narrow.replace("budget: 60s", f"budget: {budget_s}s").replace("time: 5s", "time: 900ms")
        result = timed(tmp_path, slow, spent)
        if result.timing is not None:
            break
    assert result.timing is not None
    assert result.timing.rounds < 50
    # It takes many rounds since it is at the edge of full marks, so a busy machine decides on which side.
    is_full = result.timing.ratio <= 3
    assert (str(result.verdict), result.score) == (
        ("accepted", Fraction(1)) if is_full else ("partial", Fraction(1, 2))
    )


@pytest.mark.parametrize("cost_s", [0.001, 0.4])
def test_an_import_is_free_up_to_the_floor(tmp_path: Path, cost_s: float) -> None:
    source = (
        f"while time.process_time() < START + {cost_s}:\n    pass\n\ndef work(n):\n    total = 0\n"
        "    for number in range(n):\n        total += number * number\n    return total\n"
    )
    result = timed(tmp_path, SLOW + "START = time.process_time()\n" + source)
    assert str(result.verdict) == ("accepted" if cost_s < 0.02 else "time-limit")
