"""A case that runs a whole program: what goes in, and what is expected to come out."""

from dataclasses import dataclass

from grader.model.text import Text
from grader.model.values import Value


@dataclass(frozen=True, slots=True)
class Exchange:
    """One turn of a dialogue.

    says: what the program prints between its last input and this one; None: not compared.
    answer: the line it is then given, without its line end; None: the end of the input.
    """

    says: Text | None
    answer: str | None


@dataclass(frozen=True, slots=True)
class Player:
    """A function of the checkers file that plays the other side of a dialogue.

    function: called with the transcript, a list of (said, answered) pairs that ends with what was
    said last and None, and with the arguments; returns the next line, or None for the end of the input.
    """

    function: str
    arguments: tuple[tuple[str, Value], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramRun:
    """A module run as a program.

    stdin: all of its input; empty where there is a dialogue or a player.
    files: name and content of the files it finds in its folder.
    keeps: names of the files that it is expected to leave there.
    """

    module: str
    arguments: tuple[str, ...] = ()
    stdin: str = ""
    files: tuple[tuple[str, bytes], ...] = ()
    keeps: tuple[str, ...] = ()
    dialogue: tuple[Exchange, ...] = ()
    player: Player | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Produces:
    """What a program is expected to print, leave and end with; None: not compared.

    stdout: after a dialogue, what it prints after the last input.
    """

    stdout: Text | None = None
    stderr: Text | None = None
    exit_code: int | None = 0
    files: tuple[tuple[str, Text], ...] = ()
