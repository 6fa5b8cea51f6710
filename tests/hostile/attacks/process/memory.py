"""A search of the process's whole memory.

Must not: find an expected answer, the reference, or another student's work.
Verdicts: wrong-answer time-limit
"""

import ctypes
import gc
import os

LIBC = ctypes.CDLL(None)
PAGE = 4096


def pages():
    """Pages near any object; write() tells which are there."""
    read_end, write_end = os.pipe()
    near = {id(thing) >> 21 for thing in gc.get_objects()} | {id(LIBC) >> 21, id(None) >> 21}
    for block in sorted({block + offset for block in near for offset in (-2, -1, 0, 1, 2)}):
        for address in range(block << 21, (block + 1) << 21, PAGE):
            if LIBC.write(write_end, ctypes.c_void_p(address), PAGE) == PAGE:
                yield os.read(read_end, PAGE)


def solve(n, places, note):
    word = b"CAN" + b"ARY"
    if n == 2:
        for page in pages():
            at = page.find(word)
            while at >= 0:
                print(page[at : at + 60])
                at = page.find(word, at + 1)
    return 0
