"""A file that appears whole or not at all: written under a temporary name, then renamed.

Readers never see half a file, and an interrupted run leaves the old one in place.  It does
not wait for the disk: after a power cut the newest files may be missing, never torn by us.
"""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO


@contextlib.contextmanager
def replacing(path: Path, encoding: str = "utf-8") -> Iterator[TextIO]:
    """Yield a text file, without newline translation, that becomes `path` when the block succeeds.

    If the block raises, `path` stays as it was and the temporary file is removed.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with temporary.open("w", encoding=encoding, newline="") as file:
            yield file
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def replace_text(path: Path, text: str) -> None:
    """Make `text` (UTF-8) the whole content of `path`."""
    with replacing(path) as file:
        file.write(text)
