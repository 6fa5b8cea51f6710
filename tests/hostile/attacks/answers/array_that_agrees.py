"""An object that takes part in comparisons the way arrays do, and always agrees.

Must not: be accepted.
Verdicts: wrong-answer
"""

class Agreeing:
    __array_priority__ = 1e9
    __array_interface__ = {"shape": (), "typestr": "<i8", "data": (0, True), "version": 3}
    __array_ufunc__ = lambda self, *args, **kwargs: True
    __getattr__ = lambda self, name: self
    __call__ = lambda self, *args, **kwargs: self
    __eq__ = __lt__ = __le__ = __gt__ = __ge__ = __contains__ = lambda self, other: True
    __hash__ = lambda self: 0
    __sub__ = __rsub__ = __add__ = __radd__ = lambda self, other: other
    __bool__ = lambda self: True
    __float__ = lambda self: 0.0


def solve(n, places, note):
    return Agreeing()
