"""Nothing outlives its starter: whoever is killed, at whatever moment, all that it started ends.

A grader of its own runs one box under each driver, as root and as another user; the case is hostile and does
what it can to stay.  Then one process is killed, and nothing below it may be left.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from support.processes import Process, alive, comes_true, descendants
from support.rows import first_of
from support.sieges import adopt_orphans
from support.unprivileged import BECOME

from grader.sandbox.driver import LADDER, Driver

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc")

HONEST = "import time\n\ndef attack():\n    print('at work', flush=True)\n    time.sleep(1000)\n"
HOSTILE = """
import ctypes, os, signal, sys, time

class Staying:
    "Stands for the worker's own module in the box: it cannot be had to end with its keeper."
    def __getattr__(self, name):
        return getattr(real, name)
    def prctl(self, *_):
        return 0

def find():
    frame = sys._getframe()
    while frame is not None:
        if "kernel" in frame.f_globals and "_obey" in frame.f_globals:
            return frame.f_globals
        frame = frame.f_back

box = find()
real, box["kernel"] = box["kernel"], Staying()
for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass

def attack():
    try:
        ctypes.CDLL(None).prctl(1, 0, 0, 0, 0)
    except OSError:
        pass
    while True:
        try:
            time.sleep(1000)
        except BaseException:
            pass
"""
GRADER = """
import json, sys
from grader.model.case import Call
from grader.model.limits import Limits
from grader.sandbox.box import Box, Job, Program
from grader.sandbox.budget import UNBILLED
from grader.sandbox.request import encode_request
from grader.sandbox.driver import Driver
from grader.sandbox.interpreter import find_interpreter
from grader.sandbox.zygote import Zygote

driver, source = json.loads(sys.argv[1])
limits = Limits(time_s=60, wall_s=1000)
with Zygote(Driver(driver), find_interpreter("")) as zygote:
    program = Program("m", {"m": source})
    on_wait = lambda: print("at work", flush=True)
    with Box(zygote, program, 256 << 20, limits, 60.0, purse=UNBILLED, on_wait=on_wait) as box:
        print(box.load()[0].ending, flush=True)
        try:
            box.run([Job(encode_request([Call("attack", ())], limits), limits)])
        except Exception as error:
            print(type(error).__name__, flush=True)
    sys.stdin.readline()
"""
WHO = ("grader", "grader-zygote", "grader-watcher", "grader-keeper")


@pytest.fixture(scope="module", autouse=True)
def as_parent_of_orphans() -> None:
    adopt_orphans()


@pytest.fixture
def other_user(nobody: tuple[str, Path] | None) -> tuple[list[str], dict[str, str]]:
    """The start of a command that runs Python as user 65534, and its environment."""
    if nobody is None:
        pytest.skip("no Python here can be run by a user without rights")
    python, home = nobody
    env = {"PYTHONPATH": str(home / "packages"), "HOME": str(home), "PATH": os.environ["PATH"]}
    return [*BECOME, python], env


@contextmanager
def grader(
    command: list[str], env: dict[str, str], driver: Driver, source: str
) -> Iterator[subprocess.Popen[bytes]]:
    """A grader whose one case is at work."""
    with subprocess.Popen(
        [*command, "-c", GRADER, json.dumps([driver, source])],
        env=env, cwd="/", stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        try:
            said = process.stdout.readline(), process.stdout.readline()
            if said != (b"answered\n", b"at work\n"):
                process.kill()
                errors = process.stderr.read().decode() if process.stderr else ""
                if "SandboxFailure" in errors:
                    pytest.skip(errors.strip().splitlines()[-1])
                raise AssertionError((said, errors))
            yield process
        finally:
            process.kill()


def names(below: int) -> dict[Process, str]:
    found = {}
    for one in alive(descendants(below)):
        try:
            found[one] = Path(f"/proc/{one[0]}/comm").read_text().strip()
        except OSError:
            continue
    return found


def see_that_nothing_outlives(process: subprocess.Popen[bytes], who: str) -> None:
    """Kill one process of a grader's, and see that all below it ends; then the grader, and see the same."""
    told = names(process.pid)
    victims = [process.pid] if who == "grader" else [one[0] for one, name in told.items() if name == who]
    if not victims:
        pytest.skip(f"there is no {who} here")
    below = descendants(victims[0])
    boxes = {one for one, name in told.items() if name == "grader-box"}
    assert boxes
    os.kill(victims[0], signal.SIGKILL)
    assert comes_true(lambda: not alive(below)), [told.get(one) for one in alive(below)]
    # Also those that became somebody else's children.
    assert comes_true(lambda: not alive(boxes))
    process.kill()
    assert comes_true(lambda: not alive(set(told))), [told.get(one) for one in alive(set(told))]


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("driver", first_of(LADDER))
def test_nothing_outlives_its_starter(driver: Driver, who: str) -> None:
    with grader([sys.executable], dict(os.environ), driver, HOSTILE) as process:
        see_that_nothing_outlives(process, who)


@pytest.mark.parametrize("driver", [Driver.NAMESPACES, Driver.LANDLOCK])
def test_an_honest_case_ends_with_its_keeper(driver: Driver) -> None:
    with grader([sys.executable], dict(os.environ), driver, HONEST) as process:
        see_that_nothing_outlives(process, "grader-keeper")


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize(
    "driver", first_of([Driver.NAMESPACES, Driver.LANDLOCK, Driver.SECCOMP, Driver.POSIX], 2)
)
def test_nothing_outlives_its_starter_as_another_user(
    other_user: tuple[list[str], dict[str, str]], driver: Driver, who: str
) -> None:
    with grader(*other_user, driver, HOSTILE) as process:
        see_that_nothing_outlives(process, who)
