"""A host that held every guarantee is not attacked again within the hour, unless anything changed."""

import os
import time
from dataclasses import replace
from pathlib import Path

import pytest

from grader.doctor import doctor, remembered
from grader.doctor.doctor import Examination, strongest
from grader.sandbox.driver import LADDER, Driver, Guarantee
from grader.sandbox.interpreter import Interpreter, find_interpreter

ALL = dict.fromkeys(Guarantee, True)


@pytest.fixture
def attacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Driver]:
    """The drivers that were attacked; all of them hold."""
    seen: list[Driver] = []

    def examine(driver: Driver, _: Interpreter) -> Examination:
        seen.append(driver)
        return Examination(driver, dict(ALL))

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    # As on a host without a filter, wherever these tests run.
    status = [line for line in Path("/proc/self/status").read_text().splitlines() if "Seccomp" not in line]
    (tmp_path / "status").write_text("\n".join([*status, "Seccomp:\t0"]))
    monkeypatch.setattr(remembered, "_STATUS", str(tmp_path / "status"))
    monkeypatch.setattr(doctor, "examine", examine)
    return seen


def test_a_host_that_held_is_attacked_once(attacked: list[Driver]) -> None:
    first, second = (strongest(find_interpreter(""), Driver.LANDLOCK) for _ in range(2))
    assert attacked == [LADDER[0]]
    assert (first.driver, first.held) == (second.driver, second.held) == (LADDER[0], ALL)


CHANGES = {
    "the hour": lambda patch: patch.setattr(time, "time", lambda: 1e10),
    "our code": lambda patch: patch.setattr(remembered, "own_identity", lambda: "other"),
    "the kernel": lambda patch: patch.setattr(os, "uname", lambda: ("Linux", "host", "9.9")),
    "the namespaces": lambda patch: patch.setattr(os, "readlink", lambda _: "user:[1]"),
    "a setting": lambda patch: patch.setattr(remembered, "_FACTS", (*remembered._FACTS, "/proc/version")),
    "the rights": lambda patch: patch.setattr(remembered, "_OF_STATUS", ("Uid:",)),
}


@pytest.mark.parametrize("change", CHANGES)
def test_where_anything_changed_it_is_attacked_again(
    change: str, attacked: list[Driver], monkeypatch: pytest.MonkeyPatch
) -> None:
    strongest(find_interpreter(""), Driver.LANDLOCK)
    CHANGES[change](monkeypatch)
    strongest(find_interpreter(""), Driver.LANDLOCK)
    assert len(attacked) == 2


def test_another_interpreter_is_attacked_by_itself(attacked: list[Driver]) -> None:
    own = find_interpreter("")
    strongest(own, Driver.LANDLOCK)
    strongest(replace(own, command="/usr/bin/other"), Driver.LANDLOCK)
    assert len(attacked) == 2


@pytest.mark.parametrize("broken", [Guarantee.NETWORK, Guarantee.MEMORY])
def test_a_guarantee_that_does_not_hold_is_tried_each_time(
    broken: Guarantee, attacked: list[Driver], monkeypatch: pytest.MonkeyPatch
) -> None:
    def examine(driver: Driver, _: Interpreter) -> Examination:
        attacked.append(driver)
        return Examination(driver, {**ALL, broken: False})

    monkeypatch.setattr(doctor, "examine", examine)
    for _ in range(2):
        assert not strongest(find_interpreter(""), Driver.LANDLOCK).held[broken]
    assert len(attacked) == 2


def test_a_weaker_driver_is_tried_each_time(attacked: list[Driver], monkeypatch: pytest.MonkeyPatch) -> None:
    def examine(driver: Driver, _: Interpreter) -> Examination:
        attacked.append(driver)
        return Examination(driver, dict(ALL), "it does not start" if driver is LADDER[0] else "")

    monkeypatch.setattr(doctor, "examine", examine)
    for _ in range(2):
        assert strongest(find_interpreter(""), Driver.LANDLOCK).driver is LADDER[1]
    assert attacked == [LADDER[0], LADDER[1]] * 2


def test_a_cache_that_others_can_write_is_not_believed(attacked: list[Driver], tmp_path: Path) -> None:
    strongest(find_interpreter(""), Driver.LANDLOCK)
    (folder,) = tmp_path.glob("grader/*")
    folder.chmod(0o777)
    strongest(find_interpreter(""), Driver.LANDLOCK)
    assert len(attacked) == 2


def test_without_what_the_system_tells_it_is_attacked(
    attacked: list[Driver], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remembered, "_FACTS", ("/proc/none", *remembered._FACTS[1:]))
    for _ in range(2):
        strongest(find_interpreter(""), Driver.LANDLOCK)
    assert len(attacked) == 2


def test_below_a_filter_nothing_is_remembered(attacked: list[Driver], tmp_path: Path) -> None:
    """Two filters look alike, and one may take away what the other leaves."""
    status = tmp_path / "status"
    status.write_text(status.read_text().replace("Seccomp:\t0", "Seccomp:\t2"))
    for _ in range(2):
        strongest(find_interpreter(""), Driver.LANDLOCK)
    assert len(attacked) == 2
