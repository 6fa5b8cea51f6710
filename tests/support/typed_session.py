"""Types in what a page shows, in order: writes its files, runs its commands, compares what comes out.

A block of code after a paragraph that names files, such as `leap.yaml`, is the content of these files.  A
block `console` holds commands after `$ `, each with what it prints.  A line of three dots stands for lines
that are left out, and in a line of JSON an ellipsis for a part of it.  `echo $?` prints the last exit status,
and `cat` a file.
"""

import re
import shlex
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from support.command_line import grader

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


def in_the_grader(command: str, folder: Path, status: int) -> tuple[str, int]:
    """Run a command; return what it printed, and its exit status.  status: of the command before it."""
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


def typed(
    page: str, folder: Path, run: Callable[[str, Path, int], tuple[str, int]] = in_the_grader
) -> Iterator[Typed]:
    """Yield the commands of a page, after each was run in `folder`."""
    status = 0
    for before, language, content in _BLOCK.findall(page):
        write(_files(before, language, content), folder)
        if language == "console":
            for part in re.split(r"^\$ ", content, flags=re.MULTILINE)[1:]:
                command, _, shown = part.partition("\n")
                printed, status = run(command, folder, status)
                yield Typed(command, shown, printed)


def files_of(page: str) -> dict[str, str]:
    """Return the files of a page; of one that it shows twice, the later one."""
    return {name: text for block in _BLOCK.findall(page) for name, text in _files(*block).items()}


def _files(before: str, language: str, content: str) -> dict[str, str]:
    has_content = language in ("yaml", "python", "json", "html", "text")
    return dict.fromkeys(_NAMES.findall(before), content) if has_content else {}


def write(files: Mapping[str, str], folder: Path) -> None:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8")


def as_printed(page: str, commands: list[Typed]) -> str:
    """Return the page with what its commands printed; where lines are left out, it keeps its text."""
    place = 0
    for one in commands:
        begin = f"$ {one.command}\n"
        place = page.index(begin, place) + len(begin)
        if not one.shown.startswith("{") and "...\n" not in one.shown.splitlines(keepends=True):
            page = page[:place] + one.printed + page[place + len(one.shown) :]
    return page
