"""The test's own input, of which the program's process asks for each line."""

import sys


def read_line(prompt: object = "", /) -> str:
    """Answer the program's `input` by the test's."""
    try:
        return input(prompt)
    except OSError:
        # Pytest refuses to read from the real one.
        raise EOFError("EOF when reading a line") from None


def read_stdin() -> str:
    """Return a line of the test's `sys.stdin`, with its end; nothing at the end of all."""
    try:
        return sys.stdin.readline()
    except OSError:
        return ""
