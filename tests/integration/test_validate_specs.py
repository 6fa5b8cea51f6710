"""Our own specs are validated: no fault, and at least the share of mutants caught that is known."""

from pathlib import Path

import pytest

from grader.spec import load_task
from grader.validation.validate import Options, validate

ROOT = Path(__file__).parents[2]
CAUGHT = {
    "closed-tour": 1.0,
    "knights-tour": 1.0,
    "mandelbrot": 0.98,
    "shogun": 0.92,
    "tour-program": 1.0,
}
"""The least share of mutants that a spec catches.  To be 1 once the survivors are dealt with."""


@pytest.mark.timeout(1200)
@pytest.mark.parametrize("name", CAUGHT)
def test_a_spec_of_ours_is_well(name: str) -> None:
    found = validate(load_task(ROOT / "specs" / f"{name}.yaml"), Options(jobs=2), lambda *_: None)
    assert found.faults == ()
    assert found.caught >= CAUGHT[name] * found.total > 0
