"""Types in what a page shows, in order: writes its files, runs its commands, compares what comes out.

A block of code after a paragraph that names files, such as `leap.yaml`, is the content of these files.  A
block `console` holds commands after `$ `, each with what it prints.  A line of three dots stands for lines
that are left out, and in a line of JSON an ellipsis for a part of it.  `echo $?` prints the last exit status,
and `cat` a file.  A command with `--watch` goes on until a line `^C`: what it prints after a file was saved
stands in a block of its own.
"""

import os
import re
import shlex
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from support.command_line import COMMAND, environment, grader

_BLOCK = re.compile(
    r"((?:^[^\n`][^\n]*\n|^`[^`][^\n]*\n)+\n)?^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE
)
_NAMES = re.compile(r"`([\w/.-]+\.(?:yaml|py|ipynb|csv|in|ans|html|json))`")


@dataclass(frozen=True)
class Typed:
    """A command, what the page says that it prints, and what it printed."""

    command: str
    shown: str
    printed: str

    @property
    def is_as_shown(self) -> bool:
        pieces = [re.escape(piece) for piece in re.split(r"^\.\.\.\n", self.shown, flags=re.MULTILINE)]
        if self.shown.startswith("{"):
            pieces = [piece.replace("…", ".*?") for piece in pieces]
        return re.fullmatch("(?:.*\n)*?".join(pieces), self.printed) is not None


def typed(page: str, folder: Path) -> Iterator[Typed]:
    """Yield the commands of a page, after each was run in `folder`."""
    status = 0
    watching: subprocess.Popen[str] | None = None
    for before, language, content in _BLOCK.findall(page):
        if language in ("yaml", "python", "json", "html", "text"):
            for name in _NAMES.findall(before):
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_text(content, encoding="utf-8")
        elif language == "console" and watching is not None:
            told = _told_by(watching)
            if content.endswith("^C\n"):
                told += _ended(watching)
                watching = None
            yield Typed("", content, told)
        elif language == "console" and "--watch" in content.partition("\n")[0]:
            command, _, shown = content.removeprefix("$ ").partition("\n")
            watching = _started(command, folder)
            yield Typed(command, shown, _told_by(watching))
        elif language == "console":
            for part in re.split(r"^\$ ", content, flags=re.MULTILINE)[1:]:
                command, _, shown = part.partition("\n")
                printed, status = _run(command, folder, status)
                yield Typed(command, shown, printed)


def _run(command: str, folder: Path, status: int) -> tuple[str, int]:
    name, *arguments = shlex.split(command)
    if command == "echo $?":
        return f"{status}\n", 0
    if name == "cat":
        return "".join((folder / argument).read_text(encoding="utf-8-sig") for argument in arguments), 0
    assert name == "grader", command
    done = grader(*arguments, cwd=folder)
    assert done.returncode in (0, 1), done.stderr
    # Only the duration of a case differs from run to run.
    return re.sub(r"<?\d+ ms of", "<1 ms of", done.stdout), done.returncode


def _started(command: str, folder: Path) -> subprocess.Popen[str]:
    pipe, changes = subprocess.PIPE, environment(PYTHONUNBUFFERED="1")
    words = [COMMAND, *shlex.split(command)[1:]]
    return subprocess.Popen(words, cwd=folder, env=changes, stdout=pipe, stderr=pipe, text=True)


def _told_by(run: subprocess.Popen[str]) -> str:
    """Return what is printed up to the line that says that it waits, with that line."""
    assert run.stdout is not None
    assert run.stderr is not None
    for line in run.stderr:
        if "waiting for a save" in line:
            printed = os.read(run.stdout.fileno(), 1 << 16).decode("utf-8")
            told = re.sub(r"^\d\d:\d\d:\d\d  \d+ ms", "10:00:00  40 ms", line)
            return re.sub(r"<?\d+ ms of", "<1 ms of", printed) + told
    raise AssertionError(run.wait(60))


def _ended(run: subprocess.Popen[str]) -> str:
    run.send_signal(signal.SIGINT)
    printed, _ = run.communicate()
    assert (run.returncode, printed) == (0, "")
    return "^C\n"


def as_printed(page: str, commands: list[Typed]) -> str:
    """Return the page with what its commands printed; where lines are left out, it keeps its text."""
    place = 0
    for one in commands:
        begin = f"$ {one.command}\n" if one.command else f"```console\n{one.shown}"
        place = page.index(begin, place) + len(begin.removesuffix(one.shown))
        if not one.shown.startswith("{") and "...\n" not in one.shown.splitlines(keepends=True):
            page = page[:place] + one.printed + page[place + len(one.shown) :]
    return page
