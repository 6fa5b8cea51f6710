"""The command line of a program, for people."""

import re

from grader.model.case import ProgramRun

_LONGEST_INPUT = 300
"""The most characters of an input that the command shows; a longer input is shown as a file name."""
_PLAIN = re.compile(r"[\w@%+=:,./-]+", re.ASCII)
_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\t": "\\t", "%": "%%"}


def command(start: str, run: ProgramRun) -> str:
    """Return the command line: `printf '8\\na0\\n' | python main.py --fast`.

    start: the words that start the program itself.
    """
    line, stdin = " ".join([start, *map(quoted, run.arguments)]), run.stdin
    if not stdin:
        return line
    if len(stdin) > _LONGEST_INPUT or not stdin.replace("\n", "").replace("\t", "").isprintable():
        return f"{line} < input.txt"
    escaped = "".join(_ESCAPES.get(character, character) for character in stdin)
    return f"printf {quoted(escaped)} | {line}"


def quoted(text: str) -> str:
    """Return a word as a shell takes it."""
    if _PLAIN.fullmatch(text):
        return text
    return "'" + text.replace("'", "'\\''") + "'"
