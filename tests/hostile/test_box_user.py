"""Whose process a box is: where the grader runs as root, nobody's who has an account or owns anything."""

import os
import sys

import pytest
from support.sieges import DRIVERS, Arena, indented, job, value

from grader.model.errors import UsageError
from grader.sandbox.driver import Driver
from grader.sandbox.interpreter import Interpreter, find_interpreter
from grader.sandbox.zygote import Zygote

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="boxes run as the user who marks, if not root")

WHO = "import os\ndef attack():\n" + indented(
    "return [*os.getresuid(), *os.getresgid(), *os.getgroups(), os.stat('/').st_uid]"
)


def reachable() -> Interpreter | None:
    """A Python that any user can run: not one in root's home."""
    for command in (sys.executable, f"/usr/bin/python3.{sys.version_info[1]}", "/usr/bin/python3"):
        try:
            found = find_interpreter(command)
        except UsageError:
            continue
        if all(os.stat(folder).st_mode & 1 for path in found.readable for folder in _folders_above(path)):
            return found
    return None


def _folders_above(path: str) -> list[str]:
    parts = os.path.dirname(os.path.realpath(path)).split("/")
    return ["/".join(parts[: count + 1]) or "/" for count in range(len(parts))]


@pytest.mark.parametrize("driver", DRIVERS)
def test_a_box_of_root_s_is_another_user_s(driver: Driver) -> None:
    interpreter = reachable()
    if interpreter is None and "CI" not in os.environ:
        pytest.skip("no Python here can be run by a user without rights")
    assert interpreter is not None
    with Zygote(driver, interpreter) as zygote:
        who = value(Arena(driver, "snapshot", zygote).besiege(WHO, job("attack")).outcome)
    assert isinstance(who, list)
    assert len(who) == 7
    assert len(set(who[:6])) == 1
    assert who[0] >= 1_900_000_000
    if driver is not Driver.NAMESPACES:
        assert who[6] == 0


def test_an_interpreter_that_only_root_can_reach_still_runs(driver_arena: Arena) -> None:
    """In root's home, as here or not; with no root of its own a box is root's then, without its rights."""
    who = value(driver_arena.besiege(WHO, job("attack")).outcome)
    assert isinstance(who, list)
    assert len(set(who[:6])) == 1
