"""Code of the instructor's: what runs in one process with a student's module, and programs that judge."""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class OwnFile:
    """Code of the instructor's that runs before or after a student's module.

    module: the name of its file, without `.py`.  text: its source.  names: those that it gives to the module
    or takes of it; none: all.  imports: the modules of the task that it imports.
    """

    module: str
    text: str
    names: tuple[str, ...] = ()
    imports: tuple[str, ...] = ()

    @property
    def file(self) -> str:
        return f"{self.module}.py"


@dataclass(frozen=True, slots=True)
class Around:
    """The code around a student's module, which can read and change it."""

    before: OwnFile | None = None
    after: OwnFile | None = None

    @property
    def files(self) -> tuple[OwnFile, ...]:
        return tuple(file for file in (self.before, self.after) if file is not None)


@dataclass(frozen=True, slots=True)
class Harness:
    """A module of the instructor's that runs beside the student's code, which can read and change it.

    module: its name.  text: its source.  imports: the modules of the task that it imports.
    """

    module: str
    text: str
    imports: tuple[str, ...] = ()


class Protocol(StrEnum):
    """What a validator is given, and how it says its verdict."""

    KATTIS = "kattis"
    """Arguments: input, answer, folder.  The output is its standard input.  It exits with 42 or 43."""
    TESTLIB = "testlib"
    """Arguments: input, output, answer.  It exits with 0, or with 1, 2, 4 or 8."""
    DMOJ = "dmoj"
    """Arguments: input, output, answer; of an interactor input and answer.  It exits with 0 or 1."""
    COCI = "coci"
    """Arguments as of DMOJ.  It exits with 0, 1 or 2, or with 7 for a part, which it says as a fraction."""
    PEG = "peg"
    """Arguments: answer, output, input.  It exits with 0 or 1, and can print a part as two numbers."""


class Place(StrEnum):
    """What stands in the arguments of a validator for a file that it is given."""

    INPUT = "{input}"
    OUTPUT = "{output}"
    ANSWER = "{answer}"


@dataclass(frozen=True, slots=True)
class Validator:
    """A program of the instructor's that judges what a student's program printed.

    file: the source file with which it begins.  texts: all of its source files, by name.
    language: its name; empty for Python.  arguments: those that follow the ones of the protocol.
    all_arguments: those that stand in place of both, with `Place` for a file; None: the protocol's stand.
    passes: how often the student's program runs at most, each time with the input that this one gave.
    full: the score of an output that is right in full; 0 where scores are shares.
    """

    file: str
    texts: tuple[tuple[str, str], ...]
    language: str = ""
    arguments: tuple[str, ...] = ()
    protocol: Protocol = Protocol.KATTIS
    passes: int = 1
    full: Fraction = Fraction(0)
    all_arguments: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Interactor:
    """A program of the instructor's that talks with a student's program, and then judges it.

    stdin, answer: what the interactor is given, and the student's program never sees.
    left: the files that it left in an earlier pass.
    """

    program: Validator
    stdin: str = ""
    answer: str = ""
    left: tuple[tuple[str, bytes], ...] = ()
