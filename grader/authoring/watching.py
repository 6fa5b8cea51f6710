"""Waits until one of a spec's files is saved.

It looks at the files' times and sizes a few times a second: a spec has a few dozen files, and looking at them
takes less than a millisecond.  This works on every file system, and needs no library.
"""

import os
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeAlias

_LOOK_S = 0.25
_MOST_FILES = 5_000

Seen: TypeAlias = dict[str, tuple[int, int]]
"""Time and size of each file, by its path."""


def look(paths: Iterable[Path]) -> Seen:
    """Return the files below the paths, hidden ones and caches aside."""
    seen: Seen = {}
    for path in paths:
        for file in _files(path):
            try:
                stat = os.stat(file)
            except OSError:
                continue
            seen[file] = (stat.st_mtime_ns, stat.st_size)
            if len(seen) >= _MOST_FILES:
                return seen
    return seen


def _files(path: Path) -> Iterable[str]:
    if not path.is_dir():
        yield str(path)
        return
    for parent, folders, files in os.walk(path):
        folders[:] = sorted(name for name in folders if name[0] != "." and name != "__pycache__")
        yield from (os.path.join(parent, name) for name in sorted(files) if name[0] != ".")


def await_change(
    paths: Callable[[], Iterable[Path]],
    before: Seen,
    sleep: Callable[[float], None] = time.sleep,
    look_s: float = _LOOK_S,
    settle_s: float = _LOOK_S,
) -> Seen:
    """Return what is seen once it differs from `before` and then stays the same for `settle_s`.

    An editor that writes a file in several steps causes one round, not several.
    look_s: the time between two looks before that.
    """
    while (seen := look(paths())) == before:
        sleep(look_s)
    while True:
        sleep(settle_s)
        again = look(paths())
        if again == seen:
            return seen
        seen = again
