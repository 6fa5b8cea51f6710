"""Names of functions, classes, files and attributes with markup, letters of no width and lengths.

Must not: get markup into a page, or make a mark pending.
Verdicts: wrong-answer exception missing crashed
"""

import sys

NAME = "<img src=x onerror=alert(1)>\u200b\u202e\x1b[31m" + "n" * 5_000
sys._getframe().f_code  # noqa: B018


def solve(n, places, note):
    code = solve.__code__.replace(co_name=NAME, co_filename=NAME, co_qualname=NAME, co_firstlineno=1 << 30)
    solve.__name__ = solve.__qualname__ = NAME
    kind = type(NAME, (), {"__repr__": lambda self: NAME * 100, NAME: 1})
    if n == 2:
        return kind()
    if n == 3:
        return kind
    if n == 4:
        exec(code.replace(co_argcount=0, co_nlocals=0, co_varnames=()), {})
    raise type(NAME, (Exception,), {})(NAME)
