"""Reads a file that hostile code may have left, which may be a link, a pipe or a device."""

import functools
import operator
import os
import stat

_CAREFULLY = functools.reduce(
    operator.or_,
    (getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY")),
)
"""No link and no waiting; on Windows, byte for byte."""


def beginning_of(path: str, most_b: int) -> bytes | None:
    """Return at most so many bytes of a regular file; None for anything else.  Raises `OSError`."""
    descriptor = os.open(path, os.O_RDONLY | _CAREFULLY)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return None
        parts, left_b = [], most_b
        while left_b > 0 and (part := os.read(descriptor, min(left_b, 1 << 18))):
            parts.append(part)
            left_b -= len(part)
        return b"".join(parts)
    finally:
        os.close(descriptor)
