"""A file that appears whole or not at all: written under a temporary name, then renamed.

Readers never see half a file, and an interrupted run leaves the old one in place.  A file that is not
`durable` does not wait for the disk: after a power cut the newest such files may be empty or gone.
"""

import contextlib
import os
import re
import stat
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

_ENDING = ".part"
_TRIES, _AGAIN_S = 40, 0.05
"""How often a file is renamed that is in use, and the time between two tries."""
_TEMPORARY = re.compile(rf"\..+\.([0-9]+){re.escape(_ENDING)}")


@contextlib.contextmanager
def replacing(
    path: Path, encoding: str = "utf-8", *, durable: bool = False, alike: bool = False
) -> Iterator[TextIO]:
    """Yield a text file, without newline translation, that becomes `path` when the block succeeds.

    If the block raises, `path` stays as it was and the temporary file is removed.
    durable: even after a power cut, `path` is the old file or the new one.
    alike: who may read and write an old file, and nobody else, may so with the new one.
    """
    mode = _mode(path) if alike else None
    with replacing_by_path(path) as temporary:
        if mode is not None:
            # Others never see a word of it, not even for a moment.
            temporary.touch(0o600)
            temporary.chmod(mode)
        with temporary.open("w", encoding=encoding, newline="") as file:
            yield file
            if durable:
                file.flush()
                os.fsync(file.fileno())


def _mode(path: Path) -> int | None:
    try:
        return stat.S_IMODE(path.stat().st_mode)
    except FileNotFoundError:
        return None


@contextlib.contextmanager
def replacing_by_path(path: Path) -> Iterator[Path]:
    """Yield the path of a temporary file, which becomes `path` when the block succeeds."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}{_ENDING}")
    try:
        yield temporary
        _put(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _put(temporary: Path, path: Path) -> None:
    """Rename a file over another one, which on Windows has to wait until nobody reads that."""
    for _ in range(_TRIES if sys.platform == "win32" else 0):
        try:
            temporary.replace(path)
        except PermissionError:
            time.sleep(_AGAIN_S)
        else:
            return
    temporary.replace(path)


def remove_remains(folder: Path) -> None:
    """Remove the temporary files of processes that were killed before they could rename them.

    The files of a living process, and files with other names than ours, are left alone.
    """
    for path in folder.glob(f".*{_ENDING}"):
        found = _TEMPORARY.fullmatch(path.name)
        if found and not _is_alive(int(found[1])):
            path.unlink(missing_ok=True)


def _is_alive(pid: int) -> bool:
    if sys.platform == "win32":
        return True  # os.kill would end the process there
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True


def replace_text(path: Path, text: str, *, alike: bool = False) -> None:
    """Write `text` (UTF-8) as the whole content of `path`.  alike: see `replacing`."""
    with replacing(path, alike=alike) as file:
        file.write(text)


def replace_bytes(path: Path, content: bytes) -> None:
    """Write bytes as the whole content of `path`."""
    with replacing_by_path(path) as temporary:
        temporary.write_bytes(content)
