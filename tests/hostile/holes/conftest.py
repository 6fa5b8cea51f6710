"""The users and drivers under which the holes are tried."""

from pathlib import Path

import pytest
from _pytest.mark import ParameterSet
from support.attack_run import IS_ROOT, Way
from support.sieges import adopt_orphans

from grader.sandbox.driver import LADDER, Driver

USERS = ("root", "nobody") if IS_ROOT else ("self",)
MARKING = (Driver.NAMESPACES, Driver.LANDLOCK)
"""The drivers that may mark without being told."""


def _way(nobody: tuple[str, Path] | None, user: str, driver: Driver) -> Way:
    adopt_orphans()
    if user != "nobody":
        return Way(user, driver)
    if nobody is None:
        pytest.skip("no Python here can be run by a user without rights")
    return Way(user, driver, *nobody)


def _width(user: str, driver: Driver) -> ParameterSet:
    """Return a way to mark; of each pair of users, `make test` has one under each driver."""
    usual = user == USERS[0 if driver is Driver.NAMESPACES else -1]
    return pytest.param((user, driver), id=f"{user}-{driver}", marks=() if usual else pytest.mark.acceptance)


@pytest.fixture(params=[_width(user, driver) for driver in MARKING for user in USERS])
def way(request: pytest.FixtureRequest, nobody: tuple[str, Path] | None) -> Way:
    """Each user under each driver that marks; half of these are left to `make acceptance`."""
    return _way(nobody, *request.param)


@pytest.fixture(params=[(user, driver) for driver in LADDER for user in USERS[-1:]], ids="-".join)
def any_driver(request: pytest.FixtureRequest, nobody: tuple[str, Path] | None) -> Way:
    """A user without rights, under each driver."""
    return _way(nobody, *request.param)


@pytest.fixture(scope="session")
def strongest() -> Way:
    """The strongest driver, for attacks that no wall concerns."""
    adopt_orphans()
    return Way(USERS[0], Driver.NAMESPACES)
