"""Runs `grader check` as on a system without fork, signals and the modules of Unix.

Linux can show that only so far.  There are two stand-ins: the environment variable that forces the driver
`portable`, and `without_posix`, which takes from a Python what one on Windows or macOS lacks: from the one
that runs the grader, and from the one that runs students' code.
"""

import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from grader.sandbox.driver import CHOICE
from support.command_line import COMMAND, Done, environment, found_first, run

WITHOUT_POSIX = Path(__file__).with_name("without_posix")
SYSTEMS = ("win32", "darwin")
"""The systems that there is a stand-in for, as `sys.platform` names them."""
_SYSTEM = "STAND_IN_FOR"
"""Tells `without_posix` which of them."""

_PYTHON = f"""#!{sys.executable} -IS
import os, sys, time
time.sleep(START_S)
arguments = sys.argv[1:]
if "-c" in arguments:
    at = arguments.index("-c") + 1
    before = "import sys; sys.path.insert(0, {str(WITHOUT_POSIX)!r}); import sitecustomize; del sys.path[0]"
    arguments[at] = before + chr(10) + arguments[at]
os.environ[{_SYSTEM!r}] = SYSTEM
os.execv({sys.executable!r}, [{sys.executable!r}, *arguments])
"""


def lacking(system: str = "win32") -> dict[str, str]:
    """Return the variables with which each Python lacks what a system lacks."""
    return {"PYTHONPATH": found_first(WITHOUT_POSIX), _SYSTEM: system}


def check_with(driver: str, *arguments: str | Path) -> Done:
    """Run `grader check` with one driver."""
    return run([COMMAND, "check", *arguments], env=environment(**{CHOICE: driver}))


def check_elsewhere(
    folder: Path,
    *arguments: str | Path,
    code: str = "",
    system: str = "win32",
    start_s: float = 0.0,
    reads: str = "utf-8",
    changes: Mapping[str, str] = MappingProxyType({}),
) -> Done:
    """Run `grader check` without what a system lacks.  folder: for a Python that lacks it as well.

    code: runs at the end in the process of `grader`.  start_s: how long that Python takes to start.
    reads: the encoding of what it prints.  changes: to the environment.
    """
    python = folder / f"python-as-on-{system}"
    if not python.exists():
        python.write_text(_PYTHON.replace("SYSTEM", repr(system)).replace("START_S", str(start_s)))
        python.chmod(0o700)
    command = "import atexit, sys; from grader.cli import main\n"
    command += f"sys.argv[0] = 'grader'\natexit.register(lambda: exec({code!r}))\nmain()"
    return run(
        [sys.executable, "-c", command, "check", *arguments, "--python", python],
        env=environment(**lacking(system), **changes),
        encoding=reads,
    )
