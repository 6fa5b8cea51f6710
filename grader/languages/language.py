"""What a language is: all that the grader asks about programs in it, in one place.

This is the page to read first.  A language is a module beside this one, with `LANGUAGE`, its object, and a
line in `grader/languages/toolchain.py`.  Everybody else asks `language_of(toolchain)`, and nobody tests which
language it is.  A compiler that leaves one program needs names, `tools` and `build` alone; all other answers
are there.

Paths of tools are the real ones on this host, in the order of `tools`.  A program may start no processes, and
no answer here changes that.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar, NamedTuple

from grader.languages.artefact import Artefact

PROGRAM = "program"
"""The file in which a compiler leaves a program."""


class Trace(NamedTuple):
    """What a trace says of an exception: its name, its message, and places such as `Work.java:4`."""

    name: str
    message: str
    places: Sequence[str]


class Language(ABC):
    """A language in which programs may be handed in.

    name: the spec's word for it.  title: its name for people.
    endings: of its source files, in small letters; the usual one is first.
    exact_endings: endings that count as they are written, before those of all languages.
    headers: endings of other files that may lie beside its source files.
    keeps_capitals: whether the capital letters of a file's name are the student's to choose.
    tools: the names of the host's programs that it needs.
    version_option: the argument with which these tell their version.
    trial: a small program of ours, which is built to see whether the tools are whole; empty: none is.
    runs_in_build: whether a build may run what a student wrote; it has one try then, and ends by the clock.
    headroom_mib: address space that its runtime needs besides the memory of a program; 0: it has no runtime.
        Measure it with the smallest program under `ulimit -v`.
    linker_words: what its linker says, after its own words, before a name that it lacks or has twice.
    like_python: the names that exceptions of Python have here.
    """

    name: str
    title: str
    endings: tuple[str, ...]
    exact_endings: tuple[str, ...] = ()
    headers: tuple[str, ...] = ()
    keeps_capitals: bool = False
    tools: tuple[str, ...]
    version_option: str = "--version"
    trial: str = ""
    runs_in_build: bool = False
    headroom_mib: int = 0
    linker_words: tuple[str, ...] = ()
    like_python: ClassVar[Mapping[str, str]] = {}

    # -- files -----------------------------------------------------------------------------------------

    @property
    def beside(self) -> tuple[str, ...]:
        """Return the endings of files that may lie beside a program's source file."""
        return (*self.endings, *self.headers)

    def file_of(self, module: str, file: str) -> str:
        """Return the name of a module's source file for the tools, given the name that was handed in."""
        name = file.rpartition("/")[2]
        usual = [f"{module}{ending}" for ending in self.endings]
        if name.casefold() in [each.casefold() for each in usual]:
            return name
        return next((each for each in usual if name.casefold().endswith(each[len(module) :])), usual[0])

    # -- building --------------------------------------------------------------------------------------

    @abstractmethod
    def build(self, tools: Sequence[str]) -> tuple[str, ...]:
        """Return the command that builds a program, with `SOURCE` for its files; empty: nothing is built.

        It leaves its files in the folder in which it starts.
        """

    def reads(self, tools: Sequence[str]) -> tuple[str, ...]:
        """Return the folders and files of the host that its tools read besides the system's libraries."""
        return ()

    def libraries(self, tools: Sequence[str]) -> str:
        """Return the folder in which its tools find libraries of their own; empty for none."""
        return ""

    def release(self, tool: str) -> str:
        """Return the version of a tool where that is known without a start of it, else nothing."""
        return ""

    # -- running ---------------------------------------------------------------------------------------

    def artefact(
        self, file: str, sources: Mapping[str, bytes], built: Mapping[str, bytes], tools: Sequence[str]
    ) -> Artefact | str:
        """Return a program that is ready to run, or the reason why its build left none.

        file: the source file with which it begins.  sources: all of them.  built: what the build left.
        """
        return Artefact(program=built[PROGRAM]) if built.get(PROGRAM) else "there is no program"

    def command(self, module: str, file: str) -> str:
        """Return the words by which people start a program, given the name of the file for the tools."""
        return f"./{module}"

    # -- telling a failure -----------------------------------------------------------------------------

    # What a compiler or a runtime says is the student's text.  All languages are asked about it, whichever
    # one the program is in: a command of the spec's own may start any compiler.

    def like_gcc(self, line: str) -> str:
        """Return a line that names a place as gcc writes it, `main.c:3:5: error: x`; others as they are.

        What stands after the last `error:` of such a line is told.
        """
        return line

    def error_near(self, lines: Sequence[str], place: int) -> str:
        """Return a compiler's error that stands in other lines than the one of its place; empty for none."""
        return ""

    def advice(self, file: str, error: str) -> str:
        """Return what to do about a compiler's error in a file, as part of a sentence; empty for nothing."""
        return ""

    def trace_at(self, lines: Sequence[str]) -> int | None:
        """Return the line of an error output that shows the trace of an exception; None for no trace."""
        return None

    def trace(self, lines: Sequence[str], shown: int) -> Trace | None:
        """Return the trace that `trace_at` found at a line; None if it cannot be read."""
        return None

    # -- writing a spec --------------------------------------------------------------------------------

    def written(self) -> object:
        """Return the language as a spec says it."""
        return self.name
