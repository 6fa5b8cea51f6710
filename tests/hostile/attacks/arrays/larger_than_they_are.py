"""Views that are gigantic without memory: strides of nought, broadcasts, texts of a gigabyte.

Must not: be accepted, or take more memory than the limit.
Hands in: grid
Verdicts: wrong-answer answer-size memory-limit output-limit time-limit wall-limit
"""

import numpy as np
from numpy.lib.stride_tricks import as_strided


def squares(n, places):
    one = np.zeros(1, dtype=int)
    if n == 3:
        return as_strided(one, shape=(1 << 20, 1 << 20), strides=(0, 0))
    if n == 4:
        return np.broadcast_to(np.array("x" * 10**6), (1000, 1000))
    return [np.broadcast_to(one, (999, 999))] * 1000
