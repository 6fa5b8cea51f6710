"""The page on writing a task is what it says: its files are written, its commands run, its output comes."""

import re
import shlex
from pathlib import Path

from support.command_line import grader

PAGE = (Path(__file__).parents[2] / "docs" / "authoring.md").read_text(encoding="utf-8")

_BLOCK = re.compile(r"((?:[^\n]+\n)+)\n```(yaml|python|text|console)\n(.*?)```", re.DOTALL)
_NAME = re.compile(r"`([\w/.-]+\.(?:yaml|py|txt))`:$", re.MULTILINE)


def test_the_session_is_as_it_is_shown(tmp_path: Path) -> None:
    commands = 0
    for before, language, content in _BLOCK.findall(PAGE):
        name = _NAME.search(before)
        if language == "console":
            _run(content, tmp_path)
            commands += 1
        elif name is not None:
            path = tmp_path / name[1]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")
    assert commands == 4


def _run(content: str, folder: Path) -> None:
    command, _, shown = content.removeprefix("$ ").partition("\n")
    name, *arguments = shlex.split(command)
    assert name == "grader"
    done = grader(*arguments, cwd=folder)
    assert (done.stdout, done.returncode in (0, 1)) == (shown, True), done.stderr
