"""A record whose spec has files that cannot lie anywhere is refused, and writes nothing elsewhere."""

from pathlib import Path

import pytest

from grader.engine.record import recorded_task
from grader.model.errors import UsageError
from grader.model.task import SpecFile
from grader.store.record_parts import RecordedSpec
from grader.store.run_record import RunRecord


class Poisoned(RunRecord):
    """A record with a spec of these paths."""

    def __init__(self, *paths: str) -> None:
        self.path = Path("run.sqlite")
        self._paths = paths

    def spec(self) -> RecordedSpec:
        return RecordedSpec("/t/s.yaml", "", tuple(SpecFile(Path(path), b"x") for path in self._paths))


@pytest.mark.parametrize(
    "paths", [(), ("/t/s.yaml", "/t"), ("/t\0/s.yaml",), ("/",), ("../s.yaml",), (f"/{'n' * 300}",)]
)
def test_files_without_a_place(paths: tuple[str, ...]) -> None:
    with pytest.raises(UsageError) as raised:
        recorded_task(Poisoned(*paths))
    (fault,) = raised.value.faults
    assert fault.where == "run.sqlite"
