"""The proofs of `grader check`, in a small folder of the user's own: an empty file for each proven spec.

The folder counts only if it belongs to the user and nobody else can write to it.  Otherwise another user
could say that a spec is proven.  Without such a folder each check proves its spec.
"""

import os
import stat
from collections.abc import Callable
from pathlib import Path

_MOST = 256
"""With more files, all are removed before the next is written."""


class UserCache:
    """Keeps the keys of proofs.  folder: None for the user's own."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or _users_folder()

    def has(self, key: str) -> bool:
        """Tell whether a key was added before."""
        return self._is_safe() and self._folder is not None and _is_own(self._folder / key, stat.S_ISREG)

    def add(self, key: str) -> None:
        """Keep a key, if there is a safe folder for it."""
        folder = self._folder
        if folder is None:
            return
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not self._is_safe():
                return
            kept = list(folder.iterdir())
            for path in kept if len(kept) >= _MOST else ():
                path.unlink()
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
            os.close(os.open(folder / key, flags, 0o600))
        except OSError:
            return  # the next check proves the spec again

    def _is_safe(self) -> bool:
        return self._folder is not None and _is_own(self._folder, stat.S_ISDIR)


def _users_folder() -> Path | None:
    """Return the folder by the XDG rules; None if the system does not tell who owns a file."""
    if not hasattr(os, "getuid"):
        return None
    stated = os.environ.get("XDG_CACHE_HOME", "")
    try:
        base = Path(stated) if os.path.isabs(stated) else Path.home() / ".cache"
    except RuntimeError:  # no home folder is known
        return None
    return base / "grader" / "proven"


def _is_own(path: Path, is_kind: Callable[[int], bool]) -> bool:
    """Tell whether a path is of a kind, belongs to the user, and only the user can write to it."""
    try:
        found = os.lstat(path)
    except OSError:
        return False
    own = found.st_uid == os.getuid() and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return own and is_kind(found.st_mode)
