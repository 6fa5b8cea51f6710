"""The README's first task is what it says: its files are written, its commands run, its output comes."""

import re
import shlex
import subprocess
from pathlib import Path

import pytest
from support.command_line import COMMAND, environment

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")

_FILES = re.compile(r"((?:[^\n]+\n)+)\n```(?:yaml|python)\n(.*?)```", re.DOTALL)
_NAMES = re.compile(r"`([\w/.-]+\.(?:yaml|py))`")
_CONSOLE = re.compile(r"```console\n\$ (.*?)\n(.*?)```", re.DOTALL)


@pytest.fixture(scope="module")
def first_task(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that a reader has after typing in the README's files."""
    folder = tmp_path_factory.mktemp("readme")
    for before, content in _FILES.findall(README):
        for name in _NAMES.findall(before):
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")
    return folder


def test_the_files_are_found(first_task: Path) -> None:
    found = {str(path.relative_to(first_task)) for path in first_task.rglob("*") if path.is_file()}
    assert found == {
        "leap.yaml",
        "reference/leap.py",
        "submissions/student-01/leap.py",
        "submissions/student-02/leap.py",
    }


@pytest.mark.parametrize(("command", "shown"), _CONSOLE.findall(README))
def test_the_commands_print_what_is_shown(first_task: Path, command: str, shown: str) -> None:
    """A line of three dots stands for lines that are left out."""
    name, *arguments = shlex.split(command)
    assert name == "grader"
    done = subprocess.run(
        [COMMAND, *arguments],
        cwd=first_task,
        env=environment(),
        capture_output=True,
        text=True,
    )
    assert done.returncode in (0, 1), done.stderr
    # Only the duration of a case differs from run to run.
    printed = re.sub(r"<?\d+ ms of", "<1 ms of", done.stdout)
    pieces = [re.escape(piece) for piece in re.split(r"^\.\.\.\n", shown, flags=re.MULTILINE)]
    assert re.fullmatch("(?:.*\n)*?".join(pieces), printed), printed


def test_there_is_a_command_to_mark_and_one_to_check() -> None:
    assert [command.split()[1] for command, _ in _CONSOLE.findall(README)] == ["mark", "check"]


def test_the_picture_is_small_enough_to_load() -> None:
    picture = ROOT / "docs" / "images" / "report.png"
    data = picture.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(data[16:20], "big") == 1280
    assert len(data) < 200_000


def test_the_page_to_hand_out_keeps_the_hidden_cases(first_task: Path) -> None:
    (mark, _), *_rest = _CONSOLE.findall(README)
    subprocess.run(
        [COMMAND, *shlex.split(mark)[1:]],
        cwd=first_task,
        env=environment(),
        capture_output=True,
        check=True,
    )
    report = first_task / "reports" / "leap"
    assert "leap_years(2000, 1999)" in (report / "staff" / "student-02.html").read_text(encoding="utf-8")
    assert "leap_years(2000, 1999)" not in (report / "students" / "student-02.html").read_text(
        encoding="utf-8"
    )
    assert "leap_years(1996, 2004)" in (report / "students" / "student-02.html").read_text(encoding="utf-8")
