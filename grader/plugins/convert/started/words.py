"""The words of a command that starts a program of the student's."""

import re
from collections.abc import Sequence

_PYTHON = re.compile(r"python3?(?:\.\d+)?$")
_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_OF_NO_EFFECT = {"-u", "-B"}
"""Options of Python's: output comes in other parts, and no `.pyc` files are written."""


def python_program(words: Sequence[str]) -> tuple[str, list[str]] | None:
    """Return module and arguments of `python FILE.py ...`; None for all other commands."""
    if not words or not _PYTHON.match(words[0]):
        return None
    rest = [*words[1:]]
    while rest and rest[0] in _OF_NO_EFFECT:
        del rest[0]
    name, _, ending = "".join(rest[:1]).removeprefix("./").rpartition(".")
    return (name, rest[1:]) if ending == "py" and _NAME.fullmatch(name) else None
