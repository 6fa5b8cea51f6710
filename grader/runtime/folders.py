"""What lies in folders: where one cannot be listed, that is an error, and not an empty folder."""

import os
from collections.abc import Iterator
from pathlib import Path


def walked(folder: Path) -> Iterator[tuple[str, list[str], list[str]]]:
    """Yield each folder with its folders and files, as `os.walk` does; the caller may leave some out.

    A folder that is not there has nothing in it.  Raises `OSError` for one that cannot be listed.
    """
    return os.walk(folder, onerror=_stop)


def _stop(error: OSError) -> None:
    if not isinstance(error, FileNotFoundError | NotADirectoryError):
        raise error
