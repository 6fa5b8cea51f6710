"""Messages, classes and places of exceptions that are long, odd or dear to match.

Must not: keep the judge busy, or get markup into a page.
Verdicts: exception missing crashed wrong-answer
"""

import sys


def solve(n, places, note):
    if n == 2:
        raise ValueError("a" * 60_000 + "!" + "\x1b]0;x\x07<script>" + "\u202e" * 1000)
    if n == 3:
        raise type("V" * 60_000, (ValueError,), {"__module__": "<b>" * 9_000})("x")
    if n == 4:
        error = ValueError()
        for _ in range(3000):
            error = ValueError(error)
        error.__notes__ = ["note" * 9_000] * 100
        raise error from error.args[0]
    code = compile("\n" * 200_000 + "raise ValueError", "work.py" * 3_000, "exec")
    exec(code)


def apply(f, places):
    class Odd(Exception):
        __str__ = lambda self: "x" * (1 << 26)
        args = property(lambda self: 1 / 0)

    raise Odd
