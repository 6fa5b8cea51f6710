"""An object whose attributes and methods give what agrees with everything, and looks like a number.

Must not: be accepted.
Hands in: shapes
Verdicts: wrong-answer
"""


class Yes(int):
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = lambda self, other: True
    __hash__ = lambda self: hash(5)
    __repr__ = __str__ = lambda self: "5"
    __sub__ = __rsub__ = lambda self, other: 0


class Tally:
    def __init__(self, start):
        pass

    def __getattr__(self, name):
        return Yes()

    def add(self, number):
        return Yes()
