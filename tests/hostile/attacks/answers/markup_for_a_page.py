"""Objects, exceptions and texts that are HTML, templates, escapes and formulas.

Must not: be obeyed by any page, table or terminal.
Verdicts: wrong-answer exception output-limit
"""

NASTY = (
    "<script>alert(1)</script><img src=x onerror=alert(1)>{{7*7}}{% include '/etc/passwd' %}"
    "\x1b]0;owned\x07\x1b[2J\u202e\u2066=HYPERLINK(1)\r\n::error::owned\x00\ud800&#x3c;"
)


class Nasty(Exception):
    __repr__ = __str__ = lambda self: NASTY


Nasty.__name__ = Nasty.__qualname__ = NASTY.replace("\x00", "").replace("\ud800", "")


def solve(n, places, note):
    print(NASTY)
    if n % 2:
        raise Nasty(NASTY)
    return NASTY if n % 4 else Nasty()


def apply(f, places):
    return f(NASTY)
