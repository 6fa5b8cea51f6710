"""What a check of check50 does with a program: a chain `run(..).stdin(..).stdout(..).exit(..)`."""

import re
import shlex
from dataclasses import dataclass, field
from typing import Any

from grader.plugins.convert.draft import Unconvertible
from grader.plugins.convert.started.words import python_program

END = object()
"""Stands for `EOF`: the end of the input, or of the output."""


@dataclass(slots=True)
class Chain:
    """A chain: its inputs, and after how many of them each text is expected.

    rejects: it ends where the program asks once more.  killed: it ends whatever the program does then.
    ended: its last input is the end of the input.  fails: the exit code is any but 0.
    files: those that the check includes.  written: those that it wrote, with their texts.
    keeps: those that the program must leave.  own: the lines of the checker that judges the rest.
    """

    module: str = ""
    arguments: list[str] = field(default_factory=list)
    inputs: list[tuple[str, bool]] = field(default_factory=list)
    outputs: list[tuple[int, str, bool]] = field(default_factory=list)
    exit_code: str = ""
    rejects: bool = False
    killed: bool = False
    ended: bool = False
    fails: bool = False
    files: tuple[str, ...] = ()
    written: dict[str, str] = field(default_factory=dict)
    keeps: list[str] = field(default_factory=list)
    own: list[str] = field(default_factory=list)

    @property
    def is_plain(self) -> bool:
        """Tell whether a dialogue says it: another line is asked for after each input but the last."""
        goes_on = bool(self.inputs) and not self.exit_code and not self.rejects
        more = goes_on or bool(self.own) or (self.rejects and bool(self.outputs))
        return not (more or self.killed or self.ended or self.fails)


def started(values: list[Any], options: dict[str, Any]) -> Chain:
    """Return the chain of `check50.run`.  Raises `Unconvertible`."""
    if len(values) != 1 or options:
        raise Unconvertible("`run` has other than one argument")
    chain = Chain()
    take_command(values[0], chain)
    return chain


def go_on(chain: Chain, name: str, values: list[Any], options: dict[str, Any]) -> None:
    """Add a link to a chain.  Raises `Unconvertible`."""
    if name == "kill" and (chain.exit_code or chain.rejects):
        return
    if name == "stdin" and chain.rejects:
        # It asked once more, and gets a line.
        chain.rejects = False
    if chain.exit_code or chain.rejects or chain.killed:
        last = "exit" if chain.exit_code else "reject" if chain.rejects else "kill"
        raise Unconvertible(f"something follows `{last}`")
    match name:
        case "stdin" if values and set(options) <= {"prompt", "str_line", "timeout"}:
            prompt = bool(values[2] if len(values) > 2 else options.get("prompt", True))
            if chain.ended:
                raise Unconvertible("an input follows the end of the input")
            chain.ended = values[0] is END
            chain.inputs.append(("" if chain.ended else line_of(values[0]), prompt and not chain.ended))
        case "stdout" if values and set(options) <= {"regex", "str_output", "timeout", "show_timeout"}:
            pattern = bool(values[2] if len(values) > 2 else options.get("regex", True))
            text, pattern = text_of(values[0], pattern)
            chain.outputs.append((len(chain.inputs), text, pattern))
        case "exit" if len(values) <= 1 and set(options) <= {"timeout", "code"}:
            chain.exit_code = exit_of(values[0] if values else options.get("code"))
        case "reject" if chain.inputs and len(values) <= 1 and set(options) <= {"timeout"}:
            chain.rejects = True
        case "kill" if not values and not options:
            chain.killed = True
        case _:
            raise Unconvertible(f"`{name}` has no counterpart that is certain")


def take_command(command: object, chain: Chain) -> None:
    """Take program and arguments from a command.  Raises `Unconvertible`."""
    if not isinstance(command, str) or re.search(r"[;&|<>$`*?~#]", command):
        raise Unconvertible("its command needs a shell")
    try:
        words = shlex.split(command)
    except ValueError:
        words = []
    if words[:1] == ["pytest"]:
        raise Unconvertible(f"`{command[:60]}` runs the student's tests")
    program = python_program(words)
    if program is None:
        raise Unconvertible(f"`{command[:60]}` is not `python FILE.py`")
    chain.module, chain.arguments = program


def line_of(value: object) -> str:
    if not isinstance(value, str) or "\n" in value or "\r" in value:
        raise Unconvertible("an input is other than one line of text")
    return value


def text_of(value: object, pattern: bool) -> tuple[str, bool]:
    """Return an expected text, and whether it is a pattern; one that Python refuses is left out."""
    if type(value) in (int, float):
        # So check50 looks for exactly that number.
        before = "" if value < 0 else r"(?<![\d\-])"  # type: ignore[operator]
        return rf"{before}{re.escape(str(value))}(?!(\.?\d))", True
    if not isinstance(value, str):
        raise Unconvertible("an expected output is no text")
    if pattern:
        try:
            re.compile(value)
        except (re.error, OverflowError, RecursionError):
            raise Unconvertible("an expected output is no regular expression") from None
    return value, pattern


def exit_of(value: object) -> str:
    if value is None:
        return "any"
    if type(value) is not int or not 0 <= value <= 255:
        raise Unconvertible("its exit code is no number from 0 to 255")
    return str(value)
