"""The programs of this host by which programs in other languages are built and run, and what these need."""

import os
import shutil
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, partial

from grader.languages.artefact import Artefact
from grader.languages.toolchain import Toolchain, every_language, language_of
from grader.model.errors import Fault, UsageError
from grader.sandbox.budget import UNBILLED
from grader.sandbox.tools.tool import Tool, run_tool
from grader.sandbox.tools.tool_cell import LIBRARIES


@dataclass(frozen=True, slots=True)
class Commands:
    """What builds and runs programs of one language on this host.

    tools: the programs of the host that are used.
    build: the command, with `SOURCE` for the file; empty: nothing is built, and the source is what runs.
    reads: what these programs read besides the system's libraries.
    libraries: a folder in which these programs find their own.
    """

    tools: tuple[Tool, ...]
    build: tuple[str, ...]
    reads: tuple[str, ...]
    libraries: str


@cache
def missing_tool(toolchain: Toolchain) -> str:
    """Return the name of a program that a language needs and this host lacks; "" for none."""
    return next((name for name in language_of(toolchain).tools if shutil.which(name) is None), "")


@cache
def commands_of(toolchain: Toolchain) -> Commands:
    """Return the commands of a language that this host has; see `missing_tool`."""
    language = language_of(toolchain)
    tools = tuple(map(_tool, language.tools))
    paths = [tool.path for tool in tools]
    return Commands(tools, language.build(paths), language.reads(paths), language.libraries(paths))


def artefact_of(
    toolchain: Toolchain, file: str, sources: Mapping[str, bytes], built: Mapping[str, bytes]
) -> Artefact | str:
    """Return a program that is ready to run, or the reason why the build left none.

    file: the source file with which it begins.  sources: all of them.  built: what the build left.
    """
    paths = [tool.path for tool in commands_of(toolchain).tools]
    return language_of(toolchain).artefact(file, sources, built, paths)


def outermost(paths: Iterable[str]) -> tuple[str, ...]:
    """Return the paths that lie in none of the others, nor in the system's libraries."""
    roots: list[str] = []
    for path in sorted(set(paths)):
        if not any(path == root or path.startswith(f"{root}/") for root in (*LIBRARIES, *roots)):
            roots.append(path)
    return tuple(roots)


@cache
def _tool(name: str) -> Tool:
    """Return a program of the host; the language that knows it says how its version is found."""
    path = os.path.realpath(shutil.which(name) or name)
    language = next((each for each in every_language() if name in each.tools), None)
    known = language.release(path) if language is not None else ""
    if known:
        return Tool(name, path, known)
    option = language.version_option if language is not None else "--version"
    told = run_tool([path, option], "", purse=UNBILLED)
    lines = (told.stdout.strip() or told.stderr.strip()).splitlines()
    return Tool(name, path, lines[0][:100] if lines else "")


def needed_compilers(toolchain: Toolchain) -> dict[str, Callable[[], str]]:
    """Return the programs of the host that build our own code, each with a function that tells its version.

    The function raises `UsageError` where the program is missing.
    """
    return {name: partial(_version, toolchain, name) for name in language_of(toolchain).tools}


def _version(toolchain: Toolchain, name: str) -> str:
    if missing_tool(toolchain):
        title = language_of(toolchain).title
        hint = "install it; see `grader doctor`"
        raise UsageError(
            Fault(f"a program of the spec in {title} needs {name}, which is not installed", hint=hint)
        )
    return next(tool.version for tool in commands_of(toolchain).tools if tool.name == name)


def compilers_of(toolchains: tuple[Toolchain, ...]) -> dict[str, str]:
    """Return the programs of the host that are used, with their versions."""
    found = (each for each in toolchains if not missing_tool(each))
    return {tool.name: tool.version for each in found for tool in commands_of(each).tools}
