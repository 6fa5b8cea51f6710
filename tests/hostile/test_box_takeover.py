"""Student code that takes over the box itself, at import, and plays its part from then on.

The box is the student's process from the import on, so this always works.  It must gain nothing:
no time, no later inputs, no words in the report, and no process of its own.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from support.processes import looking
from support.sieges import SPINS, WAITS, Arena, Zygotes, job, value

from grader.model.limits import Limits
from grader.model.outcome import Ending, Outcome
from grader.sandbox.driver import Driver

# Tells the keeper that the import is over, and then is the box: without forking for the cases.
TAKE_OVER = """
import os, sys, threading, time

def burn(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass

def loading():
    frame = sys._getframe()
    while "_obey" not in frame.f_globals:
        frame = frame.f_back
    return frame

def box():
    frame = loading()
    return frame.f_locals["commands"], frame.f_globals["frames"], frame.f_globals["calls"]

def attack(x):
    return x * 2

def serve(work):
    commands, frames, calls = box()
    commands.sendall(frames.frame(frames.IMPORTED, bytes([0]) + calls.encode_result([("ok",)])))
    channel = calls.Channel(4)
    while True:
        stay, payload = channel.next_request()
        work()
        kind, body, intact = calls.run(sys.modules["work"], payload, channel, 1000)
        channel.send(kind, bytes([1]) + body)
"""


def test_cpu_time_of_the_box_counts_for_its_cases(driver_arena: Arena) -> None:
    source = TAKE_OVER + "\nserve(lambda: burn(0.06))\n"
    siege = driver_arena.besiege(source, job("attack", 2), recovers=False)
    assert value(siege.outcome) == 4
    assert siege.outcome.cpu_s >= 0.06


def test_the_time_limit_holds_for_a_box_that_does_its_forks_work(driver_arena: Arena) -> None:
    source = TAKE_OVER + f"\nserve(lambda: burn({2 * SPINS.time_s}))\n"
    siege = driver_arena.besiege(source, *[job("attack", n, limits=SPINS) for n in (2, 3)], recovers=False)
    assert siege.endings == [Ending.TIME, Ending.TIME]


HIDDEN_THREAD = """
import select
names_of_box = loading().f_globals
real = names_of_box["_read"]

def read(descriptor, length):
    # The keeper has counted our threads and gives its next order.
    names_of_box["_read"] = real
    select.select([descriptor], [], [])
    threading.Thread(target=burn, args=(3,), daemon=True).start()
    return real(descriptor, length)

names_of_box["_read"] = read

def slow(x):
    time.sleep(4)
    return x
"""


def test_a_thread_of_the_box_works_on_its_cases_account(driver_arena: Arena) -> None:
    """It hides from the count of threads by starting after the import was reported."""
    limits = Limits(time_s=0.1, wall_s=5)
    # What is left of its work after this case would be billed to the next.
    siege = driver_arena.besiege(TAKE_OVER + HIDDEN_THREAD, job("slow", 2, limits=limits), recovers=False)
    assert siege.outcome.ending is Ending.TIME


NEVER_FORKS = """
commands, frames, calls = box()
commands.sendall(frames.frame(frames.IMPORTED, bytes([0]) + calls.encode_result([("ok",)])))
time.sleep(1000)
"""


def test_a_box_that_never_forks_costs_one_case_each_time(driver_arena: Arena) -> None:
    siege = driver_arena.besiege(TAKE_OVER + NEVER_FORKS, job("attack", 1, limits=WAITS), recovers=False)
    assert siege.endings == [Ending.WALL]


LOOK = """
import os, sys, time

def frames():
    f = sys._getframe()
    while f is not None:
        yield f
        f = f.f_back

SEEN = [repr(f.f_locals) for f in frames()]
BOX = os.getpid()

def have_it_replaced(text):
    open("left", "w").write("x")
    return 1

def look(text):
    return any("HID" + "DEN" in text for text in SEEN)

def hidden(text):
    return text
"""


@pytest.mark.parametrize("first", ["have_it_replaced", "look"])
def test_no_box_is_born_with_a_later_cases_input_in_memory(
    arena: Arena, zygotes: Zygotes, first: str
) -> None:
    """Not even one that is started anew between two cases: it is where the scratch folder was used."""
    if first == "have_it_replaced":
        arena = zygotes.arena(Driver.NAMESPACES, "snapshot")
    jobs = [job(first, "x"), job("look", "x"), job("hidden", "HIDDEN")]
    outcomes: list[Outcome] = []
    with arena.box(LOOK) as box:
        box.load()
        while len(outcomes) < len(jobs):
            outcomes += box.run(jobs[len(outcomes) :])
    assert value(outcomes[1]) is False
    assert value(outcomes[2]) == "HIDDEN"


IMPORT_ON_A_CASE = """
frame = sys._getframe()
while frame is not None:
    if "case" in frame.f_locals:
        burn(0.25)
        break
    frame = frame.f_back

BOX = os.getpid()

def have_it_replaced():
    open("left", "w").write("x")
"""


def test_an_import_that_works_on_a_case_is_billed_for_it(zygotes: Zygotes) -> None:
    """A case cannot end its box, but one that writes a file has it replaced."""
    arena = zygotes.arena(Driver.NAMESPACES, "snapshot")
    jobs = [job("have_it_replaced", limits=SPINS), job("attack", 2, limits=SPINS)]
    siege = arena.besiege(TAKE_OVER + IMPORT_ON_A_CASE, *jobs, recovers=False)
    assert siege.endings[0] in (Ending.ANSWERED, Ending.TIME)
    # On a busy machine it gets so little of the processor that it seems to wait.
    assert siege.endings[1] in (Ending.TIME, Ending.WALL)


CHURN = """
import threading, time

for _ in range(200):
    thread = threading.Thread(target=int)
    thread.start()
    thread.join()

def spin():
    while True:
        pass

def sleep():
    time.sleep(1000)
"""


def test_a_fork_is_found_whatever_its_number(driver_arena: Arena) -> None:
    """Threads take process numbers too; one that was not found met no limit and outlived its box."""
    siege = driver_arena.besiege(CHURN, job("spin", limits=SPINS), job("sleep", limits=WAITS))
    assert siege.endings == [Ending.TIME, Ending.WALL]


FLOODS = {
    "the command channel, in a case": "import os\nfd = os.dup(3)\ndef attack():\n    flood(fd)\n",
    "the answer channel, in a case": "import os\ndef attack():\n    flood(4)\n",
    "the command channel, at import": "import os\nflood(3)\n",
    "the answer channel, at import": "import os\nflood(4)\n",
}
FLOOD = """
def flood(fd):
    import os
    block = b"\\xff\\xff\\0\\0\\0" + b"x" * 65535
    while True:
        os.write(fd, block)
"""


@pytest.mark.parametrize("way", FLOODS)
def test_a_flood_does_not_fill_the_keepers_memory(driver_arena: Arena, way: str) -> None:
    limits = Limits(0.4, 0.5)
    with peaks_below() as peaks:
        siege = driver_arena.besiege(FLOOD + FLOODS[way], job("attack", limits=limits), import_limits=limits)
    assert {siege.loaded.ending, *siege.endings} & {Ending.WALL, Ending.TIME, Ending.PROTOCOL}
    # None at all where the flood was over at once.
    assert max(peaks, default=0) < 60_000


def test_the_memory_of_keepers_is_seen(driver_arena: Arena) -> None:
    """What the test of floods looks at is there: a keeper that waits for a case has megabytes."""
    with peaks_below() as peaks:
        driver_arena.besiege(CHURN, job("sleep", limits=Limits(0.4, 1.5)))
    assert max(peaks) > 5_000


@contextmanager
def peaks_below() -> Iterator[list[int]]:
    """Fill a list with the peaks of memory, in KiB, of processes that start below this one meanwhile."""
    peaks: list[int] = []

    def look(pids: list[int]) -> None:
        for pid in pids:
            with suppress(OSError):
                status = Path(f"/proc/{pid}/status").read_text()
                peaks.extend(
                    int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:")
                )

    with looking(look):
        yield peaks
