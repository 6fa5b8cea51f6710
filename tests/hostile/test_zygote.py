"""The zygote: out of reach of every box, ended with its grader, and nothing passes from one to another."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from support.processes import alive, comes_true, descendants
from support.rows import first_of
from support.sieges import DRIVERS, Arena, job, value

from grader.sandbox import zygote_process
from grader.sandbox.driver import Driver
from grader.sandbox.interpreter import find_interpreter
from grader.sandbox.zygote import SandboxFailure, Zygote
from grader.worker.box.main import TRACE

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc")


def named(name: str, below: int) -> list[int]:
    """The pids of the living processes of that name below another."""
    found = []
    for process in alive(descendants(below)):
        try:
            said = Path(f"/proc/{process[0]}/comm").read_text().strip()
        except OSError:
            continue
        if said == name:
            found.append(process[0])
    return found


def answers(zygote: Zygote) -> bool:
    """Whether a box of the zygote's does its work."""
    outcome = Arena(zygote.driver, "snapshot", zygote).besiege("", job("control", 1)).outcome
    return value(outcome) == [1, (1, None)]


REACH = """
import ctypes, os, signal

LIBC = ctypes.CDLL(None, use_errno=True)

def attack(pid):
    succeeded = []
    for name in ("mem", "environ", "maps", "fd", "root/proc", "cwd"):
        for flags in (os.O_RDWR, os.O_WRONLY, os.O_RDONLY):
            try:
                os.read(os.open(f"/proc/{pid}/{name}", flags), 1)
            except OSError:
                continue
            succeeded.append(name)
    for way in (lambda: os.kill(pid, 9), lambda: os.kill(pid, 0), lambda: os.killpg(pid, 9)):
        try:
            way()
        except OSError:
            continue
        succeeded.append("signal")
    if LIBC.sigqueue(pid, 9, 0) == 0:
        succeeded.append("queue")
    return succeeded
"""


def started_by(program: str) -> set[tuple[int, str]]:
    """Return the processes below a Python that prints a line when they run, and that has ended since."""
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as grader:
        assert grader.stdout is not None
        grader.stdout.readline()
        started = descendants(grader.pid)
        grader.communicate(b"\n")
    return started


def test_no_box_reaches_a_zygote_or_its_watcher(driver_arena: Arena) -> None:
    with Zygote(driver_arena.driver, find_interpreter("")) as other:
        targets = [*named("grader-watcher", os.getpid()), *named("grader-zygote", os.getpid())]
        assert len(targets) >= 3
        for pid in targets:
            assert value(driver_arena.besiege(REACH, job("attack", pid)).outcome) == []
        assert set(targets) <= {pid for pid, _ in alive(descendants(os.getpid()))}
        assert answers(other)


def test_no_descriptor_of_the_zygote_s_is_left_in_a_box(arena: Arena) -> None:
    source = """
import os

def attack():
    found = []
    for number in range(1024):
        try:
            os.fstat(number)
        except OSError:
            continue
        found.append(number)
    return found
"""
    found = value(arena.besiege(source, job("attack")).outcome)
    assert isinstance(found, list)
    # Commands, answers and the pipe for traces besides the usual three; a case has no commands.
    assert set(found) <= {0, 1, 2, 3, 4, TRACE}


POISON = """
import builtins, gc, os, random, sys

def attack():
    builtins.len = builtins.sorted = lambda *_: 666
    random.seed(666)
    os.environ["POISON"] = "666"
    for module in list(sys.modules.values()):
        try:
            module.poison = 666
        except Exception:
            pass
    for thing in gc.get_objects():
        if type(thing) is dict:
            thing["poison"] = 666
    return True

def poisoned():
    return [len([1]), os.environ.get("POISON"), sys.modules.get("poison"), hasattr(os, "poison")]
"""


@pytest.mark.parametrize("driver", first_of(DRIVERS))
def test_what_a_box_ruins_is_whole_in_the_next_zygote(driver: Driver) -> None:
    with Zygote(driver, find_interpreter("")) as first:
        Arena(driver, "snapshot", first).besiege(POISON, job("attack"))
        with Zygote(driver, find_interpreter("")) as second:
            found = value(Arena(driver, "snapshot", second).besiege(POISON, job("poisoned")).outcome)
    assert found == [1, None, None, False]


