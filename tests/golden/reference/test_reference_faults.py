"""What an instructor reads whose reference does not pass the spec: the whole message of `grader mark`.

The spec in `tests/data/faulty` has a fault of each kind.  Set GRADER_UPDATE_GOLDEN=1 to write the message,
then read the difference.
"""

import os
import re
from pathlib import Path

import pytest
from support.command_line import Done, grader

HERE = Path(__file__).parent
FAULTY = HERE.parents[1] / "data" / "faulty"
GOLDEN = HERE / "faults.txt"


@pytest.fixture(scope="module")
def refused(tmp_path_factory: pytest.TempPathFactory) -> Done:
    work = FAULTY / "reference" / "work.py"
    out = tmp_path_factory.mktemp("refused") / "out"
    return grader("mark", "work.yaml", work, "-o", out, "--quiet", cwd=FAULTY)


@pytest.mark.acceptance  # `make test` has `unit/engine/test_reference_faults.py`
def test_every_fault_is_told_with_its_place(refused: Done) -> None:
    told = re.sub(r"after [0-9.]+ s of computing", "after some time of computing", refused.stderr)
    if os.environ.get("GRADER_UPDATE_GOLDEN") == "1":
        GOLDEN.write_text(told, encoding="utf-8")
    assert told == GOLDEN.read_text(encoding="utf-8")


@pytest.mark.acceptance
def test_nothing_is_marked(refused: Done) -> None:
    assert refused.returncode == 3
    assert refused.stdout == ""
