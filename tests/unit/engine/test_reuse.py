"""What a kept result depends on."""

import sys

from support.command_line import SPEC

from grader.engine.cache.keys import conditions_key
from grader.sandbox.driver import Driver, Guarantee
from grader.sandbox.interpreter import find_interpreter
from grader.spec import load_task


def test_what_the_sandbox_held_is_part_of_the_key() -> None:
    """The report tells of one run what held, for the results that it kept as well."""
    interpreter = find_interpreter(sys.executable)
    task = load_task(SPEC)
    all_held = dict.fromkeys(Guarantee, True)
    keys = {
        conditions_key(task, Driver.LANDLOCK, held, interpreter)
        for held in (all_held, {**all_held, Guarantee.DISK: False}, {**all_held, Guarantee.NETWORK: False})
    }
    assert len(keys) == 3
