"""System calls by the 32-bit gate and by the x32 numbers.

Must not: get past the filter.
Holds from: seccomp
Verdicts: forbidden crashed
"""

import ctypes
import platform

LIBC = ctypes.CDLL(None, use_errno=True)


def call(x86_64, aarch64, *args):
    number = x86_64 if platform.machine() == "x86_64" else aarch64
    return LIBC.syscall(ctypes.c_long(number), *args)


import mmap

CODE = "b814000000cd80c3"  # mov eax, 20; int 0x80; ret


def solve(n, places, note):
    if platform.machine() != "x86_64":
        ctypes.string_at(0)
    if LIBC.syscall(ctypes.c_long(0x40000000 | 39)) > 0:
        print(places["shout"])
    page = mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE, prot=7)
    page.write(bytes.fromhex(CODE))
    if ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))() > 0:
        print(places["shout"])
    return 0
