"""An int, and a float, whose comparisons, hash and arithmetic lie.

Must not: be accepted.
Verdicts: wrong-answer
"""

class Number(int):
    __eq__ = __ge__ = __le__ = lambda self, other: True
    __ne__ = __lt__ = __gt__ = lambda self, other: False
    __hash__ = lambda self: 0
    __sub__ = __rsub__ = __mod__ = __rmod__ = lambda self, other: 0
    __abs__ = __index__ = __int__ = __bool__ = lambda self: 10


class Real(float):
    __eq__ = Number.__eq__
    __ne__ = Number.__ne__
    __hash__ = Number.__hash__
    __sub__ = __rsub__ = lambda self, other: 0.0


def solve(n, places, note):
    return Number(-1) if n % 2 else Real(-1.0)
