"""Reads the text of a file that a marker keeps, or says why it can't be read."""

import os
import stat
from pathlib import Path

from grader.model.errors import Fault, UsageError

MAX_FILE_B = 16 * 1024 * 1024


def read_text(path: Path, what: str) -> str:
    """Return the text of a file; see `text_of`.  Raises `UsageError`."""
    return text_of(read_bytes(path, what), str(path), what)


def text_of(content: bytes, where: str, what: str) -> str:
    """Return the text of a file's content, UTF-8 with or without a byte order mark.

    what: names the file in messages ("the times").  Raises `UsageError`.
    """
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(
            Fault(f"{what} can't be read: this is not UTF-8 text", where, hint="save the file as UTF-8")
        ) from None


def read_bytes(path: Path, what: str) -> bytes:
    """Return the content of a file.  Raises `UsageError`."""
    where = str(path)
    try:
        with path.open("rb") as file:
            content = file.read(MAX_FILE_B + 1)
    except FileNotFoundError:
        raise UsageError(Fault(f"{what} can't be read: there is no such file", where)) from None
    except (OSError, ValueError) as error:
        raise _unreadable(path, what, error) from error
    if len(content) > MAX_FILE_B:
        raise UsageError(Fault(f"{what} can have at most {MAX_FILE_B >> 20} MiB", where))
    return content


def is_there(path: Path, what: str) -> bool:
    """Tell whether a file lies at a path; a link that leads nowhere has none.

    Raises `UsageError` for a folder, a pipe and the like, and where the system does not tell.
    """
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return False
    except (OSError, ValueError) as error:
        raise _unreadable(path, what, error) from None
    if not stat.S_ISREG(mode):
        raise UsageError(Fault(f"{what} can't be read: this is no file", str(path)))
    return True


def is_filled(content: bytes) -> bool:
    """Tell whether a file has more than blanks; a full disk, or an editor that crashed, leaves none."""
    return bool(content.strip(b"\xef\xbb\xbf \t\r\n"))


def entries_of(folder: Path, what: str) -> list[Path]:
    """Return what lies in a folder, in order; nothing where there is none.

    Raises `UsageError` where it can't be listed: a file that nobody sees must not be left out unsaid.
    """
    try:
        return sorted(folder / name for name in os.listdir(folder))
    except (FileNotFoundError, NotADirectoryError):
        refuse_dead_link(folder, what)
        return []
    except (OSError, ValueError) as error:
        raise _unreadable(folder, what, error) from None


def refuse_dead_link(path: Path, what: str) -> None:
    """Raise `UsageError` for a link that leads nowhere: what it leads to can come back, as a drive does."""
    if path.is_symlink():
        raise UsageError(Fault(f"{what} can't be read: this link leads nowhere", str(path)))


def _unreadable(path: Path, what: str, error: Exception) -> UsageError:
    reason = getattr(error, "strerror", None) or "its path is not valid"
    return UsageError(Fault(f"{what} can't be read: {reason}", str(path)))
