"""The folder with a task's own files, which boxes read and never write: `files` at the top of a spec.

It is written once, for all boxes of all submissions, and each box is shown it.  So a large file costs its
bytes once on a machine, and nothing for a case.
"""

import os
import shutil
import stat
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from grader.model.task import DataFile
from grader.sandbox.zygote import SandboxFailure

_PREFIX = "grader-data-"
_YOUNG_S = 60.0
"""A folder this young may be one that another process is about to lock."""

_TIMES = (2**31 - 86_400, 946_684_800)
"""Times of access and of change: the kernel notes an access only where the last one is older than the change,
or than a day.  With one that is to come it never does, so nobody can tell another who has read what."""

_folders: dict[tuple[DataFile, ...], str] = {}
"""Those that this process, or the one that it was forked from, has made."""


def data_folder(files: tuple[DataFile, ...]) -> str:
    """Return the folder with these files, empty for none.  It is there as long as this process.

    Processes that are forked later share it.  Raises `SandboxFailure` if it cannot be written.
    """
    if not files:
        return ""
    if files not in _folders:
        try:
            _remove_remains()
            _folders[files] = _made(files)
        except OSError as error:
            where = f"{tempfile.gettempdir()} (TMPDIR): {error.strerror or error}"
            raise SandboxFailure(f"the task's files cannot be written to {where}") from error
    return _folders[files]


def show_files(data: str, folder: str) -> None:
    """Show the files of a data folder in another one: by links, or as copies where there can be none."""
    for file in sorted(Path(data).rglob("*")):
        there = Path(folder, file.relative_to(data))
        if file.is_dir():
            there.mkdir()
            there.chmod(0o755)  # whatever the shell's mask: student code can see it
            continue
        try:
            there.symlink_to(file)
        except OSError:
            shutil.copyfile(file, there)


def _made(files: Sequence[DataFile]) -> str:
    from multiprocessing.util import Finalize  # noqa: PLC0415  (few tasks have files, and check need not wait)

    folder = tempfile.mkdtemp(prefix=_PREFIX)
    lock = _locked(folder)
    # In a process of a pool too, which does not run the handlers of `atexit`.
    Finalize(None, _remove, (folder, lock), exitpriority=0)
    # Boxes may belong to a user without rights.  The descriptor that holds the lock stays open in forks.
    root = Path(os.path.realpath(folder))
    for file in files:
        path = root / file.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.content)
        path.chmod(0o444)
    for inner, _, names in os.walk(root, topdown=False):
        os.chmod(inner, 0o555)
        for name in names:
            os.utime(os.path.join(inner, name), _TIMES)
        os.utime(inner, _TIMES)
    return str(root)


def _locked(folder: str) -> int:
    """Return a descriptor that marks a folder as in use; -1 where another process marks it, or none can."""
    try:
        import fcntl  # noqa: PLC0415  (Windows has none)
    except ImportError:
        return -1
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return -1
    return descriptor


def _remove(folder: str, lock: int) -> None:
    for inner, _, names in os.walk(folder):
        # Windows removes no file that is read-only.
        for path in (inner, *(os.path.join(inner, name) for name in names)):
            with suppress(OSError):
                os.chmod(path, 0o700)
    shutil.rmtree(folder, ignore_errors=True)
    if lock >= 0:
        os.close(lock)


def _remove_remains() -> None:
    """Remove the folders of processes that were killed before they could."""
    if not hasattr(os, "getuid"):
        return
    for path in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with suppress(OSError):
            found = path.lstat()
            is_ours = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()
            if is_ours and time.time() - found.st_mtime > _YOUNG_S and (lock := _locked(str(path))) >= 0:
                _remove(str(path), lock)
