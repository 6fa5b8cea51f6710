"""A language as a task has it, as plain data, and the object that answers all questions about it.

A toolchain can be compared and sent to another process.  Its language is found by its name here, and
imported when a task first has it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, TypeVar

from grader.registry.groups import Group
from grader.registry.registry import registry

if TYPE_CHECKING:
    from grader.languages.language import Language

_T = TypeVar("_T")
SOURCE = "{file}"
MEMORY = "{memory}"
"""In commands: the name of the source file; the memory that a program may use, in MiB."""
WORK = "/box/work/"
"""The folder in which programs are built and run, as in `grader.worker.walls.jail`."""


@dataclass(frozen=True, slots=True)
class Toolchain:
    """A language other than Python in which a program may be handed in.

    name: one of `language_names()`, or the spec's own word where it says the commands.
    endings: endings of its source files.
    build: the spec's own command that builds a program; empty: nothing is built.
    run: the spec's own command that runs it; empty: its commands are known.
    reads: folders and files of the host that these commands need besides the usual ones.
    """

    name: str
    endings: tuple[str, ...]
    build: tuple[str, ...] = ()
    run: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()


def language_names() -> list[str]:
    """Return the names of all languages whose commands are known."""
    return registry().names(Group.LANGUAGES)


def language_named(name: str) -> "Language":
    """Return the language of this name, whose commands are known."""
    found: Language = registry().load(Group.LANGUAGES, name)
    return found


def every_language() -> "list[Language]":
    """Return all languages whose commands are known, in the order of their names in the registry."""
    return [*registry().all_of(Group.LANGUAGES).values()]


def tellers() -> "tuple[list[Language], list[Language]]":
    """Return all languages, ours and those of plugins, to ask what an output of a program means.

    A plugin's is asked where none of ours knows: it is not to say what a program in C does.
    """
    ours: list[Language] = []
    foreign: list[Language] = []
    for name, language in registry().all_of(Group.LANGUAGES).items():
        (foreign if registry().is_foreign(Group.LANGUAGES, name) else ours).append(language)
    return ours, foreign


def asked(language: "Language", question: Callable[[], object], kind: type[_T]) -> _T | None:
    """Return what a language answers, if it is of this type; a plugin's that raises is left out."""
    found: object = registry().attempt(Group.LANGUAGES, language.name, question)
    return found if isinstance(found, kind) else None


def toolchain_named(name: str) -> Toolchain:
    """Return the toolchain of a language whose commands are known."""
    return Toolchain(name, language_named(name).endings)


@cache
def language_of(toolchain: Toolchain) -> "Language":
    """Return the language of a toolchain."""
    if not toolchain.run:
        return language_named(toolchain.name)
    # It stands above this module.
    own: Language = import_module("grader.languages.own").Own(toolchain)
    return own
