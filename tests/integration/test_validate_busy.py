"""`validate` says the same beside busy loops as on a machine at rest."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from support.validating import validated

from grader.model.validation import Gravity, Validation
from grader.plugins.validate.whole import Options

PER_CORE = 3


@contextmanager
def busy_loops(count: int) -> Iterator[None]:
    loops = [subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def found(folder: Path) -> Validation:
    return validated(folder, options=Options(jobs=2, mutants=3, quick=True))


def findings(validation: Validation) -> list[object]:
    """Return what a person would act on; notes tell times, too."""
    remarks = [each for each in validation.remarks if each.gravity is not Gravity.NOTE]
    survivors = [(each.id, [one.mutant for one in each.survivors]) for each in validation.questions]
    return [validation.caught, validation.total, validation.checks, remarks, survivors]


def test_it_finds_the_same_beside_busy_loops(tmp_path: Path) -> None:
    (tmp_path / "quiet").mkdir()
    (tmp_path / "busy").mkdir()
    quiet = findings(found(tmp_path / "quiet"))
    with busy_loops(PER_CORE * len(os.sched_getaffinity(0))):
        busy = findings(found(tmp_path / "busy"))
    assert busy == quiet
    assert quiet[1] != 0
