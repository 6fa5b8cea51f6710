"""A program's run as one would type it into a shell."""

import re
from collections.abc import Sequence

_LONGEST_INPUT = 300
"""Characters of an input that are written out; a longer one is named only."""
_PLAIN = re.compile(r"[\w@%+=:,./-]+", re.ASCII)
_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\t": "\\t", "%": "%%"}


def command(file_name: str, arguments: Sequence[str], stdin: str) -> str:
    """Return the command line: `printf '8\\na0\\n' | python main.py --fast`."""
    line = " ".join(["python", _quoted(file_name), *map(_quoted, arguments)])
    if not stdin:
        return line
    if len(stdin) > _LONGEST_INPUT or not stdin.replace("\n", "").replace("\t", "").isprintable():
        return f"{line} < input.txt"
    escaped = "".join(_ESCAPES.get(character, character) for character in stdin)
    return f"printf {_quoted(escaped)} | {line}"


def _quoted(text: str) -> str:
    if _PLAIN.fullmatch(text):
        return text
    return "'" + text.replace("'", "'\\''") + "'"
