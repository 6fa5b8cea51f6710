"""A cell for the tools that read students' texts: the grader's end of `grader.worker.walls.tool_cell`."""

import os
from dataclasses import dataclass
from pathlib import Path

from grader.sandbox.budget import Budget
from grader.sandbox.driver import WALLS, Driver
from grader.sandbox.ids import unprivileged_uid
from grader.sandbox.interpreter import Interpreter
from grader.sandbox.tools.tool import USUAL, ToolLimits, ToolRun, run_tool
from grader.sandbox.zygote import SandboxFailure
from grader.sandbox.zygote_process import FLAGS, PACKAGES, package_folder
from grader.wire.encoder import encode_plain
from grader.worker.settings import EXIT_NO_CELL, Settings

LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64")
BOOT = f"""
import os, sys

def fail(*error):
    sys.__excepthook__(*error)
    sys.stderr.flush()
    os._exit({EXIT_NO_CELL})

sys.excepthook = fail
os.read(0, 1)
{PACKAGES}
"""
_BOOT = f"""{BOOT}
from grader.worker.walls import tool_cell
tool_cell.main(sys.argv[1], sys.argv[3:])
"""
"""An error before the tool starts has its own exit status; Python's usual one, 1, is also a linter's.

It begins when it has read the first byte.  By then the caller has set the limits, which it could not do to a
process that has another user or a namespace of its own.
"""
BEGIN = "\n"


def cell_command(
    interpreter: Interpreter,
    boot: str,
    driver: Driver,
    readable: tuple[str, ...],
    scratch_b: int = 0,
    scratch_files: int = 0,
) -> list[str]:
    """Return the command that runs `boot` to build a cell; the arguments of the cell follow it."""
    walls = WALLS[driver]
    settings = Settings(
        namespaces=walls.namespaces,
        landlock=walls.landlock,
        seccomp=walls.seccomp,
        listen=False,
        readable=readable,
        hidden=(),
        shown=(),
        path=(),
        modules=(),
        preload=(),
        uid=unprivileged_uid() if walls.namespaces else -1,
        scratch_b=scratch_b,
        scratch_files=scratch_files,
    )
    packed = encode_plain(tuple(settings)).hex()
    return [interpreter.command, *FLAGS, "-c", boot, packed, package_folder()]


@dataclass(frozen=True, slots=True)
class ToolCell:
    """Runs tools behind the walls of a driver; with a driver that has none, behind limits alone.

    purse: pays for them.
    """

    driver: Driver
    interpreter: Interpreter
    purse: Budget

    def run(self, command: list[str], text: str, limits: ToolLimits = USUAL) -> ToolRun:
        """Run a tool with `text` as its standard input; see `run_tool`.  Raises `SandboxFailure`."""
        if not WALLS[self.driver].seccomp:
            return run_tool(command, text, limits, purse=self.purse)
        tool = os.path.realpath(command[0])
        readable = (tool, *filter(os.path.lexists, LIBRARIES))
        python = cell_command(self.interpreter, _BOOT, self.driver, readable)
        run = run_tool([*python, tool, *command[1:]], BEGIN + text, limits, purse=self.purse)
        if run.status == EXIT_NO_CELL:
            said = run.stderr.strip()[-300:]
            raise SandboxFailure(f"{Path(tool).name} cannot be put into a sandbox: {said}")
        return run
