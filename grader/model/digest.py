"""The digest of several parts that cannot be confused: each is hashed with its length before it."""

import hashlib
from collections.abc import Iterable


def digest(parts: Iterable[bytes], label: bytes = b"") -> str:
    """Return the SHA-256 of the label and the parts, in hexadecimal."""
    total = hashlib.sha256(label)
    for part in parts:
        total.update(len(part).to_bytes(8, "big"))
        total.update(part)
    return total.hexdigest()
