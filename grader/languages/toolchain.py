"""A language as a task has it, as plain data, and the object that answers all questions about it.

A toolchain can be compared and sent to another process.  Its language is found by its name here, and
imported when a task first has it.
"""

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from grader.languages.language import Language

SOURCE = "{file}"
MEMORY = "{memory}"
"""In commands: the name of the source file; the memory that a program may use, in MiB."""
WORK = "/box/work/"
"""The folder in which programs are built and run, as in `grader.worker.walls.jail`."""

LANGUAGES = {
    "c": "grader.languages.c",
    "c++": "grader.languages.cpp",
    "java": "grader.languages.java",
    "javascript": "grader.languages.javascript",
}
"""The module of each language whose commands are known; its `LANGUAGE` is the object."""


@dataclass(frozen=True, slots=True)
class Toolchain:
    """A language other than Python in which a program may be handed in.

    name: one of `LANGUAGES`, or the spec's own word where it says the commands.
    endings: endings of its source files.
    build: the spec's own command that builds a program; empty: nothing is built.
    run: the spec's own command that runs it; empty: the language is one of `LANGUAGES`.
    reads: folders and files of the host that these commands need besides the usual ones.
    """

    name: str
    endings: tuple[str, ...]
    build: tuple[str, ...] = ()
    run: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()


@cache
def language_named(name: str) -> "Language":
    """Return the language of this name, whose commands are known."""
    found: Language = import_module(LANGUAGES[name]).LANGUAGE
    return found


def every_language() -> "list[Language]":
    """Return all languages whose commands are known, in the order of their list."""
    return [language_named(name) for name in LANGUAGES]


def toolchain_named(name: str) -> Toolchain:
    """Return the toolchain of a language whose commands are known."""
    return Toolchain(name, language_named(name).endings)


@cache
def language_of(toolchain: Toolchain) -> "Language":
    """Return the language of a toolchain."""
    if not toolchain.run:
        return language_named(toolchain.name)
    found: Language = import_module("grader.languages.own").Own(toolchain)
    return found
