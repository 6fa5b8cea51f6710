"""Submissions that want to look quicker than they are, and what their times are worth.

Each needs about six times as long as the reference, so that nothing is due for it; each would look
quick if only the call of a second run were timed.
"""

import time
from fractions import Fraction
from pathlib import Path

import pytest
from marking import cases, mark

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
    for _ in range(6):
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
    pace: {full: 2, none: 4, steps: 1, rounds: 3, floor: 10ms}
    cases:
      - {call: work(150000), returns: same as reference, limits: {time: 5s}}
"""

CHEATS = {
    "nothing at all": "def work(n):\n    return slow(n)\n",
    "work at import": "READY = {150000: slow(150000)}\n\ndef work(n):\n    return READY.get(n) or slow(n)\n",
    "work in a thread since the import": (
        "READY = {}\n\ndef prepare():\n    READY[150000] = slow(150000)\n\n"
        "threading.Thread(target=prepare).start()\n\n"
        "def work(n):\n    while n not in READY:\n        time.sleep(0.01)\n    return READY[n]\n"
    ),
    "work in threads": (
        "def work(n):\n    found = []\n"
        "    threads = [threading.Thread(target=lambda: found.append(slow(n // 2))) for _ in range(2)]\n"
        "    for thread in threads:\n        thread.start()\n"
        "    for thread in threads:\n        thread.join()\n"
        "    return slow(n)\n"
    ),
    "a global name": (
        "KEPT = {}\n\ndef work(n):\n    if n not in KEPT:\n        KEPT[n] = slow(n)\n    return KEPT[n]\n"
    ),
    "a file": (
        "def work(n):\n    try:\n        return int(open(f'kept{n}').read())\n    except OSError:\n        pass\n"
        "    total = slow(n)\n    try:\n        open(f'kept{n}', 'w').write(str(total))\n"
        "    except OSError:\n        pass\n    return total\n"
    ),
    "shared memory": (
        "KEPT = mmap.mmap(-1, 64)\n\ndef work(n):\n    kept = KEPT[:].rstrip(b'\\0')\n    if kept:\n"
        "        return int(kept)\n    total = slow(n)\n    KEPT[:len(str(total))] = str(total).encode()\n"
        "    return total\n"
    ),
    "a pipe": (
        "A, B = os.pipe()\nos.set_blocking(A, False)\n\ndef work(n):\n    try:\n        kept = os.read(A, 64)\n"
        "    except BlockingIOError:\n        kept = b'%d' % slow(n)\n    os.write(B, kept)\n    return int(kept)\n"
    ),
    "the module's own folder": (
        "def work(n):\n    import sys\n    for folder in ('/tmp', '/dev/shm', '/box', os.path.expanduser('~')):\n"
        "        try:\n            return int(open(folder + '/kept').read())\n        except OSError:\n"
        "            pass\n    total = slow(n)\n"
        "    for folder in ('/tmp', '/dev/shm', '/box', os.path.expanduser('~')):\n"
        "        try:\n            open(folder + '/kept', 'w').write(str(total))\n        except OSError:\n"
        "            pass\n    return total\n"
    ),
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


def test_a_quick_wrong_answer_in_a_later_round_is_a_wrong_answer(tmp_path: Path) -> None:
    source = (
        f"END = {time.time() + 4}\n\ndef work(n):\n    if time.time() > END:\n        return 0\n"
        "    total = slow(n)\n    time.sleep(max(0, END - time.time()))\n    return total\n"
    )
    result = timed(tmp_path, SLOW + source, SPEC.replace("time: 5s", "time: 5s, wall: 20s"))
    assert (str(result.verdict), result.score) == ("wrong-answer", 0)
    assert result.message.startswith("when it was run again for its time: ")
    assert result.timing is None


def test_sleeping_in_a_later_round_is_no_good_time(tmp_path: Path) -> None:
    source = (
        f"END = {time.time() + 4}\n\ndef work(n):\n    if time.time() > END:\n        time.sleep(99)\n"
        "    total = slow(n)\n    time.sleep(max(0, END - time.time()))\n    return total\n"
    )
    result = timed(tmp_path, SLOW + source, SPEC.replace("time: 5s", "time: 5s, wall: 6s"))
    assert (str(result.verdict), result.score) == ("wall-limit", 0)


def test_rounds_are_taken_from_the_budget_and_end_with_it(tmp_path: Path) -> None:
    slow = SLOW.replace("range(6)", "range(3)") + "def work(n):\n    return slow(n)\n"
    narrow = SPEC.replace("full: 2, none: 4, steps: 1, rounds: 3", "full: 3, none: 4, steps: 1, rounds: 50")
    spent = narrow.replace("budget: 60s", "budget: 1s").replace("time: 5s", "time: 900ms")
    result = timed(tmp_path, slow, spent)
    assert result.timing is not None
    assert result.timing.rounds < 50
    assert (str(result.verdict), result.score) == ("accepted", Fraction(1))


@pytest.mark.parametrize("cost_s", [0.001, 0.2])
def test_an_import_is_free_up_to_the_floor(tmp_path: Path, cost_s: float) -> None:
    source = (
        f"while time.process_time() < START + {cost_s}:\n    pass\n\ndef work(n):\n    total = 0\n"
        "    for number in range(n):\n        total += number * number\n    return total\n"
    )
    result = timed(tmp_path, SLOW + "START = time.process_time()\n" + source)
    assert str(result.verdict) == ("accepted" if cost_s < 0.01 else "time-limit")
