"""An object whose repr, str, length and hash never return.

Must not: hold up anybody but itself.
Verdicts: time-limit
"""

class Slow:
    def __repr__(self):
        while True:
            pass

    __str__ = __len__ = __hash__ = __iter__ = __eq__ = __repr__


def solve(n, places, note):
    return [Slow()]
