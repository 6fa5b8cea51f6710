"""Every attack of the catalogue, through the whole path: nothing gained, leaked, left, or taken from others.

As root and as a user without rights under the drivers that may mark; as the latter alone under those that
promise less, which are tried only with what they promise to stop.
"""

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.attack_batch import catalogue, failures, runs, successes
from support.attack_tasks import TASKS
from support.sieges import adopt_orphans
from support.unprivileged import can_become_nobody, home_with_a_copy, python_for

from grader.sandbox.driver import LADDER, Driver
from grader.wire import frames

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the drivers are Linux's")

IS_ROOT = os.geteuid() == 0
RUNS = [("root", driver) for driver in (Driver.NAMESPACES, Driver.LANDLOCK) if IS_ROOT]
RUNS += [("nobody" if IS_ROOT else "self", driver) for driver in LADDER]


@pytest.fixture(scope="module")
def nobody() -> Iterator[tuple[str, Path] | None]:
    """A Python and a copy of grader for a user without rights; None where this is one already."""
    if not IS_ROOT:
        yield None
        return
    assert can_become_nobody(), "setpriv is needed, for root to become somebody else"
    with home_with_a_copy() as home:
        python = python_for(home)
        if not python and "CI" not in os.environ:
            pytest.skip("no Python here can be run by a user without rights")
        yield python, home


# Three hundred submissions are marked; how long that may take is told by `attack_batch.LONGEST_S`.
@pytest.mark.parametrize(("user", "driver"), RUNS, ids=[f"{user}-{driver}" for user, driver in RUNS])
def test_no_attack_succeeds(nobody: tuple[str, Path] | None, user: str, driver: Driver) -> None:
    adopt_orphans()
    if user == "nobody" and nobody is not None:
        found = runs(user, driver, (nobody[0],), nobody[1])
    else:
        found = runs(user, driver, (sys.executable,))
    assert [failures(run) for run in found] == [[]] * len(TASKS)


def test_they_are_attacks_where_nothing_stops_them(nobody: tuple[str, Path] | None) -> None:
    """Those that do no harm to this host; else a catalogue that lost its teeth would go unnoticed."""
    adopt_orphans()
    real = [attack for attack in catalogue() if attack.succeeds_under]
    assert len(real) >= 10
    if nobody is None:
        found = runs("self", Driver.POSIX, (sys.executable,), attacks=real)
    else:
        found = runs("nobody", Driver.POSIX, (nobody[0],), nobody[1], real)
    assert set[str]().union(*map(successes, found)) == {attack.name for attack in real}


def test_the_frames_that_are_forged_are_the_real_ones() -> None:
    for attack in catalogue():
        (line,) = re.findall(r"^(ANSWER, .*) = (.*)$", attack.path.read_text("utf-8"), re.MULTILINE) or [
            ("", "")
        ]
        for name, number in zip(line[0].split(", "), line[1].split(", "), strict=True):
            assert not name or getattr(frames, name) == int(number), (attack.name, name)


def test_the_catalogue_is_a_large_one() -> None:
    attacks = catalogue()
    assert len(attacks) >= 210
    assert len({attack.student for attack in attacks}) == len(attacks)
    assert {attack.holds_from for attack in attacks} == set(LADDER)
