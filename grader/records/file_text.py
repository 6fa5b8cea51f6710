"""Reads the text of a file that a marker keeps, or says why it can't be read."""

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
        reason = getattr(error, "strerror", None) or "its path is not valid"
        raise UsageError(Fault(f"{what} can't be read: {reason}", where)) from error
    if len(content) > MAX_FILE_B:
        raise UsageError(Fault(f"{what} can have at most {MAX_FILE_B >> 20} MiB", where))
    return content
