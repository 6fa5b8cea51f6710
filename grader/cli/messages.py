"""The command line's messages, which go to stderr.

A reader that has gone away is no error.
"""

import os
import sys
from typing import TextIO

from grader.reports.escape import encodable, plain


def tell(text: str) -> None:
    """Write one line to stderr."""
    try:
        print(_shown(text), file=sys.stderr, flush=True)
    except OSError:
        abandon(sys.stderr)


def note(text: str) -> None:
    """Write a note to stderr; the text may hold hostile names."""
    tell(f"note: {plain(text)}")


def tell_passing(text: str) -> None:
    """Write text to stderr that will be overwritten, without a line end."""
    try:
        sys.stderr.write(_shown(text))
        sys.stderr.flush()
    except OSError:
        abandon(sys.stderr)


def is_drawn_again() -> bool:
    """Tell whether a line on stderr can be drawn again, over the last one."""
    return sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


def _shown(text: str) -> str:
    """Return a text as stderr can write it; our own sign for what goes on has a plain form."""
    encoding = sys.stderr.encoding
    if encodable("…", encoding) != "…":
        text = text.replace("…", "...")
    return encodable(text, encoding)


def abandon(stream: TextIO) -> None:
    """Discard what is still to be written, since Python would complain of it when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
