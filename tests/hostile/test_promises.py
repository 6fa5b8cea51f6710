"""What each driver promises, tried by all that the doctor knows, on the host as it is."""

import dataclasses
import os
from functools import cache

import pytest
from support.sieges import DRIVERS, adopt_orphans

from grader.doctor import host
from grader.doctor.attacks import ATTACKS
from grader.doctor.doctor import Examination, examine
from grader.sandbox.driver import WALLS, Driver, Guarantee
from grader.sandbox.interpreter import find_interpreter


@cache
def examined(driver: Driver) -> Examination:
    """All attempts under a driver."""
    adopt_orphans()
    return examine(driver, find_interpreter(""), thorough=True)


def test_every_guarantee_is_tried_in_several_ways() -> None:
    for guarantee in Guarantee:
        ways = [attack for attack in ATTACKS if attack.guarantee is guarantee]
        assert any(attack.quick for attack in ways), guarantee
        assert len(ways) > 1 or guarantee is Guarantee.FILES_METADATA, guarantee


@pytest.mark.parametrize("driver", DRIVERS)
def test_what_a_driver_promises_holds(driver: Driver) -> None:
    found = examined(driver)
    assert found.failure == ""
    assert {name: found.succeeded(name) for name in WALLS[driver].promises if not found.held[name]} == {}


def test_the_attempts_are_real_where_nothing_stops_them() -> None:
    """Each of them, but for those that a limit of the process's own stops.

    What a box leaves becomes its zygote's, which ends it; at once, or a little later on a busy machine.
    """
    found = examined(Driver.POSIX)
    stopped = {attack.words for attack, held in found.attacks.items() if held}
    assert stopped - {"leave a process"} == {
        "write 64 MiB",
        "take twice the memory at once",
        "map it in pieces",
        "spin",
        "spin in threads",
    }
    assert not any(found.held.values())


def test_a_quick_look_finds_the_same() -> None:
    for driver in (Driver.LANDLOCK, Driver.POSIX):
        assert examine(driver, find_interpreter("")).held == examined(driver).held


HOST = host.look()


@pytest.mark.parametrize(
    ("changes", "advice"),
    [
        ({"settings": {"user.max_user_namespaces": 0}}, "sysctl -w user.max_user_namespaces=15000"),
        (
            {"settings": {"kernel.apparmor_restrict_unprivileged_userns": 1}, "is_root": False},
            "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0",
        ),
        (
            {"settings": {"kernel.unprivileged_userns_clone": 0}, "is_root": False},
            "sysctl -w kernel.unprivileged_userns_clone=1",
        ),
        ({"container": "a Docker container"}, "--security-opt seccomp=unconfined"),
        ({"filtered": True}, "--security-opt"),
        ({"system": "Darwin"}, "on Linux"),
    ],
)
def test_what_would_make_namespaces_work(changes: dict[str, object], advice: str) -> None:
    ways = list(host.ways_to_namespaces(dataclasses.replace(HOST, **changes)))  # type: ignore[arg-type]
    assert any(advice in way for way in ways)


def test_what_would_make_landlock_work() -> None:
    without = dataclasses.replace(HOST, landlock=0)
    old = list(host.ways_to_landlock(dataclasses.replace(without, kernel="5.10.0-28-amd64")))
    assert old == ["use a kernel from 5.13 on (Debian 12, Ubuntu 22.04, RHEL 9 and later have one)"]
    caught = dataclasses.replace(without, kernel="6.1.0", filtered=True)
    assert any("update Docker" in way for way in host.ways_to_landlock(caught))
    assert list(host.ways_to_landlock(dataclasses.replace(HOST, landlock=4))) == []


def test_the_host_is_told_in_one_line() -> None:
    words = HOST.in_words()
    assert words.startswith(f"Linux {os.uname().release} on ")
    assert "\n" not in words
