"""Subclasses whose shape, items, lists and comparisons are what one likes to see.

Must not: be accepted.
Hands in: grid
Verdicts: wrong-answer
"""

import numpy as np


class Lying(np.ndarray):
    shape = property(lambda self: (2, 2))
    dtype = property(lambda self: np.dtype(int))
    tolist = lambda self: [[0, 1], [2, 3]]
    __eq__ = lambda self, other: True
    __hash__ = lambda self: 0
    __array__ = lambda self, *args, **kwargs: np.array([[0, 1], [2, 3]])
    __class__ = list


def squares(n, places):
    if n == 5:
        return np.ma.masked_array([[0, 1], [2, 9]], mask=[[0, 0], [0, 1]])
    return np.zeros((1,)).view(Lying)
