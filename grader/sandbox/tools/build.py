"""Building a student's program in another language than Python: the grader's end of `build_cell`.

A program is built once a submission.  Only `namespaces` can bound the compiler's processes and its folder.
"""

import binascii
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from grader.languages.toolchain import SOURCE, Toolchain, language_of
from grader.model.limits import GIB, MIB
from grader.sandbox.budget import UNBILLED, Budget
from grader.sandbox.driver import WALLS, Driver
from grader.sandbox.interpreter import Interpreter
from grader.sandbox.stack import lack_of_stack
from grader.sandbox.tools.tool import ToolLimits, run_tool
from grader.sandbox.tools.tool_cell import BEGIN, BOOT, LIBRARIES, cell_command
from grader.sandbox.tools.toolchains import Commands, commands_of, missing_tool, outermost
from grader.sandbox.zygote import SandboxFailure
from grader.wire.decoder import decode_plain
from grader.wire.encoder import encode_plain
from grader.worker.settings import EXIT_NO_CELL, EXIT_NOT_BUILT

BUILD_S, BUILD_WALL_S = 10.0, 120.0
"""For one build: CPU seconds of all of the compiler's processes together, and seconds by the clock."""
OWN_BUILD_S, OWN_WALL_S = 30.0, 60.0
"""The same for a command of the spec's, and for several source files."""
_MEMORY_B = 1 * GIB
_SCRATCH_B, _SCRATCH_FILES = 64 * MIB, 512
_BUILT_B = _SOURCES_B = 5 * MIB
_HEADERS = ("/usr/libexec/gcc", "/usr/include", "/usr/local/include", "/bin", "/usr/bin")
_BOOT = f"""{BOOT}
from grader.worker.walls import build_cell
build_cell.main(sys.argv[1], int(sys.argv[3]), int(sys.argv[4]), float(sys.argv[5]), *sys.argv[6:])
"""


@dataclass(frozen=True, slots=True)
class Built:
    """The result of a build.

    files: what it left, by name; None if it failed.  said: the compiler's messages, which quote the student.
    is_over: it was stopped at its limit on CPU time.  lacks_budget: that had been lowered by the budget.
    """

    files: dict[str, bytes] | None
    said: str
    is_over: bool = False
    lacks_budget: bool = False


@cache
def refusal(toolchain: Toolchain, driver: Driver, interpreter: Interpreter) -> str:
    """Return why programs of a language cannot be built on this host, "" if they can.

    A small program of ours is built: where that fails, the fault is not a student's.
    """
    language = language_of(toolchain)
    if not WALLS[driver].namespaces:
        return f"programs in {language.title} need the sandbox driver namespaces; here is {driver}"
    lack = lack_of_stack(builds=True)
    if lack:
        return lack
    missing = missing_tool(toolchain)
    if missing:
        return f"programs in {language.title} need {missing}, which is not installed"
    if not language.trial:
        return ""
    file = f"trial{language.endings[0]}"
    tried = build(toolchain, file, {file: language.trial}, interpreter, purse=UNBILLED)
    if tried.files is None:
        return f"{language.tools[0]} cannot build a program on this host: {tried.said.strip()[-300:]}"
    return ""


def build(
    toolchain: Toolchain, file: str, texts: Mapping[str, str], interpreter: Interpreter, *, purse: Budget
) -> Built:
    """Build a program of a student's texts; see `refusal` for where that is possible.

    file: the source file with which it begins.  texts: all files, by name.  purse: pays for it.

    First the compiler gets that file alone, with the others beside it: a file that the program does not need
    can't spoil it.  If this fails, it gets all source files.  Raises `SandboxFailure`.
    """
    commands = commands_of(toolchain)
    if not commands.build:
        return Built({}, "")
    packed = encode_plain({name: text.encode("utf-8", "replace") for name, text in texts.items()})
    if len(packed) > _SOURCES_B:
        return Built(None, "the source files are too large")
    runs = language_of(toolchain).runs_in_build
    first = _built(runs, commands, packed, [file], interpreter, purse)
    others = [name for name in texts if name != file and name.casefold().endswith(toolchain.endings)]
    if first.files is not None or first.is_over or not others or runs:
        return first
    return _built(runs, commands, packed, [file, *others], interpreter, purse)


def _built(
    runs: bool,
    commands: Commands,
    sources: bytes,
    named: list[str],
    interpreter: Interpreter,
    purse: Budget,
) -> Built:
    """Run the compiler once.

    runs: whether it may run what a student wrote.  named: the source files that its command names.
    """
    python = cell_command(
        interpreter, _BOOT, Driver.NAMESPACES, _readable(commands), _SCRATCH_B, _SCRATCH_FILES
    )
    words = [
        each
        for word in commands.build
        for each in (named if word == SOURCE else [word.replace(SOURCE, named[0])])
    ]
    # A compiler waits for nothing.
    cpu_s = OWN_BUILD_S if runs or len(named) > 1 else BUILD_S
    limits = ToolLimits(cpu_s=cpu_s, wall_s=BUILD_WALL_S, file_b=_SCRATCH_B, waits=runs)
    most_wall_s = min(OWN_WALL_S, max(1.0, purse.wall_left_s)) if runs else OWN_WALL_S
    patience_s = str(most_wall_s if runs or len(named) > 1 else 0.0)
    arguments = [str(_BUILT_B), str(_MEMORY_B), patience_s, commands.libraries, *words]
    text = BEGIN + binascii.b2a_base64(sources, newline=False).decode()
    run = run_tool([*python, *arguments], text, limits, purse=purse)
    name = os.path.basename(commands.build[0])
    if run.is_over:
        said = (
            f"{commands.tools[0].name if commands.tools else name} was stopped after {cpu_s:g} s of computing"
        )
        return Built(None, said, is_over=True, lacks_budget=run.lacks_budget)
    if run.status == 0:
        return Built(_files(binascii.a2b_base64(run.stdout)), run.stderr)
    if run.status == EXIT_NOT_BUILT:
        return Built(None, run.stderr, lacks_budget=runs and purse.is_used_up)
    detail = "cannot be put into a sandbox" if run.status == EXIT_NO_CELL else f"ended with {run.status}"
    raise SandboxFailure(f"{name} {detail}: {run.stderr.strip()[-300:]}")


def _readable(commands: Commands) -> tuple[str, ...]:
    usual = tuple(filter(os.path.lexists, (*LIBRARIES, *_HEADERS)))
    inside = tuple(f"{path}/" for path in usual)
    more = (path for path in outermost(commands.reads) if not path.startswith(inside) and path not in usual)
    return (*usual, *more)


def _files(packed: bytes) -> dict[str, bytes]:
    """Return the files that a build left, as its cell tells it."""
    told: object = decode_plain(packed)
    assert isinstance(told, dict), "the cell's own process wrote it"
    return told
