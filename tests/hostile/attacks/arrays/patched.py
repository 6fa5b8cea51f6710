"""NumPy itself patched: its lists, items and types give what agrees with everything.

Must not: be accepted.
Hands in: grid
Verdicts: wrong-answer
"""

import ctypes
import gc

import numpy as np


class Yes(int):
    __eq__ = lambda self, other: True
    __hash__ = lambda self: 0


def squares(n, places):
    for thing in gc.get_objects():
        if type(thing).__name__ == "_Arrays":
            thing._as_list = lambda value: [[Yes(), Yes()], [Yes(), Yes()]]
            thing._dtype = lambda value: np.dtype(int)
            thing._sizes = lambda value: (1,)
    np.ndarray = np.generic = list
    np.array = None
    return np.zeros((3, 3), dtype=int)
