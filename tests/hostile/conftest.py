"""Where the attacks on the sandbox take place: every driver that marks, in every mode that it has.

`make test` has the two drivers that mark without being told; the third is left to `make acceptance`.
"""

from collections.abc import Iterator

import pytest
from support.rows import first_of
from support.sieges import DRIVERS, Arena, Zygotes, adopt_orphans, combinations

from grader.sandbox.driver import Driver
from grader.worker.walls import syscalls


@pytest.fixture(scope="session")
def zygotes() -> Iterator[Zygotes]:
    if not syscalls.SUPPORTED:
        pytest.skip("there are no tables of system calls for this architecture")
    adopt_orphans()
    started = Zygotes()
    yield started
    started.close()


@pytest.fixture(params=first_of(combinations(), 4), ids="-".join)
def arena(request: pytest.FixtureRequest, zygotes: Zygotes) -> Arena:
    """Every driver in every mode."""
    return zygotes.arena(*request.param)


@pytest.fixture(params=first_of(DRIVERS, 2))
def driver_arena(request: pytest.FixtureRequest, zygotes: Zygotes) -> Arena:
    """Every driver, in the mode that is usual for students' modules."""
    return zygotes.arena(request.param, "snapshot")


@pytest.fixture(params=[*combinations(DRIVERS[:1]), (Driver.PORTABLE, "fresh")], ids="-".join)
def mode_arena(request: pytest.FixtureRequest, zygotes: Zygotes) -> Arena:
    """The strongest driver in every mode, and the one that has no wall: for attacks that no wall concerns."""
    return zygotes.arena(*request.param)