def test_a_zygote_that_is_killed_takes_no_other_with_it() -> None:
    interpreter = find_interpreter("")
    before = set(named("grader-zygote", os.getpid()))
    with Zygote(Driver.NAMESPACES, interpreter) as first:
        (pid,) = set(named("grader-zygote", os.getpid())) - before
        with Zygote(Driver.NAMESPACES, interpreter) as second:
            os.kill(pid, signal.SIGKILL)
            assert answers(second)
        first.close()
    assert pid not in {pid for pid, _ in alive(descendants(os.getpid()))}


def test_nothing_is_left_of_a_zygote_that_was_closed(driver_arena: Arena) -> None:
    before = descendants(os.getpid())
    zygote = Zygote(driver_arena.driver, find_interpreter(""))
    assert answers(zygote)
    started = descendants(os.getpid()) - before
    assert started
    zygote.close()
    assert comes_true(lambda: not alive(started))


@pytest.mark.parametrize("last_words", ["os._exit(0)", "os.kill(os.getpid(), signal.SIGKILL)", "pass"])
def test_it_ends_with_its_grader(last_words: str) -> None:
    """However that ends, with a zygote open or not."""
    program = (
        "import os, signal, sys\n"
        "from grader.sandbox.driver import Driver\n"
        "from grader.sandbox.interpreter import find_interpreter\n"
        "from grader.sandbox.zygote import Zygote\n"
        "zygote = Zygote(Driver.NAMESPACES, find_interpreter(''))\n"
        "print(flush=True)\n"
        "sys.stdin.readline()\n"
        f"{last_words}\n"
    )
    started = started_by(program)
    assert len(started) >= 2
    assert comes_true(lambda: not alive(started))


def test_chance_at_the_import_is_the_same_for_every_submission(driver_arena: Arena) -> None:
    """Boxes are forked from one state of `random`; what a module draws must not tell which came before."""
    source = "import random\nDRAWN = random.random()\n\ndef attack():\n    return DRAWN\n"
    once, twice = (value(driver_arena.besiege(source, job("attack")).outcome) for _ in range(2))
    with Zygote(driver_arena.driver, find_interpreter("")) as other:
        elsewhere = value(Arena(other.driver, "snapshot", other).besiege(source, job("attack")).outcome)
    assert once == twice == elsewhere


def test_a_python_that_says_nothing_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.sandbox.zygote._START_S", 0.2)
    before = descendants(os.getpid())
    zygote_process.prepare(sys.executable)
    (stuck,) = alive(descendants(os.getpid()) - before)
    os.kill(stuck[0], signal.SIGSTOP)
    with pytest.raises(SandboxFailure):
        Zygote(Driver.NAMESPACES, find_interpreter(""))
    assert not alive({stuck})


def test_what_was_prepared_is_used_once() -> None:
    before = descendants(os.getpid())
    zygote_process.prepare(sys.executable)
    (prepared,) = alive(descendants(os.getpid()) - before)
    with Zygote(Driver.POSIX, find_interpreter("")) as zygote:
        assert prepared in alive(descendants(os.getpid()) - before)
        assert answers(zygote)
        with Zygote(Driver.POSIX, find_interpreter("")) as other:
            assert answers(other)
            assert answers(zygote)
    assert not alive(descendants(os.getpid()) - before)


def test_a_fork_of_the_grader_does_not_take_what_was_prepared() -> None:
    zygote_process.prepare(sys.executable)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        with Zygote(Driver.NAMESPACES, find_interpreter("")) as zygote:
            os.write(writer, b"%d" % answers(zygote))
        os._exit(0)
    os.waitpid(child, 0)
    assert os.read(reader, 10) == b"1"
    os.close(reader)
    os.close(writer)
    with Zygote(Driver.NAMESPACES, find_interpreter("")) as zygote:
        assert answers(zygote)


def test_what_was_prepared_and_not_used_ends_with_its_grader() -> None:
    program = (
        "import sys\n"
        "from grader.sandbox import zygote_process\n"
        "zygote_process.prepare(sys.executable)\n"
        "print(flush=True)\n"
        "sys.stdin.readline()\n"
    )
    started = started_by(program)
    assert started
    assert not alive(started)


def test_what_cannot_be_prepared_is_told_to_the_one_that_needs_it() -> None:
    zygote_process.prepare("/no/such/python")
    with pytest.raises(OSError, match="/no/such/python"):
        zygote_process.take("/no/such/python")
