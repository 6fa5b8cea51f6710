"""Root of a user namespace, as in a rootless container, marks behind the same walls, and nothing gets out.

Where ids are mapped, boxes become users of their own; where one alone is, they stay it, without its rights.
"""

import json
import os
import shutil
import sys
from pathlib import Path

import pytest
from support import rootless
from support.attack_batch import catalogue, failures, runs
from support.attack_tasks import TASKS
from support.command_line import COMMAND, MINI, Done, environment, grader, results, run
from support.sieges import adopt_orphans
from support.unprivileged import give_away

from grader.sandbox.driver import WALLS, Driver

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can map ids of others")

TELLING = frozenset(
    {
        "kernel/more_rights",
        "kernel/mounts",
        "kernel/namespaces",
        "network/servers_of_this_host",
        "processes/daemon",
        "processes/fork_bomb",
        "processes/thread_bomb",
        "reading/files_of_the_grader",
        "reading/other_processes",
        "signals/everybody",
        "signals/traced",
        "two_boxes/signals",
        "writing/everywhere",
    }
)
ROOTS = [user for user in rootless.USERS if user != "user of a container"]
MARKING = (Driver.NAMESPACES, Driver.LANDLOCK)


@pytest.fixture(name="somebody", scope="module")
def somebody_with_a_task(nobody: tuple[str, Path] | None) -> tuple[str, Path]:
    """A Python, and a home with a copy of grader and the small task, of user 65534 outside."""
    if nobody is None:
        pytest.skip("no Python here can be run by a user without rights")
    python, home = nobody
    shutil.copytree(MINI, home / "mini", dirs_exist_ok=True)
    give_away(home / "mini")
    return python, home


def grader_as(user: str, somebody: tuple[str, Path], *arguments: str | Path) -> Done:
    python, home = somebody
    if user == rootless.OF_ROOT:
        return run([*rootless.become(user), COMMAND, *arguments], cwd=MINI.parent)
    changes = {"PYTHONPATH": str(home / "packages"), "HOME": str(home)}
    command = [*rootless.become(user), python, "-m", "grader", *arguments]
    return run(command, cwd=home, env=environment(**changes))


@pytest.mark.parametrize(
    "user",
    [
        pytest.param(user, marks=() if user == "rootless" else pytest.mark.acceptance)
        for user in rootless.USERS
    ],
)
def test_it_marks_behind_all_walls(user: str, somebody: tuple[str, Path], tmp_path: Path) -> None:
    out = tmp_path if user == rootless.OF_ROOT else somebody[1] / f"out of {user}"
    done = grader_as(user, somebody, "mark", "mini/words.yaml", "mini/submissions", "-o", out)
    assert done.returncode == 0, done.stderr
    document = results(out)
    assert document["run"]["sandbox"]["driver"] == "namespaces"
    assert all(document["run"]["sandbox"]["guarantees"].values())
    marks = [submission["mark"] for submission in document["submissions"]]
    assert marks == ["6", "1.5", "4", "5", "4.5", "5", "0", "0"]


def test_it_checks_without_a_remark(somebody: tuple[str, Path]) -> None:
    done = grader_as("rootless", somebody, "check", "mini/words.yaml", "mini/submissions/student-01")
    assert done.returncode == 0, done.stderr
    assert "as if you had started it yourself" not in done.stdout


def test_a_check_that_no_sandbox_holds_says_so() -> None:
    work = MINI / "submissions" / "student-01"
    done = grader("check", MINI / "words.yaml", work, GRADER_DRIVER="posix")
    assert "No sandbox works on this host (grader doctor says why): your program ran" in done.stdout


@pytest.mark.acceptance  # a doctor's usual work, of some seconds each
@pytest.mark.parametrize("user", ROOTS)
def test_the_doctor_finds_that_every_promise_holds(user: str, somebody: tuple[str, Path]) -> None:
    done = grader_as(user, somebody, "doctor", "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout)
    assert found["host"]["ids"] == (1 if "one" in user else 65_536)
    for driver, examination in found["drivers"].items():
        held = {name for name, holds in examination["guarantees"].items() if holds}
        assert WALLS[Driver(driver)].promises <= held, driver


WAYS = [
    pytest.param(
        user,
        driver,
        marks=() if (user, driver) == ("one id", Driver.LANDLOCK) else pytest.mark.acceptance,
        id=f"{user}-{driver}",
    )
    for user in ROOTS
    for driver in MARKING
]


@pytest.mark.parametrize(("user", "driver"), WAYS)
def test_nothing_gets_out(user: str, driver: Driver, somebody: tuple[str, Path]) -> None:
    adopt_orphans()
    told = [attack for attack in catalogue() if attack.name in TELLING]
    assert len(told) == len(TELLING)
    python, home = (sys.executable, None) if user == rootless.OF_ROOT else somebody
    for found in runs(user, driver, (python,), home, told):
        assert failures(found) == []


@pytest.mark.acceptance
def test_nothing_of_the_whole_catalogue_does(somebody: tuple[str, Path]) -> None:
    """By the driver that is taken there; the catalogue has the other, for a user without rights."""
    adopt_orphans()
    found = runs("rootless", Driver.NAMESPACES, (somebody[0],), somebody[1])
    assert [failures(each) for each in found] == [[]] * len(TASKS)
