"""What `grader doctor` says of the host as it is, as text and as JSON.  The host is examined once."""

import json
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Any

import pytest
from click.testing import CliRunner, Result

from grader.sandbox.driver import LADDER, Guarantee

COMMAND = import_module("grader.cli.commands.doctor")


@pytest.fixture(scope="module", autouse=True)
def examined_once() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(COMMAND, "examine", cache(COMMAND.examine))
        yield


def doctor(*options: str) -> Result:
    return CliRunner().invoke(COMMAND.doctor, options, standalone_mode=False)


@pytest.fixture(scope="module")
def told(examined_once: None) -> tuple[int, Any]:
    """The exit status, and what is said as JSON."""
    done = doctor("--json")
    return done.return_value, json.loads(done.stdout)


@pytest.mark.acceptance
def test_the_table_names_every_guarantee_and_driver(told: tuple[int, Any]) -> None:
    done = doctor()
    assert done.return_value == told[0]
    lines = done.stdout.splitlines()
    assert lines[0].startswith("Submissions run on Python 3.")
    assert lines[1].startswith("Linux ")
    assert lines[3].split() == list(LADDER)
    assert [line.split()[0] for line in lines[4 : 4 + len(Guarantee)]] == list(Guarantee)
    assert all(len(line) <= 80 for line in lines[2 : 4 + len(Guarantee)])
    assert "\x1b" not in done.stdout


def test_the_exit_status_agrees_with_what_is_said(told: tuple[int, Any]) -> None:
    status, found = told
    assert set(found["drivers"]) == set(LADDER)
    assert found["fit_for_marking"] is (found["driver"] in ("namespaces", "landlock"))
    assert status == (0 if found["fit_for_marking"] else 6)
    assert found["drivers"]["posix"]["guarantees"]["files-read"] is False
    assert found["drivers"][found["driver"]]["failure"] == ""
    assert found["host"]["system"] == "Linux"


def test_what_was_tried_is_told_attempt_by_attempt(told: tuple[int, Any]) -> None:
    _, found = told
    for driver in found["drivers"].values():
        for guarantee, held in driver["guarantees"].items():
            ways = [each["held"] for each in driver["attempts"] if each["guarantee"] == guarantee]
            assert ways
            # Memory and CPU time are limited by process, so an open door for processes opens them too.
            assert held is all(ways) or guarantee in ("memory", "cpu")
