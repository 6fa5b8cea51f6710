"""Messages on a stream socket: a length, a kind and a body.

    4 bytes   length of the body, little-endian
    1 byte    kind, one of the constants below
    n bytes   body

Nothing here trusts the other side: `FrameBuffer` refuses a length over its limit before it
collects a byte of the body, and never waits.
"""

from struct import Struct

_HEADER = Struct("<IB")
HEADER_B = _HEADER.size
_pack_header = _HEADER.pack

# Grader and keeper: both trusted.
JOB = 10
"""Grader to keeper: what to load, and under which limits."""
RUN = 11
"""Grader to keeper: cases to run, in order."""
LOADED = 12
"""Keeper to grader: how the import went."""
OUTCOMES = 13
"""Keeper to grader: what became of the cases; those after a bad end are not run."""
CALLED = 14
"""Keeper to grader: the case calls a watched callback.  Answered by REPLY."""
AGAIN = 17
"""Keeper to grader: the case is run once more; what it called back so far does not count."""
WAITS = 18
"""Keeper to grader: the running case sleeps and needs no core now.  Sent once a case; there is no answer."""
FAILED = 15
"""Keeper to grader: the box could not be made; our own fault."""

# Keeper and box: what comes from the box is hostile.
FORK = 20
"""Keeper to box: fork a process for the next case."""
READY = 21
"""Box to keeper, before a line of the student's code runs; brings the listener along."""
IMPORTED = 22
"""Box to keeper: the import ended."""
REQUEST = 23
"""Keeper to case process: a nonce, then the calls to make."""
ANSWER = 24
"""Case process to keeper: the nonce, whether it can take another case, then the answers."""
CALLBACK = 25
"""Case process to keeper: the nonce, then the callback's name and arguments."""
REPLY = 26
"""To the case process: what the callback returns, or the line, or None for the end of the input."""
ABSENT = 27
"""As ANSWER, with the name that the module lacks."""
OVERSIZE = 28
"""As ANSWER, with which limit the answer exceeds."""
STEP = 30
"""Case process to keeper: the nonce, then the answer to one step of a scenario; an ANSWER ends them."""
READ = 29
"""Case process to keeper: the nonce; the program waits for a line of a dialogue.  Answered by REPLY."""

NONCE_B = 8


class BadFrame(Exception):
    """A frame over the limit, or of an impossible shape."""


def frame(kind: int, body: bytes) -> bytes:
    """Return the bytes of one message."""
    return _pack_header(len(body), kind) + body


class FrameBuffer:
    """Collects bytes as they arrive and gives back whole frames.

    max_body_b: the largest body that is accepted.
    """

    def __init__(self, max_body_b: int) -> None:
        self._max_body_b = max_body_b
        self._data = bytearray()

    def feed(self, data: bytes) -> None:
        """Add what was received."""
        self._data += data

    def clear(self) -> None:
        """Forget what was received and not yet taken."""
        self._data.clear()

    def __len__(self) -> int:
        return len(self._data)

    def is_full(self) -> bool:
        """Tell whether it holds as much as the largest frame; to read on would only fill memory."""
        return len(self._data) >= HEADER_B + self._max_body_b

    def is_stuck(self) -> bool:
        """Tell whether no frame can be taken before more bytes arrive."""
        return len(self._data) < HEADER_B or len(self._data) < HEADER_B + _HEADER.unpack_from(self._data)[0]

    def take(self) -> tuple[int, bytes] | None:
        """Return the next frame as (kind, body), or None while it is incomplete.

        Raises `BadFrame` as soon as a header announces a body over the limit.
        """
        if len(self._data) < HEADER_B:
            return None
        length, kind = _HEADER.unpack_from(self._data)
        if length > self._max_body_b:
            raise BadFrame(f"a frame of {length} bytes")
        end = HEADER_B + length
        if len(self._data) < end:
            return None
        body = bytes(self._data[HEADER_B:end])
        del self._data[:end]
        return kind, body
