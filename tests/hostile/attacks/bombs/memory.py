"""Memory, at once and bit by bit, as objects, maps, texts and numbers.

Must not: be had beyond the limit.
Verdicts: memory-limit exception crashed
"""

import mmap


def solve(n, places, note):
    kept = []
    if n == 2:
        return len(bytearray(1 << 40))
    if n == 3:
        while True:
            kept.append(bytearray(1 << 20))
    if n == 4:
        while True:
            kept.append(mmap.mmap(-1, 1 << 22))
    text = "x"
    while True:
        text += text
