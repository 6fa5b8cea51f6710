"""What `grader check` tells a student, message by message.

`files/NAME.in` holds the student's files, each after a line `--- file name`, and in its first line the
command if it is not `grader check`.  `files/NAME.txt` holds what comes out.
`GRADER_UPDATE_GOLDEN=1` writes the outputs again.
"""

import gc
import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.cli.run import run

HERE = Path(__file__).parent
FILES = HERE / "files"
NAMES = sorted(path.stem for path in FILES.glob("*.in"))
_PART = re.compile(r"^--- (.+)\n", re.MULTILINE)


@pytest.fixture
def at_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Path, pytest.MonkeyPatch]]:
    folder = tmp_path / "work"
    folder.mkdir()
    # Above it nothing is looked for.
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("COLUMNS", raising=False)
    yield folder, monkeypatch
    gc.enable()  # which a check turns off


@pytest.mark.parametrize("name", NAMES)
def test_a_message(
    name: str,
    at_the_command_line: tuple[Path, pytest.MonkeyPatch],
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder, patch = at_the_command_line
    head, *parts = _PART.split((FILES / f"{name}.in").read_text(encoding="utf-8"))
    for file, content in zip(parts[::2], parts[1::2], strict=True):
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text(content, encoding="utf-8")
    if "no task" not in head:
        spec = next((name for name in ("greet", "notes") if f"{name}.py" in parts), "leap") + ".yaml"
        shutil.copy(HERE / spec, folder / spec)
    command = head.partition("\n")[0].split() if head.startswith("grader check") else ["grader", "check"]
    patch.setattr(sys, "argv", command)
    status = run()
    found = capsys.readouterr()
    # What takes long is told on the way.
    errors = re.sub(r"^(running|checking) .*…\n", "", found.err, flags=re.MULTILINE)
    text = re.sub(r"<?\d+ ms of", "<1 ms of", f"{found.out}{errors}exit {status}\n")
    text = text.replace(str(folder), "/work")
    assert "Traceback" not in errors
    path = FILES / f"{name}.txt"
    if os.environ.get("GRADER_UPDATE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def test_every_output_has_its_input() -> None:
    assert sorted(path.stem for path in FILES.glob("*.txt")) == NAMES
