"""Our own specs are validated: no fault, and every mutant that counts is caught.

Right programs get every mark that no person gives.  Wrong ones get exactly what is declared for them.  Cases
that may take more than a minute are left to `benchmarks/right_programs.py`.

The most telling mutants are tried here; `benchmarks/validate.py` tries as many as `grader validate` does.
"""

from pathlib import Path

import pytest

from grader.authoring.programs import folders_of
from grader.model.validation import Check
from grader.plugins.validate.whole import Options, validate
from grader.spec import load_task

ROOT = Path(__file__).parents[2]
SPECS = sorted((ROOT / "specs").glob("*.yaml"))
MUTANTS = 10
AT_LEAST = 8


def programs_beside(spec: Path) -> int:
    folders = [spec.with_suffix("") / name for name in ("wrong", "right")]
    return sum(len(folders_of(folder)) for folder in folders)


@pytest.mark.parametrize("spec", SPECS, ids=lambda path: path.stem)
def test_a_spec_of_ours_is_well(spec: Path) -> None:
    found = validate(load_task(spec), Options(jobs=2, mutants=MUTANTS), lambda *_: None)
    assert found.faults == ()
    assert found.checks[Check.PROGRAMS] == programs_beside(spec) > AT_LEAST
    assert found.caught == found.total > 0
