"""The commands by which programs in other languages are built and run on this host, and what they need."""

import os
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from grader.model.limits import GIB, MIB
from grader.model.task import MEMORY, SOURCE, Known, Toolchain
from grader.sandbox.artefact import Artefact
from grader.sandbox.budget import UNBILLED
from grader.sandbox.tools.tool import Tool, run_tool
from grader.sandbox.tools.tool_cell import LIBRARIES

_C_OPTIONS = ("-O2", "-static", "-s", "-pipe", "-fmax-errors=5", "-fdiagnostics-color=never")
_PROGRAM = "program"
_JVM: tuple[str, ...] = (
    *("-Xss1m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData"),
    *("-XX:-UseContainerSupport", "-XX:ReservedCodeCacheSize=48m", "-XX:CompressedClassSpaceSize=64m"),
)
"""Few threads, and little address space beside the heap."""
_JAVAC: tuple[str, ...] = (
    *(f"-J{option}" for option in ("-Xmx256m", *_JVM)),
    *("-proc:none", "-encoding", "UTF-8", "-Xlint:none", "-Xmaxerrs", "5", "-d", "."),
)
_HEADROOM_B = {Known.JAVA: 512 * MIB, Known.JAVASCRIPT: 1 * GIB}
"""Address space of a runtime besides the memory that a program may use."""
_OWN_HEADROOM_B = 256 * MIB


@dataclass(frozen=True, slots=True)
class Commands:
    """The commands that build and run programs of one language.

    tools: the programs of the host that are used.
    build: the command, with `SOURCE` for the file; empty: nothing is built, and the source is what runs.
    reads: what these programs read besides the system's libraries.
    libraries: a folder in which these programs find their own.
    headroom_b: address space besides the memory that a program may use; 0: it is no runtime's.
    trial: a small program of ours.
    """

    tools: tuple[Tool, ...]
    build: tuple[str, ...]
    reads: tuple[str, ...] = ()
    libraries: str = ""
    headroom_b: int = 0
    trial: str = ""


@cache
def missing_tool(toolchain: Toolchain) -> str:
    """Return the name of a program that a language needs and this host lacks; "" for none."""
    return next((name for name in _needed(toolchain) if shutil.which(name) is None), "")


def _needed(toolchain: Toolchain) -> tuple[str, ...]:
    if toolchain.run:
        words = (command[0] for command in (toolchain.build, toolchain.run) if command)
        return tuple(word for word in words if not word.startswith("./"))
    return {
        Known.C: ("gcc",),
        Known.CPP: ("g++",),
        Known.JAVA: ("javac", "java"),
        Known.JAVASCRIPT: ("node",),
    }[Known(toolchain.name)]


@cache
def commands_of(toolchain: Toolchain) -> Commands:
    """Return the commands of a language that this host has; see `missing_tool`."""
    tools = tuple(map(_tool, _needed(toolchain)))
    first = tools[0].path if tools else ""
    if toolchain.run:
        build = (first, *toolchain.build[1:]) if toolchain.build else ()
        reads = (*filter(os.path.exists, toolchain.reads), *(tool.path for tool in tools))
        return Commands(tools, build, reads=reads, headroom_b=_OWN_HEADROOM_B)
    match Known(toolchain.name):
        case Known.C:
            build = (first, "-x", "c", "-std=gnu17", *_C_OPTIONS, "-o", _PROGRAM, SOURCE, "-lm")
            trial = '#include <stdio.h>\nint main(void) { return printf("") != 0; }\n'
            return Commands(tools, build, trial=trial)
        case Known.CPP:
            build = (first, "-x", "c++", "-std=gnu++17", *_C_OPTIONS, "-o", _PROGRAM, SOURCE, "-lm")
            trial = "#include <iostream>\nint main() { std::cout << std::flush; }\n"
            return Commands(tools, build, trial=trial)
        case Known.JAVA:
            trial = "class trial { public static void main(String[] arguments) {} }\n"
            build = (first, *_JAVAC, SOURCE)
            reads = _of_java(tools)
            libraries = str(Path(first).parents[1] / "lib")
        case Known.JAVASCRIPT:
            build, trial, reads = (first, "--check", SOURCE), "let trial = 1;\n", (first,)
            libraries = ""
    headroom_b = _HEADROOM_B[Known(toolchain.name)]
    return Commands(tools, build, reads=reads, libraries=libraries, headroom_b=headroom_b, trial=trial)


