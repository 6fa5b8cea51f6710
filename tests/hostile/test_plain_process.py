"""Attacks on the `portable` driver.  It has no walls; its channel, its limits and its ends must hold anyway.

More of them run in `test_box_bombs`, `test_box_channel`, `test_box_endings`, `test_box_printing` and
`test_box_scenarios`, with other drivers.
"""

import os
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from support.processes import alive, comes_true, descendants
from support.sieges import LIMITS, MEMORY_B, SPINS, WAITS, Arena, Zygotes, job, raised, value

from grader.model.case import Watched
from grader.model.outcome import Ending, Returned
from grader.sandbox.box import Box, Program
from grader.sandbox.budget import UNBILLED
from grader.sandbox.driver import Driver
from grader.sandbox.interpreter import find_interpreter
from grader.sandbox.portable.zygote import PortableZygote
from grader.sandbox.zygote import SandboxFailure
from grader.wire import frames, messages
from grader.worker.keeper import process_table
from grader.worker.keeper.watch import BY_THE_CLOCK


@pytest.fixture(params=["by the kernel", "by the clock"])
def arena(request: pytest.FixtureRequest, zygotes: Zygotes, monkeypatch: pytest.MonkeyPatch) -> Arena:
    """The driver on a host that tells CPU times, and on one that does not."""
    if request.param == "by the clock":
        monkeypatch.setattr(process_table, "cpu_clock_s", lambda pid: None)
    return zygotes.arena(Driver.PORTABLE, "fresh")


ENDS = {
    "an end": ("os._exit(0)", Ending.EXITED),
    "an end of the interpreter": ("sys.exit(0)", Ending.ANSWERED),
    "a kill": ("os.kill(os.getpid(), 9)", Ending.KILLED),
    "an overflow": ("import ctypes; ctypes.string_at(0)", Ending.KILLED),
}


@pytest.mark.parametrize("way", ENDS)
def test_an_end_is_no_answer(arena: Arena, way: str) -> None:
    body, ending = ENDS[way]
    outcome = arena.besiege(f"import os, sys\ndef attack():\n    {body}\n", job("attack")).outcome
    assert outcome.ending is ending
    assert not any(isinstance(answer, Returned) for answer in outcome.answers)


def test_an_end_at_import_is_no_import(arena: Arena) -> None:
    assert arena.besiege("import os\nos._exit(0)\n").loaded.ending is Ending.EXITED


def test_a_loop_ends_at_its_limit(zygotes: Zygotes) -> None:
    source = "def attack():\n    while True:\n        pass\n"
    outcome = zygotes.arena(Driver.PORTABLE, "fresh").besiege(source, job("attack", limits=SPINS)).outcome
    assert (outcome.ending, outcome.detail) == (Ending.TIME, "")
    assert outcome.place is not None
    assert outcome.place[0] == "work.py"


def test_sleep_ends_at_the_wall_limit(zygotes: Zygotes) -> None:
    source = "import time\ndef attack():\n    time.sleep(1000)\n"
    outcome = zygotes.arena(Driver.PORTABLE, "fresh").besiege(source, job("attack", limits=WAITS)).outcome
    assert outcome.ending is Ending.WALL


@pytest.mark.parametrize("body", ["time.sleep(1000)", "while True: pass"])
def test_where_cpu_time_is_not_told_the_clock_is_the_limit(
    body: str, zygotes: Zygotes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process_table, "cpu_clock_s", lambda pid: None)
    source = f"import time\ndef attack():\n    {body}\n"
    outcome = zygotes.arena(Driver.PORTABLE, "fresh").besiege(source, job("attack", limits=WAITS)).outcome
    assert (outcome.ending, outcome.detail) == (Ending.TIME, BY_THE_CLOCK)


def test_an_import_that_hangs_ends(arena: Arena) -> None:
    loaded = arena.besiege(
        "while True:\n    pass\n", import_limits=replace(LIMITS, time_s=0.3, wall_s=0.6)
    ).loaded
    assert loaded.ending is Ending.TIME


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_endless_print_ends_and_fills_no_memory(arena: Arena, stream: str) -> None:
    source = f"import sys\ndef attack():\n    while True:\n        print('x' * 9999, file=sys.{stream})\n"
    outcome = arena.besiege(source, job("attack")).outcome
    assert outcome.ending is Ending.OUTPUT
    assert len(getattr(outcome, stream)) == LIMITS.output_b


@pytest.mark.parametrize("which", ["1", "2", "1); os.close(2", "0"])
def test_streams_may_be_closed(arena: Arena, which: str) -> None:
    source = f"import os\ndef attack():\n    os.close({which})\n    return 5\n"
    assert value(arena.besiege(source, job("attack")).outcome) == 5


def test_no_divider_gets_into_a_file_in_place_of_a_stream(arena: Arena) -> None:
    """The worker writes dividers to the streams; a file of the student's can have their numbers."""
    source = """
import os
def attack():
    os.close(1)
    with open("mine.txt", "w+") as file:
        assert file.fileno() == 1
        call()
        file.seek(0)
        return file.read()
def call():
    watched(1)
watched = None
def start(f):
    global watched
    watched = f
    return attack()
"""
    outcome = arena.besiege(
        source, job("start", Watched("f", "f"), answer=lambda call: None), recovers=False
    ).outcome
    assert value(outcome) == ""


