"""The words of a command that starts a program of the student's."""

import re
from collections.abc import Sequence

_PYTHON = re.compile(r"python3?(?:\.\d+)?$")
_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_OF_NO_EFFECT = {"-u", "-B"}
"""Options of Python's: output comes in other parts, and no `.pyc` files are written."""


def python_program(words: Sequence[str]) -> tuple[str, list[str]] | None:
    """Return module and arguments of `python FILE.py ...` or `python -m MODULE ...`; None for all others."""
    if not words or not _PYTHON.match(words[0]):
        return None
    rest = [*words[1:]]
    while rest and rest[0] in _OF_NO_EFFECT:
        del rest[0]
    if rest[:1] == ["-m"]:
        del rest[0]
        name = "".join(rest[:1])
    else:
        name, dot, ending = "".join(rest[:1]).removeprefix("./").rpartition(".")
        name = name if dot and ending == "py" else ""
    return (name, rest[1:]) if _NAME.fullmatch(name) else None