def _of_java(tools: Iterable[Tool]) -> tuple[str, ...]:
    """Return the folders of a Java installation; Debian keeps a part of it in /etc."""
    found = []
    for tool in tools:
        home = Path(tool.path).parents[1]
        parts = (home, *(home / part for part in ("conf", "lib/jvm.cfg", "lib/security", "lib/modules")))
        for part in parts:
            if part.exists():
                place = Path(os.path.realpath(part))
                found.append(str(place.parent if place.is_file() else place))
    return outermost(found)


def outermost(paths: Iterable[str]) -> tuple[str, ...]:
    """Return the paths that lie in none of the others, nor in the system's libraries."""
    roots: list[str] = []
    for path in sorted(set(paths)):
        if not any(path == root or path.startswith(f"{root}/") for root in (*LIBRARIES, *roots)):
            roots.append(path)
    return tuple(roots)


@cache
def _tool(name: str) -> Tool:
    path = os.path.realpath(shutil.which(name) or name)
    release = Path(path).parents[1] / "release"
    if name in ("java", "javac") and release.is_file():
        # Starting a Java machine only for its version takes a second.
        for line in release.read_text("utf-8", "replace").splitlines():
            if line.startswith("JAVA_VERSION="):
                return Tool(name, path, line.partition("=")[2].strip('"'))
    option = "-dumpfullversion" if name in ("gcc", "g++") else "--version"
    told = run_tool([path, option], "", purse=UNBILLED)
    lines = (told.stdout.strip() or told.stderr.strip()).splitlines()
    return Tool(name, path, lines[0][:100] if lines else "")


def compilers_of(toolchains: tuple[Toolchain, ...]) -> dict[str, str]:
    """Return the programs of the host that are used, with their versions."""
    found = (each for each in toolchains if not missing_tool(each))
    return {tool.name: tool.version for each in found for tool in commands_of(each).tools}


def artefact_of(
    toolchain: Toolchain, file: str, sources: Mapping[str, bytes], built: dict[str, bytes]
) -> Artefact | str:
    """Return a program that is ready to run, or the reason why the build left none.

    file: the source file with which it begins.  sources: all of them.  built: what the build left.
    """
    commands = commands_of(toolchain)
    if toolchain.run:
        return _own(toolchain, commands, file, sources, built)
    match Known(toolchain.name):
        case Known.JAVA:
            java = commands.tools[1].path
            main = _main_class(file.rpartition(".")[0], built)
            if not main:
                wanted = file.rpartition(".")[0]
                return f"it has no class {wanted}: the class with main has the name of the file, {file}"
            command: tuple[str, ...] = (
                java,
                f"-Xmx{MEMORY}m",
                *_JVM,
                "-Dfile.encoding=UTF-8",
                "-cp",
                ".",
                main,
            )
            return Artefact(
                host=java,
                command=command,
                environment=(("LD_LIBRARY_PATH", commands.libraries),),
                files=tuple((name, code) for name, code in built.items() if name.endswith(".class")),
            )
        case Known.JAVASCRIPT:
            node = commands.tools[0].path
            command = (node, f"--max-old-space-size={MEMORY}", file)
            return Artefact(host=node, command=command, files=tuple(sources.items()), reads_ahead=True)
    return Artefact(program=built[_PROGRAM]) if built.get(_PROGRAM) else "there is no program"


def _main_class(wanted: str, built: dict[str, bytes]) -> str:
    """Return the class that a program begins with: the one of its file's name, else the only one there is.

    It may lie in a package, as editors write it.
    """
    classes = [name.removesuffix(".class").replace("/", ".") for name in built if name.endswith(".class")]
    outer = sorted(name for name in classes if "$" not in name)
    bare = [(name.rpartition(".")[2], name) for name in outer]
    alike = [name for last, name in bare if last == wanted] or [
        name for last, name in bare if last.casefold() == wanted.casefold()
    ]
    return alike[0] if alike else outer[0] if len(outer) == 1 else ""


def _own(
    toolchain: Toolchain,
    commands: Commands,
    file: str,
    sources: Mapping[str, bytes],
    built: dict[str, bytes],
) -> Artefact | str:
    words = tuple(word.replace(SOURCE, file) for word in toolchain.run)
    # Where nothing is built, the sources themselves run; else only what the build left.
    files = tuple((built if toolchain.build else sources).items())
    if not words[0].startswith("./"):
        return Artefact(host=commands.tools[-1].path, command=words, files=files)
    program = dict(files).get(words[0].removeprefix("./"))
    if not program:
        return f"the build left no {words[0].removeprefix('./')}"
    others = tuple(pair for pair in files if f"./{pair[0]}" != words[0])
    return replace(Artefact(program=program, files=others), command=words)
