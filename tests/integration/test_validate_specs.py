"""Our own specs are validated: no fault, and every mutant that counts is caught.

The most telling mutants are tried here; `benchmarks/validate.py` tries as many as `grader validate` does.
"""

from pathlib import Path

import pytest

from grader.spec import load_task
from grader.validation.validate import Options, validate

ROOT = Path(__file__).parents[2]
SPECS = sorted((ROOT / "specs").glob("*.yaml"))
MUTANTS = 50


@pytest.mark.timeout(900)
@pytest.mark.parametrize("spec", SPECS, ids=lambda path: path.stem)
def test_a_spec_of_ours_is_well(spec: Path) -> None:
    found = validate(load_task(spec), Options(jobs=2, mutants=MUTANTS), lambda *_: None)
    assert found.faults == ()
    assert found.caught == found.total > 0