CHANNEL = """
import os, sys, time

def channel():
    frame = sys._getframe()
    while not hasattr(frame.f_locals.get("channel"), "divider"):
        frame = frame.f_back
    return frame.f_locals["channel"]
"""


FLOODS = {
    "messages of its own": "while True: os.write(out, b'x' * 9999)",
    "a header of gigabytes": "os.write(out, b'\\xff' * 9); time.sleep(1000)",
    "an end of the messages": "os.close(out); time.sleep(1000)",
}


@pytest.mark.parametrize("way", FLOODS)
def test_what_is_written_to_the_channel_is_noise_at_most(arena: Arena, way: str) -> None:
    source = f"{CHANNEL}\ndef attack():\n    out = channel()._answers\n    {FLOODS[way]}\n"
    assert arena.besiege(source, job("attack", limits=WAITS)).outcome.ending in (
        Ending.PROTOCOL, Ending.WALL, Ending.TIME,
    )  # fmt: skip


def test_output_without_dividers_costs_one_wait(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.sandbox.portable.channels._DIVIDERS_S", 0.2)
    source = f"""{CHANNEL}
def attack(note):
    channel().divider = b""
    print("before")
    for _ in range(20):
        note(1)
    return 1
"""
    attack = job("attack", Watched("note", "note"), answer=lambda call: None)
    outcome = arena.besiege(source, attack).outcome
    assert value(outcome) == 1
    assert outcome.stdout == "before\n"


def test_threads_that_are_left_end_with_their_case(arena: Arena) -> None:
    source = """
import threading, time
def spin():
    while True:
        print("left", flush=True)
        time.sleep(0.01)
def attack():
    threading.Thread(target=spin).start()
    return 2
"""
    outcomes = arena.besiege(source, job("attack"), job("attack")).outcomes
    assert [value(outcome) for outcome in outcomes] == [2, 2]


def test_a_request_that_is_not_read_ends(arena: Arena) -> None:
    """Its pipe is full, and to write to it would wait for ever."""
    source = """
import sys, time
def attack(x):
    return x
frame = sys._getframe()
while "sink" not in frame.f_locals:
    frame = frame.f_back
channel = frame.f_locals["sink"]
type(channel).next_request = lambda channel: time.sleep(1000)
"""
    outcome = arena.besiege(source, job("attack", "x" * 300_000, limits=WAITS), recovers=False).outcome
    assert outcome.ending in (Ending.WALL, Ending.TIME)


def test_a_process_that_holds_the_pipes_does_not_hold_the_case(arena: Arena) -> None:
    """Nothing finds it here, which the guarantees say; but the case ends."""
    source = """
import os, time
def attack():
    if os.fork() == 0:
        time.sleep(3)
        os._exit(0)
    return 3
"""
    with arena.box(source) as box:
        box.load()
        (outcome,) = box.run([job("attack")])
    assert value(outcome) == 3


def test_a_case_ends_with_its_grader(arena: Arena) -> None:
    before = descendants(os.getpid())
    with arena.box("import time\ndef attack():\n    time.sleep(1000)\n") as box:
        box.load()
        attack = job("attack")
        box._send(frames.RUN, messages.pack_cases([box._order(attack, attack.limits)]))
        assert comes_true(lambda: bool(descendants(os.getpid()) - before))
    assert comes_true(lambda: not alive(descendants(os.getpid()) - before))


def test_nothing_is_left_in_the_folder_for_temporary_files(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    source = "def attack(text):\n    open('mine.txt', 'a+').write(text)\n    return open('mine.txt').read()\n"
    outcomes = arena.besiege(source, job("attack", "a"), job("attack", "b")).outcomes
    assert [value(outcome) for outcome in outcomes] == ["a", "b"]
    assert comes_true(lambda: not list(tmp_path.iterdir()))


def test_frames_of_the_library_are_not_the_students(arena: Arena) -> None:
    outcome = arena.besiege("import json\ndef attack():\n    json.loads('{')\n", job("attack")).outcome
    assert raised(outcome) == "JSONDecodeError"
    assert [frame.file for frame in outcome.answers[0].raised.frames] == ["work.py"]  # type: ignore[union-attr]


def test_a_package_that_is_missing_is_told_at_once() -> None:
    with pytest.raises(SandboxFailure, match="No module named 'no_such_package'"):
        PortableZygote(find_interpreter(""), ("no_such_package",))


def test_a_python_that_does_not_start_is_our_fault() -> None:
    zygote = PortableZygote(replace(find_interpreter(""), command="/no/such/python"))
    program = Program("work", {"work": ""})
    with (
        Box(zygote, program, MEMORY_B, LIMITS, LIMITS.time_s, purse=UNBILLED) as box,
        pytest.raises(SandboxFailure, match="No such file"),
    ):
        box.load()
