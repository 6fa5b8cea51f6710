"""Every attack of the catalogue, through the whole path: nothing gained, leaked, left, or taken from others.

As root and as a user without rights under the drivers that may mark; as the latter alone under those that
promise less, which are tried only with what they promise to stop.
"""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from attack_batch import catalogue, failures, run
from sieges import adopt_orphans
from unprivileged import can_become_nobody, home_with_a_copy, python_for

from grader.sandbox.driver import Driver

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the drivers are Linux's")

AS_ROOT = (Driver.NAMESPACES, Driver.LANDLOCK)
RUNS = [
    *(("root", driver) for driver in AS_ROOT if os.geteuid() == 0),
    *(("nobody" if os.geteuid() == 0 else "self", driver) for driver in Driver),
]


@pytest.fixture(scope="module")
def nobodys_home() -> Iterator[Path | None]:
    if not can_become_nobody():
        yield None
        return
    with home_with_a_copy() as home:
        yield home


@pytest.mark.parametrize(("user", "driver"), RUNS, ids=[f"{user}-{driver}" for user, driver in RUNS])
def test_no_attack_succeeds(nobodys_home: Path | None, user: str, driver: Driver) -> None:
    adopt_orphans()
    if user == "nobody":
        assert nobodys_home is not None, "without setpriv, root cannot become somebody else"
        python = python_for(nobodys_home)
        if not python and "CI" not in os.environ:
            pytest.skip("no Python here can be run by a user without rights")
        assert failures(run(user, driver, (python,), nobodys_home)) == []
    else:
        assert failures(run(user, driver, (sys.executable,))) == []


def test_the_catalogue_is_a_large_one() -> None:
    attacks = catalogue()
    assert len(attacks) >= 100
    assert len({attack.student for attack in attacks}) == len(attacks)
    assert {attack.holds_from for attack in attacks} == set(Driver)
