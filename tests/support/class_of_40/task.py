"""The small task that the class of 40 handed in, and secrets planted in it."""

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "data" / "class_of_40"
SPEC = FOLDER / "figures.yaml"
TITLE = "Homework_3 Figures"
"""The assignment's name in each LMS.  It has an underscore, which also divides the parts of file names."""
SLUG = "homework_3-figures"
MAX_MARK = 10
DUE = datetime(2026, 11, 1, 22, 0, tzinfo=UTC)
MODULES = ("shapes.py", "words.py")

HIDDEN_CASE = "hidden4711"
REFERENCE = "planted_reference_2953"
CHECKER = "planted-checker-8061"
STAFF_ONLY = (HIDDEN_CASE, REFERENCE, CHECKER)
"""Texts of the hidden case, of the reference and of a checker, which occur in no file for students."""


def late_spec(folder: Path, *, attempts: str, penalty: str = "0%") -> Path:
    """Copy the task below `folder`, with a deadline and a policy of attempts, and return the spec's path.

    penalty: for any lateness, as the spec writes it.
    """
    copied = shutil.copytree(FOLDER, folder / "task")
    spec = copied / SPEC.name
    late = f"\nattempts: {attempts}\nlate:\n  deadline: {DUE.isoformat()}\n  then: {penalty}\n"
    spec.write_text(spec.read_text("utf-8") + late, "utf-8")
    return spec


def leaks(folder: Path, planted: tuple[str, ...] = STAFF_ONLY) -> Iterator[tuple[Path, str]]:
    """Yield each file below `folder` that holds one of `planted`, with what it holds."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            data = path.read_bytes()
            yield from ((path, text) for text in planted if text.encode() in data)
