"""Building a student's program in another language than Python: the grader's end of `build_cell`.

A program is built once a submission, of one source file, and linked statically, so that the box it runs in
need not open one file more.  Only `namespaces` can bound the compiler's processes and its folder.
"""

import binascii
import os
import shutil
from dataclasses import dataclass
from functools import cache

from grader.model.limits import GIB, MIB
from grader.model.task import Toolchain
from grader.sandbox.driver import WALLS, Driver
from grader.sandbox.interpreter import Interpreter
from grader.sandbox.tools.tool import Tool, ToolLimits, run_tool
from grader.sandbox.tools.tool_cell import BEGIN, BOOT, LIBRARIES
from grader.sandbox.zygote import SandboxFailure, unprivileged_uid
from grader.sandbox.zygote_process import FLAGS, package_folder
from grader.wire.encoder import encode_plain
from grader.worker.settings import ARTEFACT, EXIT_NO_CELL, EXIT_NOT_BUILT, Settings

BUILD_S, BUILD_WALL_S = 10.0, 120.0
"""For one build: CPU seconds of each of the compiler's processes, and seconds by the clock."""
_MEMORY_B = 1 * GIB
_SCRATCH_B, _SCRATCH_FILES = 64 * MIB, 64
_ARTEFACT_B = 5 * MIB
_HEADERS = ("/usr/libexec/gcc", "/usr/include", "/usr/local/include", "/bin", "/usr/bin")
_BOOT = f"""{BOOT}
from grader.worker.walls import build_cell
build_cell.main(sys.argv[1], int(sys.argv[3]), int(sys.argv[4]), sys.argv[5:])
"""

_COMMANDS = {
    Toolchain.C: ("gcc", "-x", "c", "-std=gnu17"),
    Toolchain.CPP: ("g++", "-x", "c++", "-std=gnu++17"),
}
_OPTIONS = ("-O2", "-static", "-s", "-pipe", "-fmax-errors=5", "-fdiagnostics-color=never")
_TRIAL = {
    Toolchain.C: '#include <stdio.h>\nint main(void) { return printf("") != 0; }\n',
    Toolchain.CPP: "#include <iostream>\nint main() { std::cout << std::flush; }\n",
}


@dataclass(frozen=True, slots=True)
class Built:
    """The result of a build.

    artefact: the program; empty if there is none.  said: the compiler's messages, which quote the student.
    cpu_s: the CPU time that it took.
    """

    artefact: bytes
    said: str
    cpu_s: float


@cache
def find_compiler(toolchain: Toolchain) -> Tool | None:
    """Return the compiler of this host, None if there is none."""
    name = _COMMANDS[toolchain][0]
    path = shutil.which(name)
    if path is None:
        return None
    told = run_tool([path, "-dumpfullversion"], "")
    return Tool(name, path, told.stdout.strip()) if told.status == 0 else None


def compilers_of(toolchains: tuple[Toolchain, ...]) -> dict[str, str]:
    """Return the compilers that were found, with their versions."""
    found = [find_compiler(each) for each in toolchains]
    return {tool.name: tool.version for tool in found if tool is not None}


@cache
def refusal(toolchain: Toolchain, driver: Driver, interpreter: Interpreter) -> str:
    """Return why programs of a language cannot be built on this host, "" if they can.

    A small program of ours is built: where that fails, the fault is not a student's.
    """
    if not WALLS[driver].namespaces:
        return f"programs in {toolchain.named} need the sandbox driver namespaces; here is {driver}"
    tool = find_compiler(toolchain)
    if tool is None:
        return f"programs in {toolchain.named} need {_COMMANDS[toolchain][0]}, which is not installed"
    tried = _run(tool, toolchain, "trial", _TRIAL[toolchain], interpreter, BUILD_S)
    if not tried.artefact:
        return f"{tool.name} cannot build a program on this host: {tried.said.strip()[-300:]}"
    return ""


def build(toolchain: Toolchain, file: str, text: str, interpreter: Interpreter, cpu_s: float) -> Built:
    """Build a program of a student's text; see `refusal` for where that is possible.

    file: the name that the compiler's messages give it.  cpu_s: the most CPU time of each of its processes.
    Raises `SandboxFailure`.
    """
    tool = find_compiler(toolchain)
    assert tool is not None, "`refusal` was asked"
    return _run(tool, toolchain, file, text, interpreter, cpu_s)


def _run(
    tool: Tool, toolchain: Toolchain, file: str, text: str, interpreter: Interpreter, cpu_s: float
) -> Built:
    path = os.path.realpath(tool.path)
    settings = Settings(
        namespaces=True,
        landlock=True,
        seccomp=True,
        listen=False,
        readable=tuple(filter(os.path.lexists, (*LIBRARIES, *_HEADERS))),
        hidden=(),
        path=(),
        preload=(),
        uid=unprivileged_uid(),
        scratch_b=_SCRATCH_B,
        scratch_files=_SCRATCH_FILES,
    )
    packed = encode_plain(tuple(settings)).hex()
    python = [interpreter.command, *FLAGS, "-c", _BOOT, packed, package_folder()]
    options = [*_COMMANDS[toolchain][1:], *_OPTIONS, "-o", ARTEFACT, "-", "-lm"]
    limits = ToolLimits(cpu_s=cpu_s, wall_s=BUILD_WALL_S, file_b=_SCRATCH_B)
    # With this line the compiler counts lines as the student does, and names their file.
    source = f'# 1 "{file}"\n{text}'
    run = run_tool([*python, str(_ARTEFACT_B), str(_MEMORY_B), path, *options], BEGIN + source, limits)
    if run.status == 0:
        return Built(binascii.a2b_base64(run.stdout), run.stderr, run.cpu_s)
    if run.status == EXIT_NOT_BUILT:
        return Built(b"", run.stderr, run.cpu_s)
    said = run.stderr.strip()[-300:]
    detail = "cannot be put into a sandbox" if run.status == EXIT_NO_CELL else f"ended with {run.status}"
    raise SandboxFailure(f"{tool.name} {detail}: {said}")
