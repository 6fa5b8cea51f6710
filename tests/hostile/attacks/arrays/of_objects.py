"""Arrays of objects that agree with everything, and of records that hold some.

Must not: be accepted.
Hands in: grid
Verdicts: wrong-answer
"""

import numpy as np


class Yes:
    __eq__ = __lt__ = lambda self, other: True
    __hash__ = lambda self: 0
    __float__ = lambda self: 1.0


def squares(n, places):
    if n == 3:
        return np.array([[Yes(), Yes()], [Yes(), Yes()]], dtype=object)
    return np.array([(Yes(), 1)], dtype=[("a", object), ("b", int)])
