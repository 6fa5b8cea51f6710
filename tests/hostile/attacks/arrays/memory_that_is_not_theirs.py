"""Arrays over addresses of the interpreter: strides beyond the end, pointers of their own making.

Must not: be accepted, or read anything but its own.
Hands in: grid
Verdicts: wrong-answer crashed output-limit
"""

import ctypes

import numpy as np
from numpy.lib.stride_tricks import as_strided


class Anywhere:
    def __init__(self, address):
        self.__array_interface__ = {"shape": (2, 2), "typestr": "<i8", "data": (address, False), "version": 3}


def squares(n, places):
    if n == 3:
        return as_strided(np.zeros(1, dtype=int), shape=(2, 2), strides=(1 << 40, 8))
    if n == 4:
        return np.array(Anywhere(8))
    found = np.array(Anywhere(id(1)))
    ctypes.memset(id(2) + 24, 1, 4)
    return found
