"""What an instructor reads: for each spec here, the whole message stands beside it.

Set GRADER_UPDATE_GOLDEN=1 to write the messages anew, then read the difference.
"""

import os
from pathlib import Path

import pytest

from grader.model.errors import SpecError
from grader.spec import load_task

HERE = Path(__file__).parent
SPECS = sorted(HERE.glob("*.yaml"))


def message_of(spec: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(HERE)
    with pytest.raises(SpecError) as caught:
        load_task(Path(spec.name))
    return "\n\n".join(map(str, caught.value.faults)).replace(str(HERE.parents[1]), "tests") + "\n"


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.stem)
def test_the_message_is_the_one_beside_the_spec(spec: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    message = message_of(spec, monkeypatch)
    golden = spec.with_suffix(".txt")
    if os.environ.get("GRADER_UPDATE_GOLDEN") == "1":
        golden.write_text(message, encoding="utf-8")
    assert message == golden.read_text(encoding="utf-8")


def test_every_message_has_its_spec() -> None:
    assert {path.stem for path in HERE.glob("*.txt")} == {path.stem for path in SPECS}
    assert len(SPECS) >= 25
