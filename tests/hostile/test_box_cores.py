"""A box begins on one core, which is cheap, and what takes long in it may go to any other."""

import os

import pytest
from support.sieges import Arena, Zygotes, job, value

from grader.sandbox.driver import Driver
from grader.sandbox.interpreter import find_interpreter
from grader.sandbox.zygote import Zygote

SOURCE = """
import os, time

def at_once():
    return len(os.sched_getaffinity(0))

def later(most_s):
    end = time.process_time() + most_s
    while time.process_time() < end and len(os.sched_getaffinity(0)) == 1:
        pass
    return sorted(os.sched_getaffinity(0))
"""


@pytest.mark.skipif(len(os.sched_getaffinity(0)) == 1, reason="there is but one core")
def test_what_takes_long_leaves_the_core_on_which_it_began(arena: Arena) -> None:
    outcomes = arena.besiege(SOURCE, job("at_once"), job("later", 1.5), job("at_once")).outcomes
    assert value(outcomes[1]) == sorted(os.sched_getaffinity(0))
    if arena.mode == "snapshot":
        assert value(outcomes[0]) == value(outcomes[2]) == 1


def test_nothing_leaves_a_core_that_all_of_a_zygote_keeps_to(zygotes: Zygotes) -> None:
    core = max(os.sched_getaffinity(0))
    driver = zygotes.arena(Driver.NAMESPACES, "snapshot").driver
    with Zygote(driver, find_interpreter(""), core=core) as zygote:
        found = Arena(driver, "snapshot", zygote).besiege(SOURCE, job("later", 0.3)).outcome
    assert value(found) == [core]
