"""Text that came as bytes: what is no UTF-8 stays in it, byte by byte.

A byte that is no UTF-8 becomes the lone surrogate that Python's `surrogateescape` makes of it.  So two texts
are equal if their bytes are, and U+FFFD that somebody typed is not a broken byte.  For people such a
character is written as `\\xe4`.
"""

import re

_KEPT = re.compile("[\udc80-\udcff]")


def text_of(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def bytes_of(text: str) -> bytes:
    """Return the bytes that a text came as."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        # It did not come as bytes: half of a surrogate pair is in it.
        return text.encode("utf-8", "surrogatepass")


def is_utf8(text: str) -> bool:
    """Tell whether all bytes that a text came as were UTF-8."""
    return text.isascii() or _KEPT.search(text) is None


def legible(text: str) -> str:
    """Return a text with `\\xe4` for a byte that is no UTF-8."""
    if text.isascii():
        return text
    return _KEPT.sub(lambda found: f"\\x{ord(found[0]) - 0xDC00:02x}", text)
